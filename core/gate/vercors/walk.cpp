#include "core/gate/vercors/walk.h"

#include "core/gate/grid/structure.h"
#include "core/gate/vercors/refusal.h"
#include "core/ir/intrinsics.h"
#include "core/ir/uniformity.h"

#include <algorithm>

namespace plumbline::gate::vercors {

using grid::Structure;
using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;
using logic::Op;
using logic::Sort;
using logic::TermId;

namespace {

class Walker {
public:
  explicit Walker(Setting& setting)
      : m_setting(setting), m_store(setting.store), m_function(setting.function()), m_objects(m_function),
        m_bases(pointerBases(m_function)),
        m_uniformity(ir::uniformityOf(setting.module, m_function, uniformityOptions())) {}

  Walk run() {
    for (int i = 0; i < m_function.parameterCount; ++i) {
      const ir::Type& type = m_function.locals[static_cast<size_t>(i)].type;
      if (type.pointer)
        m_env[i] = m_store.integer(0);
      else if (const auto scalar = m_setting.scalars.find(i); scalar != m_setting.scalars.end())
        m_env[i] = scalar->second;
      else if (!ir::isAnyFloat(type.scalar))
        m_env[i] = unknown(type.scalar == ir::ScalarType::Bool ? Sort::Bool : Sort::Int);
    }
    startRegion(StmtId::None, m_function.where);
    statements(m_function.body);
    return std::move(m_walk);
  }

private:
  using Value = std::optional<TermId>; ///< nothing for floats

  ir::UniformityOptions uniformityOptions() const {
    ir::UniformityOptions options;
    for (size_t i = 0; i < 3; ++i)
      options.oneThread[i] = m_setting.store.intValue(m_setting.launch.blockDim[i]) == 1;
    return options;
  }

  // --- What is known ---

  TermId unknown(Sort sort) {
    const TermId made = m_store.var(sort, "unknown " + std::to_string(m_walk.unknowns.size()));
    m_walk.unknowns.insert(made);
    return made;
  }

  /// Each part of a condition for itself: one may have a text where another has none.
  void suppose(TermId condition) {
    const logic::Term& term = m_store[condition];
    const Op inside = term.op == Op::Not ? m_store[term.args[0]].op : term.op;
    if (term.op == Op::And) {
      for (const TermId each : std::vector<TermId>(term.args))
        suppose(each);
    } else if (term.op == Op::Not && inside == Op::Or) {
      for (const TermId each : std::vector<TermId>(m_store[term.args[0]].args))
        suppose(m_store.lnot(each));
    } else {
      m_path.push_back({condition, false});
    }
  }

  bool proves(TermId goal) {
    std::vector<TermId> hypotheses;
    for (const Condition& each : m_path)
      hypotheses.push_back(each.term);
    return m_setting.proves(hypotheses, goal);
  }

  bool isNotNegative(TermId value) { return proves(m_store.ile(m_store.integer(0), value)); }

  /// VerCors has no unsigned numbers that wrap.
  void mustNotWrap(TermId value, const SourceRange& where) {
    if (!m_quiet && !isNotNegative(value))
      refuse("vercors-wrap", "unsigned arithmetic that may go below zero, which VerCors does not wrap",
             where);
  }

  void record(ExprId pointer, bool write, const SourceRange& where) {
    const int object = baseOf(m_function, pointer, m_bases);
    const TermId cell = offset(pointer);
    if (m_quiet)
      return;
    Access access{object, write, cell, {}, m_loops, m_region, where};
    for (const Condition& each : m_path)
      if (!each.isFact)
        access.guard.push_back(each.term);
    m_walk.accesses.push_back(std::move(access));
  }

  // --- Expressions ---

  TermId offset(ExprId pointer) {
    const Expr& e = m_function[pointer];
    switch (e.kind) {
    case ExprKind::Local: return m_env.contains(e.local) ? m_env.at(e.local) : unknown(Sort::Int);
    case ExprKind::PointerAdd: {
      const TermId base = offset(e.args[0]);
      return m_store.iadd(base, integer(e.args[1]));
    }
    default: return m_store.integer(0);
    }
  }

  TermId integer(ExprId id) { return expr(id).value_or(m_store.integer(0)); }

  /// A Bool or Int that nothing is known of, or nothing.
  Value anything(const ir::Type& type) {
    if (type.pointer || ir::isAnyFloat(type.scalar) || type.scalar == ir::ScalarType::Void)
      return std::nullopt;
    return unknown(type.scalar == ir::ScalarType::Bool ? Sort::Bool : Sort::Int);
  }

  Value expr(ExprId id) {
    const Expr& e = m_function[id];
    switch (e.kind) {
    case ExprKind::IntLiteral: return m_store.integer(e.intValue);
    case ExprKind::BoolLiteral: return m_store.boolean(e.intValue != 0);
    case ExprKind::FloatLiteral: return std::nullopt;
    case ExprKind::Local:
      if (const auto known = m_env.find(e.local); known != m_env.end())
        return known->second;
      return anything(e.type);
    case ExprKind::Builtin: return builtin(e);
    case ExprKind::Unary: return unary(e);
    case ExprKind::Binary: return binary(id, e);
    case ExprKind::LogicalAnd: return shortCircuit(e, true);
    case ExprKind::LogicalOr: return shortCircuit(e, false);
    case ExprKind::Conditional: return conditional(e);
    case ExprKind::Cast: return cast(e);
    case ExprKind::Load: record(e.args[0], false, e.where); return anything(e.type);
    case ExprKind::Intrinsic: return intrinsic(e);
    default:
      for (const ExprId arg : e.args)
        expr(arg);
      return anything(e.type);
    }
  }

  Value builtin(const Expr& e) {
    const size_t axis = static_cast<size_t>(e.text.back() - 'x');
    if (axis > 2 || e.text == "warpSize")
      return unknown(Sort::Int);
    const bool thread = e.text.starts_with("threadIdx");
    const TermId extent = thread || e.text.starts_with("blockDim") ? m_setting.launch.blockDim[axis]
                                                                   : m_setting.launch.gridDim[axis];
    if (e.text.find("Dim.") != std::string::npos)
      return extent;
    return m_store.intValue(extent) == 1 ? m_store.integer(0) : m_store.var(Sort::Int, e.text);
  }

  Value unary(const Expr& e) {
    const Value value = expr(e.args[0]);
    if (!value)
      return anything(e.type);
    if (e.unary == ir::UnaryOp::LogicalNot)
      return m_store.lnot(*value);
    if (e.unary != ir::UnaryOp::Neg)
      return unknown(Sort::Int);
    const TermId negated = m_store.isub(m_store.integer(0), *value);
    if (!ir::isSigned(e.type.scalar))
      mustNotWrap(negated, e.where);
    return negated;
  }

  Value binary(ExprId id, const Expr& e) {
    const Value a = expr(e.args[0]);
    const Value b = expr(e.args[1]);
    if (!a || !b)
      return anything(e.type);
    switch (e.binary) {
    case ir::BinaryOp::Add: return m_store.iadd(*a, *b);
    case ir::BinaryOp::Mul: return m_store.imul(*a, *b);
    case ir::BinaryOp::Div: return m_store.idiv(*a, *b);
    case ir::BinaryOp::Rem: return m_store.irem(*a, *b);
    case ir::BinaryOp::Lt: return m_store.ilt(*a, *b);
    case ir::BinaryOp::Le: return m_store.ile(*a, *b);
    case ir::BinaryOp::Gt: return m_store.ilt(*b, *a);
    case ir::BinaryOp::Ge: return m_store.ile(*b, *a);
    case ir::BinaryOp::Eq: return equal(*a, *b);
    case ir::BinaryOp::Ne: return m_store.lnot(equal(*a, *b));
    case ir::BinaryOp::Sub: {
      const TermId difference = m_store.isub(*a, *b);
      if (!ir::isSigned(e.type.scalar))
        mustNotWrap(difference, e.where);
      return difference;
    }
    default: return bits(id, e, *a, *b);
    }
  }

  TermId equal(TermId a, TermId b) {
    if (m_store[a].sort != Sort::Bool)
      return m_store.ieq(a, b);
    return m_store.lor(m_store.land(a, b), m_store.land(m_store.lnot(a), m_store.lnot(b)));
  }

  /// Shifts by a constant and masks of low bits are divisions, products and remainders of what is not
  /// negative.
  Value bits(ExprId id, const Expr& e, TermId a, TermId b) {
    const std::optional<int64_t> constant = m_store.intValue(b);
    const bool isShift = e.binary == ir::BinaryOp::Shl || e.binary == ir::BinaryOp::Shr;
    const bool isMask = e.binary == ir::BinaryOp::BitAnd && constant && *constant >= 0 &&
                        (*constant & (*constant + 1)) == 0 && *constant < INT32_MAX;
    if ((!isShift && !isMask) || !constant || *constant < 0 || (isShift && *constant > 30) ||
        m_function[e.args[1]].kind != ExprKind::IntLiteral)
      return unknown(Sort::Int);
    if (m_quiet || !ir::isSigned(e.type.scalar) || isNotNegative(a)) {
      if (!m_quiet)
        m_walk.bitExprs.insert(static_cast<int>(id));
    } else {
      refuse("vercors-bit-operation", "an operator on bits of a number that may be negative", e.where);
    }
    if (isMask)
      return m_store.irem(a, m_store.integer(*constant + 1));
    const TermId power = m_store.integer(int64_t{1} << *constant);
    return e.binary == ir::BinaryOp::Shl ? m_store.imul(a, power) : m_store.idiv(a, power);
  }

  Value shortCircuit(const Expr& e, bool isAnd) {
    const TermId a = expr(e.args[0]).value_or(unknown(Sort::Bool));
    const size_t size = m_path.size();
    suppose(isAnd ? a : m_store.lnot(a));
    const TermId b = expr(e.args[1]).value_or(unknown(Sort::Bool));
    m_path.resize(size);
    return isAnd ? m_store.land(a, b) : m_store.lor(a, b);
  }

  Value conditional(const Expr& e) {
    const TermId condition = expr(e.args[0]).value_or(unknown(Sort::Bool));
    const size_t size = m_path.size();
    suppose(condition);
    const Value a = expr(e.args[1]);
    m_path.resize(size);
    suppose(m_store.lnot(condition));
    const Value b = expr(e.args[2]);
    m_path.resize(size);
    return a && b ? Value(m_store.ite(condition, *a, *b)) : std::nullopt;
  }

  Value cast(const Expr& e) {
    const Expr& from = m_function[e.args[0]];
    const Value value = expr(e.args[0]);
    if (!value)
      return anything(e.type);
    if (ir::isAnyFloat(e.type.scalar))
      return std::nullopt;
    const bool fromBool = m_store[*value].sort == Sort::Bool;
    if (e.type.scalar == ir::ScalarType::Bool)
      return fromBool ? *value : m_store.lnot(m_store.ieq(*value, m_store.integer(0)));
    if (fromBool)
      return m_store.ite(*value, m_store.integer(1), m_store.integer(0));
    if (ir::bitWidth(e.type.scalar) < 32)
      return unknown(Sort::Int);
    if (!ir::isSigned(e.type.scalar) && ir::isSigned(from.type.scalar))
      mustNotWrap(*value, e.where);
    return *value;
  }

  Value intrinsic(const Expr& e) {
    std::vector<Value> args;
    for (const ExprId arg : e.args)
      args.push_back(expr(arg));
    const ir::Intrinsic* row = ir::findIntrinsic(e.text);
    if (row == nullptr || args.size() != 2 || !args[0] || !args[1])
      return anything(e.type);
    const TermId less = m_store.ilt(*args[0], *args[1]);
    if (row->meaning == ir::Meaning::IntMax)
      return m_store.ite(less, *args[1], *args[0]);
    if (row->meaning == ir::Meaning::IntMin)
      return m_store.ite(less, *args[0], *args[1]);
    return anything(e.type);
  }

  // --- Statements. Each returns whether a thread can go on after it. ---

  bool statements(const std::vector<StmtId>& body) {
    for (const StmtId id : body)
      if (!statement(id))
        return false;
    return true;
  }

  bool statement(StmtId id) {
    const Stmt& s = m_function[id];
    switch (s.kind) {
    case StmtKind::Assign: assign(s.local, value(s)); return true;
    case StmtKind::Store:
      expr(s.value);
      record(s.pointer, true, s.where);
      return true;
    case StmtKind::If: return branch(s);
    case StmtKind::Return:
      if (s.value != ExprId::None)
        expr(s.value);
      return false;
    case StmtKind::Break:
    case StmtKind::Continue: return false;
    case StmtKind::Eval: expr(s.value); return true;
    case StmtKind::Declare:
      if (s.local >= 0)
        m_env.erase(s.local);
      return true;
    case StmtKind::Loop: loop(id, s); return true;
    case StmtKind::Barrier: barrier(id, s); return true;
    default: refuse("vercors-jump", "a statement that is not exported", s.where);
    }
  }

  Value value(const Stmt& s) {
    if (!m_function.locals[static_cast<size_t>(s.local)].type.pointer)
      return expr(s.value);
    baseOf(m_function, s.value, m_bases);
    return offset(s.value);
  }

  void assign(int local, Value value) {
    if (value)
      m_env[local] = *value;
    else
      m_env.erase(local);
  }

  bool branch(const Stmt& s) {
    const TermId condition = expr(s.condition).value_or(unknown(Sort::Bool));
    const size_t size = m_path.size();
    const Environment before = m_env;
    ++m_branches;
    suppose(condition);
    const bool afterThen = statements(s.thenBody);
    m_path.resize(size);
    Environment thenEnv = std::exchange(m_env, before);
    suppose(m_store.lnot(condition));
    const bool afterElse = statements(s.elseBody);
    m_path.resize(size);
    --m_branches;
    if (!afterThen || !afterElse) {
      suppose(afterThen ? condition : m_store.lnot(condition));
      if (afterThen)
        m_env = std::move(thenEnv);
      return afterThen || afterElse;
    }
    join(condition, thenEnv);
    return true;
  }

  void join(TermId condition, const Environment& thenEnv) {
    Environment joined;
    for (const auto& [local, value] : m_env)
      if (const auto other = thenEnv.find(local); other != thenEnv.end())
        joined[local] = value == other->second ? value : m_store.ite(condition, other->second, value);
    m_env = std::move(joined);
  }

  // --- Loops ---

  void loop(StmtId id, const Stmt& s) {
    if (s.testAfter)
      refuse("vercors-loop", "a loop whose condition is tested at its end: no invariant can stand there",
             s.where);
    const int index = static_cast<int>(m_walk.loops.size());
    m_walk.loops.push_back(begin(id, s));
    const size_t size = m_path.size();
    const Environment arrival = m_env;
    const bool hasBarrier = m_walk.loops.back().hasBarrier;
    m_env = m_walk.loops.back().head;
    if (hasBarrier)
      enterHead(index, s);
    m_walk.loops[static_cast<size_t>(index)].region = m_region;
    for (const TermId fact : m_walk.loops[static_cast<size_t>(index)].facts)
      m_path.push_back({fact, true});
    m_loops.push_back(index); // the condition is read in every turn
    const TermId condition =
        s.condition == ExprId::None ? m_store.boolean(true) : expr(s.condition).value_or(unknown(Sort::Bool));
    m_walk.loops[static_cast<size_t>(index)].condition = condition;
    const int headRegion = m_region;
    turn(s, condition, index, hasBarrier);
    m_loops.pop_back();
    m_path.resize(size);
    after(index, arrival, condition, headRegion);
  }

  void turn(const Stmt& s, TermId condition, int index, bool hasBarrier) {
    suppose(condition);
    const size_t inside = m_path.size();
    statements(s.thenBody);
    m_path.resize(inside);
    if (hasContinue(s.thenBody, 0)) {
      std::set<int> assigned;
      Structure::assigned(m_function, s.thenBody, assigned);
      for (const int local : assigned)
        m_env.erase(local);
    }
    statements(s.elseBody);
    Loop& made = m_walk.loops[static_cast<size_t>(index)];
    setMeasure(made);
    if (!hasBarrier)
      return;
    Region& tail = m_walk.regions[static_cast<size_t>(m_region)];
    if (tail.flowsTo >= 0)
      refuse("vercors-barrier",
             "a loop with barriers that another one follows without a barrier between them", s.where);
    tail.flowsTo = index;
    tail.isTail = true;
    if (made.counter >= 0 && m_env.contains(made.counter))
      tail.arrival = m_env.at(made.counter);
  }

  void after(int index, const Environment& arrival, TermId condition, int headRegion) {
    const Loop& made = m_walk.loops[static_cast<size_t>(index)];
    const Stmt& s = m_function[made.stmt];
    if (made.hasBarrier) {
      m_env = made.head;
      m_region = headRegion;
      for (const TermId fact : made.facts)
        m_path.push_back({fact, true});
      suppose(m_store.lnot(condition));
      if (proves(m_store.boolean(false)))
        refuse("vercors-loop", "a loop that does not end", s.where);
      return;
    }
    m_env = arrival;
    std::set<int> assigned;
    Structure::assigned(m_function, s.thenBody, assigned);
    Structure::assigned(m_function, s.elseBody, assigned);
    for (const int local : assigned)
      m_env.erase(local);
    for (const int local : assigned)
      if (const Value value = anything(m_function.locals[static_cast<size_t>(local)].type))
        m_env[local] = *value;
  }

  void enterHead(int index, const Stmt& s) {
    if (m_branches > 0)
      refuse("vercors-barrier", "a barrier inside a branch", s.where);
    if (Structure::hasReturn(m_function, s.thenBody) || Structure::hasBreak(m_function, s.thenBody) ||
        hasContinue(s.thenBody, 0))
      refuse("vercors-barrier", "a loop with barriers that a jump leaves", s.where);
    const Loop& made = m_walk.loops[static_cast<size_t>(index)];
    Region& from = m_walk.regions[static_cast<size_t>(m_region)];
    if (from.flowsTo >= 0)
      refuse("vercors-barrier", "two loops with barriers without a barrier between them", s.where);
    from.flowsTo = index;
    if (made.counter >= 0)
      from.arrival = made.start;
    startRegion(made.stmt, s.where);
    m_walk.regions.back().head = index;
    m_walk.regions.back().loops.push_back(index);
    for (const TermId fact : made.facts)
      m_walk.regions.back().known.push_back(fact);
  }

  void startRegion(StmtId stmt, const SourceRange& where) {
    Region made;
    made.start = stmt;
    made.where = where;
    made.environment = m_env;
    made.loops = m_loops;
    for (const Condition& each : m_path)
      made.known.push_back(each.term);
    m_region = static_cast<int>(m_walk.regions.size());
    m_walk.regions.push_back(std::move(made));
  }

  bool hasContinue(const std::vector<StmtId>& body, int depth) const {
    return std::ranges::any_of(body, [&](StmtId id) {
      const Stmt& s = m_function[id];
      if (s.kind == StmtKind::Continue)
        return s.level >= depth;
      const int inner = depth + (s.kind == StmtKind::Loop || s.kind == StmtKind::Block ? 1 : 0);
      return hasContinue(s.thenBody, inner) || hasContinue(s.elseBody, inner);
    });
  }

  Loop begin(StmtId id, const Stmt& s) {
    Loop made;
    made.stmt = id;
    made.hasBarrier = ir::containsBlockBarrier(m_function, id);
    std::set<int> assigned;
    Structure::assigned(m_function, s.thenBody, assigned);
    Structure::assigned(m_function, s.elseBody, assigned);
    made.head = m_env;
    for (const int local : assigned) {
      made.head.erase(local);
      if (const Value value = anything(m_function.locals[static_cast<size_t>(local)].type))
        made.head[local] = *value;
    }
    for (const int local : assigned)
      if (made.course == Course::None && m_env.contains(local) && s.condition != ExprId::None &&
          mentions(s.condition, local))
        tryCounter(made, s, local);
    return made;
  }

  bool mentions(ExprId id, int local) const {
    const Expr& e = m_function[id];
    return (e.kind == ExprKind::Local && e.local == local) ||
           std::ranges::any_of(e.args, [&](ExprId arg) { return mentions(arg, local); });
  }

  int assignments(const std::vector<StmtId>& body, int local) const {
    int count = 0;
    for (const StmtId id : body) {
      const Stmt& s = m_function[id];
      count += s.local == local && s.kind != StmtKind::Declare ? 1 : 0;
      count += assignments(s.thenBody, local) + assignments(s.elseBody, local);
    }
    return count;
  }

  /// The local is assigned once in every turn, from its own value and from what stays the same.
  void tryCounter(Loop& made, const Stmt& s, int local) {
    const ir::Type& type = m_function.locals[static_cast<size_t>(local)].type;
    if (type.pointer || !ir::isInteger(type.scalar) ||
        assignments(s.thenBody, local) + assignments(s.elseBody, local) != 1)
      return;
    const Stmt* step = nullptr;
    for (const std::vector<StmtId>* body : {&s.elseBody, &s.thenBody})
      for (const StmtId id : *body)
        if (m_function[id].kind == StmtKind::Assign && m_function[id].local == local)
          step = &m_function[id];
    const bool atEnd = step != nullptr && !s.thenBody.empty() && &m_function[s.thenBody.back()] == step;
    if (step == nullptr || (!atEnd && assignments(s.elseBody, local) == 0) ||
        (atEnd && hasContinue(s.thenBody, 0)))
      return;
    made.variable = m_store.var(Sort::Int, "loop " + std::to_string(m_walk.loops.size()) + " " +
                                               m_function.locals[static_cast<size_t>(local)].name);
    made.start = m_env.at(local);
    Environment head = made.head;
    head[local] = made.variable;
    std::swap(head, m_env);
    m_quiet = true;
    const Value next = expr(step->value);
    m_quiet = false;
    std::swap(head, m_env);
    if (!next || !readCourse(made, *next))
      return;
    made.counter = local;
    made.uniform = m_uniformity.local(local);
    made.head[local] = made.variable;
  }

  /// Of the value of the counter after a turn.
  bool readCourse(Loop& made, TermId next) {
    const logic::Term& term = m_store[next];
    if (term.args.size() != 2)
      return false;
    const bool second = term.args[1] == made.variable;
    if ((!second && term.args[0] != made.variable) || (second && term.op != Op::IAdd && term.op != Op::IMul))
      return false;
    TermId step = term.args[second ? 0 : 1];
    for (const TermId each : m_store.postOrder(step))
      if (each == made.variable || m_walk.unknowns.contains(each))
        return false;
    const TermId zero = m_store.integer(0);
    switch (term.op) {
    case Op::IAdd: made.course = Course::Up; break;
    case Op::ISub: made.course = Course::Down; break;
    case Op::IDiv: made.course = Course::Shrink; break;
    case Op::IMul: made.course = Course::Grow; break;
    default: return false;
    }
    if (made.course == Course::Up && proves(m_store.ilt(step, zero))) {
      made.course = Course::Down;
      step = m_store.isub(zero, step);
    }
    made.step = step;
    const int64_t least = made.course == Course::Shrink || made.course == Course::Grow ? 2 : 1;
    const int64_t start = made.course == Course::Grow ? 1 : 0;
    const bool bounded = least == 1 || proves(m_store.ile(m_store.integer(start), made.start));
    if (!bounded || !proves(m_store.ile(m_store.integer(least), step))) {
      made.course = Course::None;
      return false;
    }
    setRange(made);
    return true;
  }

  void setRange(Loop& made) {
    const TermId zero = m_store.integer(0);
    const TermId v = made.variable;
    if (made.course == Course::Shrink) {
      made.range = {m_store.ile(zero, v), m_store.ile(v, made.start)};
      made.facts = made.range;
      return;
    }
    if (made.course == Course::Grow) {
      made.range = {m_store.ile(made.start, v)};
      made.facts = made.range;
      return;
    }
    const bool up = made.course == Course::Up;
    made.range = {up ? m_store.ile(made.start, v) : m_store.ile(v, made.start)};
    const TermId way = up ? m_store.isub(v, made.start) : m_store.isub(made.start, v);
    if (m_store.intValue(made.step) != 1)
      made.range.push_back(m_store.ieq(m_store.irem(way, made.step), zero));
    made.turn = m_store.var(Sort::Int, m_store.symbolText(v) + " turn");
    made.facts = {made.range[0], m_store.ile(zero, made.turn),
                  m_store.ieq(way, m_store.imul(made.turn, made.step))};
  }

  /// v < e, v <= e, v > e, v >= e with e the same in all turns: what is left to go.
  void setMeasure(Loop& made) {
    if (made.course == Course::None)
      return;
    if (made.course == Course::Shrink) {
      if (m_setting.proves({made.condition, made.facts[0]}, m_store.ilt(m_store.integer(0), made.variable)))
        made.measure = made.variable;
      return;
    }
    const logic::Term& condition = m_store[made.condition];
    if (condition.op != Op::ILt && condition.op != Op::ILe)
      return;
    const bool up = made.course != Course::Down;
    const TermId bound = condition.args[up ? 1 : 0];
    if (condition.args[up ? 0 : 1] != made.variable)
      return;
    for (const TermId each : m_store.postOrder(bound))
      if (each == made.variable || m_walk.unknowns.contains(each))
        return;
    TermId left = up ? m_store.isub(bound, made.variable) : m_store.isub(made.variable, bound);
    if (condition.op == Op::ILe)
      left = m_store.iadd(left, m_store.integer(1));
    made.measure = left;
    // The last step may go past the end by less than its own size; a loop without a turn stays at the start.
    const TermId zero = m_store.integer(0);
    if (made.course == Course::Up || made.course == Course::Down)
      made.end = m_store.lor(m_store.ilt(zero, m_store.iadd(left, made.step)),
                             m_store.ieq(made.variable, made.start));
  }

  // --- Barriers ---

  void barrier(StmtId id, const Stmt& s) {
    if (s.sync == ir::SyncOp::WarpBarrier)
      refuse("vercors-warp", "a barrier of a warp", s.where);
    if (m_branches > 0)
      refuse("vercors-barrier", "a barrier inside a branch", s.where);
    if (!m_uniformity.reached(id))
      refuse("vercors-barrier", "a barrier that not all threads of a block are known to reach", s.where);
    const int before = m_region;
    startRegion(id, s.where);
    m_walk.meetings.push_back({id, before, m_region, s.where, m_env});
  }

  struct Condition {
    TermId term{};
    bool isFact = false; ///< of a loop's counter: true, and no condition of the program
  };

  Setting& m_setting;
  logic::TermStore& m_store;
  const ir::Function& m_function;
  Objects m_objects;
  std::vector<int> m_bases;
  ir::Uniformity m_uniformity;
  Environment m_env;
  std::vector<Condition> m_path;
  std::vector<int> m_loops;
  int m_region = 0;
  int m_branches = 0;
  bool m_quiet = false; ///< neither records nor refuses
  Walk m_walk;
};

} // namespace

Setting::Setting(const ir::Module& theModule, const ir::Kernel& theKernel,
                 const ir::LaunchContract& theContract)
    : module(theModule), kernel(theKernel), contract(theContract), symbols(store), prover(store, nullptr),
      rangesOnly(store, nullptr) {
  Expected<grid::LaunchTerms> terms =
      grid::launchTerms(store, symbols, prover, contract, function(), kernel.maxThreadsPerBlock);
  if (!terms)
    refuse("vercors-free-size", "a launch that has no meaning: " + terms.error().message, contract.where);
  grid::assumeLegal(prover, *terms);
  for (const std::map<std::string, vc::Bounds>* bounds :
       {&symbols.bounds(), &std::as_const(terms->legalBounds)})
    for (const auto& [name, range] : *bounds)
      rangesOnly.bound(name, range);
  launch = terms->launch;
  for (int i = 0; i < function().parameterCount; ++i) {
    const ir::Local& local = function().locals[static_cast<size_t>(i)];
    if (local.type.pointer || !ir::isInteger(local.type.scalar))
      continue;
    const auto fixed = launch.scalars.find(local.name);
    const bool simple = fixed != launch.scalars.end() &&
                        (store.intValue(fixed->second) || store[fixed->second].op == Op::Var);
    scalars[i] = simple ? fixed->second : store.var(Sort::Int, "parameter " + local.name);
    if (fixed != launch.scalars.end() && !simple)
      prover.assume(store.ieq(scalars[i], fixed->second));
  }
}

bool Setting::proves(const std::vector<TermId>& hypotheses, TermId goal) {
  if (store.boolValue(goal) == true)
    return true;
  std::vector<TermId> facts = hypotheses;
  facts.push_back(goal);
  const std::vector<TermId> nodes = store.postOrder(facts);
  facts.pop_back();
  for (const TermId each : nodes) // of those only that the question is about: more facts are not better
    if (store[each].op == Op::Var)
      for (const bool ofThread : {true, false})
        if (const std::string& name = store.symbolText(each);
            name.starts_with(ofThread ? "threadIdx." : "blockIdx."))
          facts.push_back(store.ilt(
              each, (ofThread ? launch.blockDim
                              : launch.gridDim)[static_cast<size_t>(name[name.find('.') + 1] - 'x')]));
  return rangesOnly.prove(facts, goal, {}).status == ProofStatus::Proved ||
         prover.prove(facts, goal, {}).status == ProofStatus::Proved;
}

Walk walk(Setting& setting) {
  return Walker(setting).run();
}

} // namespace plumbline::gate::vercors

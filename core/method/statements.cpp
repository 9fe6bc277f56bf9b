#include "core/method/body_writer.h"
#include "core/method/lean_names.h"
#include "core/method/refusal.h"
#include "core/method/size_text.h"
#include "core/velvet/printer.h"

#include <algorithm>

namespace plumbline::method {

using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::ScalarType;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;
using velvet::ExprPtr;
using velvet::LineOrigin;

LineOrigin originAt(const SourceRange& where) {
  return {{where}, {}, true};
}

ExprPtr defaultValue(ScalarType type) {
  if (ir::isFloat(type))
    return floatConstant(type, 0);
  return type == ScalarType::Bool ? velvet::name("false") : velvet::number(0);
}

std::string typeText(const ir::Type& type) {
  return type.pointer ? "Int" : leanType(type.scalar);
}

namespace {

/// Worth a variable of its own when a function's parameter stands for it.
bool isAtomic(const ExprPtr& value) {
  return value->form == velvet::Form::Name || value->form == velvet::Form::Number;
}

} // namespace

BodyWriter::BodyWriter(const BodyParts& parts, Environment& environment, const Asked* asked)
    : Translator(parts.problem, environment), m_parts(parts), m_plan(parts.plan), m_frameFacts(parts.facts),
      m_wanted(asked) {}

BodyText BodyWriter::run() {
  const ir::Function& function = m_module.functions[static_cast<size_t>(m_problem.kernel->function)];
  BodyText result;
  m_sink = &result.statements;
  m_facts.assign(1, {});
  m_atBlockLevel = m_plan.hasBarriers;
  m_tail = {Exit{}};
  Frame frame = kernelFrame(function);
  m_kernelFrame = &frame;
  if (m_plan.hasBarriers)
    declarePerThread(frame);
  else
    declareThreadArrays(frame, function.body);
  list(frame, function.body);
  result.definitions = std::move(m_definitions);
  result.inexpressible = std::move(m_inexpressible);
  return result;
}

// --- Frames ---

Frame BodyWriter::kernelFrame(const ir::Function& function) {
  Frame frame{function, m_plan.whole, std::vector<LocalText>(function.locals.size())};
  for (int i = 0; i < function.parameterCount; ++i) {
    const ir::Local& local = function.locals[static_cast<size_t>(i)];
    LocalText& text = frame.locals[static_cast<size_t>(i)];
    ExprPtr argument;
    if (local.type.pointer)
      text.buffer = m_problem.parameters.at(local.name).buffer;
    else
      argument = velvet::name(m_environment.scalars.at(local.name));
    if (m_plan.perThread.contains(i))
      text.value = std::move(argument); // until declarePerThread
    else
      bindParameter(frame, i, std::move(argument));
    if (local.type.scalar == ScalarType::F64 && !local.type.pointer)
      note("binary64 arithmetic", local.where);
  }
  declareFlag(frame, {}, function.where);
  return frame;
}

/// A parameter stands for its argument, or is a variable when the function changes it.
void BodyWriter::bindParameter(Frame& frame, int index, ExprPtr argument) {
  const ir::Local& local = frame.function.locals[static_cast<size_t>(index)];
  LocalText& text = frame.locals[static_cast<size_t>(index)];
  const bool changes = frame.plan.locals[static_cast<size_t>(index)].isMutable;
  if (!changes && (!argument || isAtomic(argument))) {
    text.value = std::move(argument);
    return;
  }
  declareVariable(frame, index, argument ? argument : velvet::number(0), local.where, changes);
}

// --- Exits ---

bool BodyWriter::wants(const Frame& frame, const Exit& exit) const {
  return m_wanted == nullptr || m_wanted->contains({&frame.function, exit});
}

void BodyWriter::declareFlag(Frame& frame, const Exit& exit, const SourceRange& where) {
  if (!wants(frame, exit))
    return;
  const char* name = exit.kind == Exit::Kind::Return  ? "returned"
                     : exit.kind == Exit::Kind::Break ? "left"
                                                      : "skipped";
  const std::string flag = m_environment.names.fresh(name);
  frame.flags[exit] = flag;
  emit(velvet::letStmt(flag, "Bool", velvet::name("false"), originAt(where), true));
}

/// That the thread is still here. Null when nothing leads away.
ExprPtr BodyWriter::noneTaken(Frame& frame, const Exits& exits) {
  ExprPtr result;
  for (const Exit& exit : exits) {
    m_asked.insert({&frame.function, exit});
    const ExprPtr here =
        velvet::binary(velvet::BinaryOp::Equal, velvet::name(frame.flags.at(exit)), velvet::name("false"));
    result = result ? velvet::binary(velvet::BinaryOp::And, result, here) : here;
  }
  return result;
}

bool BodyWriter::guardRest(Frame& frame, const Exits& leaves, const Body& rest, const LineOrigin& origin) {
  if (leaves.empty() || rest.empty())
    return false;
  const ExprPtr goesOn = noneTaken(frame, leaves);
  std::vector<velvet::Stmt> remaining = block(frame, rest);
  if (!remaining.empty())
    emit(velvet::ifStmt(goesOn, std::move(remaining), {}, origin));
  return true;
}

// --- Statements ---

void BodyWriter::list(Frame& frame, const Body& body) {
  if (isBlockLevel(frame))
    blockList(frame, body);
  else
    threadList(frame, body);
}

void BodyWriter::threadList(Frame& frame, const Body& body) {
  for (size_t i = 0; i < body.size(); ++i) {
    const Body rest(body.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.end());
    if (statement(frame, body[i], i > 0 ? body[i - 1] : StmtId::None, rest))
      return;
  }
}

bool BodyWriter::statement(Frame& frame, StmtId id, StmtId before, const Body& rest) {
  const Stmt& stmt = frame.function[id];
  declareBefore(frame, id);
  setComment(frame, stmt);
  switch (stmt.kind) {
  case StmtKind::Assign: assign(frame, id, stmt); return false;
  case StmtKind::Store: store(frame, stmt); return false;
  case StmtKind::Eval: evaluate(frame, stmt); return false;
  case StmtKind::Declare: declare(frame, id, stmt); return false;
  case StmtKind::Return:
  case StmtKind::Break:
  case StmtKind::Continue: leave(frame, id, stmt); return true;
  case StmtKind::If: return branch(frame, stmt, rest);
  case StmtKind::Loop: loop(frame, id, before); break;
  case StmtKind::Block: blockStatement(frame, id, rest.empty()); break;
  default: refuse("method-statement", "a statement of kind " + std::string(ir::name(stmt.kind)), stmt.where);
  }
  const Exits leaves = frame.exits.exits(id);
  if (!frame.exits.completes(id))
    return true;
  return guardRest(frame, leaves, rest, originAt(stmt.where));
}

/// A comment names the line and what its constants are, for people who read the text alone.
void BodyWriter::setComment(const Frame& frame, const Stmt& stmt) {
  const bool hasCondition = stmt.condition != ExprId::None;
  const SourceRange where = hasCondition ? frame.function[stmt.condition].where : stmt.where;
  m_comment = placeText(where);
  std::set<std::string> notes;
  for (ExprId id : {stmt.pointer, stmt.value, stmt.condition})
    collectNotes(frame, id, notes);
  for (const std::string& text : notes)
    m_comment += "; " + text;
}

namespace {

std::string constantText(const Frame& frame, ExprId id) {
  const Expr& expr = frame.function[id];
  switch (expr.kind) {
  case ExprKind::FloatLiteral: return expr.text;
  case ExprKind::IntLiteral: return std::to_string(expr.intValue);
  case ExprKind::Unary: return "-" + constantText(frame, expr.args[0]);
  default: return constantText(frame, expr.args[0]);
  }
}

} // namespace

void BodyWriter::collectNotes(const Frame& frame, ExprId id, std::set<std::string>& notes) const {
  if (id == ExprId::None)
    return;
  const Expr& expr = frame.function[id];
  const auto constant = constantBits(frame.function, id);
  if (constant && expr.type.scalar == ScalarType::F32 && expr.kind != ExprKind::FloatLiteral) {
    notes.insert(velvet::print(*velvet::hexNumber(*constant, 8)) + " is " + constantText(frame, id));
    return;
  }
  if (expr.kind == ExprKind::FloatLiteral && !expr.text.empty())
    notes.insert(velvet::print(*velvet::hexNumber(expr.bits, expr.type.scalar == ScalarType::F64 ? 16 : 8)) +
                 " is " + expr.text);
  if (expr.type.scalar == ScalarType::F64 && !expr.type.pointer)
    notes.insert("not expressible: binary64 arithmetic, " + placeText(expr.where));
  for (ExprId arg : expr.args)
    collectNotes(frame, arg, notes);
}

void BodyWriter::declareVariable(Frame& frame, int local, ExprPtr value, const SourceRange& where,
                                 bool isMutable) {
  const ir::Local& declared = frame.function.locals[static_cast<size_t>(local)];
  LocalText& text = frame.locals[static_cast<size_t>(local)];
  text.variable = m_environment.names.fresh(declared.name);
  text.value = velvet::name(text.variable);
  emit(velvet::letStmt(text.variable, typeText(declared.type), std::move(value), originAt(where), isMutable));
  if (isMutable && !declared.type.pointer && ir::isInteger(declared.type.scalar))
    m_frameFacts.addInteger(text.variable, declared.type.scalar);
}

void BodyWriter::declareBefore(Frame& frame, StmtId id) {
  for (size_t i = static_cast<size_t>(frame.function.parameterCount); i < frame.locals.size(); ++i) {
    const LocalPlan& plan = frame.plan.locals[i];
    LocalText& text = frame.locals[i];
    const bool elsewhere = isBlockLevel(frame) && !m_plan.blockLocals.contains(static_cast<int>(i));
    if (!plan.isUsed || plan.declaredAtAssign || plan.where != id || elsewhere || !text.variable.empty())
      continue;
    const ir::Local& local = frame.function.locals[i];
    declareVariable(frame, static_cast<int>(i),
                    local.type.pointer ? velvet::number(0) : defaultValue(local.type.scalar), local.where,
                    true);
    if (!plan.needsFlag)
      continue;
    text.flag = m_environment.names.fresh(local.name + "_has_value");
    emit(velvet::letStmt(text.flag, "Bool", velvet::name("false"), originAt(local.where), true));
  }
}

void BodyWriter::assign(Frame& frame, StmtId id, const Stmt& stmt) {
  const size_t index = static_cast<size_t>(stmt.local);
  LocalText& text = frame.locals[index];
  const ir::Local& local = frame.function.locals[index];
  const ExprPtr assigned = assignedValue(frame, stmt, local, text);
  const LocalPlan& plan = frame.plan.locals[index];
  if (text.variable.empty() && plan.declaredAtAssign && plan.where == id) {
    declareVariable(frame, stmt.local, assigned, stmt.where, plan.isMutable);
    return;
  }
  setLocal(text, text.variable, assigned, stmt.where);
  if (!text.flag.empty())
    setLocal(text, text.flag, velvet::name("true"), stmt.where);
}

ExprPtr BodyWriter::assignedValue(Frame& frame, const Stmt& stmt, const ir::Local& local, LocalText& text) {
  if (local.type.scalar == ScalarType::F64 && !local.type.pointer)
    note("binary64 arithmetic", stmt.where);
  if (!local.type.pointer)
    return root(frame, stmt.value);
  const Pointer from = pointer(frame, stmt.value);
  if (!text.buffer.empty() && text.buffer != from.memory)
    refuse("method-pointer", "'" + local.name + "', which may point into two different buffers", stmt.where);
  text.buffer = from.memory;
  return from.offset ? from.offset : velvet::number(0);
}

/// The value of a whole statement: a call may change memory here, since nothing is evaluated beside it.
ExprPtr BodyWriter::root(Frame& frame, ExprId id) {
  m_mayWrite = frame.function[id].kind == ExprKind::Call;
  ExprPtr result = value(frame, id);
  m_mayWrite = false;
  return result;
}

void BodyWriter::set(const std::string& variable, ExprPtr value, const SourceRange& where) {
  emit(velvet::setStmt(variable, std::move(value), originAt(where)));
  forget(variable);
}

/// `variable`: the local's own, or its flag.
void BodyWriter::setLocal(const LocalText& text, const std::string& variable, ExprPtr value,
                          const SourceRange& where) {
  if (text.slot)
    value = velvet::applyTo(velvet::field(velvet::name(variable), "set!"), {text.slot, std::move(value)});
  set(variable, std::move(value), where);
}

void BodyWriter::store(Frame& frame, const Stmt& stmt) {
  const Pointer to = pointer(frame, stmt.pointer);
  const ExprPtr stored = value(frame, stmt.value);
  const Memory place = memory(to.memory);
  requireElement(place, frame.function[stmt.pointer].type, stmt.where);
  const ExprPtr index = inBounds(to, stmt.where);
  emit(velvet::setStmt(place.name,
                       velvet::applyTo(velvet::field(velvet::name(place.name), "set!"), {index, stored}),
                       originAt(stmt.where)));
  forgetElements(place.name);
}

/// A variable of a loop begins each turn without a value.
void BodyWriter::declare(Frame& frame, StmtId id, const Stmt& stmt) {
  if (stmt.local < 0)
    return;
  const LocalText& text = frame.locals[static_cast<size_t>(stmt.local)];
  const LocalPlan& plan = frame.plan.locals[static_cast<size_t>(stmt.local)];
  const bool isNew = plan.where == id && !text.slot;
  if (!text.flag.empty() && !isNew)
    setLocal(text, text.flag, velvet::name("false"), stmt.where);
}

void BodyWriter::evaluate(Frame& frame, const Stmt& stmt) {
  const ir::Type type = frame.function[stmt.value].type;
  if (type.pointer)
    pointer(frame, stmt.value);
  else
    root(frame, stmt.value);
}

void BodyWriter::leave(Frame& frame, StmtId id, const Stmt& stmt) {
  if (stmt.kind == StmtKind::Return && stmt.value != ExprId::None && !frame.result.empty()) {
    const ExprPtr returned = root(frame, stmt.value);
    set(frame.result, returned, stmt.where);
  }
  if (const auto flag = frame.flags.find(frame.exits.exitOf(id)); flag != frame.flags.end())
    set(flag->second, velvet::name("true"), stmt.where);
}

/// An `if`. Returns true when it took the statements after it along.
bool BodyWriter::branch(Frame& frame, const Stmt& stmt, const Body& rest) {
  if (isBlockLevel(frame))
    requireUniform(frame, stmt);
  const ExprPtr condition = prop(frame, stmt.condition);
  const bool takesRest = !frame.exits.completes(stmt.thenBody) || !frame.exits.completes(stmt.elseBody);
  const auto [thenBody, elseBody] = branchesWithRest(frame.exits, stmt, rest);
  const std::string comment = std::exchange(m_comment, {});
  const Exits tail = m_tail;
  if (!takesRest && !rest.empty())
    m_tail = {};
  std::vector<velvet::Stmt> inThen = block(frame, thenBody);
  std::vector<velvet::Stmt> inElse = block(frame, elseBody);
  m_tail = tail;
  m_comment = comment;
  LineOrigin origin = originAt(frame.function[stmt.condition].where);
  addSilent(frame, stmt.thenBody, origin);
  addSilent(frame, stmt.elseBody, origin);
  emitIf(condition, negated(frame, stmt.condition, condition), std::move(inThen), std::move(inElse), origin);
  if (takesRest)
    return true;
  Exits leaves = frame.exits.exits(stmt.thenBody);
  leaves.merge(frame.exits.exits(stmt.elseBody));
  return guardRest(frame, leaves, rest, origin);
}

void BodyWriter::emitIf(const ExprPtr& condition, const ExprPtr& opposite, std::vector<velvet::Stmt> inThen,
                        std::vector<velvet::Stmt> inElse, const LineOrigin& origin) {
  if (inThen.empty() && inElse.empty())
    return;
  if (onlyComments(inThen) && !inElse.empty())
    for (velvet::Stmt& comment : std::exchange(inThen, {}))
      emit(std::move(comment));
  if (inThen.empty())
    emit(velvet::ifStmt(opposite, std::move(inElse), {}, origin));
  else
    emit(velvet::ifStmt(condition, std::move(inThen), std::move(inElse), origin));
}

/// A jump that becomes the shape of the `if`, and a declaration without a value, have no line of their own.
void BodyWriter::addSilent(const Frame& frame, const Body& body, LineOrigin& origin) const {
  for (StmtId id : body) {
    const StmtKind kind = frame.function[id].kind;
    if (kind == StmtKind::Return || kind == StmtKind::Break || kind == StmtKind::Continue ||
        kind == StmtKind::Declare)
      origin.cuda.push_back(frame.function[id].where);
  }
}

/// Statements in a block of their own: what is asserted there is not known after it.
std::vector<velvet::Stmt> BodyWriter::block(Frame& frame, const Body& body) {
  return nested([&] { list(frame, body); });
}

} // namespace plumbline::method

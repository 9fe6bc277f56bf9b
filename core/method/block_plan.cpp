#include "core/method/block_plan.h"

#include "core/method/counted_loop.h"
#include "core/method/refusal.h"

#include <algorithm>

namespace plumbline::method {

using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

using Body = std::vector<StmtId>;

void collectLocals(const ir::Function& function, ExprId id, std::set<int>& locals) {
  if (id == ExprId::None)
    return;
  const Expr& expr = function[id];
  if (expr.kind == ExprKind::Local)
    locals.insert(expr.local);
  for (ExprId arg : expr.args)
    collectLocals(function, arg, locals);
}

namespace {

void collectRead(const ir::Function& function, const Body& body, std::set<int>& locals) {
  for (StmtId id : body) {
    const Stmt& stmt = function[id];
    for (ExprId expr : {stmt.pointer, stmt.value, stmt.condition})
      collectLocals(function, expr, locals);
    collectRead(function, stmt.thenBody, locals);
    collectRead(function, stmt.elseBody, locals);
  }
}

bool isSubset(const Exits& a, const Exits& b) {
  return std::ranges::includes(b, a);
}

/// Block variables are assigned one by one.
bool assignsBlockLocal(const ir::Function& function, const BlockPlan& plan, StmtId id) {
  const std::set<int> assigned = assignedLocals(function, {id});
  return std::ranges::any_of(assigned, [&](int local) { return plan.blockLocals.contains(local); });
}

} // namespace

std::vector<ListPart> partsOf(const ir::Function& function, const ExitAnalysis& exits, const BlockPlan& plan,
                              const Body& body, const Exits& tail) {
  std::vector<bool> inside(body.size());
  std::vector<bool> moves(body.size());
  std::set<int> readBefore;
  bool leavesBefore = false;
  for (size_t i = 0; i < body.size(); ++i) {
    const Stmt& stmt = function[body[i]];
    inside[i] = !ir::containsBlockBarrier(function, body[i]) && !assignsBlockLocal(function, plan, body[i]);
    moves[i] =
        !inside[i] && stmt.kind == StmtKind::Assign && !leavesBefore && !readBefore.contains(stmt.local);
    if (inside[i]) {
      collectRead(function, {body[i]}, readBefore);
      leavesBefore |= !exits.exits(body[i]).empty();
    } else if (!moves[i]) {
      readBefore.clear();
      leavesBefore = false;
    }
  }
  std::vector<bool> plain(body.size());
  bool atEnd = true;
  for (size_t i = body.size(); i-- > 0;) {
    const Exits leaves = exits.exits(body[i]);
    plain[i] = inside[i] && (leaves.empty() || (atEnd && isSubset(leaves, tail)));
    atEnd = atEnd && (plain[i] || moves[i]);
  }
  std::vector<ListPart> parts;
  for (size_t i = 0; i < body.size(); ++i) {
    const bool inPhase = !parts.empty() && parts.back().isPhase;
    if (plain[i] && inPhase)
      parts.back().statements.push_back(body[i]);
    else if (moves[i] && inPhase)
      parts.insert(parts.end() - 1, ListPart{false, {body[i]}});
    else
      parts.push_back({plain[i], {body[i]}});
  }
  return parts;
}

namespace {

class Planner {
public:
  Planner(const logic::TermStore& store, const gate::Problem& problem, const std::set<std::string>& written)
      : m_problem(problem), m_module(*problem.module),
        m_function(m_module.functions[static_cast<size_t>(problem.kernel->function)]), m_exits(m_function),
        m_written(written), m_uniformity(uniformity(store)) {}

  BlockPlan run() {
    m_plan.whole = planFunction(m_module, m_function);
    for (StmtId id : m_function.body)
      m_plan.hasBarriers |= ir::containsBlockBarrier(m_function, id);
    if (!m_plan.hasBarriers)
      return std::move(m_plan);
    checkBarriers();
    findCandidates();
    bool changed = true;
    while (changed) {
      for (size_t before = SIZE_MAX; before != m_plan.blockLocals.size();) {
        before = m_plan.blockLocals.size();
        addConditions(m_function.body, {Exit{}});
      }
      const std::set<int> crossing = crossingLocals();
      const std::set<int> simple = simpleCandidates();
      changed = false;
      for (int local : crossing)
        if (simple.contains(local) && !m_plan.blockLocals.contains(local)) {
          addBlockLocal(local, m_function.where);
          changed = true;
        }
      if (!changed)
        placeCrossing(crossing);
    }
    findCrossingArrays();
    return std::move(m_plan);
  }

private:
  // --- Uniformity ---

  ir::Uniformity uniformity(const logic::TermStore& store) const {
    ir::UniformityOptions options;
    for (size_t axis = 0; axis < 3; ++axis)
      options.oneThread[axis] = store.intValue(m_problem.geometry.blockDim[axis]) == 1;
    options.isStable = [this](ExprId pointer) { return isStable(pointer); };
    return ir::uniformityOf(m_module, m_function, options);
  }

  /// Constant arrays, and tensors that the kernel does not write.
  bool isStable(ExprId pointer) const {
    const Expr& expr = m_function[pointer];
    switch (expr.kind) {
    case ExprKind::PointerAdd: return isStable(expr.args[0]);
    case ExprKind::Array:
      return m_function.arrays[static_cast<size_t>(expr.array)].space == ir::ArraySpace::Constant;
    case ExprKind::Local: {
      const bool isParameter = expr.local < m_function.parameterCount &&
                               !assignedLocals(m_function, m_function.body).contains(expr.local);
      const auto found = m_problem.parameters.find(m_function.locals[static_cast<size_t>(expr.local)].name);
      return isParameter && found != m_problem.parameters.end() && !m_written.contains(found->second.buffer);
    }
    default: return false;
    }
  }

  void checkBarriers() const {
    for (size_t i = 0; i < m_function.stmts.size(); ++i)
      if (ir::isBlockBarrier(m_function.stmts[i].sync) && !m_uniformity.reached(static_cast<StmtId>(i)))
        refuse("divergent-barrier", "a barrier that some threads of a block may reach without the others",
               m_function.stmts[i].where);
  }

  // --- Block variables ---

  /// Uniform locals whose assignments need nothing that is not.
  void findCandidates() {
    for (size_t i = 0; i < m_function.locals.size(); ++i)
      if (m_uniformity.local(static_cast<int>(i)))
        m_candidates.insert(static_cast<int>(i));
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Stmt& stmt : m_function.stmts) {
        if (stmt.local < 0 || !m_candidates.contains(stmt.local))
          continue;
        const bool good = stmt.kind == StmtKind::Declare ||
                          (stmt.kind == StmtKind::Assign && dependsOnCandidates(stmt.value));
        if (good)
          continue;
        m_candidates.erase(stmt.local);
        changed = true;
      }
    }
  }

  bool dependsOnCandidates(ExprId id) const {
    std::set<int> locals;
    collectLocals(m_function, id, locals);
    return m_uniformity.value(id) && !callsWriter(id) && std::ranges::includes(m_candidates, locals);
  }

  bool callsWriter(ExprId id) const {
    const Expr& expr = m_function[id];
    if (expr.kind == ExprKind::Call &&
        planFunction(m_module, m_module.functions[static_cast<size_t>(expr.callee)]).writes)
      return true;
    return std::ranges::any_of(expr.args, [this](ExprId arg) { return callsWriter(arg); });
  }

  /// What the conditions of statements depend on that are executed once for the block.
  void addConditions(const Body& body, const Exits& tail) {
    const std::vector<ListPart> parts = partsOf(m_function, m_exits, m_plan, body, tail);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].isPhase)
        continue;
      const StmtId id = parts[i].statements.front();
      const Stmt& stmt = m_function[id];
      if (stmt.condition != ExprId::None)
        addLocalsOf(stmt.condition, stmt.where);
      const auto [inThen, inElse] = tailsInside(id, i + 1 == parts.size() ? tail : Exits{});
      addConditions(stmt.thenBody, inThen);
      addConditions(stmt.elseBody, inElse);
    }
  }

  /// Exits that are the same as falling out of the lists of a statement.
  std::pair<Exits, Exits> tailsInside(StmtId id, const Exits& tail) const {
    switch (m_function[id].kind) {
    case StmtKind::Loop: return {{{Exit::Kind::Continue, id}}, {}};
    case StmtKind::Block: {
      Exits inner = tail;
      inner.insert({Exit::Kind::Break, id});
      return {inner, {}};
    }
    default: return {tail, tail};
    }
  }

  void addLocalsOf(ExprId id, const SourceRange& where) {
    std::set<int> locals;
    collectLocals(m_function, id, locals);
    for (int local : locals)
      addBlockLocal(local, where);
  }

  void addBlockLocal(int local, const SourceRange& where) {
    const bool isFixedParameter =
        local < m_function.parameterCount && !m_plan.whole.locals[static_cast<size_t>(local)].isMutable;
    if (isFixedParameter || m_plan.blockLocals.contains(local))
      return;
    if (!m_candidates.contains(local))
      refuse("divergent-barrier",
             "a condition around a barrier that depends on '" +
                 m_function.locals[static_cast<size_t>(local)].name + "', which may differ between threads",
             where);
    m_plan.blockLocals.insert(local);
    for (const Stmt& stmt : m_function.stmts)
      if (stmt.kind == StmtKind::Assign && stmt.local == local)
        addLocalsOf(stmt.value, where);
  }

  /// Candidates whose assignments, and those of what they depend on, stand in no statement that a thread
  /// executes on its own: as block variables they take no other statement along.
  std::set<int> simpleCandidates() const {
    std::set<StmtId> direct;
    collectDirect(m_function.body, {Exit{}}, direct);
    std::set<int> result = m_candidates;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < m_function.stmts.size(); ++i) {
        const Stmt& stmt = m_function.stmts[i];
        if (stmt.kind != StmtKind::Assign || !result.contains(stmt.local))
          continue;
        std::set<int> read;
        collectLocals(m_function, stmt.value, read);
        if (direct.contains(static_cast<StmtId>(i)) && std::ranges::includes(result, read))
          continue;
        result.erase(stmt.local);
        changed = true;
      }
    }
    return result;
  }

  void collectDirect(const Body& body, const Exits& tail, std::set<StmtId>& direct) const {
    direct.insert(body.begin(), body.end());
    const std::vector<ListPart> parts = partsOf(m_function, m_exits, m_plan, body, tail);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].isPhase)
        continue;
      const StmtId id = parts[i].statements.front();
      const auto [inThen, inElse] = tailsInside(id, i + 1 == parts.size() ? tail : Exits{});
      collectDirect(m_function[id].thenBody, inThen, direct);
      collectDirect(m_function[id].elseBody, inElse, direct);
    }
  }

  // --- Phases ---

  struct Run {
    Body statements;
    bool repeats = false; ///< inside a loop around barriers
  };

  void collectRuns(const Body& body, const Exits& tail, bool repeats, std::vector<Run>& runs) const {
    const std::vector<ListPart> parts = partsOf(m_function, m_exits, m_plan, body, tail);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].isPhase) {
        runs.push_back({parts[i].statements, repeats});
        continue;
      }
      const StmtId id = parts[i].statements.front();
      const Stmt& stmt = m_function[id];
      const auto [inThen, inElse] = tailsInside(id, i + 1 == parts.size() ? tail : Exits{});
      const bool inLoop = repeats || stmt.kind == StmtKind::Loop;
      collectRuns(stmt.thenBody, inThen, inLoop, runs);
      collectRuns(stmt.elseBody, inElse, inLoop, runs);
    }
  }

  std::vector<Run> runs() const {
    std::vector<Run> result;
    collectRuns(m_function.body, {Exit{}}, false, result);
    return result;
  }

  /// Locals that a phase may read with a value of another phase, or of its own last time.
  std::set<int> crossingLocals() const {
    const std::vector<Run> all = runs();
    std::vector<std::set<int>> assigned;
    assigned.reserve(all.size());
    for (const Run& run : all)
      assigned.push_back(assignedLocals(m_function, run.statements));
    std::set<int> result;
    for (size_t i = 0; i < all.size(); ++i) {
      std::set<int> exposed = exposedIn(all[i].statements);
      for (int local : exposed) {
        if (m_plan.blockLocals.contains(local))
          continue;
        const bool fromOutside = local < m_function.parameterCount;
        for (size_t j = 0; j < all.size(); ++j)
          if (assigned[j].contains(local) && (i != j || all[i].repeats || fromOutside))
            result.insert(local);
      }
    }
    return result;
  }

  std::set<int> exposedIn(const Body& body) const {
    const FunctionPlan plan = planBody(m_module, m_function, body, {});
    std::set<int> exposed;
    for (size_t i = 0; i < plan.locals.size(); ++i)
      if (plan.locals[i].needsFlag)
        exposed.insert(static_cast<int>(i));
    std::set<int> read;
    collectRead(m_function, body, read);
    for (int i = 0; i < m_function.parameterCount; ++i)
      if (read.contains(i))
        exposed.insert(i);
    return exposed;
  }

  void placeCrossing(const std::set<int>& crossing) {
    m_plan.perThread = crossing;
    for (StmtId id : m_function.body) {
      const Stmt& stmt = m_function[id];
      if (stmt.kind != StmtKind::Assign || stmt.local < m_function.parameterCount ||
          m_plan.blockLocals.contains(stmt.local))
        continue;
      const LocalPlan& plan = m_plan.whole.locals[static_cast<size_t>(stmt.local)];
      if (plan.isMutable || plan.where != id || plan.needsFlag || !isRecomputable(stmt.value))
        continue;
      m_plan.recomputed[stmt.local] = id;
      m_plan.perThread.erase(stmt.local);
    }
  }

  /// Its value is the same wherever in the thread it is evaluated.
  bool isRecomputable(ExprId id) const {
    const Expr& expr = m_function[id];
    if (expr.kind == ExprKind::Load || expr.kind == ExprKind::Call)
      return false;
    if (expr.kind == ExprKind::Local) {
      const LocalPlan& plan = m_plan.whole.locals[static_cast<size_t>(expr.local)];
      if (plan.isMutable ||
          (expr.local >= m_function.parameterCount && !m_plan.recomputed.contains(expr.local) &&
           !m_plan.blockLocals.contains(expr.local)))
        return false;
    }
    return std::ranges::all_of(expr.args, [this](ExprId arg) { return isRecomputable(arg); });
  }

  // --- Arrays of a thread ---

  void findCrossingArrays() {
    const std::vector<Run> all = runs();
    for (size_t array = 0; array < m_function.arrays.size(); ++array) {
      if (m_function.arrays[array].space != ir::ArraySpace::Thread)
        continue;
      size_t count = 0;
      for (const Run& run : all)
        if (mentions(run.statements, static_cast<int>(array)))
          count += run.repeats ? 2 : 1;
      if (count > 1 || pointedTo(static_cast<int>(array)))
        m_plan.perThreadArrays.insert(static_cast<int>(array));
    }
  }

  bool mentions(ExprId id, int array) const {
    if (id == ExprId::None)
      return false;
    const Expr& expr = m_function[id];
    return (expr.kind == ExprKind::Array && expr.array == array) ||
           std::ranges::any_of(expr.args, [&](ExprId arg) { return mentions(arg, array); });
  }

  bool mentions(const Body& body, int array) const {
    return std::ranges::any_of(body, [&](StmtId id) {
      const Stmt& stmt = m_function[id];
      return mentions(stmt.pointer, array) || mentions(stmt.value, array) ||
             mentions(stmt.condition, array) || mentions(stmt.thenBody, array) ||
             mentions(stmt.elseBody, array);
    });
  }

  /// A pointer variable may carry it anywhere.
  bool pointedTo(int array) const {
    return std::ranges::any_of(m_function.stmts, [&](const Stmt& stmt) {
      return stmt.kind == StmtKind::Assign && m_function[stmt.value].type.pointer &&
             mentions(stmt.value, array);
    });
  }

  const gate::Problem& m_problem;
  const ir::Module& m_module;
  const ir::Function& m_function;
  ExitAnalysis m_exits;
  const std::set<std::string>& m_written;
  ir::Uniformity m_uniformity;
  std::set<int> m_candidates;
  BlockPlan m_plan;
};

} // namespace

BlockPlan planBlocks(const logic::TermStore& store, const gate::Problem& problem,
                     const std::set<std::string>& written) {
  return Planner(store, problem, written).run();
}

} // namespace plumbline::method

#include "core/method/local_plan.h"

#include "core/method/counted_loop.h"

#include <algorithm>
#include <optional>

namespace plumbline::method {

using ir::ExprId;
using ir::ExprKind;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

using Body = std::vector<StmtId>;

bool alwaysReturns(const ir::Function& function, const Body& body) {
  return std::ranges::any_of(body, [&](StmtId id) {
    const Stmt& stmt = function[id];
    return stmt.kind == StmtKind::Return ||
           (stmt.kind == StmtKind::If && alwaysReturns(function, stmt.thenBody) &&
            alwaysReturns(function, stmt.elseBody));
  });
}

namespace {

bool writesMemory(const ir::Module& module, const ir::Function& function) {
  const bool stores =
      std::ranges::any_of(function.stmts, [](const Stmt& s) { return s.kind == StmtKind::Store; });
  return stores || std::ranges::any_of(function.exprs, [&](const ir::Expr& expr) {
           return expr.kind == ExprKind::Call &&
                  writesMemory(module, module.functions[static_cast<size_t>(expr.callee)]);
         });
}

/// Which locals have a value on every path through some statements, and which may be read without one.
class Definite {
public:
  using Valued = std::optional<std::set<int>>; ///< nothing where the point is not reached

  explicit Definite(const ir::Function& function) : m_function(function), m_exits(function) {}

  std::set<int> unvalued(const Body& body, std::set<int> valued) {
    walk(body, Valued(std::move(valued)));
    return std::move(m_unvalued);
  }

private:
  void read(ExprId id, const Valued& valued) {
    if (id == ExprId::None || !valued)
      return;
    const ir::Expr& expr = m_function[id];
    if (expr.kind == ExprKind::Local && !valued->contains(expr.local))
      m_unvalued.insert(expr.local);
    for (ExprId arg : expr.args)
      read(arg, valued);
  }

  static Valued both(const Valued& a, const Valued& b) {
    if (!a || !b)
      return a ? a : b;
    std::set<int> result;
    std::ranges::set_intersection(*a, *b, std::inserter(result, result.end()));
    return result;
  }

  Valued take(Exit exit) {
    const auto found = m_jumps.find(exit);
    return found != m_jumps.end() ? found->second : std::nullopt;
  }

  Valued walk(const Body& body, Valued valued) {
    for (StmtId id : body)
      valued = statement(id, std::move(valued));
    return valued;
  }

  Valued statement(StmtId id, Valued valued) {
    const Stmt& stmt = m_function[id];
    if (!valued)
      return valued;
    if (stmt.kind == StmtKind::Loop)
      return loop(id, stmt, std::move(valued));
    for (ExprId expr : {stmt.pointer, stmt.value, stmt.condition})
      read(expr, valued);
    for (ExprId expr : stmt.args)
      read(expr, valued);
    switch (stmt.kind) {
    case StmtKind::If: return both(walk(stmt.thenBody, valued), walk(stmt.elseBody, valued));
    case StmtKind::Block: {
      const Valued end = walk(stmt.thenBody, std::move(valued));
      return both(end, take({Exit::Kind::Break, id}));
    }
    case StmtKind::Return: return std::nullopt;
    case StmtKind::Break:
    case StmtKind::Continue: {
      const Exit exit = m_exits.exitOf(id);
      m_jumps[exit] = both(take(exit), valued);
      return std::nullopt;
    }
    case StmtKind::Declare: valued->erase(stmt.local); return valued;
    default:
      if (stmt.local >= 0)
        valued->insert(stmt.local);
      return valued;
    }
  }

  /// A turn begins with what had a value before the loop; a variable of the loop itself has lost it.
  Valued loop(StmtId id, const Stmt& stmt, Valued valued) {
    eraseDeclared(stmt.thenBody, *valued);
    if (!stmt.testAfter)
      read(stmt.condition, valued);
    Valued end = walk(stmt.thenBody, valued);
    end = walk(stmt.elseBody, both(end, take({Exit::Kind::Continue, id})));
    if (stmt.testAfter)
      read(stmt.condition, end);
    const Valued& tested = stmt.testAfter ? end : valued;
    const Valued left = take({Exit::Kind::Break, id});
    return stmt.condition == ExprId::None ? left : both(tested, left);
  }

  void eraseDeclared(const Body& body, std::set<int>& valued) const {
    for (StmtId id : body) {
      const Stmt& stmt = m_function[id];
      if (stmt.kind == StmtKind::Declare)
        valued.erase(stmt.local);
      eraseDeclared(stmt.thenBody, valued);
      eraseDeclared(stmt.elseBody, valued);
    }
  }

  const ir::Function& m_function;
  ExitAnalysis m_exits;
  std::map<Exit, Valued> m_jumps;
  std::set<int> m_unvalued;
};

class Planner {
public:
  Planner(const ir::Module& module, const ir::Function& function, const Body& body)
      : m_function(function), m_body(body) {
    m_plan.writes = writesMemory(module, function);
    m_plan.locals.resize(function.locals.size());
  }

  FunctionPlan run(std::set<int> valued) {
    for (size_t local = 0; local < m_function.locals.size(); ++local)
      placeLocal(static_cast<int>(local));
    for (int i = 0; i < m_function.parameterCount; ++i)
      valued.insert(i);
    for (int local : Definite(m_function).unvalued(m_body, std::move(valued)))
      m_plan.locals[static_cast<size_t>(local)].needsFlag = true;
    return std::move(m_plan);
  }

private:
  // --- Occurrences ---

  bool reads(ExprId id, int local) const {
    if (id == ExprId::None)
      return false;
    const ir::Expr& expr = m_function[id];
    return (expr.kind == ExprKind::Local && expr.local == local) ||
           std::ranges::any_of(expr.args, [&](ExprId arg) { return reads(arg, local); });
  }

  bool occursIn(StmtId id, int local) const {
    const Stmt& stmt = m_function[id];
    return stmt.local == local || reads(stmt.pointer, local) || reads(stmt.value, local) ||
           reads(stmt.condition, local) || occursIn(stmt.thenBody, local) || occursIn(stmt.elseBody, local);
  }

  bool occursIn(const Body& body, int local) const {
    return std::ranges::any_of(body, [&](StmtId id) { return occursIn(id, local); });
  }

  int assignments(const Body& body, int local) const {
    int count = 0;
    for (StmtId id : body) {
      const Stmt& stmt = m_function[id];
      count += stmt.kind == StmtKind::Assign && stmt.local == local;
      count += assignments(stmt.thenBody, local) + assignments(stmt.elseBody, local);
    }
    return count;
  }

  // --- Declarations ---

  void placeLocal(int local) {
    LocalPlan& plan = m_plan.locals[static_cast<size_t>(local)];
    const int count = assignments(m_body, local);
    plan.isUsed = occursIn(m_body, local);
    if (local < m_function.parameterCount) {
      plan.isMutable = count > 0;
      return;
    }
    if (plan.isUsed)
      placeIn(m_body, local, plan);
    plan.isMutable = count > 1 || !plan.declaredAtAssign;
  }

  bool declares(StmtId id, int local) const {
    return m_function[id].kind == StmtKind::Declare && m_function[id].local == local;
  }

  /// The innermost statement list that holds every occurrence decides; not inside a loop that carries the
  /// value from turn to turn.
  void placeIn(const Body& body, int local, LocalPlan& plan) const {
    const auto occurs = [&](StmtId id) { return occursIn(id, local); };
    auto first = std::ranges::find_if(body, occurs);
    plan.where = *first;
    while (declares(*first, local)) {
      const auto next = std::find_if(first + 1, body.end(), occurs);
      if (next == body.end())
        return;
      first = next;
    }
    const Stmt& stmt = m_function[*first];
    if (stmt.kind == StmtKind::Assign && stmt.local == local && !reads(stmt.value, local)) {
      plan.declaredAtAssign = true;
      plan.where = *first;
      return;
    }
    const bool onlyHere = std::none_of(first + 1, body.end(), occurs);
    if (!onlyHere || reads(stmt.condition, local))
      return;
    const bool inThen = occursIn(stmt.thenBody, local);
    const bool inElse = occursIn(stmt.elseBody, local);
    const bool isLoop = stmt.kind == StmtKind::Loop;
    if (isLoop && (inElse || Definite(m_function).unvalued(stmt.thenBody, {}).contains(local)))
      return;
    if (inThen != inElse)
      placeIn(inThen ? stmt.thenBody : stmt.elseBody, local, plan);
  }

  const ir::Function& m_function;
  const Body& m_body;
  FunctionPlan m_plan;
};

} // namespace

FunctionPlan planFunction(const ir::Module& module, const ir::Function& function) {
  return planBody(module, function, function.body, {});
}

FunctionPlan planBody(const ir::Module& module, const ir::Function& function, const Body& body,
                      std::set<int> valued) {
  return Planner(module, function, body).run(std::move(valued));
}

} // namespace plumbline::method

#include "core/method/local_plan.h"

#include <algorithm>
#include <functional>

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

bool mayReturn(const ir::Function& function, const Body& body) {
  return std::ranges::any_of(body, [&](StmtId id) {
    const Stmt& stmt = function[id];
    return stmt.kind == StmtKind::Return || mayReturn(function, stmt.thenBody) ||
           mayReturn(function, stmt.elseBody);
  });
}

std::pair<Body, Body> branchesWithRest(const ir::Function& function, const Stmt& stmt, const Body& rest) {
  std::pair<Body, Body> result{stmt.thenBody, stmt.elseBody};
  const bool thenReturns = alwaysReturns(function, stmt.thenBody);
  const bool elseReturns = alwaysReturns(function, stmt.elseBody);
  if (thenReturns && !elseReturns)
    result.second.insert(result.second.end(), rest.begin(), rest.end());
  if (elseReturns && !thenReturns)
    result.first.insert(result.first.end(), rest.begin(), rest.end());
  return result;
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

class Planner {
public:
  Planner(const ir::Module& module, const ir::Function& function) : m_function(function) {
    m_plan.writes = writesMemory(module, function);
    m_plan.locals.resize(function.locals.size());
  }

  FunctionPlan run() {
    for (size_t local = 0; local < m_function.locals.size(); ++local)
      placeLocal(static_cast<int>(local));
    std::set<int> assigned;
    for (int i = 0; i < m_function.parameterCount; ++i)
      assigned.insert(i);
    walk(m_function.body, assigned);
    m_plan.needsReturnFlag = partialReturn(m_function.body);
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
    return (stmt.kind == StmtKind::Assign && stmt.local == local) || reads(stmt.pointer, local) ||
           reads(stmt.value, local) || reads(stmt.condition, local) || occursIn(stmt.thenBody, local) ||
           occursIn(stmt.elseBody, local);
  }

  bool occursIn(const Body& body, int local) const {
    return std::ranges::any_of(body, [&](StmtId id) { return occursIn(id, local); });
  }

  int assignments(int local) const {
    return static_cast<int>(std::ranges::count_if(
        m_function.stmts, [&](const Stmt& s) { return s.kind == StmtKind::Assign && s.local == local; }));
  }

  // --- Declarations ---

  void placeLocal(int local) {
    LocalPlan& plan = m_plan.locals[static_cast<size_t>(local)];
    const int count = assignments(local);
    plan.isUsed = occursIn(m_function.body, local);
    if (local < m_function.parameterCount) {
      plan.isMutable = count > 0;
      return;
    }
    if (plan.isUsed)
      placeIn(m_function.body, local, plan);
    plan.isMutable = count > 1 || !plan.declaredAtAssign;
  }

  /// The innermost statement list that holds every occurrence decides.
  void placeIn(const Body& body, int local, LocalPlan& plan) const {
    const auto first = std::ranges::find_if(body, [&](StmtId id) { return occursIn(id, local); });
    plan.where = *first;
    const Stmt& stmt = m_function[*first];
    if (stmt.kind == StmtKind::Assign && stmt.local == local && !reads(stmt.value, local)) {
      plan.declaredAtAssign = true;
      return;
    }
    const bool onlyHere = std::none_of(first + 1, body.end(), [&](StmtId id) { return occursIn(id, local); });
    if (stmt.kind != StmtKind::If || !onlyHere || reads(stmt.condition, local))
      return;
    const bool inThen = occursIn(stmt.thenBody, local);
    const bool inElse = occursIn(stmt.elseBody, local);
    if (inThen != inElse)
      placeIn(inThen ? stmt.thenBody : stmt.elseBody, local, plan);
  }

  // --- Definite assignment ---

  void readAll(ExprId id, const std::set<int>& assigned) {
    if (id == ExprId::None)
      return;
    const ir::Expr& expr = m_function[id];
    if (expr.kind == ExprKind::Local && !assigned.contains(expr.local))
      m_plan.locals[static_cast<size_t>(expr.local)].needsFlag = true;
    for (ExprId arg : expr.args)
      readAll(arg, assigned);
  }

  /// Returns whether the end of the list can be reached.
  bool walk(const Body& body, std::set<int>& assigned) {
    for (StmtId id : body) {
      const Stmt& stmt = m_function[id];
      for (ExprId expr : {stmt.pointer, stmt.value, stmt.condition})
        readAll(expr, assigned);
      if (stmt.kind == StmtKind::Assign)
        assigned.insert(stmt.local);
      if (stmt.kind == StmtKind::Return)
        return false;
      if (stmt.kind == StmtKind::If && !walkIf(stmt, assigned))
        return false;
    }
    return true;
  }

  bool walkIf(const Stmt& stmt, std::set<int>& assigned) {
    std::set<int> inThen = assigned;
    std::set<int> inElse = assigned;
    const bool afterThen = walk(stmt.thenBody, inThen);
    const bool afterElse = walk(stmt.elseBody, inElse);
    if (afterThen && afterElse) {
      assigned.clear();
      std::ranges::set_intersection(inThen, inElse, std::inserter(assigned, assigned.end()));
    } else {
      assigned = afterThen ? inThen : inElse;
    }
    return afterThen || afterElse;
  }

  // --- Returns ---

  /// A branch that returns on some of its paths only, with something after it to skip. What follows a branch
  /// that always returns belongs to the other one.
  bool partialReturn(const Body& body) const {
    for (auto at = body.begin(); at != body.end(); ++at) {
      const Stmt& stmt = m_function[*at];
      if (stmt.kind == StmtKind::Return)
        return false;
      if (stmt.kind != StmtKind::If ||
          !(mayReturn(m_function, stmt.thenBody) || mayReturn(m_function, stmt.elseBody)))
        continue;
      const auto [thenBody, elseBody] = branchesWithRest(m_function, stmt, Body(at + 1, body.end()));
      const bool tookRest =
          alwaysReturns(m_function, stmt.thenBody) || alwaysReturns(m_function, stmt.elseBody);
      if (!tookRest && at + 1 != body.end())
        return true;
      return partialReturn(thenBody) || partialReturn(elseBody);
    }
    return false;
  }

  const ir::Function& m_function;
  FunctionPlan m_plan;
};

} // namespace

FunctionPlan planFunction(const ir::Module& module, const ir::Function& function) {
  return Planner(module, function).run();
}

} // namespace plumbline::method

#include "core/gate/grid/structure.h"

#include <algorithm>

namespace plumbline::gate::grid {

using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::Function;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

namespace {

Waiting of(const Stmt& stmt) {
  if (stmt.kind == StmtKind::Barrier || stmt.kind == StmtKind::Collective) {
    if (ir::isBlockBarrier(stmt.sync))
      return Waiting::Block;
    return stmt.sync == ir::SyncOp::ActiveMask ? Waiting::None : Waiting::Warp;
  }
  return Waiting::None;
}

/// The functions are free of recursion; the verifier has seen to that.
constexpr int deepestCall = 64;

} // namespace

Structure::Structure(const ir::Module& module, bool exitedThreadsOk)
    : m_module(module), m_exitedThreadsOk(exitedThreadsOk) {
  m_functions.assign(module.functions.size(), Waiting::None);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < module.functions.size(); ++i) {
      const Waiting waiting = ofFunction(static_cast<int>(i), 0);
      changed |= waiting != m_functions[i];
      m_functions[i] = waiting;
    }
  }
}

Waiting Structure::ofFunction(int index, int depth) {
  if (depth > deepestCall)
    return Waiting::Block;
  const Function& function = m_module.functions[static_cast<size_t>(index)];
  Waiting strongest = Waiting::None;
  for (const Stmt& stmt : function.stmts)
    strongest = std::max(strongest, of(stmt));
  for (const Expr& expr : function.exprs)
    if (expr.kind == ExprKind::Call)
      strongest = std::max(strongest, m_functions[static_cast<size_t>(expr.callee)]);
  return strongest;
}

Waiting Structure::waitingInExpr(const Function& function, ExprId id) const {
  if (id == ExprId::None)
    return Waiting::None;
  const Expr& expr = function[id];
  Waiting strongest =
      expr.kind == ExprKind::Call ? m_functions[static_cast<size_t>(expr.callee)] : Waiting::None;
  for (ExprId arg : expr.args)
    strongest = std::max(strongest, waitingInExpr(function, arg));
  return strongest;
}

Waiting Structure::waitingIn(const Function& function, StmtId id) const {
  const Stmt& stmt = function[id];
  Waiting strongest = of(stmt);
  for (ExprId expr : {stmt.pointer, stmt.value, stmt.condition})
    strongest = std::max(strongest, waitingInExpr(function, expr));
  for (ExprId expr : stmt.args)
    strongest = std::max(strongest, waitingInExpr(function, expr));
  return std::max({strongest, waitingIn(function, stmt.thenBody), waitingIn(function, stmt.elseBody)});
}

Waiting Structure::waitingIn(const Function& function, const std::vector<StmtId>& body) const {
  Waiting strongest = Waiting::None;
  for (StmtId id : body)
    strongest = std::max(strongest, waitingIn(function, id));
  return strongest;
}

Waiting Structure::decides(const Function& function, StmtId id, const std::vector<Waiting>& around,
                           Waiting later) const {
  const Stmt& stmt = function[id];
  const int depth = stmt.kind == StmtKind::Loop || stmt.kind == StmtKind::Block ? 1 : 0;
  return std::max({waitingIn(function, id), jumpsPast(function, stmt.thenBody, depth, around, later),
                   jumpsPast(function, stmt.elseBody, depth, around, later)});
}

/// `depth`: loops and blocks between the statement that decides and the body.
Waiting Structure::jumpsPast(const Function& function, const std::vector<StmtId>& body, int depth,
                             const std::vector<Waiting>& around, Waiting later) const {
  Waiting strongest = Waiting::None;
  for (StmtId id : body) {
    const Stmt& stmt = function[id];
    if (stmt.kind == StmtKind::Return && !m_exitedThreadsOk) {
      strongest = std::max(strongest, later);
      for (Waiting each : around)
        strongest = std::max(strongest, each);
    } else if ((stmt.kind == StmtKind::Break || stmt.kind == StmtKind::Continue) && stmt.level >= depth) {
      const size_t levels = static_cast<size_t>(stmt.level - depth) + 1;
      for (size_t i = 0; i < levels && i < around.size(); ++i)
        strongest = std::max(strongest, around[around.size() - 1 - i]);
    }
    const int inner = depth + (stmt.kind == StmtKind::Loop || stmt.kind == StmtKind::Block ? 1 : 0);
    strongest = std::max({strongest, jumpsPast(function, stmt.thenBody, inner, around, later),
                          jumpsPast(function, stmt.elseBody, inner, around, later)});
  }
  return strongest;
}

void Structure::assigned(const Function& function, const std::vector<StmtId>& body, std::set<int>& locals) {
  for (StmtId id : body) {
    const Stmt& stmt = function[id];
    if (stmt.local >= 0)
      locals.insert(stmt.local);
    assigned(function, stmt.thenBody, locals);
    assigned(function, stmt.elseBody, locals);
  }
}

bool Structure::hasReturn(const Function& function, const std::vector<StmtId>& body) {
  return std::any_of(body.begin(), body.end(), [&](StmtId id) {
    const Stmt& stmt = function[id];
    return stmt.kind == StmtKind::Return || hasReturn(function, stmt.thenBody) ||
           hasReturn(function, stmt.elseBody);
  });
}

bool Structure::hasBreak(const Function& function, const std::vector<StmtId>& body, int depth) {
  return std::any_of(body.begin(), body.end(), [&](StmtId id) {
    const Stmt& stmt = function[id];
    if (stmt.kind == StmtKind::Break)
      return stmt.level >= depth;
    if (stmt.kind == StmtKind::Continue)
      return stmt.level > depth;
    const int inner = depth + (stmt.kind == StmtKind::Loop || stmt.kind == StmtKind::Block ? 1 : 0);
    return hasBreak(function, stmt.thenBody, inner) || hasBreak(function, stmt.elseBody, inner);
  });
}

} // namespace plumbline::gate::grid

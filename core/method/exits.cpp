#include "core/method/exits.h"

#include <algorithm>

namespace plumbline::method {

using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

using Body = std::vector<StmtId>;

ExitAnalysis::ExitAnalysis(const ir::Function& function)
    : m_function(function), m_targets(function.stmts.size(), StmtId::None) {
  std::vector<StmtId> enclosing;
  resolve(function.body, enclosing);
}

void ExitAnalysis::resolve(const Body& body, std::vector<StmtId>& enclosing) {
  for (StmtId id : body) {
    const Stmt& stmt = m_function[id];
    if (stmt.kind == StmtKind::Break || stmt.kind == StmtKind::Continue)
      m_targets[static_cast<size_t>(id)] = enclosing[enclosing.size() - 1 - static_cast<size_t>(stmt.level)];
    const bool isTarget = stmt.kind == StmtKind::Loop || stmt.kind == StmtKind::Block;
    if (isTarget)
      enclosing.push_back(id);
    resolve(stmt.thenBody, enclosing);
    resolve(stmt.elseBody, enclosing);
    if (isTarget)
      enclosing.pop_back();
  }
}

Exit ExitAnalysis::exitOf(StmtId id) const {
  switch (m_function[id].kind) {
  case StmtKind::Break: return {Exit::Kind::Break, target(id)};
  case StmtKind::Continue: return {Exit::Kind::Continue, target(id)};
  default: return {};
  }
}

Exits ExitAnalysis::exits(StmtId id) const {
  const Stmt& stmt = m_function[id];
  if (stmt.kind == StmtKind::Return || stmt.kind == StmtKind::Break || stmt.kind == StmtKind::Continue)
    return {exitOf(id)};
  Exits result = exits(stmt.thenBody);
  result.merge(exits(stmt.elseBody));
  std::erase_if(result, [id](const Exit& exit) { return exit.target == id; });
  return result;
}

Exits ExitAnalysis::exits(const Body& body) const {
  Exits result;
  for (StmtId id : body)
    result.merge(exits(id));
  return result;
}

bool ExitAnalysis::breaksOut(const Body& body, StmtId target) const {
  return exits(body).contains({Exit::Kind::Break, target});
}

bool ExitAnalysis::completes(StmtId id) const {
  const Stmt& stmt = m_function[id];
  switch (stmt.kind) {
  case StmtKind::Return:
  case StmtKind::Break:
  case StmtKind::Continue: return false;
  case StmtKind::If: return completes(stmt.thenBody) || completes(stmt.elseBody);
  case StmtKind::Loop: return stmt.condition != ir::ExprId::None || breaksOut(stmt.thenBody, id);
  case StmtKind::Block: return completes(stmt.thenBody) || breaksOut(stmt.thenBody, id);
  default: return true;
  }
}

bool ExitAnalysis::completes(const Body& body) const {
  return std::ranges::all_of(body, [this](StmtId id) { return completes(id); });
}

std::pair<Body, Body> branchesWithRest(const ExitAnalysis& exits, const Stmt& stmt, const Body& rest) {
  std::pair<Body, Body> result{stmt.thenBody, stmt.elseBody};
  const bool afterThen = exits.completes(stmt.thenBody);
  const bool afterElse = exits.completes(stmt.elseBody);
  if (!afterThen && afterElse)
    result.second.insert(result.second.end(), rest.begin(), rest.end());
  if (afterThen && !afterElse)
    result.first.insert(result.first.end(), rest.begin(), rest.end());
  return result;
}

} // namespace plumbline::method

#include "core/method/memory_use.h"

#include "core/method/local_plan.h"

namespace plumbline::method {

using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

std::string arrayKey(int array) {
  return "#" + std::to_string(array);
}

std::optional<int> arrayOfKey(const std::string& memory) {
  return memory.starts_with('#') ? std::optional(std::stoi(memory.substr(1))) : std::nullopt;
}

MemoryUse::MemoryUse(const gate::Problem& problem)
    : m_problem(problem),
      m_function(problem.module->functions[static_cast<size_t>(problem.kernel->function)]),
      m_pointsTo(m_function.locals.size()) {
  for (int i = 0; i < m_function.parameterCount; ++i) {
    const auto bound = problem.parameters.find(m_function.locals[static_cast<size_t>(i)].name);
    if (bound != problem.parameters.end() && !bound->second.buffer.empty())
      m_pointsTo[static_cast<size_t>(i)].insert(bound->second.buffer);
  }
  followPointers();
}

void MemoryUse::followPointers() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Stmt& stmt : m_function.stmts) {
      if (stmt.kind != StmtKind::Assign || !m_function[stmt.value].type.pointer)
        continue;
      std::set<std::string>& known = m_pointsTo[static_cast<size_t>(stmt.local)];
      const size_t before = known.size();
      known.merge(roots(stmt.value));
      changed |= known.size() != before;
    }
  }
}

/// Where a pointer may point.
std::set<std::string> MemoryUse::roots(ExprId id) const {
  const Expr& expr = m_function[id];
  if (expr.kind == ExprKind::Local)
    return m_pointsTo[static_cast<size_t>(expr.local)];
  if (expr.kind == ExprKind::Array)
    return {arrayKey(expr.array)};
  std::set<std::string> result;
  for (ExprId arg : expr.args)
    if (m_function[arg].type.pointer)
      result.merge(roots(arg));
  return result;
}

void MemoryUse::collectCalls(ExprId id, std::set<std::string>& result) const {
  if (id == ExprId::None)
    return;
  const Expr& expr = m_function[id];
  if (expr.kind == ExprKind::Call &&
      planFunction(*m_problem.module, m_problem.module->functions[static_cast<size_t>(expr.callee)]).writes)
    for (ExprId arg : expr.args)
      if (m_function[arg].type.pointer)
        result.merge(roots(arg));
  for (ExprId arg : expr.args)
    collectCalls(arg, result);
}

void MemoryUse::collectWritten(const std::vector<StmtId>& body, std::set<std::string>& result) const {
  for (StmtId id : body) {
    const Stmt& stmt = m_function[id];
    if (stmt.kind == StmtKind::Store)
      result.merge(roots(stmt.pointer));
    for (ExprId expr : {stmt.pointer, stmt.value, stmt.condition})
      collectCalls(expr, result);
    collectWritten(stmt.thenBody, result);
    collectWritten(stmt.elseBody, result);
  }
}

std::set<std::string> MemoryUse::written(const std::vector<StmtId>& body) const {
  std::set<std::string> result;
  collectWritten(body, result);
  return result;
}

void MemoryUse::collectRoots(ExprId id, std::set<std::string>& result) const {
  if (id == ExprId::None)
    return;
  const Expr& expr = m_function[id];
  if (expr.type.pointer)
    result.merge(roots(id));
  for (ExprId arg : expr.args)
    collectRoots(arg, result);
}

void MemoryUse::collectMentioned(const std::vector<StmtId>& body, std::set<std::string>& result) const {
  for (StmtId id : body) {
    const Stmt& stmt = m_function[id];
    for (ExprId expr : {stmt.pointer, stmt.value, stmt.condition})
      collectRoots(expr, result);
    collectMentioned(stmt.thenBody, result);
    collectMentioned(stmt.elseBody, result);
  }
}

bool MemoryUse::mentions(const std::vector<StmtId>& body, int array) const {
  std::set<std::string> keys;
  collectMentioned(body, keys);
  return keys.contains(arrayKey(array));
}

} // namespace plumbline::method

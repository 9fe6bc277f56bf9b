// Points where threads meet, and atomic operations. Which function is which operation stands in the shim.
#include "core/cuda/clang/function_translator.h"

namespace plumbline::cuda {

using ir::ExprId;
using ir::ScalarType;
using ir::SyncOp;
using ir::Type;

ExprId FunctionTranslator::synchronise(const clang::CallExpr* expr, const clang::FunctionDecl* callee,
                                       const std::string& name) {
  constexpr std::string_view fence = "fence ";
  if (name.starts_with(fence)) {
    m_builder.meet({.kind = ir::StmtKind::Fence, .where = where(expr), .text = name.substr(fence.size())});
    return ExprId::None;
  }
  const std::optional<SyncOp> op = ir::syncOpFromName(name);
  if (!op)
    return reject("unknown-function", "call of '" + callee->getNameAsString() + "'", expr);
  if (*op == SyncOp::BlockBarrier) {
    m_builder.meet({.kind = ir::StmtKind::Barrier, .where = where(expr), .sync = *op});
    return ExprId::None;
  }
  if (*op == SyncOp::WarpBarrier) {
    const ExprId mask = m_builder.cast(value(expr->getArg(0)), ScalarType::U32, where(expr));
    m_builder.meet({.kind = ir::StmtKind::Barrier, .where = where(expr), .sync = *op, .args = {mask}});
    return ExprId::None;
  }
  return ir::isAtomic(*op) ? atomic(expr, *op) : collective(expr, *op);
}

/// The result is a new local. Predicates become bool, other arguments the types that kernel IR asks for.
ExprId FunctionTranslator::collective(const clang::CallExpr* expr, SyncOp op) {
  const SourceRange at = where(expr);
  const std::optional<ScalarType> result = irScalar(m_ast, expr->getType());
  if (!result)
    return rejectType(expr->getType(), at);
  if (!orderFree({expr->getArgs(), expr->getNumArgs()}))
    return ExprId::None;
  std::vector<ScalarType> types;
  switch (op) {
  case SyncOp::ActiveMask: break;
  case SyncOp::BlockCount:
  case SyncOp::BlockAnd:
  case SyncOp::BlockOr: types = {ScalarType::Bool}; break;
  case SyncOp::VoteAny:
  case SyncOp::VoteAll:
  case SyncOp::Ballot: types = {ScalarType::U32, ScalarType::Bool}; break;
  default: types = {ScalarType::U32, *result, ScalarType::I32, ScalarType::I32}; break;
  }
  std::vector<ExprId> args;
  for (unsigned i = 0; i < expr->getNumArgs(); ++i)
    args.push_back(m_builder.cast(value(expr->getArg(i)), types[i], where(expr->getArg(i))));
  if (std::find(args.begin(), args.end(), ExprId::None) != args.end())
    return ExprId::None;
  const int local = m_builder.addLocal(std::string(ir::name(op)), {*result, false}, at);
  m_builder.meet({.kind = ir::StmtKind::Collective, .where = at, .local = local, .sync = op, .args = args});
  return m_builder.local(local, at);
}

ExprId FunctionTranslator::atomic(const clang::CallExpr* expr, SyncOp op) {
  const SourceRange at = where(expr);
  const bool discarded = expr == m_discarded;
  if (!orderFree({expr->getArgs(), expr->getNumArgs()}))
    return ExprId::None;
  const ExprId pointer = value(expr->getArg(0));
  std::vector<ExprId> operands;
  for (unsigned i = 1; i < expr->getNumArgs(); ++i)
    operands.push_back(value(expr->getArg(i)));
  if (pointer == ExprId::None || operands.empty() ||
      std::find(operands.begin(), operands.end(), ExprId::None) != operands.end())
    return ExprId::None;
  m_state.writesMemory = true;
  const Type type{m_builder.typeOf(pointer).scalar, false};
  ir::Stmt stmt{
      .kind = ir::StmtKind::Atomic, .where = at, .pointer = pointer, .value = operands.back(), .sync = op};
  operands.pop_back();
  stmt.args = operands;
  if (!discarded)
    stmt.local = m_builder.addLocal(std::string(ir::name(op)), type, at);
  const int local = stmt.local;
  m_builder.meet(std::move(stmt));
  return discarded ? ExprId::None : m_builder.local(local, at);
}

} // namespace plumbline::cuda

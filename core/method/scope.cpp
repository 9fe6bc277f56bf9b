#include "core/method/scope.h"

#include "core/ir/intrinsics.h"

namespace plumbline::method {

using ir::Stmt;
using ir::StmtKind;

namespace {

std::pair<std::string, std::string> refusalOf(const Stmt& stmt) {
  switch (stmt.kind) {
  case StmtKind::Atomic: return {"atomics", "an atomic operation"};
  case StmtKind::Fence: return {"memory-fence", "a memory fence"};
  case StmtKind::Barrier:
    if (stmt.sync == ir::SyncOp::BlockBarrier)
      return {};
    return {"warp-barrier", "a barrier of the warp"};
  case StmtKind::Collective:
    if (ir::isBlockBarrier(stmt.sync))
      return {"barrier", "a barrier that combines values"};
    return {"warp-shuffle", "a shuffle or vote of the warp"};
  default: return {};
  }
}

bool before(const SourceRange& a, const SourceRange& b) {
  return std::pair(a.line, a.column) < std::pair(b.line, b.column);
}

} // namespace

std::optional<Rejection> outsideMethod(const ir::Module& module, int index) {
  const ir::Function& function = module.functions[static_cast<size_t>(index)];
  std::optional<Rejection> first;
  auto note = [&](std::string id, std::string words, const SourceRange& where) {
    if (!id.empty() && (!first || before(where, first->where)))
      first = Rejection{std::move(id), std::move(words), where};
  };
  auto noteType = [&](ir::ScalarType type, const SourceRange& where) {
    if (ir::isSixteenBitFloat(type))
      note("half-type", "a sixteen-bit float", where);
  };
  for (const ir::Local& local : function.locals)
    noteType(local.type.scalar, local.where);
  for (const ir::ArrayVariable& array : function.arrays)
    noteType(array.element, array.where);
  for (const Stmt& stmt : function.stmts) {
    auto [id, words] = refusalOf(stmt);
    note(std::move(id), std::move(words), stmt.where);
  }
  for (const ir::Expr& expr : function.exprs) {
    noteType(expr.type.scalar, expr.where);
    const ir::Intrinsic* row = expr.kind == ir::ExprKind::Intrinsic ? ir::findIntrinsic(expr.text) : nullptr;
    if (row != nullptr && !ir::hasTerm(row->meaning))
      note("exact-function", "a function that rounds to integers or reads the bits of a float", expr.where);
  }
  for (const ir::Expr& expr : function.exprs)
    if (expr.kind == ir::ExprKind::Call && !first)
      first = outsideMethod(module, expr.callee);
  return first;
}

std::set<std::string> opaqueFunctions(const ir::Module& module, int index) {
  std::set<std::string> result;
  for (const ir::Expr& expr : module.functions[static_cast<size_t>(index)].exprs) {
    if (expr.kind == ir::ExprKind::Call)
      result.merge(opaqueFunctions(module, expr.callee));
    const ir::Intrinsic* row = expr.kind == ir::ExprKind::Intrinsic ? ir::findIntrinsic(expr.text) : nullptr;
    if (row != nullptr && row->meaning == ir::Meaning::Opaque && row->result == ir::ScalarType::F32)
      result.insert(expr.text);
  }
  return result;
}

} // namespace plumbline::method

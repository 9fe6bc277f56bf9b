#include "core/ir/constructs.h"

#include "core/ir/intrinsics.h"

#include <algorithm>

namespace plumbline::ir {
namespace {

/// The id under which a layer that reads scalar code only refuses the statement; empty for scalar code.
std::string_view beyondScalar(const Stmt& stmt) {
  switch (stmt.kind) {
  case StmtKind::Assign:
  case StmtKind::Store:
  case StmtKind::If:
  case StmtKind::Return:
  case StmtKind::Eval:
  case StmtKind::Declare: return {};
  case StmtKind::Loop:
  case StmtKind::Block:
  case StmtKind::Break:
  case StmtKind::Continue: return "loop";
  case StmtKind::Barrier: return stmt.sync == SyncOp::BlockBarrier ? "barrier" : "warp-barrier";
  case StmtKind::Collective: return isBlockBarrier(stmt.sync) ? "barrier" : "warp-shuffle";
  case StmtKind::Atomic: return "atomics";
  case StmtKind::Fence: return "memory-fence";
  }
  return "unsupported-construct";
}

bool isUnread(const Expr& expr) {
  const Intrinsic* row = expr.kind == ExprKind::Intrinsic ? findIntrinsic(expr.text) : nullptr;
  return row && !hasTerm(row->meaning);
}

std::string_view beyondScalar(const Expr& expr) {
  if (isSixteenBitFloat(expr.type.scalar))
    return "half-type";
  if (isUnread(expr))
    return "exact-function";
  if (expr.kind == ExprKind::Array)
    return "array";
  return expr.kind == ExprKind::PointerCast || expr.type.lanes != 1 ? "reinterpret-cast" : std::string_view{};
}

std::string_view beyondScalar(const ArrayVariable& array) {
  if (isSixteenBitFloat(array.element))
    return "half-type";
  switch (array.space) {
  case ArraySpace::Thread: return "local-array";
  case ArraySpace::Shared: return array.extents.empty() ? "dynamic-shared-memory" : "shared-memory";
  case ArraySpace::Constant: return "constant-memory";
  }
  return "array";
}

std::string_view wordsFor(std::string_view id) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 13> words = {
      {{"loop", "a loop or switch"},
       {"barrier", "a barrier of the block"},
       {"warp-barrier", "a barrier of the warp"},
       {"warp-shuffle", "a shuffle or vote of the warp"},
       {"atomics", "an atomic operation"},
       {"memory-fence", "a memory fence"},
       {"local-array", "an array of a thread"},
       {"shared-memory", "shared memory"},
       {"dynamic-shared-memory", "dynamic shared memory"},
       {"constant-memory", "a constant array"},
       {"reinterpret-cast", "memory accessed as another type"},
       {"half-type", "a sixteen-bit float"},
       {"exact-function", "a function that rounds to integers or reads the bits of a float"}}};
  const auto* found =
      std::find_if(words.begin(), words.end(), [&](const auto& each) { return each.first == id; });
  return found != words.end() ? found->second : id;
}

bool before(const SourceRange& a, const SourceRange& b) {
  return std::pair(a.line, a.column) < std::pair(b.line, b.column);
}

} // namespace

std::optional<Rejection> beyondScalarCode(const Module& module, int index) {
  const Function& function = module.functions[static_cast<size_t>(index)];
  std::optional<Rejection> first;
  const auto note = [&](std::string_view id, const SourceRange& where) {
    if (!id.empty() && (!first || before(where, first->where)))
      first = Rejection{std::string(id), std::string(wordsFor(id)), where};
  };
  for (const Local& local : function.locals)
    if (isSixteenBitFloat(local.type.scalar))
      note("half-type", local.where);
  for (const ArrayVariable& array : function.arrays)
    note(beyondScalar(array), array.where);
  for (const Stmt& stmt : function.stmts)
    note(beyondScalar(stmt), stmt.where);
  for (const Expr& expr : function.exprs)
    note(beyondScalar(expr), expr.where);
  for (const Expr& expr : function.exprs)
    if (expr.kind == ExprKind::Call && !first)
      first = beyondScalarCode(module, expr.callee);
  return first;
}

std::set<std::string> constructsOf(const Module& module, int index) {
  const Function& function = module.functions[static_cast<size_t>(index)];
  std::set<std::string> found;
  const auto note = [&](std::string_view id) {
    if (!id.empty())
      found.emplace(id);
  };
  for (const Local& local : function.locals)
    if (isSixteenBitFloat(local.type.scalar))
      note("half-type");
  for (const ArrayVariable& array : function.arrays)
    note(beyondScalar(array));
  for (const Stmt& stmt : function.stmts)
    note(beyondScalar(stmt));
  for (const Expr& expr : function.exprs) {
    note(beyondScalar(expr));
    if (expr.type.scalar == ScalarType::F64)
      note("binary64");
    if (expr.kind == ExprKind::Call) {
      note("device-function");
      found.merge(constructsOf(module, expr.callee));
    }
  }
  found.erase("array"); // said by the arrays themselves
  return found;
}

} // namespace plumbline::ir

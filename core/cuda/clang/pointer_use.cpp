#include "core/cuda/clang/pointer_use.h"

#include <set>

namespace plumbline::cuda {
namespace {

using namespace ir;
using Roots = std::set<int>; // parameters a pointer may come from

/// Flow-insensitive: the roots of a local grow until nothing changes.
class UseAnalysis {
public:
  UseAnalysis(const Module& module, int function)
      : m_module(module), m_function(module.functions[static_cast<size_t>(function)]),
        m_roots(m_function.locals.size()), m_use(static_cast<size_t>(m_function.parameterCount)) {
    for (int i = 0; i < m_function.parameterCount; ++i)
      m_roots[static_cast<size_t>(i)].insert(i);
  }

  std::vector<PointerUse> run() {
    while (propagate()) {
    }
    for (const Expr& expr : m_function.exprs) {
      if (expr.kind == ExprKind::Load)
        mark(expr.args[0], true, false);
      if (expr.kind == ExprKind::Call)
        call(expr);
    }
    for (const Stmt& stmt : m_function.stmts)
      if (stmt.kind == StmtKind::Store || stmt.kind == StmtKind::Atomic)
        mark(stmt.pointer, stmt.kind == StmtKind::Atomic, true);
    return m_use;
  }

private:
  bool propagate() {
    bool changed = false;
    for (const Stmt& stmt : m_function.stmts) {
      if (stmt.kind != StmtKind::Assign || !m_function[stmt.value].type.pointer)
        continue;
      Roots& target = m_roots[static_cast<size_t>(stmt.local)];
      const size_t before = target.size();
      target.merge(rootsOf(stmt.value));
      changed = changed || target.size() != before;
    }
    return changed;
  }

  Roots rootsOf(ExprId id) const {
    const Expr& expr = m_function[id];
    if (!expr.type.pointer)
      return {};
    if (expr.kind == ExprKind::Local)
      return m_roots[static_cast<size_t>(expr.local)];
    Roots all;
    for (ExprId arg : expr.args)
      all.merge(rootsOf(arg));
    return all;
  }

  void mark(ExprId pointer, bool loaded, bool stored) {
    for (int root : rootsOf(pointer)) {
      PointerUse& use = m_use[static_cast<size_t>(root)];
      use.loaded = use.loaded || loaded;
      use.stored = use.stored || stored;
    }
  }

  void call(const Expr& expr) {
    const std::vector<PointerUse> callee = pointerUse(m_module, expr.callee);
    for (size_t i = 0; i < expr.args.size(); ++i)
      mark(expr.args[i], callee[i].loaded, callee[i].stored);
  }

  const Module& m_module;
  const Function& m_function;
  std::vector<Roots> m_roots;
  std::vector<PointerUse> m_use;
};

} // namespace

std::vector<PointerUse> pointerUse(const Module& module, int function) {
  return UseAnalysis(module, function).run();
}

} // namespace plumbline::cuda

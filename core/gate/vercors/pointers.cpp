#include "core/gate/vercors/pointers.h"

#include "core/gate/vercors/refusal.h"

namespace plumbline::gate::vercors {

using ir::ExprKind;

int baseOf(const ir::Function& function, ir::ExprId pointer, const std::vector<int>& bases) {
  const ir::Expr& e = function[pointer];
  if (e.type.lanes != 1)
    refuse("vercors-vector", "a vector access", e.where);
  switch (e.kind) {
  case ExprKind::Local: return bases[static_cast<size_t>(e.local)];
  case ExprKind::Array: return Objects(function).ofArray(e.array);
  case ExprKind::PointerAdd: return baseOf(function, e.args[0], bases);
  default: refuse("vercors-pointer", "a pointer that is no array with an index", e.where);
  }
}

std::vector<int> pointerBases(const ir::Function& function) {
  std::vector<int> bases(function.locals.size(), -1);
  for (int i = 0; i < function.parameterCount; ++i)
    if (function.locals[static_cast<size_t>(i)].type.pointer)
      bases[static_cast<size_t>(i)] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (const ir::Stmt& s : function.stmts) {
      if (s.kind != ir::StmtKind::Assign || !function.locals[static_cast<size_t>(s.local)].type.pointer)
        continue;
      const int base = baseOf(function, s.value, bases);
      int& known = bases[static_cast<size_t>(s.local)];
      if (known >= 0 && base >= 0 && known != base)
        refuse("vercors-pointer",
               "the pointer '" + function.locals[static_cast<size_t>(s.local)].name +
                   "' into two arrays, one after the other",
               s.where);
      changed = changed || (known < 0 && base >= 0);
      known = std::max(known, base);
    }
  }
  return bases;
}

} // namespace plumbline::gate::vercors

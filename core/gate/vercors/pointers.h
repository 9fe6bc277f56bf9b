// Which array each pointer of a kernel points into.
#pragma once

#include "core/ir/kernel.h"

namespace plumbline::gate::vercors {

/// Arrays of a kernel by number: first its locals (pointer parameters), then its array variables.
struct Objects {
  explicit Objects(const ir::Function& function) : function(&function) {}
  int ofArray(int array) const { return static_cast<int>(function->locals.size()) + array; }
  bool isParameter(int object) const { return object < static_cast<int>(function->locals.size()); }
  const ir::ArrayVariable& array(int object) const {
    return function->arrays[static_cast<size_t>(object) - function->locals.size()];
  }
  const std::string& name(int object) const {
    return isParameter(object) ? function->locals[static_cast<size_t>(object)].name : array(object).name;
  }
  const ir::Function* function;
};

/// By local: the object that a pointer always points into; -1 for what is no pointer. Throws Refused,
/// "vercors-pointer" and "vercors-vector".
std::vector<int> pointerBases(const ir::Function& function);

/// The object that a pointer expression points into. Throws Refused as above.
int baseOf(const ir::Function& function, ir::ExprId pointer, const std::vector<int>& bases);

} // namespace plumbline::gate::vercors

// Where the locals of a kernel function are declared in the method.
#pragma once

#include "core/method/exits.h"

#include <map>
#include <set>

namespace plumbline::method {

struct LocalPlan {
  bool isUsed = false;
  bool isMutable = false;              ///< assigned more than once, or on some paths only
  bool declaredAtAssign = false;       ///< its first assignment stands before everything else about it
  ir::StmtId where = ir::StmtId::None; ///< that assignment, or the statement before which it is declared
  bool needsFlag = false;              ///< may be read before it has a value: a flag says whether it has one
};

struct FunctionPlan {
  std::vector<LocalPlan> locals; ///< parameters: isMutable says whether they are assigned
  bool writes = false;           ///< it, or a function it calls, stores to memory
};

/// Every path through the statements ends in a return.
bool alwaysReturns(const ir::Function& function, const std::vector<ir::StmtId>& body);

FunctionPlan planFunction(const ir::Module& module, const ir::Function& function);

/// The plan for a part of a function, as if it were all of it. `valued`: locals that have a value before it.
FunctionPlan planBody(const ir::Module& module, const ir::Function& function,
                      const std::vector<ir::StmtId>& body, std::set<int> valued);

} // namespace plumbline::method

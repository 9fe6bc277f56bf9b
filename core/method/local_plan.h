// Where the locals of a kernel function are declared in the method, and how its returns are translated.
#pragma once

#include "core/ir/kernel.h"

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
  bool needsReturnFlag = false;  ///< a branch returns on some of its paths only
  bool writes = false;           ///< it, or a function it calls, stores to memory
};

/// Every path through the statements ends in a return.
bool alwaysReturns(const ir::Function& function, const std::vector<ir::StmtId>& body);
bool mayReturn(const ir::Function& function, const std::vector<ir::StmtId>& body);

/// The branches of an `if`; where exactly one of them always returns, the other is continued by `rest`.
std::pair<std::vector<ir::StmtId>, std::vector<ir::StmtId>>
branchesWithRest(const ir::Function& function, const ir::Stmt& stmt, const std::vector<ir::StmtId>& rest);

FunctionPlan planFunction(const ir::Module& module, const ir::Function& function);

} // namespace plumbline::method

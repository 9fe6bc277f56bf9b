// The body of a function as C.
#pragma once

#include "core/gate/vercors/names.h"

#include <set>

namespace plumbline::gate::vercors {

/// The whole function, without a contract. `callees`: the device functions that it calls are added. Throws
/// Refused.
std::string functionText(const ir::Module& module, const ir::Function& function, bool isKernel,
                         std::set<int>& callees);

} // namespace plumbline::gate::vercors

// The contract of a kernel, from the launch contract and from what a thread reads and writes.
#pragma once

#include "core/ir/kernel.h"
#include "core/ir/launch.h"

namespace plumbline::gate::vercors {

/// The lines between "/*@" and "@*/", each one clause. Throws Refused.
std::vector<std::string> contractLines(const ir::Module& module, const ir::Kernel& kernel,
                                       const ir::LaunchContract& contract);

} // namespace plumbline::gate::vercors

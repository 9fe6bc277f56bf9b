// What a kernel uses besides straight-line code and branches, for tables of coverage.
#pragma once

#include "core/ir/kernel.h"

#include <set>

namespace plumbline::ir {

/// Ids of the constructs of a translated function and of what it calls: those of `beyondScalarCode`, and
/// "binary64", "device-function". Empty for plain scalar code.
std::set<std::string> constructsOf(const Module& module, int function);

} // namespace plumbline::ir

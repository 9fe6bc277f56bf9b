// Functions without an agreed last bit, for both sides of a comparison.
#pragma once

#include "core/ir/domain.h"

namespace plumbline::differential {

/// The correctly rounded value where that is known; elsewhere a value that is made from the arguments,
/// different for different functions and arguments. Every NaN is the canonical one.
uint64_t opaqueValue(std::string_view spelling, ir::ScalarType type, std::span<const uint64_t> args);

/// The same for code that was compiled natively (host_functions.h).
extern "C" uint64_t plumblineOpaqueValue(const char* spelling, int isDouble, const uint64_t* args, int count);

} // namespace plumbline::differential

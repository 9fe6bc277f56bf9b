// What a sequential method cannot say about a kernel.
#pragma once

#include "core/ir/kernel.h"

#include <set>

namespace plumbline::method {

/// The first place of what is refused: statements whose meaning depends on how threads meet, other than a
/// plain barrier of the block ("atomics", "warp-shuffle", "warp-barrier", "memory-fence", "barrier" for one
/// that combines values), "half-type", and functions without a Lean definition ("exact-function"). Calls are
/// followed.
std::optional<Rejection> outsideMethod(const ir::Module& module, int function);

/// Spellings of functions of binary32 without agreed bits that the function or what it calls uses.
std::set<std::string> opaqueFunctions(const ir::Module& module, int function);

} // namespace plumbline::method

// Which lane of a warp a shuffle reads, and what integer atomics make of a value, by the CUDA C++ programming
// guide.
#pragma once

#include "core/ir/kernel.h"

namespace plumbline::ir {

/// The lane that `lane` reads; -1 when the arguments have no meaning: a width that is no power of two up to
/// 32, a delta or lane mask outside [0, 32).
int shuffleSource(SyncOp op, int lane, int64_t argument, int64_t width);

/// The new value; wraps. Not for CompareExchange.
int64_t atomicInteger(SyncOp op, ScalarType type, int64_t old, int64_t operand);

} // namespace plumbline::ir

// Runs the two loops over a range of bit patterns on several threads.
#pragma once

#include "app/sweep/jit.h"

#include <functional>
#include <optional>

namespace plumbline::sweep {

/// Patterns `from` up to, not including, `to`; at most 2^32.
struct PatternRange {
  uint64_t from = 0;
  uint64_t to = 0;
};

struct RangeResult {
  std::optional<uint32_t> first; ///< the lowest differing pattern
  uint64_t checkedTo = 0;        ///< every pattern below it (from the start of the range) was compared
};

/// Called from the calling thread about ten times a second with the end of the part that is completely
/// compared.
using RangeProgress = std::function<void(uint64_t checkedTo)>;

/// Stops early at the lowest difference, which does not depend on the number of threads. Errors:
/// "float-environment" when a thread does not start with round-to-nearest, subnormals kept and exceptions
/// masked.
Expected<RangeResult> runRange(const Loops& loops, PatternRange range, unsigned threads,
                               const RangeProgress& progress);

} // namespace plumbline::sweep

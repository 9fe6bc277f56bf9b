// What the sweep accepts: closed terms over one free binary32 value whose integers fit in 64 bits.
#pragma once

#include "core/base/error.h"
#include "core/logic/term.h"

#include <unordered_map>

namespace plumbline::sweep {

/// Inclusive bounds of an Int term for every value of the free variable.
struct IntRange {
  int64_t low = 0;
  int64_t high = 0;

  bool contains(int64_t value) const { return low <= value && value <= high; }
  bool fits32() const { return low >= INT32_MIN && high <= INT32_MAX; }
};

using IntRanges = std::unordered_map<logic::TermId, IntRange>;

/// Refuses by name everything the lowering has no exact machine code for: "sweep-opaque", "sweep-load",
/// "sweep-free-variable", "sweep-int-range" (an integer may leave 64 bits), "sweep-int-division" (a divisor
/// may be zero), "sweep-int-width". Otherwise the bounds of every Int term below the roots.
Expected<IntRanges> checkFragment(const logic::TermStore& store, std::span<const logic::TermId> roots,
                                  std::string_view variable);

} // namespace plumbline::sweep

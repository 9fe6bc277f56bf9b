// Trying all values where there are few: thread coordinates of a block of fixed size, bits of small numbers.
#pragma once

#include "core/base/stop_token.h"
#include "core/gate/arithmetic/evaluate.h"
#include "core/gate/arithmetic/polynomials.h"

namespace plumbline::gate {

struct EnumerationResult {
  enum class Status : uint8_t {
    NotTried,   ///< too many values, an unbounded variable, or a value without meaning on the way
    NoSolution, ///< every point was tried
    Solution
  };
  Status status = Status::NotTried;
  VariableValues values; ///< of Solution
};

/// Looks for values of all variables, Int ones within `bounds`, that make all assertions true. The assertions
/// are terms that IntegerPart made; `maxWork` limits the number of points times the number of nodes.
EnumerationResult enumerate(const logic::TermStore& store, std::span<const logic::TermId> assertions,
                            const AtomBounds& bounds, uint64_t maxWork, const StopToken& stop);

} // namespace plumbline::gate

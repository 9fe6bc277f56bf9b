// Interval arithmetic behind reach.h.
#pragma once

#include "tests/differential/spec/reach.h"

#include <span>

namespace plumbline::spec::reach {

Reach point(uint64_t bits); ///< F32
Reach wide(uint64_t bits);  ///< the binary32 numbers around a binary64 one
Reach whole();              ///< any F32
Reach truth(bool mayBeTrue, bool mayBeFalse);
Reach integer(std::optional<int64_t> value);
Reach unknown(logic::Sort sort);
/// Everything that either may be.
Reach hull(const Reach& a, const Reach& b);

Reach negate(const Reach& a);
Reach absolute(const Reach& a);
Reach add(const Reach& a, const Reach& b);
Reach multiply(const Reach& a, const Reach& b);
Reach divide(const Reach& a, const Reach& b);
Reach squareRoot(const Reach& a);
/// a * b + c, the product rounded or not.
Reach multiplyAdd(const Reach& a, const Reach& b, const Reach& c);
Reach fromInteger(std::optional<int64_t> value);
Reach opaque(std::string_view spelling, std::span<const Reach> args);

Reach less(const Reach& a, const Reach& b);
Reach lessOrEqual(const Reach& a, const Reach& b);
Reach equal(const Reach& a, const Reach& b);

/// Folds of all terms from the start value, in any order.
Reach sum(const Reach& init, std::span<const Reach> terms);
Reach product(const Reach& init, std::span<const Reach> terms);
Reach extreme(const Reach& init, std::span<const Reach> terms, bool maximum);

} // namespace plumbline::spec::reach

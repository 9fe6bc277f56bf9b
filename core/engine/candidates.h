// Values worth trying as witnesses, and making a found witness simple.
#pragma once

#include "core/logic/term.h"

#include <functional>
#include <random>

namespace plumbline::engine {

/// The patterns that most often separate two kernels, most readable first: NaN, +inf, -inf, -0, +0, 1, -1,
/// the subnormals at both ends, the smallest normal, the largest finite values, small integers and common
/// fractions.
const std::vector<uint32_t>& preferredPatterns();

/// `preferredPatterns`, then every binary32 constant below `roots` with its neighbours one and two steps away
/// (and those of its negation); binary64 constants count as their nearest binary32 values. Without
/// repetitions.
std::vector<uint32_t> candidatePatterns(const logic::TermStore& store, std::span<const logic::TermId> roots);

/// The next binary32 value away from zero (`steps` > 0) or towards and through it (`steps` < 0), by bits; NaN
/// and values beyond infinity are clipped to infinity.
uint32_t neighbour(uint32_t bits, int steps);

/// Assignments of `count` binary32 values, without end: first combinations of `candidates` (the product of a
/// prefix of the list that has at most `productLimit` elements, in an order that meets the preferred ones
/// first; then each candidate in every position beside random partners), afterwards random bits with
/// candidates mixed in. The same seed gives the same sequence. Not thread-safe.
class CandidateGenerator {
public:
  CandidateGenerator(std::vector<uint32_t> candidates, size_t count, uint64_t seed,
                     size_t productLimit = 20000);

  /// Valid until the next call.
  const std::vector<uint32_t>& next();

private:
  bool nextOfProduct();
  bool nextSingle();
  void randomise();
  uint32_t randomPattern();

  std::vector<uint32_t> m_candidates;
  size_t m_prefix = 0;  ///< candidates that take part in the product
  size_t m_largest = 0; ///< shell of the product: assignments whose largest index is this
  std::vector<size_t> m_index;
  size_t m_single = 0;
  bool m_productStarted = false;
  std::mt19937_64 m_random;
  std::vector<uint32_t> m_values;
};

/// Replaces one value after the other by the most preferred one (first of `preferred`) that still satisfies
/// `holds`, until nothing changes. `values` must satisfy `holds`; so does the result. Finally values with a
/// long significand get their low bits cleared as far as possible. The number of calls of `holds` is at most
/// about rounds x values x (preferred + 32).
std::vector<uint32_t> shrink(std::vector<uint32_t> values, std::span<const uint32_t> preferred,
                             const std::function<bool(std::span<const uint32_t>)>& holds);

} // namespace plumbline::engine

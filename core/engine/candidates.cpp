#include "core/engine/candidates.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace plumbline::engine {
namespace {

constexpr uint32_t signBit = 0x80000000;
constexpr uint32_t infinity = 0x7F800000;

bool isNan(uint32_t bits) {
  return (bits & ~signBit) > infinity;
}

/// Adds patterns that are not there yet.
class UniqueList {
public:
  void add(uint32_t bits) {
    if (m_seen.insert(bits).second)
      m_list.push_back(bits);
  }
  std::vector<uint32_t> take() { return std::move(m_list); }

private:
  std::unordered_set<uint32_t> m_seen;
  std::vector<uint32_t> m_list;
};

std::vector<uint32_t> makePreferred() {
  UniqueList list;
  for (const uint32_t bits : {0x7FC00000U, infinity, signBit | infinity, signBit, 0U})
    list.add(bits);
  const auto addBothSigns = [&list](uint32_t bits) {
    list.add(bits);
    list.add(bits | signBit);
  };
  addBothSigns(std::bit_cast<uint32_t>(1.0F));
  // Smallest and largest subnormal, smallest normal, largest finite value and the one below.
  for (const uint32_t bits : {0x00000001U, 0x007FFFFFU, 0x00800000U, 0x7F7FFFFFU, 0x7F7FFFFEU})
    addBothSigns(bits);
  for (const float value :
       {2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F, 8.0F, 10.0F, 16.0F, 100.0F, 0.5F, 0.25F, 1.5F, 0.1F})
    addBothSigns(std::bit_cast<uint32_t>(value));
  // Around the ends of the exact integers, of int32 and of the range in which a product or a sum overflows.
  for (const float value :
       {16777216.0F, 16777215.0F, 2147483648.0F, 1.8446744e19F, 1.0842022e-19F, 1e-30F, 1e30F})
    addBothSigns(std::bit_cast<uint32_t>(value));
  return list.take();
}

/// The binary32 value of a constant.
uint32_t constantBits(const logic::Term& term) {
  if (term.sort == logic::Sort::F32)
    return static_cast<uint32_t>(term.payload);
  return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(term.payload)));
}

} // namespace

const std::vector<uint32_t>& preferredPatterns() {
  static const std::vector<uint32_t> list = makePreferred();
  return list;
}

uint32_t neighbour(uint32_t bits, int steps) {
  if (isNan(bits))
    return infinity;
  const int64_t magnitude = bits & ~signBit;
  const int64_t moved = magnitude + steps;
  const uint32_t sign = (bits & signBit) ^ (moved < 0 ? signBit : 0);
  return sign | static_cast<uint32_t>(std::min<int64_t>(std::abs(moved), infinity));
}

std::vector<uint32_t> candidatePatterns(const logic::TermStore& store, std::span<const logic::TermId> roots) {
  UniqueList list;
  for (const uint32_t bits : preferredPatterns())
    list.add(bits);
  for (const logic::TermId id : store.postOrder(roots)) {
    if (store[id].op != logic::Op::FloatConst)
      continue;
    const uint32_t bits = constantBits(store[id]);
    if (isNan(bits))
      continue;
    for (const int steps : {0, 1, -1, 2, -2}) {
      list.add(neighbour(bits, steps));
      list.add(neighbour(bits, steps) ^ signBit);
    }
  }
  return list.take();
}

CandidateGenerator::CandidateGenerator(std::vector<uint32_t> candidates, size_t count, uint64_t seed,
                                       size_t productLimit)
    : m_candidates(std::move(candidates)), m_index(count), m_random(seed), m_values(count) {
  if (m_candidates.empty())
    m_candidates = preferredPatterns();
  // The longest prefix whose product of `count` copies stays below the limit.
  for (m_prefix = 1; m_prefix < m_candidates.size(); ++m_prefix) {
    size_t product = 1;
    for (size_t i = 0; i < count && product <= productLimit; ++i)
      product *= m_prefix + 1;
    if (product > productLimit)
      break;
  }
}

const std::vector<uint32_t>& CandidateGenerator::next() {
  if (!nextOfProduct() && !nextSingle())
    randomise();
  return m_values;
}

/// Counts through the shell of assignments whose largest index is `m_largest`, then goes on to the next
/// shell.
bool CandidateGenerator::nextOfProduct() {
  while (m_largest < m_prefix) {
    bool inShell = false;
    if (!m_productStarted) {
      std::fill(m_index.begin(), m_index.end(), 0);
      m_productStarted = true;
      inShell = true;
    } else {
      for (size_t i = m_index.size(); i-- > 0 && !inShell;) {
        inShell = m_index[i] < m_largest;
        m_index[i] = inShell ? m_index[i] + 1 : 0;
      }
    }
    if (!inShell) {
      ++m_largest;
      m_productStarted = false;
      continue;
    }
    if (!m_index.empty() && *std::max_element(m_index.begin(), m_index.end()) != m_largest)
      continue;
    for (size_t i = 0; i < m_index.size(); ++i)
      m_values[i] = m_candidates[m_index[i]];
    if (m_index.empty())
      m_largest = m_prefix;
    return true;
  }
  return false;
}

/// The candidates that the product left out, each in every position beside random partners.
bool CandidateGenerator::nextSingle() {
  const size_t left = m_candidates.size() - m_prefix;
  if (m_values.empty() || m_single >= left * m_values.size())
    return false;
  randomise();
  m_values[m_single % m_values.size()] = m_candidates[m_prefix + m_single / m_values.size()];
  ++m_single;
  return true;
}

void CandidateGenerator::randomise() {
  for (uint32_t& value : m_values)
    value = randomPattern();
}

/// A third each: any bits (mostly of very different exponents), a moderate value, a candidate.
uint32_t CandidateGenerator::randomPattern() {
  const uint64_t bits = m_random();
  const auto low = static_cast<uint32_t>(bits);
  const auto high = static_cast<uint32_t>(bits >> 32);
  switch (high % 3) {
  case 0: return low;
  case 1: {
    const uint32_t exponent = 127 - 12 + (high >> 8) % 25; // magnitudes from 2^-12 to 2^12
    return (low & 0x807FFFFF) | exponent << 23;
  }
  default: return m_candidates[low % m_candidates.size()];
  }
}

namespace {

/// Sets one value to the first preferred one that keeps the property; true when that changed it.
bool preferOne(std::vector<uint32_t>& values, size_t at, std::span<const uint32_t> preferred,
               const std::function<bool(std::span<const uint32_t>)>& holds) {
  const uint32_t old = values[at];
  for (const uint32_t bits : preferred) {
    if (bits == old)
      break;
    values[at] = bits;
    if (holds(values))
      return true;
  }
  values[at] = old;
  return false;
}

/// Clears low significand bits of a value that no preferred one could replace.
void clearLowBits(std::vector<uint32_t>& values, size_t at,
                  const std::function<bool(std::span<const uint32_t>)>& holds) {
  for (int kept = 0; kept < 23; ++kept) {
    const uint32_t old = values[at];
    const uint32_t rounded = old & ~((uint32_t{1} << (23 - kept)) - 1);
    if (rounded == old)
      return;
    values[at] = rounded;
    if (holds(values))
      return;
    values[at] = old;
  }
}

} // namespace

std::vector<uint32_t> shrink(std::vector<uint32_t> values, std::span<const uint32_t> preferred,
                             const std::function<bool(std::span<const uint32_t>)>& holds) {
  constexpr int maxRounds = 8;
  bool changed = true;
  for (int round = 0; changed && round < maxRounds; ++round) {
    changed = false;
    for (size_t at = 0; at < values.size(); ++at)
      changed = preferOne(values, at, preferred, holds) || changed;
  }
  for (size_t at = 0; at < values.size(); ++at)
    if (!isNan(values[at]) && std::find(preferred.begin(), preferred.end(), values[at]) == preferred.end())
      clearLowBits(values, at, holds);
  return values;
}

} // namespace plumbline::engine

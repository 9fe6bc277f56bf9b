#include "core/engine/candidates.h"
#include "tests/unit/engine/leaf_terms.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace plumbline::engine {
namespace {

using logic::TermId;

float value(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

TEST(Candidates, StartWithTheReadableValues) {
  const std::vector<uint32_t>& list = preferredPatterns();
  const std::vector<uint32_t> start(list.begin(), list.begin() + 7);
  EXPECT_EQ(start, (std::vector<uint32_t>{0x7FC00000, 0x7F800000, 0xFF800000, 0x80000000, 0, 0x3F800000,
                                          0xBF800000}));
  EXPECT_EQ(std::set<uint32_t>(list.begin(), list.end()).size(), list.size());
}

TEST(Candidates, NeighboursAreNextAfter) {
  for (const float from : {1.0F, -1.0F, 0.1F, 1e-45F, 1.1754944e-38F, 3.4028235e38F, -2.5F}) {
    const auto bits = std::bit_cast<uint32_t>(from);
    EXPECT_EQ(value(neighbour(bits, 1)), std::nextafter(from, std::copysign(INFINITY, from)));
    EXPECT_EQ(value(neighbour(bits, -1)), std::nextafter(from, 0.0F));
  }
  EXPECT_EQ(neighbour(0x00000001, -2), 0x80000001U);
  EXPECT_EQ(neighbour(0x7F800000, 1), 0x7F800000U);
}

TEST(Candidates, ContainTheConstantsAndTheirNeighbours) {
  plumbline::testing::LeafTerms t;
  const TermId roots[] = {t.less(t.mul(t.x, t.f(0.01F)), t.f(20.5F)),
                          t.less(t.store.convert(logic::Sort::F64, t.x), t.d(0.3))};
  const std::vector<uint32_t> list = candidatePatterns(t.store, roots);
  for (const float constant : {0.01F, 20.5F, 0.3F})
    for (const float each :
         {constant, std::nextafter(constant, 0.0F), std::nextafter(constant, 1e9F), -constant})
      EXPECT_NE(std::find(list.begin(), list.end(), std::bit_cast<uint32_t>(each)), list.end()) << each;
  EXPECT_EQ(std::set<uint32_t>(list.begin(), list.end()).size(), list.size());
}

TEST(Candidates, ThePairsOfPreferredValuesComeFirstAndOnce) {
  CandidateGenerator generator(preferredPatterns(), 2, 1, 100);
  std::set<std::vector<uint32_t>> seen;
  for (int i = 0; i < 100; ++i) {
    const auto& values = generator.next();
    for (const uint32_t each : values)
      EXPECT_LT(std::find(preferredPatterns().begin(), preferredPatterns().end(), each) -
                    preferredPatterns().begin(),
                10);
    EXPECT_TRUE(seen.insert(values).second);
  }
  EXPECT_EQ(seen.size(), 100U);
}

/// The candidates beyond the product are met in every position.
TEST(Candidates, NoCandidateIsLeftOut) {
  const std::vector<uint32_t>& list = preferredPatterns();
  CandidateGenerator generator(list, 3, 7, 1000);
  std::vector<std::set<uint32_t>> met(3);
  for (size_t i = 0; i < 1000 + 3 * list.size(); ++i) {
    const auto& values = generator.next();
    for (size_t at = 0; at < 3; ++at)
      met[at].insert(values[at]);
  }
  for (const uint32_t each : list)
    for (size_t at = 0; at < 3; ++at)
      EXPECT_TRUE(met[at].contains(each)) << std::hex << each << " at " << at;
}

TEST(Candidates, TheSameSeedGivesTheSameSequence) {
  CandidateGenerator a({1, 2}, 3, 42);
  CandidateGenerator b({1, 2}, 3, 42);
  CandidateGenerator other({1, 2}, 3, 43);
  bool differs = false;
  for (int i = 0; i < 200; ++i) {
    const std::vector<uint32_t> values = a.next();
    EXPECT_EQ(values, b.next());
    differs = differs || values != other.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Candidates, NoVariablesGiveOneEmptyAssignmentAfterAnother) {
  CandidateGenerator generator({1}, 0, 1);
  EXPECT_TRUE(generator.next().empty());
  EXPECT_TRUE(generator.next().empty());
}

/// (x + y) + z against x + (y + z): the generator meets a difference soon.
TEST(Candidates, FindTheAssociativityWitness) {
  CandidateGenerator generator(preferredPatterns(), 3, 1);
  bool found = false;
  for (int i = 0; i < 20000 && !found; ++i) {
    const auto& v = generator.next();
    const float left = (value(v[0]) + value(v[1])) + value(v[2]);
    const float right = value(v[0]) + (value(v[1]) + value(v[2]));
    found = std::bit_cast<uint32_t>(left) != std::bit_cast<uint32_t>(right) && !std::isnan(left) &&
            !std::isnan(right);
  }
  EXPECT_TRUE(found);
}

TEST(Shrink, PrefersReadableValuesAndKeepsTheProperty) {
  const auto holds = [](std::span<const uint32_t> v) { return value(v[0]) > 50.0F && value(v[0]) < 200.0F; };
  EXPECT_EQ(shrink({0x42F6E979, 0x12345678}, preferredPatterns(), holds),
            (std::vector<uint32_t>{std::bit_cast<uint32_t>(100.0F), 0x7FC00000}));
}

TEST(Shrink, ClearsLowBitsWhereNoPreferredValueHolds) {
  const auto holds = [](std::span<const uint32_t> v) { return value(v[0]) > 40.0F && value(v[0]) < 50.0F; };
  const auto result = shrink({std::bit_cast<uint32_t>(45.678F)}, preferredPatterns(), holds);
  EXPECT_TRUE(holds(result));
  EXPECT_EQ(value(result[0]),
            44.0F); // 45.678 is 1.427 * 2^5: three bits of the fraction give 1.375 * 2^5
}

TEST(Shrink, ACoupledWitnessSettlesInSeveralRounds) {
  // x may become small only after y has.
  const auto holds = [](std::span<const uint32_t> v) {
    return value(v[0]) >= value(v[1]) && value(v[1]) >= 1.0F && std::isfinite(value(v[0]));
  };
  const auto result =
      shrink({std::bit_cast<uint32_t>(77.7F), std::bit_cast<uint32_t>(55.5F)}, preferredPatterns(), holds);
  EXPECT_EQ(value(result[0]), 1.0F);
  EXPECT_EQ(value(result[1]), 1.0F);
}

} // namespace
} // namespace plumbline::engine

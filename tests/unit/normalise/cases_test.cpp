// A case split is a partition: every input lies in exactly one feasible leaf, and the leaf says what the
// terms say.
#include "core/engine/cases.h"
#include "core/f32/soft_float.h"

#include "tests/unit/normalise/random_terms.h"

#include <gtest/gtest.h>

namespace plumbline::engine {
namespace {

using logic::CompiledTerm;
using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

uint64_t valueAt(TermStore& store, TermId term, const std::map<std::string, uint32_t>& point) {
  CompiledTerm compiled(store, term);
  std::vector<uint64_t> values;
  for (const auto& input : compiled.inputs()) {
    const uint32_t bits = point.at(std::string(input.name).substr(0, 1));
    values.push_back(input.sort == Sort::F32 ? bits : f32::convert<f32::Binary32, f32::Binary64>(bits));
  }
  compiled.evaluate(values);
  const auto result = compiled.result();
  EXPECT_TRUE(result.has_value());
  return result ? result->bits : 0;
}

bool same32(uint64_t a, uint64_t b) {
  return f32::Soft<f32::Binary32>::same(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
}

TEST(Cases, LeavesPartitionTheInputsAndKeepValues) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    TermStore store;
    RandomTerms random(store, seed);
    Normaliser normalise(store);
    const TermId left = random.floating(Sort::F32, 3);
    const TermId right = random.floating(Sort::F32, 3);
    const CaseSplit split = splitCases(store, normalise, left, right, {}, 64);
    if (!split.complete)
      continue;
    for (int k = 0; k < 40; ++k) {
      const std::map<std::string, uint32_t> point{
          {"a", random.pattern()}, {"b", random.pattern()}, {"c", random.pattern()}};
      int containing = 0;
      for (const CaseLeaf& leaf : split.leaves) {
        if (valueAt(store, pathCondition(store, leaf.path), point) == 0)
          continue;
        ++containing;
        EXPECT_TRUE(same32(valueAt(store, leaf.left, point), valueAt(store, left, point)));
        EXPECT_TRUE(same32(valueAt(store, leaf.right.at(0), point), valueAt(store, right, point)));
      }
      ASSERT_EQ(containing, 1) << "seed " << seed << "\n" << store.print(left) << "\n" << store.print(right);
    }
  }
}

/// relu with an open zero sign: both kernels that ATen allows close, one that gives another value does not.
class ZeroSigns : public testing::Test {
protected:
  TermStore store;
  Normaliser normalise{store};
  TermId x = store.var(Sort::F32, "x");
  TermId zero = store.f32Bits(0);
  TermId choice = store.var(Sort::Bool, "choice");
  TermId positive = store.binary(Op::FLt, zero, x);
  TermId negative = store.binary(Op::FLt, x, zero);
  TermId nan = store.unary(Op::FIsNan, x);
  TermId spec = store.ite(store.lor(nan, positive), x, store.ite(negative, zero, store.ite(choice, x, zero)));

  bool closes(TermId kernel) { return splitCases(store, normalise, kernel, spec, {choice}, 64).closed(); }
};

TEST_F(ZeroSigns, EitherZeroIsAllowed) {
  EXPECT_TRUE(closes(store.ite(negative, zero, x)));
  EXPECT_TRUE(closes(store.ite(store.lor(nan, positive), x, zero)));
  EXPECT_FALSE(closes(store.ite(positive, x, zero))); // loses NaN
  EXPECT_FALSE(closes(x));
}

TEST(Variants, OneForEachAssignmentAndNoneBeyondTheLimit) {
  TermStore store;
  Normaliser normalise(store);
  std::vector<TermId> choices;
  TermId sum = store.f32Bits(0x3f800000);
  for (int k = 0; k < 9; ++k) {
    choices.push_back(store.var(Sort::Bool, "choice" + std::to_string(k)));
    sum = store.binary(
        Op::FAdd, sum,
        store.ite(choices.back(), store.var(Sort::F32, "p" + std::to_string(k)), store.f32Bits(0)));
    if (k == 1)
      EXPECT_EQ(choiceVariants(store, normalise, sum, choices).size(), 4U);
  }
  EXPECT_TRUE(choiceVariants(store, normalise, sum, choices).empty());
}

} // namespace
} // namespace plumbline::engine

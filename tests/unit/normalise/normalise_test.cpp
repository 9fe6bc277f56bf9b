// The normaliser keeps every value, bit for bit, and makes the intended pairs equal.
#include "core/engine/normalise.h"
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

/// Evaluates both terms at the same point and compares the values.
void expectSameValue(TermStore& store, TermId a, TermId b, RandomTerms& random, int points) {
  CompiledTerm compiled(store, std::vector<TermId>{a, b});
  for (int k = 0; k < points; ++k) {
    std::vector<uint64_t> values;
    for (const auto& input : compiled.inputs()) {
      const uint32_t bits = random.pattern();
      values.push_back(input.sort == Sort::F32 ? bits : f32::convert<f32::Binary32, f32::Binary64>(bits));
    }
    compiled.evaluate(values);
    const auto left = compiled.result(0);
    const auto right = compiled.result(1);
    ASSERT_TRUE(left && right);
    ASSERT_TRUE(logic::sameValue(*left, *right)) << store.print(a) << "\n" << store.print(b);
  }
}

TEST(Normalise, KeepsValues) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    TermStore store;
    RandomTerms random(store, seed);
    Normaliser normalise(store);
    const TermId term =
        seed % 4 == 0 ? random.boolean(3) : random.floating(seed % 3 == 0 ? Sort::F64 : Sort::F32, 3);
    expectSameValue(store, term, normalise(term), random, 60);
    if (HasFatalFailure())
      return;
  }
}

class NormalisePairs : public testing::Test {
protected:
  TermId add(TermId a, TermId b) { return store.binary(Op::FAdd, a, b); }
  TermId sub(TermId a, TermId b) { return store.binary(Op::FSub, a, b); }
  TermId mul(TermId a, TermId b) { return store.binary(Op::FMul, a, b); }
  TermId div(TermId a, TermId b) { return store.binary(Op::FDiv, a, b); }
  TermId c(uint32_t bits) { return store.f32Bits(bits); }
  bool joined(TermId a, TermId b) { return normalise(a) == normalise(b); }

  TermStore store;
  Normaliser normalise{store};
  TermId x = store.var(Sort::F32, "x");
  TermId y = store.var(Sort::F32, "y");
};

TEST_F(NormalisePairs, ValidIdentities) {
  EXPECT_TRUE(joined(add(x, y), add(y, x)));
  EXPECT_TRUE(joined(mul(x, y), mul(y, x)));
  EXPECT_TRUE(joined(add(x, x), mul(c(0x40000000), x)));
  EXPECT_TRUE(joined(div(x, c(0x40000000)), mul(x, c(0x3f000000))));
  EXPECT_TRUE(joined(sub(x, y), add(x, store.unary(Op::FNeg, y))));
  EXPECT_TRUE(joined(mul(x, c(0x3f800000)), x));
  EXPECT_TRUE(joined(add(x, c(0x80000000)), x));
  EXPECT_TRUE(joined(mul(c(0x3f800000), c(0x40000000)), c(0x40000000)));
  EXPECT_TRUE(joined(store.binary(Op::FLt, store.convert(Sort::F64, x), store.f64Bits(0)),
                     store.binary(Op::FLt, x, c(0))));
}

TEST_F(NormalisePairs, InvalidIdentitiesStayApart) {
  EXPECT_FALSE(joined(add(x, c(0)), x));                              // -0 + +0 is +0
  EXPECT_FALSE(joined(mul(x, c(0)), c(0)));                           // NaN, infinities, -0
  EXPECT_FALSE(joined(sub(x, x), c(0)));                              // inf - inf
  EXPECT_FALSE(joined(div(x, c(0x40400000)), mul(x, c(0x3eaaaaab)))); // 1/3 is rounded
  EXPECT_FALSE(joined(add(add(x, y), c(0x3f800000)), add(x, add(y, c(0x3f800000)))));
  EXPECT_FALSE(joined(store.fma(x, y, c(0x3f800000)), add(mul(x, y), c(0x3f800000))));
  EXPECT_FALSE(
      joined(store.unary(Op::FNeg, add(x, y)), add(store.unary(Op::FNeg, x), store.unary(Op::FNeg, y))));
  EXPECT_FALSE(joined(div(x, c(0x00000001)), mul(x, c(0x7f800000)))); // 2^149 is not representable
}

TEST_F(NormalisePairs, OpaqueFunctionsJoinOnlyByTable) {
  auto call = [&](const char* spelling) { return store.opaque(Sort::F32, spelling, std::span(&x, 1)); };
  EXPECT_TRUE(joined(call("aten.exp"), call("expf")));
  EXPECT_FALSE(joined(call("aten.exp"), call("__expf")));
  EXPECT_FALSE(joined(call("expf"), call("logf")));
}

} // namespace
} // namespace plumbline::engine

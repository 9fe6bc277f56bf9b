// The term store: sharing, stable references, the simplifications its builders promise, JSON round trips.
#include "core/logic/term.h"

#include "core/f32/soft_float.h"
#include "core/logic/eval.h"
#include "core/logic/term_json.h"

#include <gtest/gtest.h>

namespace plumbline::logic {
namespace {

TEST(TermStore, EqualTermsAreOneTerm) {
  TermStore store;
  const TermId x = store.var(Sort::F32, "x");
  EXPECT_EQ(x, store.var(Sort::F32, "x"));
  EXPECT_NE(x, store.var(Sort::F64, "x"));
  EXPECT_EQ(store.binary(Op::FAdd, x, x), store.binary(Op::FAdd, x, x));
  EXPECT_NE(store.f32Bits(0), store.f32Bits(0x80000000));
}

TEST(TermStore, ReferencesOutliveNewTerms) {
  TermStore store;
  const TermId first = store.var(Sort::F32, "first");
  const Term& term = store[first];
  const std::string& name = store.symbolText(first);
  for (int k = 0; k < 10000; ++k)
    store.var(Sort::Int, "name" + std::to_string(k));
  EXPECT_EQ(&term, &store[first]);
  EXPECT_EQ(&name, &store.symbolText(first));
  EXPECT_EQ(name, "first");
}

TEST(TermStore, IntegersFoldOnlyInsideInt64) {
  TermStore store;
  const TermId most = store.integer(INT64_MAX);
  EXPECT_EQ(store.intValue(store.iadd(store.integer(2), store.integer(3))), 5);
  EXPECT_FALSE(store.intValue(store.iadd(most, store.integer(1))));
  EXPECT_FALSE(store.intValue(store.idiv(store.integer(1), store.integer(0))));
  EXPECT_FALSE(store.intValue(store.idiv(store.integer(INT64_MIN), store.integer(-1))));
  EXPECT_EQ(store.intValue(store.idiv(store.integer(-7), store.integer(2))), -3);
  EXPECT_EQ(store.intValue(store.irem(store.integer(-7), store.integer(2))), -1);
}

TEST(TermStore, PtxMaxAndMinFollowTheSoftFloat) {
  using S32 = f32::Soft<f32::Binary32>;
  TermStore store;
  const TermId a = store.var(Sort::F32, "a");
  const TermId b = store.var(Sort::F32, "b");
  CompiledTerm compiled(store, std::vector<TermId>{store.ptxMax(a, b), store.ptxMin(a, b)});
  const uint32_t values[] = {0,          0x80000000, 0x7fc00000, 0x7f800000, 0xff800000,
                             0x3f800000, 0xbf800000, 1,          0x80000001};
  for (uint32_t x : values)
    for (uint32_t y : values) {
      std::vector<uint64_t> arguments(compiled.inputs().size());
      arguments[static_cast<size_t>(compiled.inputIndex("a"))] = x;
      arguments[static_cast<size_t>(compiled.inputIndex("b"))] = y;
      compiled.evaluate(arguments);
      EXPECT_EQ(compiled.result(0)->bits, S32::ptxMax(x, y));
      EXPECT_EQ(compiled.result(1)->bits, S32::ptxMin(x, y));
    }
}

TEST(TermJson, RoundTripKeepsEveryField) {
  TermStore store;
  const TermId x = store.load(Sort::F32, "x", store.var(Sort::Int, "i"));
  const TermId constant = store.f32Bits(0x3c23d70a, "0.01");
  const TermId wide = store.convert(Sort::F64, store.binary(Op::FMul, x, constant));
  const TermId root = store.ite(store.unary(Op::FIsNan, x), store.convert(Sort::F32, wide),
                                store.opaque(Sort::F32, "expf", std::span(&x, 1)));
  const TermId integer = store.floatToInt(wide, 32, true);
  const TermId roots[] = {root, integer, root};
  TermStore other;
  const auto back = termsFromJson(other, toJson(store, roots));
  ASSERT_TRUE(back.has_value());
  ASSERT_EQ(back->size(), 3U);
  EXPECT_EQ((*back)[0], (*back)[2]);
  EXPECT_EQ(other.print((*back)[0]), store.print(root));
  EXPECT_EQ(other[(*back)[1]].payload, store[integer].payload);
  EXPECT_EQ(toJson(other, *back), toJson(store, roots));
}

} // namespace
} // namespace plumbline::logic

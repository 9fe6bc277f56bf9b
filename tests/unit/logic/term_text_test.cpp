#include "core/logic/term_text.h"

#include <gtest/gtest.h>

namespace plumbline::logic {
namespace {

class TermText : public testing::Test {
protected:
  TermId f(const char* name) { return store.var(Sort::F32, name); }
  TermId add(TermId a, TermId b) { return store.binary(Op::FAdd, a, b); }
  TermId mul(TermId a, TermId b) { return store.binary(Op::FMul, a, b); }
  std::string text(TermId id) { return displayText(store, id); }
  TermStore store;
};

TEST_F(TermText, PutsParenthesesWherePrecedenceAsksForThem) {
  const TermId x = f("x");
  const TermId y = f("y");
  const TermId z = f("z");
  EXPECT_EQ(text(add(mul(x, y), z)), "x * y + z");
  EXPECT_EQ(text(mul(add(x, y), z)), "(x + y) * z");
  EXPECT_EQ(text(add(add(x, y), z)), "x + y + z");
  EXPECT_EQ(text(add(x, add(y, z))), "x + (y + z)");
  EXPECT_EQ(text(store.binary(Op::FSub, x, store.binary(Op::FSub, y, z))), "x - (y - z)");
  EXPECT_EQ(text(store.unary(Op::FNeg, add(x, y))), "-(x + y)");
  EXPECT_EQ(text(store.unary(Op::FNeg, store.unary(Op::FNeg, x))), "-(-x)");
}

TEST_F(TermText, ShowsConstantsInDecimal) {
  const TermId x = f("x[i]");
  EXPECT_EQ(text(store.f32Bits(0x3DCCCCCD)), "0.1");
  EXPECT_EQ(text(store.f32Bits(0x80000000)), "-0");
  EXPECT_EQ(text(store.f32Bits(0x7FC00000)), "nan");
  EXPECT_EQ(text(store.f32Bits(0x3C23D70A, "0.01")), "0.01");
  EXPECT_EQ(text(store.ite(store.binary(Op::FLt, store.f32Bits(0), x), x, mul(store.f32Bits(0x40000000), x))),
            "0 < x[i] ? x[i] : 2 * x[i]");
}

TEST_F(TermText, NestsConditionalsToTheRight) {
  const TermId x = f("x");
  const TermId a = store.var(Sort::Bool, "a");
  const TermId b = store.var(Sort::Bool, "b");
  EXPECT_EQ(text(store.ite(a, x, store.ite(b, f("y"), f("z")))), "a ? x : b ? y : z");
  EXPECT_EQ(text(store.ite(a, store.ite(b, x, f("y")), f("z"))), "a ? (b ? x : y) : z");
  EXPECT_EQ(text(store.lnot(store.lor(a, b))), "!(a || b)");
}

TEST_F(TermText, UsesNamesBelowTheRootOnly) {
  const TermId inner = add(f("x"), f("y"));
  const TermId outer = mul(inner, inner);
  auto name = [&](TermId id) { return id == inner ? std::string("sum") : id == outer ? "product" : ""; };
  EXPECT_EQ(displayText(store, outer, name), "sum * sum");
}

TEST_F(TermText, CutsLongTexts) {
  TermId term = f("x");
  for (int k = 0; k < 60; ++k)
    term = add(term, term);
  const std::string cut = displayText(store, term, {}, 100);
  EXPECT_EQ(cut.size(), 103u);
  EXPECT_TRUE(cut.ends_with("..."));
}

TEST_F(TermText, SurvivesDeepTerms) {
  TermId term = f("x");
  for (int k = 0; k < 200000; ++k)
    term = add(term, f("y"));
  EXPECT_NE(text(term).find("..."), std::string::npos);
}

} // namespace
} // namespace plumbline::logic

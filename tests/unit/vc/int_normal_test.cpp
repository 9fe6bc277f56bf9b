#include "core/vc/int_normal.h"

#include "core/logic/eval.h"
#include "tests/support/integer_terms.h"

#include <gtest/gtest.h>

namespace plumbline::vc {
namespace {

using logic::Sort;
using logic::TermId;
using logic::TermStore;

TEST(IntNormal, EveryTermKeepsItsValue) {
  int compared = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    TermStore store;
    test::TermMaker maker(store, seed);
    const TermId term = seed % 2 == 0 ? maker.integer(4) : maker.condition(4);
    const TermId normal = normaliseIntegers(store, term);
    test::forAll(-2, 2, [&](const test::Assignment& values) {
      const auto before = test::valueOf(store, term, values);
      const auto after = test::valueOf(store, normal, values);
      if (!before || !after)
        return; // a division by zero: its own obligation
      ++compared;
      ASSERT_EQ(*before, *after) << store.print(term) << "  became  " << store.print(normal);
    });
    if (testing::Test::HasFatalFailure())
      return;
  }
  EXPECT_GT(compared, 100000);
}

TEST(IntNormal, EqualPolynomialsBecomeOneTerm) {
  TermStore store;
  const TermId a = store.var(Sort::Int, "a");
  const TermId b = store.var(Sort::Int, "b");
  const TermId square = store.imul(store.iadd(a, b), store.iadd(b, a));
  const TermId expanded = store.iadd(
      store.imul(a, a), store.iadd(store.imul(store.imul(store.integer(2), b), a), store.imul(b, b)));
  EXPECT_EQ(normaliseIntegers(store, square), normaliseIntegers(store, expanded));
  EXPECT_NE(normaliseIntegers(store, square),
            normaliseIntegers(store, store.iadd(expanded, store.integer(1))));
}

TEST(IntNormal, QuotientTimesDivisorPlusRemainderIsTheNumber) {
  TermStore store;
  const TermId a = store.var(Sort::Int, "a");
  const TermId m = store.integer(256);
  const TermId rebuilt = store.iadd(store.imul(m, store.idiv(a, m)), store.irem(a, m));
  EXPECT_EQ(normaliseIntegers(store, rebuilt), normaliseIntegers(store, a));
}

/// k*(m*(x/m)) + k*(x%m) is k*x for every sign of x and m; other pairs of divisors and factors are kept
/// apart.
TEST(IntNormal, QuotientAndRemainderMergeOnlyWhereTheyBelongTogether) {
  TermStore store;
  const TermId a = store.var(Sort::Int, "a");
  const TermId b = store.var(Sort::Int, "b");
  const TermId c = store.var(Sort::Int, "c");
  auto sum = [&](TermId factor, TermId divisor, TermId scale) {
    return store.iadd(store.imul(scale, store.imul(factor, store.idiv(a, divisor))),
                      store.imul(scale, store.irem(a, divisor)));
  };
  EXPECT_EQ(normaliseIntegers(store, sum(b, b, c)), normaliseIntegers(store, store.imul(a, c)));
  EXPECT_EQ(normaliseIntegers(store, sum(store.integer(-7), store.integer(-7), store.integer(3))),
            normaliseIntegers(store, store.imul(a, store.integer(3))));
  for (TermId term :
       {sum(b, b, c), sum(c, b, b), sum(store.integer(4), store.integer(5), c),
        sum(store.integer(-4), store.integer(4), c), sum(store.integer(-4), store.integer(-4), b)}) {
    const TermId normal = normaliseIntegers(store, term);
    test::forAll(-9, 9, [&](const test::Assignment& values) {
      const auto before = test::valueOf(store, term, values);
      const auto after = test::valueOf(store, normal, values);
      if (before && after) {
        ASSERT_EQ(*before, *after) << store.print(term) << "  became  " << store.print(normal);
      }
    });
  }
}

/// Fifty squarings: the expansion is given up at once, not once for every path through the term.
TEST(IntNormal, RepeatedSquaringEnds) {
  TermStore store;
  TermId power = store.iadd(store.var(Sort::Int, "a"), store.integer(3));
  for (int round = 0; round < 50; ++round)
    power = store.imul(power, power);
  EXPECT_FALSE(polynomialOf(store, power).has_value());
  logic::CompiledTerm normal(store, normaliseIntegers(store, power));
  EXPECT_EQ(normal.evaluate({{"a", logic::Value::integer(-2)}}), logic::Value::integer(1));
}

TEST(IntNormal, CoefficientsOutsideInt64AreRefused) {
  TermStore store;
  const TermId a = store.var(Sort::Int, "a");
  const TermId large = store.imul(store.integer(INT64_MAX), a);
  ASSERT_TRUE(polynomialOf(store, large).has_value());
  EXPECT_FALSE(polynomialOf(store, store.iadd(large, large)).has_value());
  EXPECT_FALSE(polynomialOf(store, store.imul(large, store.integer(2))).has_value());
}

TEST(IntNormal, BoundsContainEveryValue) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    TermStore store;
    test::TermMaker maker(store, seed);
    const TermId term = maker.integer(4);
    const int64_t low = maker.pick(5) - 3;
    const int64_t high = low + maker.pick(4);
    const Bounds range{low, high};
    const Bounds bounds = boundsOf(store, term, {{"a", range}, {"b", range}, {"c", range}});
    test::forAll(low, high, [&](const test::Assignment& values) {
      const auto value = test::valueOf(store, term, values);
      if (!value)
        return;
      ASSERT_TRUE(!bounds.low || *bounds.low <= *value) << store.print(term) << " = " << *value;
      ASSERT_TRUE(!bounds.high || *value <= *bounds.high) << store.print(term) << " = " << *value;
    });
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(IntNormal, BoundsOfAnIndexAreTight) {
  TermStore store;
  const TermId index =
      store.iadd(store.imul(store.var(Sort::Int, "a"), store.integer(256)), store.var(Sort::Int, "b"));
  const Bounds bounds = boundsOf(store, index, {{"a", {0, 3}}, {"b", {0, 255}}});
  EXPECT_EQ(bounds.low, 0);
  EXPECT_EQ(bounds.high, 1023);
  EXPECT_FALSE(boundsOf(store, index, {{"a", {0, std::nullopt}}, {"b", {0, 255}}}).high.has_value());
}

TEST(IntNormal, BoundsDoNotWrap) {
  TermStore store;
  const TermId a = store.var(Sort::Int, "a");
  const std::map<std::string, Bounds> huge{{"a", {0, INT64_MAX}}};
  for (TermId term : {store.iadd(a, a), store.imul(a, a), store.imul(a, store.integer(3))}) {
    const Bounds bounds = boundsOf(store, term, huge);
    EXPECT_TRUE(!bounds.high || *bounds.high == INT64_MAX) << store.print(term);
  }
}

} // namespace
} // namespace plumbline::vc

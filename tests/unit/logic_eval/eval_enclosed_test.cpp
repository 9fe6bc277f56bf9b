// Enclosures of terms: against the exact evaluator where it knows a value, and their own promises.
#include "core/logic/eval_enclosed.h"

#include "core/logic/eval_real.h"

#include <array>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::logic {
namespace {

using f32::Rational;
using Kind = EnclosedValue::Kind;

class EnclosedEvalTest : public testing::Test {
protected:
  TermStore store;
  TermId x = store.var(Sort::F32, "x");

  TermId constant(float value, std::string_view text = {}) {
    return store.f32Bits(std::bit_cast<uint32_t>(value), text);
  }
  EnclosedValue at(TermId root, const Rational& value, int precision = 128) {
    EnclosedTerm term(store, root);
    const std::vector<EnclosedValue> values(term.inputs().size(), EnclosedValue::number(value, precision));
    term.evaluate(values, {}, EnclosedArithmetic(precision));
    return term.result();
  }
  void expectExact(TermId root, const Rational& argument, const Rational& expected) {
    const EnclosedValue value = at(root, argument);
    ASSERT_EQ(value.kind(), Kind::Exact);
    EXPECT_EQ(value.rational(), expected);
  }
  /// In an interval between the two decimals, and narrow.
  void expectBetween(TermId root, const Rational& argument, std::string_view low, std::string_view high) {
    const EnclosedValue value = at(root, argument);
    ASSERT_EQ(value.kind(), Kind::Enclosed);
    const f32::Interval bounds =
        f32::Interval::between(f32::parseExact(low).value(), f32::parseExact(high).value(), 300);
    EXPECT_TRUE(bounds.contains(value.interval(0)));
    EXPECT_TRUE(value.interval(0).isNarrow(100, -1200));
  }
  TermId opaque(std::string_view spelling, TermId arg) {
    std::array args = {arg};
    return store.opaque(Sort::F32, spelling, args);
  }
  TermId power(TermId base, TermId exponent) {
    std::array args = {base, exponent};
    return store.opaque(Sort::F32, "aten.pow", args);
  }
  TermId less(TermId a, TermId b) { return store.binary(Op::FLt, a, b); }
};

TEST_F(EnclosedEvalTest, WhatIsRationalStaysExact) {
  expectExact(store.binary(Op::FMul, x, constant(0.01F, "0.01")), 3, Rational(3, 100));
  expectExact(store.unary(Op::FSqrt, x), Rational(9, 4), Rational(3, 2));
  expectExact(opaque("expf", x), 0, 1);
  expectExact(opaque("log2f", x), 1024, 10);
  expectExact(opaque("cbrtf", x), -27, -3);
  expectExact(power(x, constant(2.5F)), 4, 32);
  expectExact(store.binary(Op::FSub, opaque("expf", x), opaque("expf", x)), 1, 0);
}

TEST_F(EnclosedEvalTest, IrrationalValuesAreEnclosed) {
  // e = 2.71828182845904523536..., sqrt 2 = 1.41421356237309504880..., e^-1 + sqrt 2 = 1.78209300354453737...
  expectBetween(opaque("aten.exp", x), 1, "2.71828182845904523536", "2.71828182845904523537");
  expectBetween(store.unary(Op::FSqrt, x), 2, "1.41421356237309504880", "1.41421356237309504881");
  expectBetween(store.binary(Op::FAdd, opaque("__expf", x), store.unary(Op::FSqrt, constant(2))), -1,
                "1.78209300354453737", "1.78209300354453738");
  expectBetween(store.fma(opaque("expf", x), x, constant(-1)), 1, "1.71828182845904523",
                "1.71828182845904524");
}

TEST_F(EnclosedEvalTest, OutsideTheDomainNothingIsDefined) {
  EXPECT_EQ(at(opaque("logf", x), 0).kind(), Kind::Undefined);
  EXPECT_EQ(at(opaque("logf", x), -1).kind(), Kind::Undefined);
  EXPECT_EQ(at(store.unary(Op::FSqrt, x), -1).kind(), Kind::Undefined);
  EXPECT_EQ(at(store.binary(Op::FDiv, constant(1), x), 0).kind(), Kind::Undefined);
  EXPECT_EQ(at(opaque("rsqrtf", x), 0).kind(), Kind::Undefined);
  EXPECT_EQ(at(power(x, constant(-1)), 0).kind(), Kind::Undefined);
  EXPECT_EQ(at(power(x, constant(0.5F)), -1).kind(), Kind::Undefined);
  EXPECT_EQ(at(constant(NAN), 0).kind(), Kind::Undefined);
  expectExact(power(x, constant(0)), 0, 1);
  expectExact(power(x, constant(0.5F)), 0, 0);
  expectBetween(power(x, constant(-0.5F)), 2, "0.70710678118654752440", "0.70710678118654752441");
  // Undefined wins over what is not decided.
  const TermId open = opaque("frobnicate", x);
  EXPECT_EQ(at(open, 1).doubt(), Doubt::Function);
  EXPECT_EQ(at(store.binary(Op::FAdd, open, opaque("logf", constant(-1))), 1).kind(), Kind::Undefined);
}

TEST_F(EnclosedEvalTest, DecisionsAreNeverGuessed) {
  // sqrt(2)^2 is 2, which no precision shows.
  const TermId root = store.unary(Op::FSqrt, x);
  const TermId two = store.binary(Op::FMul, store.unary(Op::FSqrt, x), root);
  const TermId isLess = less(two, constant(2));
  EXPECT_EQ(at(isLess, 2).kind(), Kind::Either);
  EXPECT_TRUE(at(isLess, 3).is(0));
  EXPECT_TRUE(at(isLess, Rational(19, 10)).is(1));
  EXPECT_EQ(at(store.ite(isLess, constant(5), constant(7)), 2).kind(), Kind::Undecided);
  EXPECT_EQ(at(store.ite(isLess, constant(5), constant(7)), 2).doubt(), Doubt::Comparison);
  expectExact(store.ite(isLess, constant(5), constant(5)), 2, 5);
  const TermId difference = store.binary(Op::FSub, two, constant(2));
  EXPECT_EQ(at(opaque("logf", difference), 2).doubt(), Doubt::Domain);
  EXPECT_EQ(at(store.binary(Op::FDiv, x, difference), 2).doubt(), Doubt::Domain);
  EXPECT_EQ(at(store.floatToInt(two, 32, true), 2).doubt(), Doubt::Rounding);
  expectExact(store.floatToInt(two, 32, true), Rational(5, 2), 2);
  EXPECT_TRUE(at(store.land(isLess, store.boolean(false)), 2).is(0));
  EXPECT_EQ(at(store.lnot(isLess), 2).kind(), Kind::Either);
  EXPECT_TRUE(at(store.lor(isLess, less(constant(0), x)), 2).is(1));
  EXPECT_EQ(at(store.land(isLess, less(constant(0), x)), 2).kind(), Kind::Either);
  // Not evaluated when the first operand is false, which is not known.
  const TermId undefined = less(opaque("logf", constant(-1)), x);
  EXPECT_EQ(at(store.land(isLess, undefined), 2).kind(), Kind::Undecided);
  EXPECT_EQ(at(store.land(isLess, undefined), 3).kind(), Kind::Exact);
}

TEST_F(EnclosedEvalTest, SelectionsThatDoNotMatterGiveTheHull) {
  const TermId root = store.unary(Op::FSqrt, x);
  const TermId nearlyTwo = store.binary(Op::FMul, root, opaque("rsqrtf", x));
  const TermId maximum = store.ite(less(nearlyTwo, constant(1)), constant(1), nearlyTwo);
  const EnclosedValue value = at(maximum, 2);
  ASSERT_EQ(value.kind(), Kind::Enclosed);
  EXPECT_TRUE(value.interval(0).contains(1));
  EXPECT_TRUE(value.interval(0).isNarrow(100, -1200));
}

TEST_F(EnclosedEvalTest, EqualInputsHaveEqualImages) {
  const TermId y = store.var(Sort::F32, "y");
  const TermId order = less(opaque("tanhf", x), opaque("tanhf", y));
  expectExact(order, Rational(1, 3), 0);
  expectExact(store.binary(Op::FEq, opaque("tanhf", x), opaque("tanhf", y)), Rational(1, 3), 1);
}

TEST_F(EnclosedEvalTest, InfinitiesCanOnlyBeCompared) {
  const TermId top = constant(INFINITY);
  const TermId e = opaque("expf", x);
  expectExact(less(e, top), 1000, 1);
  expectExact(less(store.unary(Op::FNeg, top), e), 1000, 1);
  expectExact(store.ite(less(top, e), top, x), 4, 4);
  EXPECT_EQ(at(store.binary(Op::FAdd, e, top), 1).kind(), Kind::Undefined);
  EXPECT_EQ(at(opaque("expf", top), 1).kind(), Kind::Undefined);
}

TEST_F(EnclosedEvalTest, LongNumbersBecomeIntervals) {
  TermId value = x;
  for (int k = 0; k < 18; ++k) // 3^(2^18): 415,000 bits
    value = store.binary(Op::FMul, value, value);
  const EnclosedValue result = at(value, 3);
  EXPECT_EQ(result.kind(), Kind::Enclosed);
  mpz_class exact;
  mpz_ui_pow_ui(exact.get_mpz_t(), 3, 1UL << 18);
  EXPECT_TRUE(result.interval(0).contains(Rational(exact)));
  EXPECT_TRUE(result.interval(0).isNarrow(100, -1200));
}

TEST_F(EnclosedEvalTest, IntegersAreUnbounded) {
  const TermId n = store.var(Sort::Int, "n");
  const TermId square = store.imul(n, n);
  expectExact(store.irem(square, store.integer(-10)), Rational(mpz_class("-12345678901234567")), 9);
  expectExact(store.idiv(n, store.integer(-1)), Rational(mpz_class("-9223372036854775808")),
              Rational(mpz_class("9223372036854775808")));
  expectExact(store.idiv(n, store.integer(2)), -7, -3);
  EXPECT_EQ(at(store.idiv(store.integer(1), n), 0).kind(), Kind::Undefined);
  expectExact(store.ilt(n, square), Rational(mpz_class("4611686018427387904")), 1);
}

/// Random terms: where the exact evaluator knows a value, it is ours; elsewhere more precision nests.
class RandomTerms : public EnclosedEvalTest {
protected:
  std::mt19937 random{99};

  TermId pick(const std::vector<TermId>& pool) { return pool[random() % pool.size()]; }

  TermId next(const std::vector<TermId>& pool) {
    const TermId a = pick(pool);
    const TermId b = pick(pool);
    constexpr std::string_view functions[] = {"expf",   "logf",   "tanhf", "sinf",   "cosf",
                                              "rsqrtf", "log1pf", "erff",  "expm1f", "atanf"};
    switch (random() % 12) {
    case 0: return store.binary(Op::FSub, a, b);
    case 1:
    case 2: return store.binary(Op::FMul, a, b);
    case 3: return store.binary(Op::FDiv, a, b);
    case 4: return store.unary(Op::FSqrt, a);
    case 5: return store.unary(Op::FAbs, a);
    case 6: return store.ite(less(a, b), b, a);
    case 7: return store.ite(store.lor(less(a, b), store.binary(Op::FEq, a, pick(pool))), pick(pool), b);
    case 8:
    case 9: return opaque(functions[random() % std::size(functions)], a);
    case 10: return store.intToFloat(Sort::F32, store.floatToInt(a, 16, true));
    default: return store.binary(Op::FAdd, a, b);
    }
  }
};

TEST_F(RandomTerms, AgreeWithTheExactEvaluatorAndNest) {
  size_t exact = 0;
  size_t enclosed = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<TermId> pool = {x, constant(1), constant(0.5F), constant(-2), constant(0.1F, "0.1")};
    for (int k = 0; k < 9; ++k)
      pool.push_back(next(pool));
    const TermId root = pool.back();
    const Rational value =
        Rational(static_cast<long>(random() % 17) - 8) / static_cast<long>(random() % 4 + 1);
    CompiledRealTerm reference(store, root);
    reference.evaluate(std::vector<Rational>(reference.inputs().size(), value));
    const RealValue known = reference.result();
    EnclosedValue wider = at(root, value, 60);
    for (int precision : {60, 128, 300}) {
      const EnclosedValue ours = at(root, value, precision);
      if (known.known()) {
        ++exact;
        ASSERT_TRUE(ours.isExact() ? ours.rational() == known.value
                                   : ours.isNumber() && ours.interval(precision).contains(known.value))
            << store.print(root);
      } else if (known.kind == RealValue::Kind::Undefined) {
        ASSERT_TRUE(ours.kind() == Kind::Undefined || ours.kind() == Kind::Undecided) << store.print(root);
      }
      if (wider.isNumber()) {
        ASSERT_TRUE(ours.isNumber()) << store.print(root);
        if (!wider.isExact()) {
          ++enclosed;
          ASSERT_TRUE(wider.interval(60).contains(ours.interval(2000))) << store.print(root);
        }
      }
      wider = ours;
    }
  }
  EXPECT_GT(exact, 500U);
  EXPECT_GT(enclosed, 1000U);
}

} // namespace
} // namespace plumbline::logic

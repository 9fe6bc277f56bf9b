#include "core/logic/eval_real.h"

#include <array>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace plumbline::logic {
namespace {

using f32::Rational;
using Kind = RealValue::Kind;

class RealEvalTest : public testing::Test {
protected:
  TermStore store;
  TermId x = store.var(Sort::F32, "x");

  TermId constant(float value, std::string_view text = {}) {
    return store.f32Bits(std::bit_cast<uint32_t>(value), text);
  }
  RealValue at(TermId root, const Rational& value) {
    CompiledRealTerm term(store, root);
    std::vector<Rational> values(term.inputs().size(), value);
    term.evaluate(values);
    return term.result();
  }
  void expectValue(TermId root, const Rational& argument, const Rational& expected) {
    RealValue result = at(root, argument);
    EXPECT_EQ(result.kind, Kind::Value);
    EXPECT_EQ(result.value, expected);
  }
  TermId opaque(std::string_view spelling, TermId arg) {
    std::array args = {arg};
    return store.opaque(Sort::F32, spelling, args);
  }
};

TEST_F(RealEvalTest, ConstantsDenoteTheirText) {
  TermId decimal = store.binary(Op::FMul, x, constant(0.01F, "0.01"));
  expectValue(decimal, 3, Rational(3, 100));
  TermId third = store.binary(Op::FMul, x, constant(1.0F / 3.0F, "1/3"));
  expectValue(third, 3, 1);
  // Without a text the bits are meant: 0.1F is 13421773 / 2^27.
  expectValue(constant(0.1F), 0, Rational(13421773, 134217728));
}

TEST_F(RealEvalTest, ArithmeticIsExact) {
  TermId big = constant(16777216.0F);
  TermId one = constant(1.0F);
  TermId sum = store.binary(Op::FSub, store.binary(Op::FAdd, store.binary(Op::FAdd, x, big), one), big);
  expectValue(sum, Rational(1, 3), Rational(4, 3));
  expectValue(store.fma(x, x, one), Rational(-2, 3), Rational(13, 9));
  expectValue(store.convert(Sort::F32, store.convert(Sort::F64, x)), Rational(1, 3), Rational(1, 3));
  expectValue(store.unary(Op::FAbs, x), Rational(-5, 7), Rational(5, 7));
  expectValue(store.unary(Op::FIsNan, x), 4, 0);
  expectValue(store.binary(Op::FSame, x, constant(-0.0F)), 0, 1);
}

TEST_F(RealEvalTest, UndefinedAndInexact) {
  TermId root = store.unary(Op::FSqrt, x);
  expectValue(root, Rational(9, 4), Rational(3, 2));
  EXPECT_EQ(at(root, -1).kind, Kind::Undefined);
  EXPECT_EQ(at(root, 2).kind, Kind::Inexact);
  TermId inverse = store.binary(Op::FDiv, constant(1.0F), x);
  EXPECT_EQ(at(inverse, 0).kind, Kind::Undefined);
  expectValue(inverse, 4, Rational(1, 4));
  EXPECT_EQ(at(constant(NAN), 0).kind, Kind::Undefined);
  EXPECT_EQ(at(store.load(Sort::F32, "a", store.integer(0)), 0).kind, Kind::Undefined);
  // An undefined value in a branch that is not taken does not count.
  TermId guarded = store.ite(store.binary(Op::FEq, x, constant(0.0F)), constant(2.0F), inverse);
  expectValue(guarded, 0, 2);
  // Undefined wins over inexact.
  EXPECT_EQ(at(store.binary(Op::FAdd, opaque("expf", constant(1.0F)), inverse), 0).kind, Kind::Undefined);
}

TEST_F(RealEvalTest, InfinitiesCanOnlyBeCompared) {
  TermId top = constant(INFINITY);
  TermId bottom = constant(-INFINITY);
  TermId clamp =
      store.ite(store.binary(Op::FLt, top, x), top, store.ite(store.binary(Op::FLt, x, bottom), bottom, x));
  expectValue(clamp, -40, -40);
  expectValue(store.binary(Op::FLe, store.unary(Op::FNeg, top), bottom), 0, 1);
  expectValue(store.binary(Op::FLt, bottom, top), 0, 1);
  EXPECT_EQ(at(store.binary(Op::FAdd, x, top), 1).kind, Kind::Undefined);
  EXPECT_EQ(at(top, 1).kind, Kind::Undefined);
}

TEST_F(RealEvalTest, FunctionsAtExactPoints) {
  expectValue(opaque("expf", x), 0, 1);
  expectValue(opaque("aten.log", x), 1, 0);
  expectValue(opaque("rsqrtf", x), Rational(4, 9), Rational(3, 2));
  EXPECT_EQ(at(opaque("__expf", x), 1).kind, Kind::Inexact);
  EXPECT_EQ(at(opaque("logf", x), -1).kind, Kind::Undefined);
  EXPECT_EQ(at(opaque("frobnicate", x), 0).kind, Kind::Inexact);
  std::array args = {x, constant(-3.0F)};
  TermId cube = store.opaque(Sort::F32, "powf", args);
  expectValue(cube, Rational(-2), Rational(-1, 8));
  EXPECT_EQ(at(cube, 0).kind, Kind::Undefined);
}

TEST_F(RealEvalTest, IntegersAreUnbounded) {
  TermId n = store.var(Sort::Int, "n");
  TermId square = store.imul(n, n);
  CompiledRealTerm term(store, store.irem(square, store.integer(-10)));
  std::array values = {Rational(mpz_class("-12345678901234567"))};
  term.evaluate(values);
  EXPECT_EQ(term.result().value, 9);
  TermId quotient = store.idiv(n, store.integer(2));
  expectValue(quotient, -7, -3);
  EXPECT_EQ(at(store.idiv(store.integer(1), n), 0).kind, Kind::Undefined);
  expectValue(store.floatToInt(x, 8, true), Rational(-2001, 10), -128);
  expectValue(store.floatToInt(x, 32, true), Rational(-19, 10), -1);
}

TEST_F(RealEvalTest, LoadsComeFromTheCallback) {
  TermId n = store.var(Sort::Int, "n");
  CompiledRealTerm term(store, store.load(Sort::F32, "a", n));
  std::array values = {Rational(3)};
  term.evaluate(values, [](std::string_view buffer, int64_t index) -> std::optional<Rational> {
    return buffer == "a" ? std::optional(Rational(index, 7)) : std::nullopt;
  });
  EXPECT_EQ(term.result().value, Rational(3, 7));
}

} // namespace
} // namespace plumbline::logic

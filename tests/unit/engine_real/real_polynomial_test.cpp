#include "core/engine/real_facts.h"
#include "core/engine/real_polynomial.h"

#include <gtest/gtest.h>
#include <random>

namespace plumbline::engine {
namespace {

const Polynomial x = Polynomial::atom(0);
const Polynomial y = Polynomial::atom(1);
Polynomial constant(const Rational& value) {
  return Polynomial(value);
}

Rational valueAt(const Polynomial& p, const std::vector<Rational>& point) {
  Rational sum = 0;
  for (const auto& [monomial, coefficient] : p.terms()) {
    Rational product = coefficient;
    for (const auto& [atom, exponent] : monomial.powers)
      for (uint32_t i = 0; i < exponent; ++i)
        product *= point.at(atom);
    sum += product;
  }
  return sum;
}

Polynomial randomPolynomial(std::mt19937& random) {
  Polynomial result;
  for (int i = 0; i < 4; ++i)
    result =
        result +
        (x.power(random() % 3) * y.power(random() % 3)).scaled(Rational(static_cast<int>(random() % 7) - 3));
  return result;
}

TEST(Polynomial, ArithmeticAgreesWithEvaluation) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    Polynomial a = randomPolynomial(random), b = randomPolynomial(random), c = randomPolynomial(random);
    std::vector<Rational> point = {Rational(static_cast<int>(random() % 9) - 4, 3),
                                   Rational(static_cast<int>(random() % 9) - 4, 5)};
    for (Rational& value : point)
      value.canonicalize();
    Rational va = valueAt(a, point), vb = valueAt(b, point);
    EXPECT_EQ(valueAt(a + b, point), va + vb);
    EXPECT_EQ(valueAt(a - b, point), va - vb);
    EXPECT_EQ(valueAt(a * b, point), va * vb);
    EXPECT_EQ(valueAt(a.substitute(0, c), point), valueAt(a, {valueAt(c, point), point[1]}));
    EXPECT_EQ((a * b).isZero(), a.isZero() || b.isZero());
    if (!b.isZero()) {
      EXPECT_TRUE((a * b).divisibleBy(b));
      EXPECT_EQ((a * b + constant(1)).divisibleBy(b), b.isConstant());
    }
  }
}

TEST(Polynomial, FractionsCompareByCrossMultiplication) {
  Fraction one(constant(1));
  Fraction square(x * x - y * y);
  EXPECT_TRUE(sameFraction(square / Fraction(x - y), Fraction(x + y)));
  EXPECT_FALSE(sameFraction(square / Fraction(x - y), Fraction(x - y)));
  EXPECT_TRUE(sameFraction(one / Fraction(x) + one / Fraction(y), Fraction(x + y) / Fraction(x * y)));
  EXPECT_EQ((one / Fraction(constant(4))).constant(), Rational(1, 4));
  EXPECT_FALSE(Fraction(x).constant().has_value());
}

TEST(RealFacts, BoundsTransferBetweenScaledAndShifted) {
  RealFacts facts;
  EXPECT_EQ(facts.sign(x), kAnySign);
  ASSERT_TRUE(facts.assume(x - constant(3), kPositive)); // x > 3
  EXPECT_EQ(facts.sign(x), kPositive);
  EXPECT_EQ(facts.sign(constant(1) - x.scaled(2)), kNegative); // 1 - 2x
  EXPECT_EQ(facts.sign(x - constant(3)), kPositive);           // open end
  EXPECT_EQ(facts.sign(x - constant(4)), kAnySign);
  EXPECT_EQ(facts.sign(x * x + x), kPositive);
  EXPECT_FALSE(RealFacts(facts).assume(x - constant(2), kNegative)); // x < 2
  EXPECT_FALSE(RealFacts(facts).assume(x - constant(3), kZero));
  ASSERT_TRUE(facts.assume(x - constant(4), static_cast<SignSet>(kNegative | kZero)));
  EXPECT_EQ(facts.sign(x - constant(4)), static_cast<SignSet>(kNegative | kZero));
}

TEST(RealFacts, Substitution) {
  RealFacts facts;
  ASSERT_TRUE(facts.assume(x - y, kPositive));
  ASSERT_TRUE(facts.assume(y - constant(1), kPositive));
  RealFacts solved = facts;
  ASSERT_TRUE(solved.substitute(0, y.scaled(3))); // x = 3y: then x - y = 2y > 0
  EXPECT_EQ(solved.sign(y), kPositive);
  EXPECT_FALSE(RealFacts(facts).substitute(0, y)); // x = y contradicts x > y
  RealFacts negative;
  ASSERT_TRUE(negative.assume(x - constant(2), kPositive)); // x > 2, x = 1 - y: y < -1
  ASSERT_TRUE(negative.substitute(0, constant(1) - y));
  EXPECT_EQ(negative.sign(y + constant(1)), kNegative);
}

TEST(RealFacts, ZeroMultiples) {
  RealFacts facts;
  ASSERT_TRUE(facts.assume(x * y - constant(1), kZero));
  EXPECT_TRUE(facts.isZero(x * x * y - x));
  EXPECT_FALSE(facts.isZero(x * y));
  EXPECT_EQ(facts.sign(x * y), kPositive);
}

} // namespace
} // namespace plumbline::engine

// The parts of the arithmetic prover by themselves: each against enumeration or a definition.
#include "core/gate/arithmetic/evaluate.h"
#include "core/gate/arithmetic/lemmas.h"
#include "core/gate/arithmetic/simplex.h"

#include "tests/unit/arithmetic/random_questions.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace plumbline::gate {
namespace {

using logic::Sort;
using logic::TermId;
using logic::TermStore;
using test::Point;
using test::QuestionMaker;

/// Four variables, and polynomials over them with small coefficients.
struct Variables {
  TermStore store;
  std::array<TermId, 4> atoms{};
  std::mt19937 random;

  explicit Variables(uint32_t seed) : random(seed) {
    for (size_t i = 0; i < atoms.size(); ++i)
      atoms[i] = store.var(Sort::Int, std::string(1, static_cast<char>('a' + i)));
  }

  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }

  Polynomial polynomial(int monomials, int degree) {
    Polynomial p;
    for (int i = 0; i < monomials; ++i) {
      Monomial monomial;
      for (int k = pick(degree + 1); k > 0; --k)
        monomial.push_back(atoms.at(static_cast<size_t>(pick(4))));
      std::sort(monomial.begin(), monomial.end());
      p.terms[monomial] = pick(2) == 0 ? 1 + pick(4) : -1 - pick(4);
    }
    return p;
  }

  int64_t valueOf(const Monomial& monomial, const Point& point) const {
    int64_t value = 1;
    for (const TermId atom : monomial)
      value *= point.at(static_cast<size_t>(store.symbolText(atom)[0] - 'a'));
    return value;
  }

  int64_t valueOf(const Polynomial& p, const Point& point) const {
    int64_t value = 0;
    for (const auto& [monomial, coefficient] : p.terms)
      value += coefficient * valueOf(monomial, point);
    return value;
  }
};

constexpr Point lows{-2, -1, 0, 0};
constexpr Point highs{2, 2, 3, 3};

TEST(SignSplits, OneOfThreeCasesHoldsForEveryInteger) {
  size_t count = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    Variables variables(seed);
    const Polynomial p = variables.polynomial(4, 3);
    for (const SignSplit& split : signSplits(p, seed % 2 == 0)) {
      ++count;
      test::forAllPoints(lows, highs, [&](const Point& point) {
        const int64_t factor = variables.valueOf(split.factor, point);
        const int64_t quotient = variables.valueOf(split.quotient, point);
        const auto product = times(split.quotient, split.factor);
        ASSERT_TRUE(product);
        const int64_t whole = variables.valueOf(*product, point);
        ASSERT_EQ(whole, factor * quotient);
        if (factor >= 0) {
          const bool below = quotient <= -1 && whole <= -factor;
          const bool none = quotient == 0 && whole == 0;
          const bool above = quotient >= 1 && whole >= factor;
          EXPECT_EQ(int{below} + int{none} + int{above}, 1);
        }
      });
    }
  }
  EXPECT_GT(count, 500U);
}

TEST(Products, FollowFromTheirFacts) {
  size_t count = 0;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    Variables variables(seed);
    const Literal fact{seed % 3 == 0 ? Literal::Kind::Zero : Literal::Kind::AtLeastZero,
                       variables.polynomial(2, 1),
                       {},
                       true};
    std::set<Monomial> known;
    for (int i = 0; i < 6; ++i)
      collectMonomials(variables.polynomial(3, 2), known);
    for (const Monomial& factor : usefulFactors(fact.polynomial, known)) {
      ++count;
      const auto made = productWith(fact, factor);
      ASSERT_TRUE(made);
      const Polynomial product = made ? made->polynomial : Polynomial();
      for (const auto& [monomial, coefficient] : product.terms)
        EXPECT_TRUE(monomial == factor || known.contains(monomial));
      test::forAllPoints(lows, highs, [&](const Point& point) {
        const int64_t value = variables.valueOf(fact.polynomial, point);
        const int64_t whole = variables.valueOf(product, point);
        if (fact.kind == Literal::Kind::Zero && value == 0)
          EXPECT_EQ(whole, 0);
        if (fact.kind == Literal::Kind::AtLeastZero && value >= 0 && variables.valueOf(factor, point) >= 0)
          EXPECT_GE(whole, 0);
      });
    }
  }
  EXPECT_GT(count, 100U);
}

TEST(Formulas, LiteralsKeepTheirMeaningWhenReduced) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    Variables variables(seed);
    const Polynomial p = scaled(variables.polynomial(2, 1), 1 + variables.pick(4)).value_or(Polynomial());
    const auto kind = static_cast<Literal::Kind>(seed % 3);
    const Literal literal{kind, plusConstant(p, variables.pick(9) - 4).value_or(p), {}, true};
    const auto opposite = negated(literal);
    ASSERT_TRUE(opposite);
    Formulas formulas;
    const auto holds = [&](const Literal& what, const Point& point) {
      const FormulaId id = formulas.literal(what);
      const Formulas::Node& node = formulas[id];
      if (node.kind != Formulas::Kind::Literal)
        return node.kind == Formulas::Kind::True;
      const int64_t value = variables.valueOf(node.literal.polynomial, point);
      return node.literal.kind == Literal::Kind::AtLeastZero
                 ? value >= 0
                 : (value == 0) == (node.literal.kind == Literal::Kind::Zero);
    };
    test::forAllPoints(lows, highs, [&](const Point& point) {
      const int64_t value = variables.valueOf(literal.polynomial, point);
      const bool expected =
          kind == Literal::Kind::AtLeastZero ? value >= 0 : (value == 0) == (kind == Literal::Kind::Zero);
      EXPECT_EQ(holds(literal, point), expected);
      EXPECT_EQ(holds(*opposite, point), !expected);
    });
  }
}

TEST(Simplex, InfeasibleOnlyWithoutSolution) {
  int infeasible = 0;
  int feasible = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    Variables variables(seed);
    Simplex simplex;
    std::vector<Literal> facts;
    std::vector<size_t> marks;
    for (int step = 0; step < 14; ++step) {
      const int action = variables.pick(6);
      if (action == 0) {
        simplex.push();
        marks.push_back(facts.size());
      } else if (action == 1 && !marks.empty()) {
        simplex.pop();
        facts.resize(marks.back());
        marks.pop_back();
      } else {
        const Polynomial p =
            plusConstant(variables.polynomial(3, 1), variables.pick(7) - 3).value_or(Polynomial());
        const bool equation = variables.pick(4) == 0;
        facts.push_back({equation ? Literal::Kind::Zero : Literal::Kind::AtLeastZero, p, {}, true});
        equation ? simplex.assertZero(p) : simplex.assertAtLeastZero(p);
      }
      bool solution = false;
      test::forAllPoints({-4, -4, -4, -4}, {4, 4, 4, 4}, [&](const Point& point) {
        solution = solution || std::all_of(facts.begin(), facts.end(), [&](const Literal& fact) {
                     const int64_t value = variables.valueOf(fact.polynomial, point);
                     return fact.kind == Literal::Kind::Zero ? value == 0 : value >= 0;
                   });
      });
      const bool possible = simplex.check();
      EXPECT_FALSE(solution && !possible) << "seed " << seed;
      (possible ? feasible : infeasible) += 1;
    }
    EXPECT_FALSE(simplex.gaveUp());
  }
  EXPECT_GT(infeasible, 200);
  EXPECT_GT(feasible, 200);
}

TEST(Simplex, FindsContradictionsThatNeedSeveralFacts) {
  Variables variables(1);
  const auto [a, b, c, d] = variables.atoms;
  const auto atLeast = [](std::map<Monomial, int64_t> terms) {
    Polynomial p;
    p.terms = std::move(terms);
    return p;
  };
  Simplex simplex;
  simplex.assertAtLeastZero(atLeast({{{a}, 1}, {{b}, -1}, {{}, -1}})); // a > b
  simplex.assertAtLeastZero(atLeast({{{b}, 1}, {{c}, -2}}));           // b >= 2c
  simplex.assertAtLeastZero(atLeast({{{c}, 2}, {{d}, -1}, {{}, 1}}));  // 2c + 1 >= d
  EXPECT_TRUE(simplex.check());
  simplex.push();
  simplex.assertAtLeastZero(atLeast({{{d}, 1}, {{a}, -1}, {{}, -1}})); // d > a
  EXPECT_FALSE(simplex.check());
  simplex.pop();
  EXPECT_TRUE(simplex.check());
}

/// Fractions whose parts need up to 120 bits, so that the usual products of comparison leave 128.
SmallRational randomFraction(std::mt19937_64& random, bool& overflow) {
  SmallRational result(static_cast<int64_t>(random() % 4001) - 2000);
  const int steps = static_cast<int>(random() % 4);
  for (int i = 0; i < steps; ++i) {
    const SmallRational factor(static_cast<int64_t>(random() >> (2 + random() % 60)) + 1);
    result = random() % 2 == 0 ? SmallRational::product(result, factor, overflow)
                               : SmallRational::quotient(result, factor, overflow);
  }
  return result;
}

TEST(SmallRational, ComparesAsItsDifferencesDo) {
  std::mt19937_64 random(20261130);
  int compared = 0;
  int wide = 0;
  for (int i = 0; i < 20000; ++i) {
    bool overflow = false;
    const SmallRational a = randomFraction(random, overflow);
    const SmallRational b = randomFraction(random, overflow);
    const SmallRational difference = SmallRational::difference(a, b, overflow);
    if (overflow)
      continue;
    ++compared;
    wide += a.denominator() > (__int128{1} << 64) || b.denominator() > (__int128{1} << 64) ? 1 : 0;
    EXPECT_EQ(a.lessThan(b), difference.isNegative());
    EXPECT_EQ(b.lessThan(a), !difference.isNegative() && !difference.isZero());
    // a - b + b = a, and a * b / b = a
    EXPECT_EQ(SmallRational::sum(difference, b, overflow), overflow ? SmallRational() : a);
    bool large = false;
    const SmallRational product = SmallRational::product(a, b, large);
    if (!large && !b.isZero()) {
      EXPECT_EQ(SmallRational::quotient(product, b, large), a);
    }
  }
  EXPECT_GT(compared, 10000);
  EXPECT_GT(wide, 500);
}

TEST(SmallRational, ComparesWhatItsDifferencesCannotHold) {
  bool overflow = false;
  const SmallRational big =
      SmallRational::product(SmallRational(INT64_MAX), SmallRational(INT64_MAX / 4), overflow);
  const SmallRational next = SmallRational::sum(big, SmallRational(1), overflow);
  const SmallRational upper = SmallRational::quotient(big, next, overflow); // 1 - 1/(big + 1)
  const SmallRational after = SmallRational::sum(next, SmallRational(1), overflow);
  const SmallRational closer = SmallRational::quotient(next, after, overflow); // 1 - 1/(big + 2)
  ASSERT_FALSE(overflow);
  EXPECT_TRUE(upper.lessThan(closer));
  EXPECT_FALSE(closer.lessThan(upper));
  EXPECT_FALSE(upper.lessThan(upper));
  EXPECT_TRUE(closer.lessThan(SmallRational(1)));
}

TEST(Evaluation, IsExactOrAbsent) {
  TermStore store;
  QuestionMaker maker(store, 7);
  for (int round = 0; round < 500; ++round) {
    const TermId condition = maker.condition(3);
    test::forAllPoints({-1, -1, 0, 0}, {1, 1, 2, 1}, [&](const Point& point) {
      VariableValues values;
      for (size_t i = 0; i < point.size(); ++i)
        values[store.var(Sort::Int, std::string(1, static_cast<char>('a' + i)))] = point[i];
      const auto expected = test::valueAt(store, condition, point);
      const auto actual = evaluateInteger(store, condition, values);
      ASSERT_EQ(expected.has_value(), actual.has_value()) << store.print(condition);
      if (expected)
        EXPECT_TRUE(*actual == *expected) << store.print(condition);
    });
  }
}

TEST(Evaluation, SaysNothingBeyond127Bits) {
  TermStore store;
  const TermId x = store.var(Sort::Int, "x");
  const VariableValues values{{x, INT64_MIN}};
  const TermId square = store.imul(x, x);
  EXPECT_TRUE(evaluateInteger(store, square, values).has_value());
  EXPECT_FALSE(evaluateInteger(store, store.imul(square, square), values).has_value());
  const TermId negative = store.isub(store.integer(0), square);
  EXPECT_TRUE(evaluateInteger(store, negative, values).value_or(0) < 0);
}

TEST(Bounds, HoldEveryValue) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Variables variables(seed);
    const Polynomial p = variables.polynomial(3, 3);
    AtomBounds atoms;
    for (size_t i = 0; i < 4; ++i)
      atoms[variables.atoms.at(i)] = {lows.at(i), highs.at(i)};
    const Bounds bounds = boundsOf(p, atoms);
    ASSERT_TRUE(bounds.low && bounds.high);
    test::forAllPoints(lows, highs, [&](const Point& point) {
      const int64_t value = variables.valueOf(p, point);
      EXPECT_LE(*bounds.low, value);
      EXPECT_GE(*bounds.high, value);
    });
  }
}

} // namespace
} // namespace plumbline::gate

// What the prover says about random questions against enumeration of all values in small ranges.
#include "core/gate/arithmetic/arithmetic_prover.h"
#include "core/gate/arithmetic/decision.h"
#include "core/gate/arithmetic/evaluate.h"
#include "core/gate/arithmetic/lemma_encoding.h"

#include "tests/unit/arithmetic/random_questions.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace plumbline::gate {
namespace {

using logic::TermId;
using logic::TermStore;
using test::Point;
using test::QuestionMaker;

struct Question {
  TermStore store;
  std::vector<TermId> hypotheses;
  TermId goal{};
  Point low{};
  Point high{};

  Question(uint32_t seed, bool indices) {
    QuestionMaker maker(store, seed);
    for (size_t i = 0; i < low.size(); ++i) {
      low[i] = indices ? maker.pick(2) : maker.pick(5) - 3;
      high[i] = low[i] + 1 + maker.pick(4);
    }
    for (int i = maker.pick(4); i > 0; --i)
      hypotheses.push_back(indices ? maker.indexCondition() : maker.condition(2));
    for (int i = indices ? maker.pick(4) : 0; i > 0; --i)
      hypotheses.push_back(store.ilt(maker.variable(), maker.variable()));
    goal = indices && maker.pick(3) != 0 ? maker.indexCondition() : maker.condition(3);
  }

  ArithmeticProver prover(engine::Portfolio* portfolio) {
    ArithmeticProver result(store, portfolio);
    for (size_t i = 0; i < low.size(); ++i)
      result.bound(std::string(1, static_cast<char>('a' + i)), {low[i], high[i]});
    return result;
  }

  bool isCounterexample(const Point& point) const {
    for (const TermId hypothesis : hypotheses)
      if (test::valueAt(store, hypothesis, point) != 1)
        return false;
    return test::valueAt(store, goal, point) == 0;
  }

  std::optional<Point> counterexample() const {
    std::optional<Point> found;
    test::forAllPoints(low, high, [&](const Point& point) {
      if (!found && isCounterexample(point))
        found = point;
    });
    return found;
  }

  std::string text() const {
    std::string result;
    for (const TermId hypothesis : hypotheses)
      result += store.print(hypothesis) + "  and  ";
    result += "=>  " + store.print(goal) + "   in";
    for (size_t i = 0; i < low.size(); ++i)
      result += " " + std::to_string(low[i]) + ".." + std::to_string(high[i]);
    return result;
  }
};

struct Tally {
  int holds = 0;
  int proved = 0;
  int refuted = 0;
};

/// Compares `prove` and `quick` with enumeration.
void compare(uint32_t seed, bool indices, engine::Portfolio* portfolio, Tally& tally) {
  Question question(seed, indices);
  ArithmeticProver prover = question.prover(portfolio);
  const auto counterexample = question.counterexample();
  tally.holds += counterexample ? 0 : 1;
  EXPECT_FALSE(prover.quick(question.hypotheses, question.goal) && counterexample)
      << "quick, seed " << seed << ": " << question.text();
  const IndexProof proof = prover.prove(question.hypotheses, question.goal, {});
  EXPECT_FALSE(proof.conflict);
  if (proof.status == ProofStatus::Proved) {
    ++tally.proved;
    EXPECT_FALSE(counterexample) << proof.engine << ", seed " << seed << ": " << question.text();
    EXPECT_FALSE(proof.engine.empty() || proof.encoding.empty());
  }
  if (proof.status == ProofStatus::Refuted) {
    ++tally.refuted;
    Point point = question.low;
    for (const auto& [name, value] : proof.model)
      point.at(static_cast<size_t>(name[0] - 'a')) = value;
    for (size_t i = 0; i < point.size(); ++i)
      EXPECT_TRUE(question.low[i] <= point[i] && point[i] <= question.high[i]);
    EXPECT_TRUE(question.isCounterexample(point)) << "seed " << seed << ": " << question.text();
  }
}

/// Values of the atoms that the purifier invented, by their definitions.
class AtomValues {
public:
  AtomValues(const Purifier& purifier, VariableValues& values) : m_purifier(purifier), m_values(values) {}

  int64_t valueOf(const Polynomial& p) {
    int64_t sum = 0;
    for (const auto& [monomial, coefficient] : p.terms) {
      int64_t product = coefficient;
      for (const TermId atom : monomial)
        product *= valueOf(atom);
      sum += product;
    }
    return sum;
  }

  bool holds(const Formulas& formulas, FormulaId id) {
    const Formulas::Node& node = formulas[id];
    switch (node.kind) {
    case Formulas::Kind::True: return true;
    case Formulas::Kind::False: return false;
    case Formulas::Kind::Literal: return holds(node.literal);
    case Formulas::Kind::All:
      return std::all_of(node.parts.begin(), node.parts.end(),
                         [&](FormulaId part) { return holds(formulas, part); });
    case Formulas::Kind::Any: break;
    }
    return std::any_of(node.parts.begin(), node.parts.end(),
                       [&](FormulaId part) { return holds(formulas, part); });
  }

  bool holds(const Literal& literal) {
    const int64_t value = valueOf(literal.polynomial);
    if (literal.kind == Literal::Kind::AtLeastZero)
      return value >= 0;
    return (value == 0) == (literal.kind == Literal::Kind::Zero);
  }

private:
  int64_t valueOf(TermId atom) {
    if (const auto found = m_values.find(atom); found != m_values.end())
      return found->second;
    int64_t value = 0; // a quotient by zero may be anything
    if (const DivisionAtoms* division = m_purifier.division(atom)) {
      const int64_t divisor = valueOf(division->divisor);
      const int64_t dividend = valueOf(division->dividend);
      if (divisor != 0)
        value = atom == division->quotient ? dividend / divisor : dividend % divisor;
    } else if (const ChoiceAtom* choice = m_purifier.choice(atom)) {
      value = valueOf(holds(m_purifier.formulas(), choice->condition) ? choice->whenTrue : choice->whenFalse);
    } else if (const BitAtom* bits = m_purifier.bits(atom)) {
      const int64_t a = valueOf(bits->left);
      const int64_t b = valueOf(bits->right);
      if (a >= 0 && b >= 0)
        value = bits->operation == BitOperation::And  ? a & b
                : bits->operation == BitOperation::Or ? a | b
                                                      : a ^ b;
    }
    m_values.emplace(atom, value);
    return value;
  }

  const Purifier& m_purifier;
  VariableValues& m_values;
};

/// Every counterexample must stay one through elimination, definitions and lemmas: otherwise a proof is worth
/// nothing. Also, no decision may refute what has one.
void keepsCounterexamples(uint32_t seed, bool indices, int& checked) {
  Question question(seed, indices);
  TermStore& store = question.store;
  std::vector<TermId> assertions = question.hypotheses;
  for (size_t i = 0; i < question.low.size(); ++i) {
    const TermId variable = store.var(logic::Sort::Int, std::string(1, static_cast<char>('a' + i)));
    assertions.push_back(store.ile(store.integer(question.low[i]), variable));
    assertions.push_back(store.ile(variable, store.integer(question.high[i])));
  }
  assertions.push_back(store.lnot(question.goal));
  Purifier purifier(store);
  ArithmeticQuery query = buildQuery(purifier, assertions);
  LemmaEncoding encoding(store);
  const std::vector<TermId> encoded = encoding.assertions(query);
  const bool refuted = Decision(query, {2500, 120, 6, true, 4000000}).refutes();
  int left = 3;
  test::forAllPoints(question.low, question.high, [&](const Point& point) {
    if (left == 0 || !question.isCounterexample(point))
      return;
    --left;
    ++checked;
    ASSERT_FALSE(refuted || query.contradictory) << "seed " << seed << ": " << question.text();
    VariableValues values;
    for (size_t i = 0; i < point.size(); ++i)
      values[store.var(logic::Sort::Int, std::string(1, static_cast<char>('a' + i)))] = point[i];
    AtomValues atoms(purifier, values);
    for (const Literal& fact : query.facts)
      ASSERT_TRUE(atoms.holds(fact)) << "seed " << seed << ": " << question.text();
    for (const FormulaId clause : query.clauses)
      ASSERT_TRUE(atoms.holds(query.formulas, clause)) << "seed " << seed << ": " << question.text();
    for (const auto& [monomial, variable] : encoding.products()) {
      Polynomial p;
      p.terms[monomial] = 1;
      values[variable] = atoms.valueOf(p);
    }
    for (const auto& [terms, bits] : encoding.bits())
      for (size_t i = 0; i < bits.size(); ++i)
        values[bits[i]] = atoms.valueOf(Polynomial{terms}) >> i & 1;
    for (const TermId assertion : encoded)
      ASSERT_TRUE(evaluatesToTrue(store, assertion, values))
          << "seed " << seed << ": " << store.print(assertion) << " for " << question.text();
  });
}

TEST(ArithmeticProver, NoStepLosesACounterexample) {
  int checked = 0;
  for (uint32_t seed = 20000; seed < 20600; ++seed) {
    keepsCounterexamples(seed, false, checked);
    keepsCounterexamples(seed, true, checked);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(checked, 1000);
}

TEST(ArithmeticProver, OwnLayersProveOnlyWhatHolds) {
  Tally tally;
  for (uint32_t seed = 0; seed < 2000; ++seed)
    compare(seed, false, nullptr, tally);
  EXPECT_GT(tally.proved, tally.holds / 3);
}

TEST(ArithmeticProver, OwnLayersProveOnlyWhatHoldsOfIndices) {
  Tally tally;
  for (uint32_t seed = 0; seed < 1200; ++seed)
    compare(seed, true, nullptr, tally);
  EXPECT_GT(tally.proved, tally.holds / 2);
}

TEST(ArithmeticProver, SolversProveOnlyWhatHoldsAndRefuteOnlyWithCounterexamples) {
  engine::Portfolio portfolio;
  portfolio.start();
  Tally tally;
  for (uint32_t seed = 10000; seed < 10150; ++seed) {
    compare(seed, false, &portfolio, tally);
    compare(seed, true, &portfolio, tally);
  }
  EXPECT_GT(tally.proved, tally.holds * 3 / 4);
  EXPECT_GT(tally.refuted, (300 - tally.holds) / 2);
}

} // namespace
} // namespace plumbline::gate

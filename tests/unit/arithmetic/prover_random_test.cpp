// What the prover says about random questions against enumeration of all values in small ranges.
#include "core/gate/arithmetic/arithmetic_prover.h"

#include "random_questions.h"

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

TEST(ArithmeticProver, OwnLayersProveOnlyWhatHolds) {
  Tally tally;
  for (uint32_t seed = 0; seed < 4000; ++seed)
    compare(seed, false, nullptr, tally);
  EXPECT_GT(tally.proved, tally.holds / 3);
}

TEST(ArithmeticProver, OwnLayersProveOnlyWhatHoldsOfIndices) {
  Tally tally;
  for (uint32_t seed = 0; seed < 4000; ++seed)
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

// The prover's answers about integers against enumeration of every value in a small range.
#include "core/gate/index_prover.h"

#include "tests/support/integer_terms.h"

#include <gtest/gtest.h>

namespace plumbline::gate {
namespace {

using logic::Sort;
using logic::TermId;
using logic::TermStore;

constexpr int64_t low = -2;
constexpr int64_t high = 3;

struct Question {
  TermStore store;
  TermId guard{};
  TermId goal{};
  std::vector<TermId> facts;
  std::map<std::string, vc::Bounds> bounds{{"a", {low, high}}, {"b", {low, high}}, {"c", {low, high}}};

  /// A random question; the range of the variables is also stated as facts.
  explicit Question(uint32_t seed) {
    test::TermMaker maker(store, seed);
    guard = maker.condition(2);
    goal = maker.condition(3);
    for (const char* name : test::TermMaker::names) {
      const TermId variable = store.var(Sort::Int, name);
      facts.push_back(store.ile(store.integer(low), variable));
      facts.push_back(store.ile(variable, store.integer(high)));
    }
  }

  /// Whether guard -> goal holds everywhere; nothing when a divisor may be zero.
  std::optional<bool> holds() const {
    bool all = true;
    bool defined = true;
    test::forAll(low, high, [&](const test::Assignment& values) {
      const auto when = test::valueOf(store, guard, values);
      const auto then = test::valueOf(store, goal, values);
      defined = defined && when && then;
      all = all && (!when || !then || *when == 0 || *then != 0);
    });
    return defined ? std::optional<bool>(all) : std::nullopt;
  }
};

/// The prover's model completed with a value for variables that it left out.
test::Assignment complete(const std::map<std::string, int64_t>& model) {
  test::Assignment values{{"a", low}, {"b", low}, {"c", low}};
  for (const auto& [name, value] : model)
    values[name] = value;
  return values;
}

TEST(IndexProver, IntervalsProveOnlyWhatHolds) {
  int proved = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    Question question(seed);
    const std::optional<bool> holds = question.holds();
    if (!holds)
      continue;
    IndexProver prover(question.store, nullptr, question.bounds, question.facts);
    const IndexProof proof = prover.prove(question.guard, question.goal, {});
    EXPECT_NE(proof.status, ProofStatus::Refuted) << "intervals have no model";
    if (proof.status != ProofStatus::Proved)
      continue;
    ++proved;
    ASSERT_TRUE(*holds) << question.store.print(question.guard) << "  =>  "
                        << question.store.print(question.goal);
  }
  EXPECT_GT(proved, 20);
}

TEST(IndexProver, SolversAgreeWithEnumeration) {
  engine::Portfolio portfolio;
  int proved = 0;
  int refuted = 0;
  for (uint32_t seed = 10000; seed < 10150; ++seed) {
    Question question(seed);
    const std::optional<bool> holds = question.holds();
    if (!holds)
      continue;
    IndexProver prover(question.store, &portfolio, question.bounds, question.facts);
    const IndexProof proof = prover.prove(question.guard, question.goal, {});
    const std::string text =
        question.store.print(question.guard) + "  =>  " + question.store.print(question.goal);
    ASSERT_FALSE(proof.conflict) << text;
    if (proof.status == ProofStatus::Proved)
      ASSERT_TRUE(*holds) << text;
    if (proof.status == ProofStatus::Refuted) {
      const test::Assignment values = complete(proof.model);
      ASSERT_EQ(test::valueOf(question.store, question.guard, values), 1) << text;
      ASSERT_EQ(test::valueOf(question.store, question.goal, values), 0) << text;
    }
    proved += proof.status == ProofStatus::Proved ? 1 : 0;
    refuted += proof.status == ProofStatus::Refuted ? 1 : 0;
  }
  EXPECT_GT(proved, 5);
  EXPECT_GT(refuted, 20);
}

TEST(IndexProver, ManyObligationsTogetherHoldOnlyIfEachDoes) {
  TermStore store;
  const TermId a = store.var(Sort::Int, "a");
  const TermId n = store.var(Sort::Int, "n");
  const TermId guard = store.ilt(a, n);
  const std::map<std::string, vc::Bounds> bounds{{"a", {0, 1 << 30}}, {"n", {1, 1 << 30}}};
  std::vector<TermId> facts{store.ile(store.integer(0), a), store.ile(store.integer(1), n)};
  engine::Portfolio portfolio;
  IndexProver prover(store, &portfolio, bounds, facts);
  const std::pair<TermId, TermId> inside{guard, store.ilt(a, n)};
  const std::pair<TermId, TermId> beyond{guard, store.ilt(store.iadd(a, store.integer(1)), n)};
  EXPECT_EQ(prover.proveAll(std::vector{inside, inside}, {}).status, ProofStatus::Proved);
  const IndexProof proof = prover.proveAll(std::vector{inside, beyond}, {});
  ASSERT_EQ(proof.status, ProofStatus::Refuted);
  EXPECT_EQ(proof.model.at("a") + 1, proof.model.at("n")) << "the only way to fail: the last element";
}

} // namespace
} // namespace plumbline::gate

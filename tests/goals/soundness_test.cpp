// A closed goal is never false: goals of many documents, as they are and with changed clauses, are evaluated
// at random states by the tests' own evaluator. A witness falsifies its goal there, too.
#include "tests/goals/documents.h"
#include "tests/goals/states.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace plumbline::goals_test {
namespace {

/// Changes one operator or number of an expression; `at` counts down to the place.
velvet::ExprPtr changed(const velvet::ExprPtr& expr, int& at) {
  using velvet::BinaryOp;
  velvet::Expr copy = *expr;
  const bool isOrder = expr->form == velvet::Form::Binary &&
                       (expr->binary == BinaryOp::Less || expr->binary == BinaryOp::LessEqual);
  if (isOrder && at-- == 0) {
    copy.binary = expr->binary == BinaryOp::Less ? BinaryOp::LessEqual : BinaryOp::Less;
    return std::make_shared<const velvet::Expr>(std::move(copy));
  }
  if (expr->form == velvet::Form::Binary && expr->binary == BinaryOp::Equal && at-- == 0) {
    copy.binary = BinaryOp::NotEqual;
    return std::make_shared<const velvet::Expr>(std::move(copy));
  }
  if (expr->form == velvet::Form::Binary && expr->binary == BinaryOp::Add && at-- == 0)
    return expr->args[0];
  if (expr->form == velvet::Form::Number && !expr->text.starts_with("0x") && at-- == 0)
    return velvet::binary(BinaryOp::Add, expr, velvet::number(1));
  for (velvet::ExprPtr& arg : copy.args)
    arg = changed(arg, at);
  return std::make_shared<const velvet::Expr>(std::move(copy));
}

void collectClauses(std::vector<velvet::Stmt>& body, std::vector<velvet::Clause*>& into) {
  for (velvet::Stmt& stmt : body) {
    for (velvet::Clause& invariant : stmt.loop.invariants)
      into.push_back(&invariant);
    if (stmt.loop.doneWith.prop)
      into.push_back(&stmt.loop.doneWith);
    if (stmt.clause.prop)
      into.push_back(&stmt.clause);
    collectClauses(stmt.body, into);
    collectClauses(stmt.otherwise, into);
  }
}

/// The document with one clause of its method changed.
std::shared_ptr<const velvet::Document> spoilt(const velvet::Document& document, uint64_t seed) {
  std::mt19937_64 random(seed);
  auto copy = std::make_shared<velvet::Document>(document);
  for (velvet::Item& item : copy->items) {
    auto* method = std::get_if<velvet::Method>(&item);
    if (method == nullptr)
      continue;
    std::vector<velvet::Clause*> clauses;
    collectClauses(method->body, clauses);
    velvet::Clause& clause = *clauses[random() % clauses.size()];
    int at = static_cast<int>(random() % 4);
    clause.prop = changed(clause.prop, at);
  }
  return copy;
}

struct Counts {
  int closed = 0;
  int withStates = 0; ///< closed goals that were evaluated somewhere
  int states = 0;
  int witnessed = 0;
};

void check(const velvet::Document& document, const std::string& name, uint64_t seed, Counts& counts) {
  const goals::MethodGoals all = goals::generateGoals(document, methodOf(document));
  const goals::Definitions definitions(document);
  method_test::Evaluator evaluator(method_test::leanFileList(), document);
  goals::Limits limits;
  limits.total = std::chrono::milliseconds(1500);
  limits.solver = std::chrono::milliseconds(200);
  limits.recheck = false; // what is tested is the first proof
  std::mt19937_64 random(seed);
  for (const goals::Goal& goal : all.goals) {
    if (random() % 3 != 0)
      continue;
    const goals::Settled settled = goals::settle(goal, definitions, sharedEngines(), limits, {});
    EXPECT_NE(settled.status, goals::GoalStatus::Conflict)
        << name << " " << goal.name << " " << settled.reason;
    States states(goal, evaluator, seed * 131 + 7);
    if (settled.witness) {
      State arbitrary;
      for (const auto& [variable, value] : *settled.witness)
        arbitrary[variable] = valueOf(value);
      const auto state = states.completed(arbitrary);
      ASSERT_TRUE(state) << name << " " << goal.name;
      EXPECT_EQ(states.broken(*state), nullptr) << name << " " << goal.name;
      EXPECT_EQ(states.holds(*goal.conclusion, *state), false) << name << " " << goal.name << "\n"
                                                               << goals::text(goal);
      ++counts.witnessed;
    }
    if (settled.status != goals::GoalStatus::Closed)
      continue;
    ++counts.closed;
    int found = 0;
    for (int i = 0; i < 4; ++i)
      if (const auto state = states.next()) {
        ++found;
        EXPECT_NE(states.holds(*goal.conclusion, *state), false)
            << name << ": " << goal.name << " is closed and false\n"
            << goals::text(goal);
      }
    counts.states += found;
    counts.withStates += found > 0;
  }
}

/// PLUMBLINE_GOAL_STATES=N goes over all documents N times, each time with another change.
TEST(Soundness, ClosedGoalsHoldWhereverTheyAreEvaluated) {
  const char* wanted = std::getenv("PLUMBLINE_GOAL_STATES");
  const uint64_t rounds = wanted != nullptr ? static_cast<uint64_t>(std::atoi(wanted)) : 1;
  Counts counts;
  uint64_t seed = 1;
  std::vector<TestDocument> documents;
  size_t index = 0;
  for (const method_test::Pair& pair : method_test::allPairs())
    if (wanted != nullptr || ++index % 5 == 0)
      if (auto document = documentOf(pair))
        documents.push_back(std::move(*document));
  for (const method_test::KernelCase& kernel : method_test::kernelCases())
    if (wanted != nullptr || ++index % 9 == 0)
      if (auto document = documentOf(kernel))
        documents.push_back(std::move(*document));
  for (uint64_t round = 0; round < rounds; ++round)
    for (const TestDocument& document : documents) {
      check(*document.tree, document.name, ++seed, counts);
      check(*spoilt(*document.tree, seed), document.name + " changed by seed " + std::to_string(seed), seed,
            counts);
    }
  std::printf("%d goals closed, %d of them evaluated at %d states in all; %d witnesses replayed\n",
              counts.closed, counts.withStates, counts.states, counts.witnessed);
  EXPECT_GT(counts.withStates * 3, counts.closed);
  EXPECT_GT(counts.witnessed, 3);
}

} // namespace
} // namespace plumbline::goals_test

// Which goals a method has, what they may assume, and which answers survive an edit.
#include "core/goals/cache.h"
#include "tests/unit/goals/documents.h"

#include "core/velvet/printer.h"

#include <gtest/gtest.h>

namespace plumbline::goals_test {
namespace {

std::string method(const std::string& body, const std::string& ensures = "") {
  return "import Velvet\n\nmethod m\n    (n : Nat)\n    (x : Array Int)\n  returns (r : Int)\n" + ensures +
         "do\n" + body;
}

/// The hypotheses and definitions of a goal, one a line.
std::string contextOf(const Goals& goals, const std::string& name) {
  return goals::text(goals.named(name));
}

TEST(Generate, GoalsOfALoopStandInTheOrderOfTheText) {
  const Goals goals = goalsOf(method(R"(  let mut i : Nat := 0
  while more: (i < n)
    invariant le: (i ≤ n)
    decreasing rest: (n - i)
    done_with stop: (i = n)
  do
    i := i + 1
  return (i : Int)
)",
                                     "  ensures e: (r = (n : Int))\n"));
  std::vector<std::string> names;
  for (const goals::Goal& goal : goals.all.goals)
    names.push_back(goal.name);
  EXPECT_EQ(names, (std::vector<std::string>{"le.entry", "rest.measure", "le.step", "stop.exit", "e"}));
  EXPECT_EQ(
      contextOf(goals, "le.step"),
      "n : Nat\nx : Array Int\ni : Nat := 0\ni_1 : Nat\nle : i_1 ≤ n\nmore : i_1 < n\ni_2 : Nat := i_1 + 1\n"
      "⊢ i_2 ≤ n");
  EXPECT_EQ(
      contextOf(goals, "rest.measure"),
      "n : Nat\nx : Array Int\ni : Nat := 0\ni_1 : Nat\nle : i_1 ≤ n\nmore : i_1 < n\ni_2 : Nat := i_1 + 1\n"
      "⊢ n - i_2 < n - i_1");
  EXPECT_EQ(contextOf(goals, "e"), "n : Nat\nx : Array Int\ni : Nat := 0\ni_3 : Nat\nle : i_3 ≤ n\nstop : "
                                   "i_3 = n\nr : Int := (i_3 : Int)\n"
                                   "⊢ r = (n : Int)");
}

TEST(Generate, OnlyWhatTheBodyAssignsIsForgotten) {
  const Goals goals = goalsOf(method(R"(  let mut kept : Int := 5
  let mut i : Nat := 0
  while more: (i < n)
    decreasing rest: (n - i)
    done_with stop: (i = n)
  do
    let mut kept : Int := 7
    kept := kept + 1
    i := i + 1
  assert still: (kept = 5)
  return kept
)"));
  EXPECT_EQ(left(goals), (std::set<std::string>{"stop.exit"}));
}

TEST(Generate, BranchesMeetAndKeepWhatEachFound) {
  const Goals goals = goalsOf(method(R"(  let mut a : Int := 0
  if 0 < n then
    assert positive: (1 ≤ n)
    a := 1
  else
    a := 2
  assert known: (0 < n → 1 ≤ n)
  assert either: (a = 1 ∨ a = 2)
  assert which: (a = 2 → n = 0)
  assert wrong: (a = 1)
  return a
)"));
  EXPECT_EQ(left(goals), std::set<std::string>{"wrong"});
  EXPECT_EQ(goals.named("positive").path, std::vector<std::string>{"0 < n"});
  EXPECT_TRUE(goals.named("wrong").path.empty());
}

TEST(Generate, AReturnEndsItsPath) {
  const Goals goals = goalsOf(method(R"(  if n = 0 then
    return 0
  assert rest: (0 < n)
  return 1
)",
                                     "  ensures small: (r ≤ 1)\n  ensures zero: (r = 0 → n = 0)\n"));
  EXPECT_EQ(goals.names(), (std::set<std::string>{"small", "zero", "small_1", "zero_1", "rest"}));
  EXPECT_EQ(left(goals), std::set<std::string>());
}

TEST(Generate, ContinueIsATurnOfItsOwn) {
  const std::string text = method(R"(  let mut i : Nat := 0
  let mut c : Nat := 0
  while more: (i < n)
    invariant le: (c ≤ i)
    decreasing rest: (n - i)
    done_with stop: (n ≤ i)
  do
    i := i + 1
    if x[i]! = 0 then
      continue
    c := c + 1
  return (c : Int)
)");
  const Goals goals = goalsOf(text);
  EXPECT_EQ(goals.names(), (std::set<std::string>{"le.entry", "rest.measure", "le.step", "rest.measure_1",
                                                  "le.step_1", "stop.exit"}));
  EXPECT_EQ(left(goals), std::set<std::string>());
  EXPECT_EQ(left(goalsOf(edited(text, "le", "c = i"))), (std::set<std::string>{"le.step"}))
      << "the turn that ends early does not count";
}

TEST(Generate, ACallGivesWhatItsClausesSay) {
  const Goals goals = goalsOf(R"(import Velvet

method next
    (a : Int)
  returns (b : Int)
  requires pos: (0 ≤ a)
  ensures more: (a < b)
do
  return a + 1

method twice
    (c : Int)
  returns (d : Int)
  requires big: (3 ≤ c)
  ensures far: (c + 1 < d)
  ensures exact: (d = c + 2)
do
  let e : Int ← next c
  let f : Int ← next (e - 10)
  return f
)");
  EXPECT_EQ(goals.names(), (std::set<std::string>{"pos.requires", "pos.requires_1", "far", "exact"}));
  EXPECT_EQ(left(goals), (std::set<std::string>{"pos.requires_1", "far", "exact"}))
      << "3 < e leaves e - 10 negative, and the result is only known to be above it";
}

TEST(Generate, MissingPartsAreNamed) {
  const Goals goals =
      goalsOf(method("  let mut i : Nat := 0\n  while more: (i < n)\n  do\n    i := i + 1\n"));
  std::set<std::string> ids;
  for (const goals::Problem& problem : goals.all.problems)
    ids.insert(problem.id);
  EXPECT_EQ(ids, (std::set<std::string>{"no-measure", "no-return"}));
}

TEST(Generate, AMeasureMustBeANat) {
  const Goals goals = goalsOf(method(R"(  let mut i : Int := 0
  while more: (i < 5)
    decreasing rest: (5 - i)
    done_with stop: (5 ≤ i)
  do
    i := i + 1
  return i
)"));
  EXPECT_EQ(left(goals), std::set<std::string>{"rest.measure"}) << "an Int may fall for ever";
}

TEST(Keys, ChangeWithWhatAGoalMayAssumeOnly) {
  const std::string text = method(R"(  let mut i : Nat := 0
  assert first: (i = 0)
  assert second: (i ≤ n)
  assert third: (0 ≤ n)
  return 0
)");
  const Goals before = goalsOf(text);
  const Goals after = goalsOf(edited(text, "second", "i < n + 1"));
  EXPECT_EQ(before.named("first").key, after.named("first").key);
  EXPECT_NE(before.named("second").key, after.named("second").key);
  EXPECT_NE(before.named("third").key, after.named("third").key) << "it may assume the second";
  EXPECT_EQ(before.named("third").key, goalsOf(text).named("third").key);
}

TEST(Contradiction, IsAskedOfRequirementsOnly) {
  const auto asked = [](const std::string& clauses) {
    const Goals goals =
        goalsOf("import Velvet\n\nmethod m\n    (n : Int)\n    (k : Nat)\n  returns (r : Int)\n" + clauses +
                "do\n  assert claim: (n < n)\n  return n\n");
    if (!goals.all.contradiction)
      return goals::GoalStatus::Conflict;
    return goals::settle(*goals.all.contradiction, goals::Definitions(*goals.tree), {}, {}, {}).status;
  };
  using enum goals::GoalStatus;
  EXPECT_EQ(asked("  requires a: (n < 0)\n  requires b: (0 < n)\n"), Closed);
  EXPECT_EQ(asked("  requires a: (k < 0)\n"), Closed) << "a Nat";
  EXPECT_EQ(asked("  requires a: (n < 0)\n  requires b: (0 < k)\n"), Witnessed);
  EXPECT_EQ(asked(""), Conflict) << "nothing is required";
}

TEST(Keys, ChangeWithTheDefinitionsThatAGoalUses) {
  const std::string head = "import Velvet\n\ndef limit (a : Int) : Int :=\n  a + ";
  const std::string rest = "\n\nmethod m\n    (n : Int)\n  returns (r : Int)\n  ensures uses: (limit n ≤ r)\n"
                           "  ensures other: (n ≤ r)\ndo\n  return n + 1\n";
  const Goals one = goalsOf(head + "1" + rest);
  const Goals two = goalsOf(head + "2" + rest);
  EXPECT_NE(one.named("uses").key, two.named("uses").key);
  EXPECT_EQ(one.named("other").key, two.named("other").key);
  EXPECT_EQ(left(one), std::set<std::string>());
  EXPECT_EQ(left(two), std::set<std::string>{"uses"});
}

TEST(Cache, KeepsWhatWasUsedLast) {
  goals::SettledCache cache(2);
  goals::Settled closed;
  closed.status = goals::GoalStatus::Closed;
  cache.put({1, 1}, closed);
  cache.put({2, 2}, {});
  EXPECT_EQ(cache.find({1, 1})->status, goals::GoalStatus::Closed);
  cache.put({3, 3}, {});
  EXPECT_TRUE(cache.find({1, 1}));
  EXPECT_FALSE(cache.find({2, 2}));
  EXPECT_EQ(cache.size(), 2U);
}

/// Two blocks of many branches one after another: linear, not one path for each combination.
TEST(Generate, ManyBranchesStaySmall) {
  std::string body = "  let mut a : Int := 0\n";
  for (int i = 0; i < 200; ++i)
    body += "  if x[" + std::to_string(i) + "]! = a then\n    a := a + 1\n";
  const Goals goals = goalsOf(method(body + "  assert low: (0 ≤ n)\n  return a\n"));
  EXPECT_EQ(goals.all.goals.size(), 1U);
  EXPECT_EQ(left(goals), std::set<std::string>());
}

} // namespace
} // namespace plumbline::goals_test

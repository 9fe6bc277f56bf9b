// Proof scripts: what stands where, and what is said about tactics.
#include "core/goals/script.h"

#include "core/velvet/parser.h"
#include "core/velvet/printer.h"
#include "tests/unit/goals/documents.h"

#include <gtest/gtest.h>

namespace plumbline::goals_test {
namespace {

const std::string head = R"(import Velvet

def clamp (a : Int) : Int :=
  if a < 0 then 0 else a

theorem clamp_pos (a : Int) : 0 ≤ clamp a := by
  grind

theorem wrong (a : Int) : clamp a = a := by
  grind

method m
    (n : Int)
  returns (r : Int)
  requires low: (-5 ≤ n)
  ensures first: (0 ≤ r)
  ensures second: (r = clamp n)
  ensures third: (n ≤ 100 → r ≤ 100)
  ensures fourth: (r = n)
do
  return clamp n

)";

struct ScriptRun {
  velvet::Document document;
  goals::MethodGoals all;
  goals::ScriptResult result;

  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const goals::Goal& goal : result.left)
      names.push_back(goal.name + ": " + velvet::print(*goal.conclusion));
    return names;
  }
  bool says(const std::string& id) const {
    for (const velvet::Diagnostic& message : result.messages)
      if (message.id == id)
        return true;
    return false;
  }
};

ScriptRun run(const std::string& script) {
  ScriptRun made;
  const velvet::Parsed parsed =
      velvet::parse(head + "prove_correct m by\n" + script, velvet::Dialect::Velvet2);
  for (const velvet::Diagnostic& diagnostic : parsed.diagnostics)
    ADD_FAILURE() << diagnostic.message;
  made.document = parsed.document;
  const velvet::Proof* proof = nullptr;
  for (const velvet::Item& item : made.document.items) {
    if (const auto* method = std::get_if<velvet::Method>(&item))
      made.all = goals::generateGoals(made.document, *method);
    if (const auto* found = std::get_if<velvet::Proof>(&item))
      proof = found;
  }
  const goals::Definitions definitions(made.document);
  const goals::Lookup lookup = [&](const goals::Goal& goal) {
    return std::make_shared<const goals::Settled>(goals::settle(goal, definitions, {}, {}, {}));
  };
  made.result = goals::runScript(made.document, *proof, made.all, lookup);
  return made;
}

using Names = std::vector<std::string>;

TEST(Script, TheSolveCommandLeavesWhatNoEngineCloses) {
  const ScriptRun made = run("  velvet_vcgen [m] with try finish\n");
  EXPECT_EQ(made.left(), Names{"fourth: r = n"});
  EXPECT_TRUE(made.says("engine"));
  EXPECT_FALSE(made.says("unsolved-goals"));
  EXPECT_TRUE(run("  velvet_vcgen [m] with finish\n").says("unsolved-goals"));
  EXPECT_EQ(run("  velvet_vcgen [m]\n").left().size(), 4U);
}

TEST(Script, CasesTakeTheGoalOfTheirLabel) {
  const ScriptRun made = run("  velvet_vcgen [m]\n  case second => rfl\n  case fourth => sorry\n");
  EXPECT_EQ(made.left(), (Names{"first: 0 ≤ r", "third: n ≤ 100 → r ≤ 100"}));
  EXPECT_TRUE(made.result.usesSorry);
  EXPECT_TRUE(made.says("sorry"));
  EXPECT_TRUE(run("  velvet_vcgen [m]\n  case nothing => rfl\n").says("unknown-case"));
  EXPECT_TRUE(run("  velvet_vcgen [m] with try finish\n  case first => rfl\n").says("closed-case"));
}

TEST(Script, AnUnknownTacticLeavesTheGoalAndSaysSo) {
  const ScriptRun made = run("  velvet_vcgen [m]\n  case first => magic\n");
  EXPECT_EQ(made.left().size(), 4U);
  EXPECT_TRUE(made.says("unknown-tactic"));
  EXPECT_TRUE(made.says("unsolved-goals"));
}

TEST(Script, IntroMovesAPremiseIntoTheContext) {
  const ScriptRun made = run("  velvet_vcgen [m]\n  case third =>\n    intro small\n");
  EXPECT_EQ(made.left()[2], "third: r ≤ 100");
  EXPECT_EQ(goals::lines(made.result.left[2].context).back()->name, "small");
  EXPECT_TRUE(run("  velvet_vcgen [m]\n  case third =>\n    intro a b\n").says("intro"));
  EXPECT_EQ(run("  velvet_vcgen [m]\n  case third =>\n    intro small\n    grind\n").left().size(), 3U);
}

TEST(Script, ByCasesAndBullets) {
  const ScriptRun made =
      run("  velvet_vcgen [m]\n  case fourth =>\n    by_cases h : 0 ≤ n\n    · grind\n    · grind\n");
  EXPECT_EQ(made.left().size(), 4U) << "the second case is false";
  EXPECT_TRUE(made.says("false-goal"));
  EXPECT_EQ(goals::lines(made.result.left[3].context).back()->name, "h");
  EXPECT_EQ(velvet::print(*goals::lines(made.result.left[3].context).back()->expr), "¬ (0 ≤ n)");
}

TEST(Script, ExactAndRwTakeNames) {
  EXPECT_TRUE(run("  velvet_vcgen [m]\n  case first => exact low\n").says("exact"))
      << "it says something else";
  EXPECT_TRUE(run("  velvet_vcgen [m]\n  case first => exact nobody\n").says("unknown-name"));
  EXPECT_TRUE(run("  velvet_vcgen [m]\n  case first => exact (foo 1)\n").says("unknown-tactic"));
}

TEST(Script, AHintIsUsedOnlyWhenItIsShown) {
  EXPECT_FALSE(run("  velvet_vcgen [m, clamp_pos] with try finish\n").says("unsettled-hint"));
  const ScriptRun made = run("  velvet_vcgen [m, wrong] with try finish\n");
  EXPECT_TRUE(made.says("unsettled-hint"));
  EXPECT_EQ(made.left(), Names{"fourth: r = n"}) << "a false lemma would have closed it";
}

TEST(Script, FirstAndAllGoalsAndTry) {
  EXPECT_EQ(run("  velvet_vcgen [m]\n  all_goals (try grind)\n").left(), Names{"fourth: r = n"});
  EXPECT_EQ(run("  velvet_vcgen [m]\n  all_goals (first | magic | grind | sorry)\n").left(), Names{});
  EXPECT_EQ(run("  velvet_vcgen [m] <;> omega\n").left(), Names{"fourth: r = n"});
}

TEST(Script, ATheoremIsAGoalOfItsParameters) {
  const ScriptRun made = run("  velvet_vcgen [m]\n");
  for (const velvet::Item& item : made.document.items) {
    const auto* theorem = std::get_if<velvet::Theorem>(&item);
    if (theorem == nullptr)
      continue;
    const goals::Goal goal = goals::goalOf(made.document, *theorem);
    const goals::Settled settled = goals::settle(goal, goals::Definitions(made.document), {}, {}, {});
    EXPECT_EQ(settled.status == goals::GoalStatus::Closed, theorem->name != "wrong") << theorem->name;
  }
}

TEST(Script, WithoutAnswersTheGoalsAreAskedFor) {
  const ScriptRun made = run("  velvet_vcgen [m] with try finish\n");
  const velvet::Proof* proof = nullptr;
  for (const velvet::Item& item : made.document.items)
    if (const auto* found = std::get_if<velvet::Proof>(&item))
      proof = found;
  const goals::ScriptResult result =
      goals::runScript(made.document, *proof, made.all, [](const goals::Goal&) { return nullptr; });
  EXPECT_EQ(result.asked.size(), 4U);
  EXPECT_EQ(result.left.size(), 4U) << "nothing is taken for true meanwhile";
}

TEST(Script, GuardsAreFoundInsideDefinitions) {
  const ScriptRun made = run("  velvet_vcgen [m]\n");
  const velvet::ExprPtr guard = goals::firstGuard(made.document, made.all.goals[1]);
  ASSERT_TRUE(guard);
  EXPECT_EQ(velvet::print(*guard), "n < 0");
}

} // namespace
} // namespace plumbline::goals_test

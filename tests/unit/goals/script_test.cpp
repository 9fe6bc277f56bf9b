// Proof scripts: what stands where, and what is said about tactics.
#include "core/goals/renaming.h"
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
  /// "place: message" of each message with this id.
  std::vector<std::string> said(const std::string& id) const {
    std::vector<std::string> found;
    for (const velvet::Diagnostic& message : result.messages)
      if (message.id == id)
        found.push_back(text.substr(message.range.begin, message.range.end - message.range.begin) + ": " +
                        message.message);
    return found;
  }
  std::string text;
};

ScriptRun run(const std::string& script, const std::string& before = "") {
  ScriptRun made;
  made.text = before + head + "prove_correct m by\n" + script;
  const velvet::Parsed parsed = velvet::parse(made.text, velvet::Dialect::Velvet2);
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

TEST(Script, SorryAfterWithAdmits) {
  const ScriptRun made = run("  velvet_vcgen [m] with sorry\n");
  EXPECT_EQ(made.said("sorry"), Names{"velvet_vcgen: 4 of 4 goals: admitted (sorry), not proved"});
  EXPECT_EQ(made.said("uses-sorry"), Names{"m: declaration uses 'sorry'"});
  EXPECT_FALSE(made.says("engine"));
  EXPECT_TRUE(made.result.usesSorry);
  EXPECT_EQ(made.result.admitted, (std::set<std::string>{"first", "second", "third", "fourth"}));
  const ScriptRun mixed = run("  velvet_vcgen [m] with first | finish | sorry\n");
  EXPECT_EQ(mixed.said("engine"),
            Names{"velvet_vcgen: 3 of 4 goals: true (engine); tactic not checked by Lean"});
  EXPECT_EQ(mixed.result.admitted, std::set<std::string>{"fourth"});
  EXPECT_FALSE(run("  velvet_vcgen [m] with try finish\n").says("uses-sorry"));
  EXPECT_TRUE(run("  loom_solve with sorry\n").says("uses-sorry"));
}

TEST(Script, AnUnknownTacticAfterWithClosesNothing) {
  const Names expected{"finishh: 'finishh' is not known here: its goals stay as they are"};
  for (const char* with : {"finishh", "try finishh", "(finishh <;> grind)", "first | finishh | finishh2"}) {
    const ScriptRun made = run("  velvet_vcgen [m] with " + std::string(with) + "\n");
    ASSERT_FALSE(made.said("unknown-tactic").empty()) << with;
    EXPECT_EQ(made.said("unknown-tactic")[0], expected[0]) << with;
    EXPECT_FALSE(made.says("engine")) << with;
    EXPECT_EQ(made.left().size(), 4U) << with;
  }
  EXPECT_TRUE(run("  velvet_vcgen [m] with finishh\n").says("unsolved-goals"));
  EXPECT_FALSE(run("  velvet_vcgen [m] with try finishh\n").says("unsolved-goals"));
  EXPECT_EQ(run("  loom_solve with try finishh\n").said("unknown-tactic"), expected);
  for (const char* script :
       {"  velvet_vcgen [m] with finish <;> finishh\n",
        "  velvet_vcgen [m] with try finish\n  all_goals finishh\n",
        "  velvet_vcgen [m]\n  all_goals (try finishh)\n", "  loom_solve <;> (first | grind | finishh)\n"})
    EXPECT_EQ(run(script).said("unknown-tactic"), expected) << script;
}

TEST(Script, KnownTacticsAfterWithAskTheEngines) {
  for (const char* with :
       {"try finish", "try grind [clamp]", "try (intro h; grind)", "first | grind | skip"}) {
    const ScriptRun made = run("  velvet_vcgen [m] with " + std::string(with) + "\n");
    EXPECT_EQ(made.says("unknown-tactic"), std::string(with).ends_with("skip")) << with;
    EXPECT_TRUE(made.says("engine")) << with;
    EXPECT_FALSE(made.left().empty()) << with << ": the last goal is false";
    EXPECT_TRUE(made.left().back().starts_with("fourth")) << with;
  }
  EXPECT_EQ(run("  velvet_vcgen [m] with velvet_vcgen [m] with finish\n").left().size(), 4U);
  EXPECT_EQ(run("  loom_solve\n").left(), Names{"fourth: r = n"});
  EXPECT_FALSE(run("  loom_solve\n").says("unsolved-goals"));
  EXPECT_TRUE(run("  loom_solve!\n").says("unsolved-goals"));
}

TEST(Script, AnUnknownNameInTheListIsAnError) {
  for (const char* command : {"velvet_vcgen", "loom_solve"})
    EXPECT_EQ(run("  " + std::string(command) + " [m, clamp, nolemma, clamp_pos]\n").said("unknown-name"),
              Names{"nolemma: 'nolemma' is not declared here"});
  EXPECT_FALSE(run("  velvet_vcgen [m, clamp, wrong, Int.add_comm]\n").says("unknown-name"));
  EXPECT_FALSE(run("  velvet_vcgen [m, nolemma]\n", "import Mine\n").says("unknown-name"))
      << "another file may declare it";
}

TEST(Script, BeforeTheGoalsAreStatedNoneIsClosed) {
  const ScriptRun sorry = run("  sorry\n");
  EXPECT_EQ(sorry.said("sorry"), Names{"sorry: admitted (sorry)"});
  EXPECT_TRUE(sorry.says("uses-sorry"));
  EXPECT_FALSE(sorry.says("no-goals"));
  EXPECT_EQ(sorry.result.admitted.size(), 4U);
  EXPECT_TRUE(run("  all_goals sorry\n").says("uses-sorry"));

  const ScriptRun misspelt = run("  velvet_vcgenn [m] with finish\n");
  EXPECT_EQ(misspelt.said("unknown-tactic"),
            Names{"velvet_vcgenn: unknown tactic 'velvet_vcgenn': nothing was proved; the goals stay open"});
  EXPECT_FALSE(misspelt.says("no-goals"));
  EXPECT_EQ(misspelt.left().size(), 4U);
  EXPECT_EQ(run("  velvet_vcgenn [m]\n  case first => grind\n").left().size(), 4U);

  const ScriptRun early = run("  grind\n");
  EXPECT_EQ(early.said("no-goals"),
            Names{"grind: no goals are stated yet: 'velvet_vcgen' or 'loom_solve' states them"});
  EXPECT_EQ(early.left().size(), 4U);
  EXPECT_EQ(run("  velvet_vcgen [m] with sorry\n  grind\n").said("no-goals"),
            Names{"grind: no goals are left for this"});
}

TEST(Script, WhatFailsInsideOfTryHasNoEffect) {
  EXPECT_EQ(run("  velvet_vcgen [m]\n  case third => try (intro small; rfl; split)\n").left()[2],
            "third: n ≤ 100 → r ≤ 100");
}

TEST(Script, AnAlternativeThatFailsAdmitsNothing) {
  const ScriptRun made = run("  velvet_vcgen [m]\n  case first => first | (sorry; grind) | grind\n");
  EXPECT_FALSE(made.result.usesSorry);
  EXPECT_TRUE(made.result.admitted.empty());
}

TEST(Script, IntroMovesAPremiseIntoTheContext) {
  const ScriptRun made = run("  velvet_vcgen [m]\n  case third =>\n    intro small\n");
  EXPECT_EQ(made.left()[2], "third: r ≤ 100");
  EXPECT_EQ(goals::lines(made.result.left[2].context).back()->name, "small");
  EXPECT_TRUE(run("  velvet_vcgen [m]\n  case third =>\n    intro a b\n").says("intro"));
  EXPECT_EQ(run("  velvet_vcgen [m]\n  case third =>\n    intro small\n    grind\n").left().size(), 3U);
}

/// The name that `intro` is given is bound again further inside: the two stay two.
TEST(Script, IntroCapturesNothing) {
  const velvet::Parsed parsed =
      velvet::parse("import Velvet\n\ntheorem apart : ∀ x : Nat, ∀ y : Nat, x = y := by\n  intro y\n",
                    velvet::Dialect::Velvet2);
  ASSERT_TRUE(parsed.diagnostics.empty());
  const velvet::Theorem* theorem = nullptr;
  for (const velvet::Item& item : parsed.document.items)
    if (const auto* found = std::get_if<velvet::Theorem>(&item))
      theorem = found;
  ASSERT_NE(theorem, nullptr);
  const goals::ScriptResult result =
      goals::runScript(parsed.document, *theorem, [](const goals::Goal&) { return nullptr; });
  ASSERT_EQ(result.left.size(), 1U);
  EXPECT_EQ(velvet::print(*result.left[0].conclusion), "∀ y_1 : Nat, y = y_1");
  // A variable that is bound below is another one than a free one of its name.
  const velvet::ExprPtr inner = theorem->statement->args[0];
  EXPECT_EQ(velvet::print(*goals::withValue(inner, "y", velvet::number(3))), "∀ y : Nat, x = y");
}

TEST(Script, ByCasesAndBullets) {
  const ScriptRun made =
      run("  velvet_vcgen [m]\n  case fourth =>\n    by_cases h : 0 ≤ n\n    · grind\n    · grind\n");
  EXPECT_EQ(made.left().size(), 4U) << "the second case is false";
  EXPECT_TRUE(made.says("false-goal"));
  EXPECT_EQ(goals::lines(made.result.left[3].context).back()->name, "h");
  EXPECT_EQ(velvet::print(*goals::lines(made.result.left[3].context).back()->expr), "¬ (0 ≤ n)");
}

TEST(Script, ABulletThatLeavesItsGoalLeavesTheOthersToTheNext) {
  const ScriptRun made = run("  velvet_vcgen [m]\n  case fourth =>\n    by_cases low : n = -3\n    · rfl\n"
                             "    by_cases high : n = 7\n    · grind\n    · magic\n");
  EXPECT_EQ(made.left().size(), 5U) << "three others, n = -3, and what magic did not do";
  EXPECT_EQ(made.said("engine").size(), 1U) << "n = 7";
  EXPECT_EQ(made.said("unsolved-goals").size(), 2U) << "the two bullets";
  EXPECT_TRUE(
      run("  velvet_vcgen [m]\n  case fourth => magic\n  case fourth => grind\n").says("unknown-case"));
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

/// A method whose parameter has the name of a constant, and a lemma about the constant.
ScriptRun hiding(const std::string& script) {
  const std::string text = "import Velvet\n\ndef five : Int :=\n  5\n\n"
                           "theorem five_is (a : Int) (h : a = five) : a = 5 := by\n  grind\n\n"
                           "theorem plain : five = 5 := by\n  grind\n\n"
                           "method m\n    (five : Int)\n  returns (r : Int)\n  ensures first: (five = 5)\n"
                           "do\n  return five\n\nprove_correct m by\n" +
                           script;
  ScriptRun made;
  made.text = text;
  made.document = velvet::parse(text, velvet::Dialect::Velvet2).document;
  const velvet::Proof* proof = nullptr;
  for (const velvet::Item& item : made.document.items) {
    if (const auto* method = std::get_if<velvet::Method>(&item))
      made.all = goals::generateGoals(made.document, *method);
    if (const auto* found = std::get_if<velvet::Proof>(&item))
      proof = found;
  }
  const goals::Definitions definitions(made.document);
  made.result = goals::runScript(made.document, *proof, made.all, [&](const goals::Goal& goal) {
    return std::make_shared<const goals::Settled>(goals::settle(goal, definitions, {}, {}, {}));
  });
  return made;
}

TEST(Script, ALemmaIsNotCaughtByTheVariablesOfAGoal) {
  const Names open{"first: five = 5"};
  for (const char* script : {"  velvet_vcgen [m, plain] with try finish\n",
                             "  velvet_vcgen [m]\n  exact plain\n", "  velvet_vcgen [m]\n  rw [plain]\n"}) {
    const ScriptRun made = hiding(script);
    EXPECT_EQ(made.left(), open) << "the parameter 'five' may be anything: " << script;
    EXPECT_TRUE(made.says("captured-hint")) << script;
  }
}

/// The status of the last theorem of a text.
goals::GoalStatus statusOfTheorem(const std::string& text) {
  const velvet::Document document = velvet::parse(text, velvet::Dialect::Velvet2).document;
  const auto& theorem = std::get<velvet::Theorem>(document.items.back());
  return goals::settle(goals::goalOf(document, theorem), goals::Definitions(document), {}, {}, {}).status;
}

TEST(Script, AParameterThatHidesAnotherIsAnotherOne) {
  const std::string constants =
      "import Velvet\n\ndef c : Int :=\n  5\n\ndef f (x : Int) : Int :=\n  x + 1\n\n";
  const auto status = [&](const std::string& theorem) {
    return statusOfTheorem(constants + "theorem t " + theorem + " := by\n  grind\n");
  };
  using enum goals::GoalStatus;
  EXPECT_NE(status("(x : Int) (h : x = 5) (x : Int) : x = 5"), Closed);
  EXPECT_NE(status("(h : c = 5) (c : Int) : c = 5"), Closed);
  EXPECT_NE(status("(f : Int → Int) : f 3 = 4"), Closed);
  EXPECT_EQ(status("(x : Int) (h : x = 5) (y : Int) : x = 5"), Closed);
  EXPECT_EQ(status("(x : Int) (h : x = c) : x = 5"), Closed);
  EXPECT_EQ(status("(x : Int) (h : x = 3) : f x = 4"), Closed);
}

TEST(Script, IntroHidesNoConstant) {
  const std::string text = "import Velvet\n\ndef c : Int :=\n  5\n\n"
                           "theorem t : (∀ k : Int, k = c) := by\n  intro c\n  rfl\n";
  const velvet::Document document = velvet::parse(text, velvet::Dialect::Velvet2).document;
  const goals::Definitions definitions(document);
  const goals::ScriptResult result = goals::runScript(
      document, std::get<velvet::Theorem>(document.items.back()), [&](const goals::Goal& goal) {
        return std::make_shared<const goals::Settled>(goals::settle(goal, definitions, {}, {}, {}));
      });
  ASSERT_EQ(result.left.size(), 1U);
  EXPECT_EQ(velvet::print(*result.left[0].conclusion), "c_1 = c");
}

TEST(Script, ALemmaStandsBeforeItsUse) {
  const auto left = [](const std::string& theorems) {
    const velvet::Document document =
        velvet::parse("import Velvet\n\n" + theorems, velvet::Dialect::Velvet2).document;
    return goals::runScript(document, std::get<velvet::Theorem>(document.items.back()),
                            [](const goals::Goal&) { return nullptr; })
        .left.size();
  };
  EXPECT_EQ(left("theorem t : 1 = 2 := by\n  exact t\n"), 1U) << "of itself";
  EXPECT_EQ(left("theorem a : 1 = 2 := by\n  sorry\n\ntheorem t : 1 = 2 := by\n  exact a\n"), 0U);
  EXPECT_TRUE(run("  velvet_vcgen [m, clamp_pos] with try finish\n").said("unknown-name").empty());
  const std::string later = "\ntheorem late (a : Int) : 0 ≤ clamp a := by\n  grind\n";
  EXPECT_EQ(run("  velvet_vcgen [m, late] with try finish\n" + later).said("unknown-name"),
            Names{"late: 'late' is declared only after this"});
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

// A clause speaks about what is in scope where it stands, and about nothing else.
#include "core/goals/script.h"
#include "tests/unit/goals/documents.h"

#include <gtest/gtest.h>

namespace plumbline::goals_test {
namespace {

using Names = std::set<std::string>;

std::string method(const std::string& clauses, const std::string& body) {
  return "import Velvet\n\nmethod m\n    (a : Nat)\n    (b : Nat)\n  returns (r : Nat)\n" + clauses + "do\n" +
         body;
}

/// A loop with these clauses; its body declares `inner`, and `later` comes after it.
std::string loop(const std::string& clauses, const std::string& ensures) {
  return method(ensures, "  let mut i : Nat := 0\n  while more: (i < a)\n" + clauses +
                             "  do\n    let inner : Nat := b\n    i := i + 1\n  let later : Nat := a\n"
                             "  return later\n");
}

constexpr auto measure = "    decreasing rest: (a - i)\n";
constexpr auto done = "    done_with stop: (a ≤ i)\n";

void expectNotInScope(const Goals& goals, const std::string& goal, const std::string& name) {
  const goals::Settled answer = settled(goals, goal);
  EXPECT_EQ(answer.status, goals::GoalStatus::Open) << goal;
  EXPECT_EQ(answer.reason, "not understood: " + name + " is not in scope here") << goal;
}

TEST(Scope, RequiresDoesNotKnowTheBody) {
  const std::string wrong = "  ensures q: (a = b)\n";
  for (const std::string body : {"  let mut r : Nat := a\n  return r\n", "  return a\n",
                                 "  if a < b then\n    let r : Nat := a\n    return r\n  return b\n"}) {
    const Goals goals = goalsOf(method("  requires no: (r = b)\n" + wrong, body));
    EXPECT_TRUE(left(goals).contains("q")) << body;
  }
  EXPECT_EQ(
      left(goalsOf(method("  requires no: (own = b)\n" + wrong, "  let own : Nat := a\n  return own\n"))),
      Names{"q"});
  EXPECT_EQ(left(goalsOf(method("  requires no: (b = b ∧ a < own ∧ own < b)\n  ensures q: (a < b)\n",
                                "  let mut own : Nat := a\n  own := b\n  return own\n"))),
            Names{"q"});
  EXPECT_EQ(left(goalsOf(method("  requires yes: (a = b)\n" + wrong, "  return a\n"))), Names{})
      << "what is in scope is assumed";
}

TEST(Scope, EnsuresKnowsParametersAndResultOnly) {
  const Goals goals = goalsOf(method("  ensures q: (own = a)\n  ensures vacuous: (a < a → own = a)\n"
                                     "  ensures fine: (r = a)\n",
                                     "  let own : Nat := a\n  return own\n"));
  EXPECT_EQ(left(goals), (Names{"q", "vacuous"}));
  expectNotInScope(goals, "q", "own");
  expectNotInScope(goals, "vacuous", "own");
}

TEST(Scope, AssertKnowsWhatStandsBeforeIt) {
  const Goals later = goalsOf(method("  ensures q: (a = b)\n", "  let one : Nat := a\n"
                                                               "  assert early: (later = b)\n"
                                                               "  let later : Nat := one\n  return later\n"));
  EXPECT_EQ(left(later), (Names{"early", "q"}));
  expectNotInScope(later, "early", "later");

  const Goals branch =
      goalsOf(method("", "  if a < b then\n    let inside : Nat := a\n    assert within: (inside < b)\n"
                         "  else\n    assert other: (inside = a)\n  assert after: (inside = a)\n"
                         "  assert implied: (a < b → inside = a)\n  return 0\n"));
  EXPECT_EQ(left(branch), (Names{"other", "after", "implied"}));
  expectNotInScope(branch, "after", "inside");

  const Goals result = goalsOf(method("  ensures q: (a = b)\n", "  assert early: (r = b)\n  return a\n"));
  EXPECT_EQ(left(result), (Names{"early", "q"}));
  expectNotInScope(result, "early", "r");
}

TEST(Scope, InvariantsKnowNothingOfTheirBodyOrOfWhatFollows) {
  for (const std::string name : {"inner", "later", "r"}) {
    const std::string clause = "    invariant inv: (" + name + " = b ∧ a = b)\n";
    const Goals goals = goalsOf(loop(clause + measure + done, "  ensures q: (a = b)\n"));
    EXPECT_EQ(left(goals), (Names{"inv.entry", "inv.step", "q"})) << name;
    expectNotInScope(goals, "inv.entry", name);
    expectNotInScope(goals, "inv.step", name);
  }
}

TEST(Scope, DoneWithKnowsNothingOfItsBodyOrOfWhatFollows) {
  for (const std::string name : {"inner", "later", "r"}) {
    const Goals goals = goalsOf(
        loop(std::string(measure) + "    done_with stop: (" + name + " = b)\n", "  ensures q: (a = b)\n"));
    EXPECT_EQ(left(goals), (Names{"stop.exit", "q"})) << name;
    expectNotInScope(goals, "stop.exit", name);
  }
}

TEST(Scope, AMeasureKnowsNothingOfItsBodyOrOfWhatFollows) {
  for (const std::string name : {"inner", "later", "r"}) {
    const Goals goals = goalsOf(loop("    decreasing rest: (" + name + " - i)\n" + done, ""));
    EXPECT_EQ(left(goals), Names{"rest.measure"}) << name;
    expectNotInScope(goals, "rest.measure", name);
  }
}

TEST(Scope, ABreakAsksForWhatIsKnownAtTheHead) {
  const Goals goals = goalsOf(method("", "  let mut i : Nat := 0\n  while more: (i < a)\n"
                                         "    decreasing rest: (a - i)\n    done_with stop: (inner = b)\n"
                                         "  do\n    let inner : Nat := b\n    if i = b then\n      break\n"
                                         "    i := i + 1\n  return a\n"));
  EXPECT_EQ(left(goals), (Names{"stop.break", "stop.exit"}));
  expectNotInScope(goals, "stop.break", "inner");
}

TEST(Scope, ConditionsAndValuesAreMetWhereTheyStand) {
  const Goals goals =
      goalsOf(method("  ensures q: (r = a)\n", "  if later = b then\n    assert in_it: (a = b)\n"
                                               "  let later : Nat := a\n  return later\n"));
  EXPECT_EQ(left(goals), Names{"in_it"});
  const Goals value =
      goalsOf(method("  ensures q: (r = b)\n", "  let first : Nat := if a = a then b else later\n"
                                               "  let later : Nat := b\n  return first\n"));
  EXPECT_EQ(left(value), Names{"q"});
}

std::string called(const std::string& clauses, const std::string& body) {
  return "import Velvet\n\nmethod get\n    (n : Nat)\n  returns (k : Nat)\n" + clauses + "do\n  return n\n" +
         method("  ensures q: (a = b)\n", body).substr(sizeof("import Velvet\n") - 1);
}

TEST(Scope, AClauseOfACalledMethodDoesNotKnowTheCaller) {
  const std::string body = "  let x : Nat ← get a\n  return x\n";
  EXPECT_EQ(left(goalsOf(called("  ensures e: (k = b ∧ n = b)\n", body))), Names{"q"});
  EXPECT_EQ(left(goalsOf(called("  ensures e: (n_arg_1 = b)\n", body))), Names{"q"});
  const Goals asked = goalsOf(called("  requires q1: (a = a)\n  requires q2: (k = k)\n", body));
  EXPECT_TRUE(left(asked).contains("q1.requires"));
  EXPECT_TRUE(left(asked).contains("q"));
  expectNotInScope(asked, "q1.requires", "a");
}

TEST(Scope, ABoundVariableOfACalledMethodDoesNotCatchTheResult) {
  const std::string clause = "  ensures e: (∃ i : Nat, k = i + 1)\n";
  for (const std::string name : {"i", "i_1", "k", "other"})
    EXPECT_EQ(left(goalsOf(called(clause, "  let " + name + " : Nat ← get a\n  return " + name + "\n"))),
              Names{"q"})
        << name;
}

TEST(Scope, ADefinitionDoesNotKnowTheVariablesOfAMethod) {
  const std::string definition = "import Velvet\n\ndef odd (n : Nat) : Prop := n = b\n";
  const std::string text =
      method("  requires no: (odd a)\n  ensures q: (a = b)\n  ensures p: (odd a)\n", "  return a\n");
  const Goals goals = goalsOf(definition + text.substr(sizeof("import Velvet\n") - 1));
  EXPECT_EQ(left(goals), (Names{"q", "p"}));
}

TEST(Scope, AVariableWithoutAMeaningIsNoDefinition) {
  const std::string definition = "import Velvet\n\ndef total : Nat := 5\n";
  const std::string text = method("  ensures q: (a < 5)\n", "  let total : Rat := 7\n"
                                                            "  assert claim: (total = 5)\n  return total\n");
  const Goals goals = goalsOf(definition + text.substr(sizeof("import Velvet\n") - 1));
  EXPECT_TRUE(left(goals).contains("claim"));
}

TEST(Scope, NoTacticClosesWhatIsNotUnderstood) {
  for (const std::string tactic : {"exact no", "assumption", "rw [same]"}) {
    const std::string text =
        method("  requires no: (own = b)\n  requires same: (a = b)\n  ensures q: (own = b)\n",
               "  let own : Nat := a\n  return own\n") +
        "\nprove_correct m by\n  velvet_vcgen [m]\n  " + tactic + "\n";
    const Goals goals = goalsOf(text);
    const auto* proof = std::get_if<velvet::Proof>(&goals.tree->items.back());
    ASSERT_NE(proof, nullptr);
    const auto nobody = [](const goals::Goal&) { return std::shared_ptr<const goals::Settled>(); };
    const goals::ScriptResult result = goals::runScript(*goals.tree, *proof, goals.all, nobody);
    EXPECT_EQ(result.left.size(), 1U) << tactic;
    ASSERT_FALSE(result.messages.empty()) << tactic;
    EXPECT_EQ(result.messages.back().id, "not-in-scope") << tactic;
  }
}

} // namespace
} // namespace plumbline::goals_test

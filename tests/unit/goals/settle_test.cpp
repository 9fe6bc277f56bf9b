// What is closed, what has a witness, and what stays open: each case follows from Lean's definitions.
#include "core/goals/evaluate.h"
#include "tests/unit/goals/documents.h"

#include <gtest/gtest.h>

namespace plumbline::goals_test {
namespace {

using goals::GoalStatus;

/// The status of one proposition over a few variables, as an assertion.
GoalStatus statusOf(const std::string& prop, const std::string& given = "True") {
  const Goals goals =
      goalsOf("import Velvet\nimport Plumbline\n\n"
              "def positive (a : Int) : Prop :=\n  0 < a\n\n"
              "method m\n    (n : Nat)\n    (k : Nat)\n    (i : Int)\n    (j : Int)\n    (b : Bool)\n"
              "    (f : Float32)\n    (g : Float32)\n    (x : Array Float32)\n    (y : Array Float32)\n"
              "    (c : Array Int)\n  returns (r : Int)\n  requires given: (" +
              given + ")\ndo\n  assert claim: (" + prop + ")\n  return 0\n");
  return settled(goals, "claim").status;
}

constexpr GoalStatus closed = GoalStatus::Closed;
constexpr GoalStatus witnessed = GoalStatus::Witnessed;

TEST(Settle, NatSubtractionStopsAtZero) {
  EXPECT_EQ(statusOf("n - k ≤ n"), closed);
  EXPECT_EQ(statusOf("n - k + k = n"), witnessed);
  EXPECT_EQ(statusOf("n - k + k = n", "k ≤ n"), closed);
  EXPECT_EQ(statusOf("(n : Int) - (k : Int) + (k : Int) = (n : Int)"), closed);
  EXPECT_EQ(statusOf("(n - k : Int) + k = n"), closed)
      << "the ascription makes the operands integers, as in Lean";
}

TEST(Settle, DivisionIsTheOneThatIsWritten) {
  EXPECT_EQ(statusOf("Plumbline.cDiv i 0 = 0"), closed);
  EXPECT_EQ(statusOf("Plumbline.cMod i 0 = i"), closed);
  EXPECT_EQ(statusOf("Plumbline.cDiv (-7) 2 = -3"), closed);
  EXPECT_EQ(statusOf("Plumbline.cMod (-7) 2 = -1"), closed);
  EXPECT_EQ(statusOf("(-7 : Int) / 2 = -4"), closed) << "Lean's remainder is not negative";
  EXPECT_EQ(statusOf("(-7 : Int) % 2 = 1"), closed);
  EXPECT_EQ(statusOf("(7 : Int) / (-2) = -3"), closed);
  EXPECT_EQ(statusOf("n / 0 = 0"), closed);
  EXPECT_EQ(statusOf("n % 0 = n"), closed);
  EXPECT_EQ(statusOf("0 ≤ i % 3"), closed);
  EXPECT_EQ(statusOf("0 ≤ Plumbline.cMod i 3"), witnessed);
  EXPECT_EQ(statusOf("i / 2 = Plumbline.cDiv i 2"), witnessed);
  EXPECT_EQ(statusOf("i / 2 = Plumbline.cDiv i 2", "0 ≤ i"), closed);
}

TEST(Settle, ArraysOutsideAreLeans) {
  EXPECT_EQ(statusOf("(c.set! n 5)[n]! = 5", "n < c.size"), closed);
  EXPECT_EQ(statusOf("(c.set! n 5)[n]! = 5"), witnessed) << "set! outside changes nothing";
  EXPECT_EQ(statusOf("c[c.size]! = 0"), closed);
  EXPECT_EQ(statusOf("(c.set! n 5).size = c.size"), closed);
  EXPECT_EQ(statusOf("(c.set! n 5)[k]! = c[k]!", "n ≠ k"), closed);
  EXPECT_EQ(statusOf("(Array.replicate n 3)[k]! = (3 : Int)", "k < n"), closed);
  EXPECT_EQ(statusOf("c[i.toNat]! = c[n]!", "i = (n : Int)"), closed);
  EXPECT_NE(statusOf("x[x.size]! = Float32.ofBits 0x00000000"), closed)
      << "what Lean's default of a float is "
         "is not relied on";
}

TEST(Settle, FloatsAreIeeeWithOneNan) {
  EXPECT_EQ(statusOf("f + g = g + f"), closed);
  EXPECT_EQ(statusOf("f = f"), closed) << "equality is of bits";
  EXPECT_EQ(statusOf("(f == f) = true"), witnessed) << "NaN";
  EXPECT_EQ(statusOf("f + Float32.ofBits 0x00000000 = f"), witnessed) << "-0 + 0 is 0";
  EXPECT_EQ(statusOf("f * Float32.ofBits 0x3F800000 = f"), closed);
  EXPECT_EQ(statusOf("¬ (f < g) → g ≤ f"), witnessed) << "NaN is unordered";
  EXPECT_EQ(statusOf("(if f < g then f else g) = Plumbline.std_min f g"), witnessed)
      << "the operands differ for NaN";
  EXPECT_EQ(statusOf("(if g < f then g else f) = Plumbline.std_min f g"), closed);
  EXPECT_EQ(statusOf("Plumbline.fmaxf f g = Plumbline.fmaxf g f"), closed);
}

TEST(Settle, DoubleEqualsOfFloatsIsNoEqualityInsideOfOthersEither) {
  EXPECT_EQ(statusOf("f == f"), witnessed) << "NaN";
  EXPECT_NE(statusOf("x == x"), closed) << "x may hold NaN";
  EXPECT_NE(statusOf("(1, f) == (1, f)"), closed);
  EXPECT_EQ(statusOf("x = x"), closed);
  EXPECT_EQ(statusOf("c == c"), closed) << "integers have no NaN";
}

TEST(Settle, AVariableHidesTheDefinitionOfItsName) {
  const Goals goals = goalsOf("import Velvet\n\ndef f (x : Int) : Int :=\n  x + 1\n\n"
                              "method m\n    (f : Int → Int)\n  returns (r : Int)\ndo\n"
                              "  assert claim: (f 3 = 4)\n  return 0\n");
  const goals::Settled settled = goals_test::settled(goals, "claim");
  EXPECT_EQ(settled.status, GoalStatus::Open);
  EXPECT_NE(settled.reason.find("variable f"), std::string::npos) << settled.reason;
}

TEST(Settle, OnlyDefinitionsThatLeanUnfoldsAreUnfolded) {
  const std::string rest = "method m\n    (n : Int)\n  returns (r : Int)\ndo\n"
                           "  assert claim: (f n = n)\n  return 0\n";
  const std::string plain = "def f (x : Int) : Int :=\n  x\n\n";
  EXPECT_EQ(settled(goalsOf("import Velvet\n\n" + plain + rest), "claim").status, closed);
  for (const char* word : {"partial ", "unsafe ", "noncomputable unsafe "})
    EXPECT_EQ(settled(goalsOf("import Velvet\n\n" + (word + plain) + rest), "claim").status,
              GoalStatus::Open);
  const std::string twice = "namespace A\n\n" + plain + "end A\n\nnamespace B\n\n" + plain + "end B\n\n";
  EXPECT_EQ(settled(goalsOf("import Velvet\n\n" + twice + rest), "claim").status, GoalStatus::Open)
      << "which of the two is meant is Lean's to say";
}

TEST(Settle, ADocumentThatChangesWhatSymbolsMeanHasOnlyOpenGoals) {
  const std::string rest =
      "def f (x : Nat) : Nat :=\n  0\n\nmethod m\n    (n : Int) (k : Nat)\n  returns (r : Int)\ndo\n"
      "  assert sum: (n + n = 2 * n)\n  assert least: (k ≥ 0 ∧ f k = 0)\n  return 0\n";
  for (const char* harmless :
       {"", "section\n\nvariable (z : Int)\n\n", "set_option autoImplicit false\n\n", "open Plumbline\n\n",
        "attribute [grind] Nat.add_comm\n\n", "#check Nat\n\n", "axiom choice : True\n\n"}) {
    const Goals goals = goalsOf(std::string("import Velvet\n\n") + harmless + rest);
    EXPECT_EQ(settled(goals, "sum").status, closed) << harmless;
    EXPECT_EQ(settled(goals, "least").status, closed) << harmless;
  }
  for (const char* change :
       {"instance (priority := high) evil : HAdd Int Int Int := ⟨fun a _ => a⟩\n\n",
        "local notation \"Nat\" => Int\n\n", "macro_rules | `(f $x) => `(1)\n\n",
        "local infixl:65 \" + \" => Nat.pow\n\n", "attribute [local instance] cheat\n\n",
        "@[instance] def cheat : Nat :=\n  1\n\n", "abbrev Nat := Int\n\n", "def Int : Nat :=\n  1\n\n",
        "def A.f (x : Nat) : Nat :=\n  1\n\nnamespace A\n\n", "def A.f (x : Nat) : Nat :=\n  1\n\nopen A\n\n",
        "namespace A\n\nabbrev Nat := Int\n\n",
        "namespace Plumbline\n\ndef cDiv (a : Int) : Int :=\n  a\n\n"}) {
    const Goals goals = goalsOf(std::string("import Velvet\n\n") + change + rest);
    EXPECT_EQ(settled(goals, "sum").status, GoalStatus::Open) << change;
    EXPECT_NE(settled(goals, "least").reason.find("only Lean can tell"), std::string::npos) << change;
  }
  const std::string later = "def max (a : Int) (b : Int) : Int :=\n  a\n";
  EXPECT_EQ(settled(goalsOf("import Velvet\n\n" + rest + "\n" + later), "sum").status, GoalStatus::Open);
}

TEST(Settle, AnAnswerIsNotKeptForADocumentOfAnotherMeaning) {
  const std::string rest =
      "method m\n    (n : Int)\n  returns (r : Int)\ndo\n  assert sum: (n + n = 2 * n)\n  return 0\n";
  const Goals plain = goalsOf("import Velvet\n\n" + rest);
  const Goals changed = goalsOf("import Velvet\n\ninstance evil : Add Int := ⟨fun a _ => a⟩\n\n" + rest);
  EXPECT_FALSE(plain.named("sum").key == changed.named("sum").key);
}

TEST(Settle, UnknownFunctionsAreFunctionsAndNoMore) {
  EXPECT_EQ(statusOf("Plumbline.expf f = Plumbline.expf g", "f = g"), closed);
  EXPECT_EQ(statusOf("Plumbline.expf f = Plumbline.aten_exp f"), GoalStatus::Open)
      << "no witness: nobody knows either function";
  EXPECT_EQ(statusOf("Plumbline.expf f = Plumbline.aten_exp f",
                     "∀ a : Float32, Plumbline.expf a = Plumbline.aten_exp a"),
            closed);
}

TEST(Settle, QuantifiersAreInstantiatedWhereTheyCount) {
  const std::string all = "∀ a : Nat, a < n → x[a]! = y[a]!";
  EXPECT_EQ(statusOf("x[k]! = y[k]!", "(" + all + ") ∧ k < n"), closed);
  EXPECT_NE(statusOf("x[k]! = y[k]!", all), closed);
  EXPECT_EQ(statusOf("∀ a : Nat, a + 1 < n → x[a + 1]! = y[a + 1]!", all), closed);
  EXPECT_EQ(statusOf("∃ a : Nat, a ≤ n ∧ c[a]! = c[n]!"), closed);
  EXPECT_EQ(statusOf("∀ a : Nat, a < c.size → c[a]! = 0"), witnessed);
  EXPECT_EQ(statusOf("(∀ a : Nat, a < n → 0 ≤ c[a]!) → 0 ≤ c[k]!", "k < n"), closed);
  EXPECT_EQ(statusOf("(∃ a : Nat, a < n ∧ c[a]! = 1) → 0 < n"), closed);
  EXPECT_EQ(statusOf("(∀ a : Bool, a = b) → False"), closed);
}

TEST(Settle, PropositionsAndBool) {
  EXPECT_EQ(statusOf("b = true ∨ b = false"), closed);
  EXPECT_EQ(statusOf("(i < j ↔ j > i) ∧ (i ≠ j ↔ ¬ i = j)"), closed);
  EXPECT_EQ(statusOf("decide (i < j) = !(decide (j ≤ i))"), closed);
  EXPECT_EQ(statusOf("positive i → 1 ≤ i"), closed);
  EXPECT_EQ(statusOf("positive i"), witnessed);
  EXPECT_EQ(statusOf("(if i < 0 then -i else i) ≥ 0"), closed);
  EXPECT_EQ(statusOf("Plumbline.FitsU64 i ↔ 0 ≤ i ∧ i < 18446744073709551616"), GoalStatus::Open)
      << "numbers beyond 64 bits are not understood, and then nothing is claimed";
  EXPECT_EQ(statusOf("Plumbline.FitsU64 i", "0 ≤ i ∧ i ≤ 9223372036854775807"), closed);
  EXPECT_EQ(statusOf("Plumbline.FitsI8 i", "0 ≤ i ∧ i ≤ 128"), witnessed);
}

TEST(Settle, WhatIsNotUnderstoodStaysOpen) {
  const Goals goals =
      goalsOf("import Velvet\n\nmethod m\n    (n : Nat)\n    (s : String)\n  returns (r : Int)\ndo\n"
              "  assert claim: (n = n)\n  assert other: (unknown_thing n = 0)\n  return 0\n");
  EXPECT_EQ(settled(goals, "claim").status, closed);
  const goals::Settled other = settled(goals, "other");
  EXPECT_EQ(other.status, GoalStatus::Open);
  EXPECT_EQ(other.reason, "not understood: the name unknown_thing");
}

TEST(Settle, AWitnessFalsifiesItsGoal) {
  const Goals goals =
      goalsOf("import Velvet\n\nmethod m\n    (n : Nat)\n    (c : Array Int)\n  returns (r : Int)\n"
              "  requires size: (c.size = n)\n  requires low: (∀ k : Nat, k < n → c[k]! = 2 * k)\n"
              "  requires some: (3 ≤ n)\ndo\n  assert claim: (c[2]! ≠ 4)\n  return 0\n");
  const goals::Settled result = settled(goals, "claim");
  ASSERT_EQ(result.status, witnessed) << result.reason;
  const goals::Concrete& c = result.witness->at("c");
  ASSERT_GE(c.elements.size(), 3U);
  for (size_t k = 0; k < c.elements.size(); ++k)
    EXPECT_EQ(c.elements[k], 2 * k);
  EXPECT_EQ(result.witness->at("n").number, static_cast<int64_t>(c.elements.size()));
}

TEST(Settle, AStopLeavesTheGoalOpen) {
  const Goals goals =
      goalsOf("import Velvet\n\nmethod m\n    (f : Float32)\n  returns (r : Int)\ndo\n"
              "  assert claim: (f * f = f * f * Float32.ofBits 0x3F800000 + f - f)\n  return 0\n");
  StopToken stop;
  stop.requestStop();
  const goals::Settled result =
      goals::settle(goals.named("claim"), goals::Definitions(*goals.tree), {}, goals::Limits{}, stop);
  EXPECT_EQ(result.status, GoalStatus::Open);
}

} // namespace
} // namespace plumbline::goals_test

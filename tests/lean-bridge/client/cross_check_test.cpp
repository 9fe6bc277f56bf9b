#include "lean-bridge/client/cross_check.h"

#include <gtest/gtest.h>

namespace plumbline::lsp {
namespace {

constexpr const char* text = "method m\nprove_correct m by\n  case first => grind\n  case second => grind\n";

DocumentGoal goal(const std::string& name, GoalState state, std::optional<int> proofLine) {
  DocumentGoal one;
  one.vouching = {name, state, {"z3"}, ""};
  if (proofLine)
    one.proof = Range{{*proofLine, 2}, {*proofLine, 20}};
  return one;
}

Diagnostic diagnostic(int line, Severity severity, const std::string& message) {
  Diagnostic one;
  one.range = {{line, 3}, {line, 9}};
  one.severity = severity;
  one.message = message;
  return one;
}

/// Plumbline's side with goals, and Lean's with diagnostics, both finished.
struct Sides {
  explicit Sides(std::vector<DocumentGoal> goals, std::vector<Diagnostic> diagnostics = {})
      : plumbline("u", "lean4", text), lean("u", "lean4", text) {
    plumbline.advanceVersion();
    plumbline.opened();
    plumbline.apply(DocumentGoals{"u", 1, true, std::move(goals)});
    lean.advanceVersion();
    lean.opened();
    lean.apply(PublishDiagnostics{"u", 1, false, std::move(diagnostics)});
    lean.apply(FileProgress{"u", 1, {}});
    lean.applyAllReported(1);
  }
  std::vector<CheckedGoal> check() { return crossCheck(plumbline, &lean); }
  DocumentState plumbline;
  DocumentState lean;
};

TEST(CrossCheck, BothClose) {
  Sides sides({goal("first", GoalState::Closed, 2)});
  ASSERT_EQ(sides.check().size(), 1U);
  EXPECT_EQ(sides.check()[0].agreement, Agreement::BothClosed);
  EXPECT_EQ(inWords(sides.check()[0]), "true (z3), accepted by Lean");
  EXPECT_TRUE(acceptedByLean(sides.lean));
}

TEST(CrossCheck, EnginesCloseAndLeanDoesNot) {
  Sides sides({goal("first", GoalState::Closed, 2), goal("second", GoalState::Closed, 3)},
              {diagnostic(2, Severity::Error, "`grind` failed\ncase x")});
  EXPECT_EQ(sides.check()[0].agreement, Agreement::EnginesOnly);
  EXPECT_EQ(inWords(sides.check()[0]), "true (z3), but open in Lean: `grind` failed");
  EXPECT_EQ(sides.check()[1].agreement, Agreement::BothClosed) << "the error is about another goal";
}

TEST(CrossCheck, LeanClosesAndTheEnginesDoNot) {
  Sides sides({goal("first", GoalState::Open, 2)});
  EXPECT_EQ(sides.check()[0].agreement, Agreement::LeanOnly);
  EXPECT_EQ(inWords(sides.check()[0]), "accepted by Lean, but open for the engines");
}

TEST(CrossCheck, AProofWithACounterexampleIsAContradiction) {
  Sides sides({goal("first", GoalState::Witnessed, 2)});
  EXPECT_EQ(sides.check()[0].agreement, Agreement::Contradiction);
}

TEST(CrossCheck, ErrorsThatNameAGoalAreAboutIt) {
  Sides sides(
      {goal("first", GoalState::Closed, std::nullopt), goal("second", GoalState::Closed, std::nullopt)},
      {diagnostic(1, Severity::Error, "unsolved goals\ncase second\n\u22a2 False")});
  EXPECT_EQ(sides.check()[0].lean, LeanAnswer::Unclear) << "whether it got that far cannot be told";
  EXPECT_EQ(sides.check()[1].lean, LeanAnswer::Open);
  Sides longer({goal("sec", GoalState::Closed, 2)},
               {diagnostic(0, Severity::Error, "unsolved goals\ncase second")});
  EXPECT_EQ(longer.check()[0].lean, LeanAnswer::Unclear) << "part of another name";
  EXPECT_EQ(inWords(longer.check()[0]), "true (z3), not checked by Lean: it stops at \"unsolved goals\"");
}

TEST(CrossCheck, ALeftOutProofIsNotAccepted) {
  Sides sides({goal("first", GoalState::Closed, 2)},
              {diagnostic(2, Severity::Warning, "declaration uses 'sorry'")});
  EXPECT_EQ(sides.check()[0].lean, LeanAnswer::Open);
  EXPECT_FALSE(acceptedByLean(sides.lean));
}

TEST(CrossCheck, WithoutLeanNothingIsCheckedByIt) {
  Sides sides({goal("first", GoalState::Closed, 2)});
  EXPECT_EQ(inWords(crossCheck(sides.plumbline, nullptr)[0]), "true (z3), not checked by Lean");
  sides.lean.serverLost();
  EXPECT_EQ(sides.check()[0].lean, LeanAnswer::NotChecked);
}

TEST(CrossCheck, AnswersAboutAnotherTextDoNotCount) {
  Sides sides({goal("first", GoalState::Closed, 2)});
  sides.lean.edit({{Range{{0, 0}, {0, 0}}, "x"}});
  EXPECT_EQ(sides.check()[0].lean, LeanAnswer::NotChecked);
  EXPECT_FALSE(acceptedByLean(sides.lean));
  sides.plumbline.edit({{Range{{0, 0}, {0, 0}}, "x"}});
  EXPECT_TRUE(sides.check().empty()) << "goals of an old text are not shown as goals of the new one";
  sides.plumbline.apply(DocumentGoals{"u", 2, true, {goal("first", GoalState::Closed, 2)}});
  EXPECT_EQ(sides.check()[0].agreement, Agreement::Pending);
}

TEST(CrossCheck, ADeadWorkerChecksNothing) {
  Sides sides({goal("first", GoalState::Closed, 2)});
  sides.lean.workerDied();
  EXPECT_EQ(sides.check()[0].lean, LeanAnswer::NotChecked);
  EXPECT_FALSE(acceptedByLean(sides.lean));
}

} // namespace
} // namespace plumbline::lsp

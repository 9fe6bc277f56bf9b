#include "core/workbench/case_forest.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace plumbline::workbench {
namespace {

std::vector<CaseGoal> oneGoal() {
  CaseGoal goal;
  goal.name = "value of output 0";
  goal.guards = {{"0 < x[i]"}, {"x[i] < 6"}};
  goal.variables = {"x[i]"};
  return {goal};
}

CaseForest rootOnly() {
  CaseForest forest;
  forest.nodes.push_back({});
  return forest;
}

CaseResult status(CaseStatus value) {
  CaseResult result;
  result.status = value;
  result.engine = "test";
  return result;
}

TEST(FloatClass, AgreesWithTheLibrary) {
  uint32_t bits = 1;
  for (int k = 0; k < 200000; ++k) {
    bits = bits * 1664525U + 1013904223U;
    const auto value = std::bit_cast<float>(bits);
    const FloatClass found = classOf(bits);
    const bool negative = std::signbit(value);
    switch (std::fpclassify(value)) {
    case FP_NAN: EXPECT_EQ(found, FloatClass::NaN); break;
    case FP_INFINITE:
      EXPECT_EQ(found, negative ? FloatClass::NegativeInfinity : FloatClass::PositiveInfinity);
      break;
    case FP_ZERO: EXPECT_EQ(found, negative ? FloatClass::NegativeZero : FloatClass::PositiveZero); break;
    case FP_SUBNORMAL:
      EXPECT_EQ(found, negative ? FloatClass::NegativeSubnormal : FloatClass::PositiveSubnormal);
      break;
    default: EXPECT_EQ(found, negative ? FloatClass::NegativeNormal : FloatClass::PositiveNormal);
    }
  }
}

TEST(FloatClass, KnowsTheEdges) {
  EXPECT_EQ(classOf(0x00000000), FloatClass::PositiveZero);
  EXPECT_EQ(classOf(0x80000000), FloatClass::NegativeZero);
  EXPECT_EQ(classOf(0x00000001), FloatClass::PositiveSubnormal);
  EXPECT_EQ(classOf(0x007FFFFF), FloatClass::PositiveSubnormal);
  EXPECT_EQ(classOf(0x00800000), FloatClass::PositiveNormal);
  EXPECT_EQ(classOf(0x7F7FFFFF), FloatClass::PositiveNormal);
  EXPECT_EQ(classOf(0x7F800000), FloatClass::PositiveInfinity);
  EXPECT_EQ(classOf(0xFF800000), FloatClass::NegativeInfinity);
  EXPECT_EQ(classOf(0xFF800001), FloatClass::NaN);
}

TEST(CaseForest, SplitsOnAGuardAndOnClasses) {
  const auto goals = oneGoal();
  CaseForest forest = split(rootOnly(), goals, 0, {0, -1});
  ASSERT_EQ(forest.nodes.size(), 3u);
  EXPECT_EQ(conditionText(goals[0], forest.nodes[1].path.back()), "0 < x[i]");
  EXPECT_EQ(conditionText(goals[0], forest.nodes[2].path.back()), "not (0 < x[i])");
  EXPECT_EQ(forest.nodes[0].result.status, CaseStatus::Split);
  forest = split(forest, goals, 2, {-1, 0});
  EXPECT_EQ(forest.nodes.size(), 12u);
  EXPECT_EQ(forest.nodes[3].path.size(), 2u);
  EXPECT_EQ(conditionText(goals[0], forest.nodes[3].path.back()), "x[i] is NaN");
}

TEST(CaseForest, DoesNotCutTwiceAlongOneThing) {
  const auto goals = oneGoal();
  const CaseForest once = split(rootOnly(), goals, 0, {0, -1});
  EXPECT_EQ(split(once, goals, 1, {0, -1}).nodes.size(), once.nodes.size());
  EXPECT_EQ(split(once, goals, 0, {1, -1}).nodes.size(), once.nodes.size());
  EXPECT_EQ(split(once, goals, 99, {1, -1}).nodes.size(), once.nodes.size());
  EXPECT_EQ(split(once, goals, 1, {7, -1}).nodes.size(), once.nodes.size());
  EXPECT_EQ(possibleSplits(goals[0], once.nodes[1]).size(), 2u);
}

TEST(CaseForest, ClosesAParentOnlyWhenEveryPartIsClosed) {
  const auto goals = oneGoal();
  CaseForest forest = split(rootOnly(), goals, 0, {0, -1});
  forest = withResult(forest, 1, status(CaseStatus::Closed));
  EXPECT_EQ(forest.nodes[0].result.status, CaseStatus::Split);
  forest = withResult(forest, 2, status(CaseStatus::Empty));
  EXPECT_EQ(forest.nodes[0].result.status, CaseStatus::Closed);
  forest = withResult(forest, 2, status(CaseStatus::Open));
  EXPECT_NE(forest.nodes[0].result.status, CaseStatus::Closed);
}

TEST(CaseForest, AWitnessReachesTheRoot) {
  const auto goals = oneGoal();
  CaseForest forest = split(rootOnly(), goals, 0, {0, -1});
  forest = split(forest, goals, 2, {-1, 0});
  CaseResult witness = status(CaseStatus::Witnessed);
  witness.witness = {0x7FC00000};
  forest = withResult(forest, 3, witness);
  EXPECT_EQ(forest.nodes[2].result.status, CaseStatus::Witnessed);
  EXPECT_EQ(forest.nodes[0].result.status, CaseStatus::Witnessed);
  EXPECT_EQ(forest.nodes[0].result.witness, std::vector<uint32_t>{0x7FC00000});
}

TEST(CaseForest, AContradictionIsAConflict) {
  const auto goals = oneGoal();
  CaseForest forest = rootOnly();
  forest.nodes[0].result = status(CaseStatus::Closed);
  forest = split(forest, goals, 0, {0, -1});
  EXPECT_EQ(forest.nodes[0].result.status, CaseStatus::Closed) << "a split forgets no proof";
  forest = withResult(forest, 1, status(CaseStatus::Witnessed));
  EXPECT_EQ(forest.nodes[0].result.status, CaseStatus::Conflict);
}

TEST(CaseForest, JoinUndoesASplit) {
  const auto goals = oneGoal();
  CaseForest forest = split(rootOnly(), goals, 0, {0, -1});
  forest = split(forest, goals, 1, {-1, 0});
  forest = split(forest, goals, 2, {1, -1});
  const CaseForest joined = join(forest, 1);
  ASSERT_EQ(joined.nodes.size(), 5u);
  EXPECT_TRUE(joined.nodes[1].children.empty());
  EXPECT_EQ(joined.nodes[1].result.status, CaseStatus::Open);
  EXPECT_EQ(joined.nodes[2].children.size(), 2u);
  for (int child : joined.nodes[2].children)
    EXPECT_EQ(joined.nodes[static_cast<size_t>(child)].parent, 2);
  EXPECT_EQ(join(joined, 0).nodes.size(), 1u);
}

} // namespace
} // namespace plumbline::workbench

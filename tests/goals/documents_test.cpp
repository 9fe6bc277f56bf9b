// Of every pair that is equal all goals are closed; of a pair that differs all but those about values.
#include "tests/goals/documents.h"

#include <gtest/gtest.h>

namespace plumbline::goals_test {
namespace {

/// Equal pairs whose goals are not all closed, and why.
const std::map<std::string, std::string>& exceptions() {
  static const std::map<std::string, std::string> table{
      {"cube", "its loops have no invariants about values, which are the user's to write"},
      {"integers", "the same"},
      {"relu2d_condzeros2",
       "elements that no thread writes keep the zeros of a buffer that the invariants do not mention"},
      {"relu2d_grid", "which thread of a two-dimensional grid writes element k is a quotient of a product"},
  };
  return table;
}

bool isAboutValues(const std::string& goal) {
  return goal.ends_with("_done.step") || goal.ends_with("_value");
}

class Documents : public testing::TestWithParam<method_test::Pair> {};

TEST_P(Documents, AreClosedWhereThePairIsEqual) {
  const method_test::Pair& pair = GetParam();
  const auto document = documentOf(pair);
  if (!document || pair.ieee.empty() || exceptions().contains(pair.name))
    GTEST_SKIP() << (document ? "no relation to expect" : toString(document.error()));
  const goals::MethodGoals all = goals::generateGoals(*document->tree, methodOf(*document->tree));
  EXPECT_TRUE(all.problems.empty());
  EXPECT_GT(all.goals.size(), 10U);
  const goals::Definitions definitions(*document->tree);
  std::set<std::string> left;
  for (const goals::Goal& goal : all.goals) {
    const goals::Settled settled = goals::settle(goal, definitions, sharedEngines(), {}, {});
    EXPECT_NE(settled.status, goals::GoalStatus::Conflict) << goal.name << ": " << settled.reason;
    if (settled.status != goals::GoalStatus::Closed)
      left.insert(goal.name);
  }
  const bool isEqual = pair.ieee == "equal" || pair.ieee == "equal-modulo";
  if (isEqual)
    EXPECT_EQ(left, std::set<std::string>());
  else
    EXPECT_FALSE(left.empty()) << "the programs differ, or nobody knows whether they do";
  for (const std::string& name : left)
    EXPECT_TRUE(isAboutValues(name)) << name << " says nothing of values";
}

std::vector<method_test::Pair> pairs(bool samples) {
  std::vector<method_test::Pair> result = method_test::allPairs();
  std::erase_if(result, [samples](const method_test::Pair& pair) {
    return pair.isSample != samples ||
           pair.name == "vector-add-unguarded"; // no relation: the gate refuses it
  });
  return result;
}

std::string nameOf(const testing::TestParamInfo<method_test::Pair>& info) {
  std::string name = info.param.name;
  for (char& c : name)
    c = c == '-' ? '_' : c;
  return name;
}

#ifdef PLUMBLINE_ALL_DOCUMENTS
INSTANTIATE_TEST_SUITE_P(Cases, Documents, testing::ValuesIn(pairs(false)), nameOf);
#else
INSTANTIATE_TEST_SUITE_P(Samples, Documents, testing::ValuesIn(pairs(true)), nameOf);
#endif

} // namespace
} // namespace plumbline::goals_test

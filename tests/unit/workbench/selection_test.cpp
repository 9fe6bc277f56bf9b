#include "core/workbench/selection.h"

#include <gtest/gtest.h>

namespace plumbline::workbench {
namespace {

SourceRange at(int line, int column, int endColumn) {
  return {"k.cu", line, column, line, endColumn};
}

/// x -> relu -> output:0; v > 0 stands for nothing in the graph, the ternary for relu.
Snapshot small() {
  Snapshot snapshot;
  snapshot.cuda.file = "k.cu";
  snapshot.graph.resize(3);
  snapshot.links = {{{0}, {at(4, 15, 19)}}, {{1, 2}, {at(5, 14, 33), at(5, 5, 34)}}, {{}, {at(5, 14, 22)}}};
  MethodLine load;
  load.cuda = {at(4, 5, 20)};
  MethodLine store;
  store.cuda = {at(5, 5, 34)};
  MethodLine ensures;
  ensures.nodes = {1};
  snapshot.method.lines = {MethodLine{}, load, store, ensures};
  GoalRow bounds;
  bounds.spans = {at(4, 15, 19)};
  GoalRow value;
  value.nodes = {2};
  snapshot.goals = {bounds, value};
  return snapshot;
}

TEST(Selection, ANodeFindsItsExpressions) {
  const Highlight found = counterparts(small(), {Anchor::Kind::Node, 0, 0, {}});
  EXPECT_EQ(found.nodes, std::set<int>{0});
  ASSERT_EQ(found.cuda.size(), 1u);
  EXPECT_EQ(found.cuda[0], at(4, 15, 19));
  EXPECT_EQ(found.methodLines, std::set<int>{2});
  EXPECT_EQ(found.goals, std::set<int>{0});
}

TEST(Selection, ACaretTakesTheSmallestExpressionAroundIt) {
  const Highlight inner = counterparts(small(), {Anchor::Kind::Cuda, -1, 0, at(5, 16, 16)});
  EXPECT_TRUE(inner.nodes.empty()) << "the guard is no node of the graph";
  const Highlight outer = counterparts(small(), {Anchor::Kind::Cuda, -1, 0, at(5, 30, 30)});
  EXPECT_EQ(outer.nodes, (std::set<int>{1, 2}));
  EXPECT_EQ(outer.methodLines, (std::set<int>{3, 4}));
  EXPECT_EQ(outer.goals, std::set<int>{1});
}

TEST(Selection, AMethodLineLeadsBoth) {
  const Highlight found = counterparts(small(), {Anchor::Kind::MethodLine, 4, 0, {}});
  EXPECT_TRUE(found.nodes.contains(1));
  EXPECT_FALSE(found.cuda.empty());
}

TEST(Selection, NothingSelectsNothing) {
  EXPECT_TRUE(counterparts(small(), {}).empty());
  EXPECT_TRUE(counterparts(Snapshot{}, {Anchor::Kind::Goal, 7, 0, {}}).empty());
  EXPECT_TRUE(counterparts(small(), {Anchor::Kind::KernelStep, 0, 5, {}}).empty());
}

TEST(Selection, OverlapComparesFilesAndColumns) {
  EXPECT_TRUE(overlap(at(1, 2, 5), at(1, 4, 9)));
  EXPECT_FALSE(overlap(at(1, 2, 5), at(1, 5, 9)));
  EXPECT_TRUE(overlap(at(1, 2, 5), at(1, 5, 5))) << "a caret at the end belongs to the range";
  EXPECT_FALSE(overlap(at(1, 2, 5), {"other.cu", 1, 2, 1, 5}));
  EXPECT_FALSE(overlap(SourceRange{"k.cu"}, at(1, 2, 5)));
}

} // namespace
} // namespace plumbline::workbench

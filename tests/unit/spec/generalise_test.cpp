#include "core/spec/shape.h"
#include "core/spec/spec.h"
#include "tests/unit/spec/graphs.h"

#include <gtest/gtest.h>

namespace plumbline::spec {
namespace {

using torch::InputKind;

std::string shapeOf(const torch::Graph& graph, const std::string& name) {
  return print(graph.tensors.at(name).sizes);
}

GraphBuilder addOf(const std::vector<std::string>& a, const std::vector<std::string>& b,
                   const std::vector<std::string>& result, InputKind second = InputKind::User) {
  GraphBuilder builder;
  builder.input("a", a).input("b", b, second);
  return builder.node("out", "aten.add.Tensor", {tensor("self", "a"), tensor("other", "b")}, result);
}

TEST(Generalise, OneSymbolForEachDimension) {
  auto graph = generalise(addOf({"5", "5"}, {"5", "5"}, {"5", "5"}).graph);
  ASSERT_TRUE(graph);
  EXPECT_EQ(shapeOf(*graph, "a"), "[s0, s1]");
  EXPECT_EQ(shapeOf(*graph, "b"), "[s0, s1]");
  EXPECT_EQ(shapeOf(*graph, "out"), "[s0, s1]");
  EXPECT_EQ(graph->hints.at("s1"), 5);
  EXPECT_EQ(graph->symbols.at("s0").low, 1);
  EXPECT_TRUE(graph->generalised);
}

TEST(Generalise, BroadcastingTiesDimensions) {
  auto graph = generalise(addOf({"5", "3"}, {"3"}, {"5", "3"}).graph);
  ASSERT_TRUE(graph);
  EXPECT_EQ(shapeOf(*graph, "a"), "[s0, s1]");
  EXPECT_EQ(shapeOf(*graph, "b"), "[s1]");
  graph = generalise(addOf({"5", "1"}, {"1", "3"}, {"5", "3"}).graph);
  ASSERT_TRUE(graph);
  EXPECT_EQ(shapeOf(*graph, "a"), "[s0, 1]");
  EXPECT_EQ(shapeOf(*graph, "b"), "[1, s1]");
  EXPECT_EQ(shapeOf(*graph, "out"), "[s0, s1]");
}

TEST(Generalise, ParametersKeepTheirShape) {
  auto graph = generalise(addOf({"5", "3"}, {"3"}, {"5", "3"}, InputKind::Parameter).graph);
  ASSERT_TRUE(graph);
  EXPECT_EQ(shapeOf(*graph, "a"), "[s0, 3]");
  EXPECT_EQ(shapeOf(*graph, "b"), "[3]");
}

TEST(Generalise, UnrelatedInputsStayUnrelated) {
  GraphBuilder builder;
  builder.input("a", {"5"}).input("b", {"5"});
  builder.node("n", "aten.neg.default", {tensor("self", "b")}, {"5"});
  builder.node("out", "aten.neg.default", {tensor("self", "a")}, {"5"});
  builder.graph.outputs = {"n", "out"};
  auto graph = generalise(builder.graph);
  ASSERT_TRUE(graph);
  EXPECT_NE(shapeOf(*graph, "a"), shapeOf(*graph, "b"));
}

/// x / x.shape[0] is captured as a number.
TEST(Generalise, NumbersThatMayComeFromSizes) {
  auto scaled = [](double factor) {
    GraphBuilder builder;
    builder.input("x", {"6", "7"});
    return builder.node("out", "aten.mul.Tensor", {tensor("self", "x"), number("other", factor)}, {"6", "7"})
        .graph;
  };
  for (double factor : {6.0, 7.0, 42.0, 1.0 / 7, 1.0 / 42, 2.6457513110645907, -6.0})
    EXPECT_FALSE(generalise(scaled(factor)).has_value()) << factor;
  for (double factor : {0.01, 2.0, 0.5, 1.0, 0.0})
    EXPECT_TRUE(generalise(scaled(factor)).has_value()) << factor;
}

TEST(Generalise, NotWithoutNeed) {
  EXPECT_FALSE(generalise(addOf({"s0"}, {"s0"}, {"s0"}).graph).has_value()) << "symbolic already";
  EXPECT_FALSE(generalise(addOf({"1"}, {"1"}, {"1"}).graph).has_value()) << "nothing to generalise";
  GraphBuilder builder;
  builder.input("x", {"4"});
  builder.node("f", "aten.full.default",
               {{"size", std::vector<torch::SizeArg>{{ir::sizeConstant(4)}}}, number("fill_value", 3)},
               {"4"});
  builder.node("out", "aten.add.Tensor", {tensor("self", "x"), tensor("other", "f")}, {"4"});
  EXPECT_FALSE(generalise(builder.graph).has_value()) << "full has a fixed size";
}

} // namespace
} // namespace plumbline::spec

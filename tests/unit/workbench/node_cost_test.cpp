// Counts of operations and bytes, each derived from the rule in node_cost.h by hand.
#include "core/workbench/node_cost.h"

#include <gtest/gtest.h>

namespace plumbline::workbench {
namespace {

using torch::DType;
using torch::TensorRef;

using Shape = std::vector<int64_t>;

torch::TensorInfo info(const Shape& shape, DType dtype = DType::F32) {
  torch::TensorInfo result;
  result.dtype = dtype;
  for (int64_t size : shape)
    result.sizes.push_back(ir::sizeConstant(size));
  return result;
}

torch::Argument sizes(const Shape& values) {
  std::vector<torch::SizeArg> list;
  for (int64_t value : values)
    list.push_back({ir::sizeConstant(value)});
  return list;
}

/// One node `y` over tensors named like its arguments.
struct Program {
  torch::Graph graph;

  Program(const std::string& target, const torch::TensorInfo& result) {
    graph.nodes.push_back({"y", target, {}, {"y"}});
    graph.tensors["y"] = result;
    graph.outputs = {"y"};
  }
  Program& tensor(const std::string& name, const torch::TensorInfo& what) {
    graph.inputs.push_back({name, torch::InputKind::User, ""});
    graph.tensors[name] = what;
    return argument(name, TensorRef{name});
  }
  Program& argument(const std::string& name, torch::Argument value) {
    graph.nodes[0].inputs.push_back({name, std::move(value)});
    return *this;
  }
  /// Operations and bytes; -1 where there is no cost.
  std::pair<double, double> cost() const {
    const auto found = nodeCost(graph, graph.nodes[0]);
    return found ? std::pair(found->operations, found->bytes) : std::pair(-1.0, -1.0);
  }
};

std::pair<double, double> work(double operations, double bytes) {
  return {operations, bytes};
}

TEST(NodeCost, ElementWise) {
  const auto one = [](const std::string& op) {
    return Program("aten." + op + ".default", info({4, 8})).tensor("self", info({4, 8})).cost();
  };
  EXPECT_EQ(one("relu"), work(32, 256)); // a comparison an element; 32 floats in, 32 out
  EXPECT_EQ(one("neg"), work(32, 256));
  EXPECT_EQ(one("abs"), work(32, 256));
  EXPECT_EQ(one("exp"), work(32, 256));
  EXPECT_EQ(one("sqrt"), work(32, 256));
  EXPECT_EQ(one("sigmoid"), work(4 * 32, 256)); // 1 / (1 + exp(-x)): negate, exp, add, divide
  EXPECT_EQ(one("alias").second, 0);
  const auto two = [](const std::string& target, DType result) {
    return Program(target, info({4, 8}, result))
        .tensor("self", info({4, 8}))
        .tensor("other", info({8}))
        .cost();
  };
  EXPECT_EQ(two("aten.add.Tensor", DType::F32), work(32, 128 + 32 + 128)); // the other operand is broadcast
  EXPECT_EQ(two("aten.maximum.default", DType::F32), work(32, 128 + 32 + 128));
  EXPECT_EQ(two("aten.eq.Tensor", DType::Bool), work(32, 128 + 32 + 32)); // a truth value is a byte
  EXPECT_EQ(two("aten.lt.Tensor", DType::Bool), work(32, 128 + 32 + 32));
}

TEST(NodeCost, OneTensorReadTwiceIsReadOnce) {
  Program square("aten.mul.Tensor", info({4, 8}));
  square.tensor("self", info({4, 8})).argument("other", TensorRef{"self"});
  EXPECT_EQ(square.cost(), work(32, 256));
}

TEST(NodeCost, Where) {
  Program where("aten.where.self", info({4, 8}));
  where.tensor("condition", info({4, 8}, DType::Bool))
      .tensor("self", info({4, 8}))
      .tensor("other", info({4, 8}));
  EXPECT_EQ(where.cost(), work(32, 32 + 3 * 128));
}

TEST(NodeCost, MatrixProduct) {
  const double m = 3;
  const double k = 7;
  const double n = 5;
  Program product("aten.matmul.default", info({3, 5}));
  product.tensor("self", info({3, 7})).tensor("other", info({7, 5}));
  EXPECT_EQ(product.cost(), work(2 * m * k * n, 4 * (m * k + k * n + m * n)));
  Program large("aten.matmul.default", info({4096, 4096}));
  large.tensor("self", info({4096, 4096})).tensor("other", info({4096, 4096}));
  EXPECT_EQ(large.cost(), work(137438953472.0, 201326592.0)); // 2 * 4096^3 and 12 * 4096^2
}

TEST(NodeCost, Reductions) {
  EXPECT_EQ(Program("aten.sum.default", info({})).tensor("self", info({100})).cost(), work(100, 404));
  EXPECT_EQ(
      Program("aten.amax.default", info({4})).tensor("self", info({4, 8})).argument("dim", sizes({1})).cost(),
      work(32, 128 + 16));
  // A running sum goes on from the element before; its denotation would add up again.
  EXPECT_EQ(Program("aten.cumsum.default", info({100}))
                .tensor("self", info({100}))
                .argument("dim", int64_t{0})
                .cost(),
            work(100, 800));
}

TEST(NodeCost, WindowsOfUnequalSize) {
  // Four means of a row of 6: windows [0,2), [1,3), [3,5), [4,6) of two each: 8 additions and 4 quotients.
  Program even("aten.adaptive_avg_pool1d.default", info({1, 1, 4}));
  even.tensor("self", info({1, 1, 6})).argument("output_size", sizes({4}));
  EXPECT_EQ(even.cost(), work(8 + 4, 4 * (6 + 4)));
  // Three of a row of 5: [0,2), [1,4), [3,5): 2 + 3 + 2 additions and 3 quotients.
  Program uneven("aten.adaptive_avg_pool1d.default", info({1, 1, 3}));
  uneven.tensor("self", info({1, 1, 5})).argument("output_size", sizes({3}));
  EXPECT_EQ(uneven.cost(), work(7 + 3, 4 * (5 + 3)));
}

TEST(NodeCost, ViewsAreFree) {
  EXPECT_EQ(Program("aten.view.default", info({32}))
                .tensor("self", info({4, 8}))
                .argument("size", sizes({32}))
                .cost(),
            work(0, 0));
  EXPECT_EQ(Program("aten.t.default", info({8, 4})).tensor("self", info({4, 8})).cost(), work(0, 0));
}

TEST(NodeCost, SymbolicSizesAtTheCapturedValues) {
  torch::TensorInfo rows;
  rows.sizes = {ir::sizeSymbol("s0"), ir::sizeConstant(8)};
  Program relu("aten.relu.default", rows);
  relu.tensor("self", rows);
  relu.graph.symbols["s0"] = {2, std::nullopt};
  EXPECT_EQ(relu.cost(), work(-1, -1)) << "no captured value";
  relu.graph.hints["s0"] = 5;
  EXPECT_EQ(relu.cost(), work(40, 320));
}

TEST(NodeCost, NothingForAnUnknownOperator) {
  EXPECT_EQ(Program("aten.nowhere.default", info({4})).tensor("self", info({4})).cost(), work(-1, -1));
}

TEST(NodeCost, WritesCountLikeTheOperatorThatMakesATensor) {
  EXPECT_EQ(Program("aten.relu_.default", info({4, 8})).tensor("self", info({4, 8})).cost(), work(32, 256));
}

TEST(NodeCost, Text) {
  EXPECT_EQ(costText({32, 256}), "32 operations, 256 bytes");
  EXPECT_EQ(costText({1, 1}), "1 operation, 1 byte");
  EXPECT_EQ(costText({0, 0}), "0 operations, 0 bytes");
  EXPECT_EQ(costText({137438953472.0, 1000}), "137 438 953 472 operations, 1 000 bytes");
  EXPECT_EQ(costText({1e20, 999}), "1e+20 operations, 999 bytes");
}

} // namespace
} // namespace plumbline::workbench

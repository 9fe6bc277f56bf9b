// Normalisations against PyTorch's recorded results.
#include "tests/unit/spec/calls.h"
#include "tests/unit/spec/recorded_cases.h"

namespace plumbline::spec {
namespace {

using torch::InputKind;
using torch::NoneArg;

std::vector<torch::NamedArgument> batchArguments(bool training, const char* mean = nullptr) {
  const torch::Argument running = mean ? torch::Argument(torch::TensorRef{mean}) : NoneArg{};
  return {tensor("input", "x"),      {"weight", NoneArg{}},    {"bias", NoneArg{}},
          {"running_mean", running}, {"running_var", running}, {"training", training},
          number("momentum", 0.1),   number("eps", 0),         {"cudnn_enabled", true}};
}

TEST(Normalisations, AgreeWithPyTorch) {
  expectAgreement({"batch_norm."}, 75);
  expectAgreement({"instance_norm.", "group_norm.", "layer_norm.", "native_layer_norm.", "rms_norm."}, 20);
}

/// (x - mean) / sqrt(variance): the rows of each channel are (1, 5) and (2, 2, ...).
TEST(Normalisations, OverSymbolicSizes) {
  GraphBuilder builder;
  builder.input("x", {"s0", "s1", "s2"});
  builder.node("out", "aten.batch_norm.default", batchArguments(true), {"s0", "s1", "s2"});
  EXPECT_EQ(outputOf(builder.graph, {{"x", floats({2, 2, 2}, {1, 1, 0, 8, 5, 5, 8, 0})}}),
            floats({}, {-1, -1, -1, 1, 1, 1, 1, -1}).bits);
  GraphBuilder groups;
  groups.input("x", {"s0", "s1", "s2"});
  groups.node("out", "aten.group_norm.default",
              {tensor("input", "x"), {"num_groups", int64_t{1}}, number("eps", 0)}, {"s0", "s1", "s2"});
  EXPECT_EQ(outputOf(groups.graph, {{"x", floats({2, 2, 2}, {1, 1, 5, 5, 0, 8, 8, 0})}}),
            floats({}, {-1, -1, 1, 1, -1, 1, 1, -1}).bits);
}

TEST(Normalisations, RefusedArguments) {
  auto idOf = [](const char* target, std::vector<torch::NamedArgument> arguments,
                 const std::vector<std::string>& shape) {
    GraphBuilder builder;
    builder.input("x", shape).input("m", {"3"}).input("w", {"5"});
    return errorOf(builder.node("out", target, std::move(arguments), shape).graph);
  };
  EXPECT_EQ(idOf("aten.batch_norm.default", batchArguments(false), {"2", "3"}), "argument-unsupported");
  EXPECT_EQ(idOf("aten.batch_norm.default", batchArguments(false, "m"), {"2", "3"}), "");
  EXPECT_EQ(idOf("aten.batch_norm.default", batchArguments(false, "w"), {"2", "3"}), "shape-mismatch");
  EXPECT_EQ(idOf("aten.batch_norm.default", batchArguments(true), {"2"}), "argument-unsupported");
  EXPECT_EQ(idOf("aten.group_norm.default", {tensor("input", "x"), {"num_groups", int64_t{2}}}, {"2", "3"}),
            "shape-mismatch");
  const torch::Argument last = std::vector<torch::SizeArg>{{ir::sizeConstant(3)}};
  EXPECT_EQ(idOf("aten.layer_norm.default", {tensor("input", "x"), {"normalized_shape", last}}, {"2", "3"}),
            "");
  EXPECT_EQ(idOf("aten.layer_norm.default", {tensor("input", "x"), {"normalized_shape", last}}, {"2", "4"}),
            "shape-mismatch");
  EXPECT_EQ(idOf("aten.layer_norm.default",
                 {tensor("input", "x"), {"normalized_shape", last}, tensor("weight", "w")}, {"2", "3"}),
            "shape-mismatch");
}

/// Training writes into the running statistics behind the operator's back.
TEST(Normalisations, UpdatedStatisticsMayNotBeReadLater) {
  auto graph = [](bool training, bool isReadLater) {
    GraphBuilder builder;
    builder.input("m", {"3"}, InputKind::Buffer).input("x", {"2", "3"});
    builder.node("before", "aten.add.Tensor", {tensor("self", "x"), tensor("other", "m")}, {"2", "3"});
    std::vector<torch::NamedArgument> arguments = batchArguments(training, "m");
    builder.node("norm", "aten.batch_norm.default", arguments, {"2", "3"});
    return builder
        .node("out", "aten.add.Tensor",
              {tensor("self", "norm"), tensor("other", isReadLater ? "m" : "before")}, {"2", "3"})
        .graph;
  };
  EXPECT_EQ(errorOf(graph(true, false)), "");
  EXPECT_EQ(errorOf(graph(false, true)), "");
  EXPECT_EQ(errorOf(graph(true, true)), "graph-unsupported");
  torch::Graph unread = graph(true, true);
  unread.nodes.back().inputs[0] = tensor("self", "before");
  EXPECT_EQ(errorOf(unread), "graph-unsupported") << "the update happens although nobody reads the result";
}

} // namespace
} // namespace plumbline::spec

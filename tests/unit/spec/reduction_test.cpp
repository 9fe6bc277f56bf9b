// Reductions, scans, norms and softmax against PyTorch's recorded results and their definitions.
#include "tests/unit/spec/calls.h"
#include "tests/unit/spec/recorded_cases.h"

namespace plumbline::spec {
namespace {

using torch::DType;
using torch::InputKind;

GraphBuilder reduce(const std::string& target, std::vector<torch::NamedArgument> more,
                    const std::vector<std::string>& from, const std::vector<std::string>& to,
                    DType dtype = DType::F32) {
  more.insert(more.begin(), tensor("self", "x"));
  return GraphBuilder().input("x", from).node("out", target, std::move(more), to, dtype);
}

TEST(Reductions, AgreeWithPyTorch) {
  expectAgreement({"max.", "min.", "amax.", "amin.", "argmax.", "argmin."}, 60);
  expectAgreement({"sum.", "mean.", "prod.", "any.", "all."}, 25);
  expectAgreement({"cumsum.", "cumprod."}, 10);
  expectAgreement({"var.", "std.", "var_mean.", "std_mean."}, 30);
  expectAgreement({"linalg_vector_norm.", "norm."}, 80);
  expectAgreement({"softmax.", "log_softmax.", "_softmax.", "_log_softmax.", "logsumexp."}, 55);
}

/// Of zeros of both signs either may be the result, of one sign only that one.
TEST(Reductions, ExtremesLeaveTheSignOfZeroOpen) {
  const torch::Graph graph = reduce("aten.amax.default", {{"dim", int64_t{1}}}, {"4", "3"}, {"4"}).graph;
  const ir::Tensors inputs = {
      {"x", floats({4, 3}, {-0.0F, 0, -0.0F, 0, 0, 0, -0.0F, -1, -0.0F, 0, -0.0F, -3})}};
  EXPECT_EQ(outputOf(graph, inputs, true), (std::vector<uint64_t>{0, 0, minusZero, 0}));
  EXPECT_EQ(outputOf(graph, inputs, false), (std::vector<uint64_t>{minusZero, 0, minusZero, minusZero}));
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->assumptions, std::vector<std::string>{"zero-sign:amax"});
  const torch::Graph norm =
      reduce("aten.linalg_vector_norm.default", {number("ord", HUGE_VAL)}, {"4"}, {}).graph;
  EXPECT_TRUE(denote(terms, norm)->choices.empty()) << "a magnitude is never -0";
}

/// The index-order fold from the start value, not a tree.
TEST(Reductions, AreLeftFolds) {
  const torch::Graph product = reduce("aten.prod.default", {}, {"3"}, {}).graph;
  EXPECT_EQ(outputOf(product, {{"x", floats({3}, {1e30F, 1e30F, 1e-30F})}}), std::vector{bits(HUGE_VALF)});
  EXPECT_EQ(outputOf(product, {{"x", floats({3}, {1e30F, 1e-30F, 1e30F})}}),
            std::vector{bits(1e30F * 1e-30F * 1e30F)});
  const torch::Graph scan = reduce("aten.cumsum.default", {{"dim", int64_t{0}}}, {"3"}, {"3"}).graph;
  EXPECT_EQ(outputOf(scan, {{"x", floats({3}, {1, 0x1p24F, -0x1p24F})}}),
            (std::vector<uint64_t>{bits(1), bits(0x1p24F), 0}));
}

TEST(Reductions, OverSymbolicSizes) {
  struct Row {
    const char* target;
    std::vector<torch::NamedArgument> arguments;
    std::vector<std::string> shape;
    std::vector<float> result;
  };
  const Row rows[] = {
      {"aten.softmax.int", {{"dim", int64_t{1}}}, {"s0", "s1"}, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
      {"aten.cumsum.default", {{"dim", int64_t{0}}}, {"s0", "s1"}, {2, 2, 4, 4, 6, 6}},
      {"aten.var.dim", {{"dim", int64_t{1}}}, {"s0"}, {0, 0, 0}},
      {"aten.linalg_vector_norm.default", {{"ord", int64_t{1}}, {"dim", int64_t{0}}}, {"s1"}, {6, 6}},
      {"aten.logsumexp.default",
       {{"dim", int64_t{0}}, {"keepdim", true}},
       {"1", "s1"},
       {3.0986123F, 3.0986123F}},
  };
  for (const Row& row : rows) {
    const torch::Graph graph = reduce(row.target, row.arguments, {"s0", "s1"}, row.shape).graph;
    const ir::Tensors inputs = {{"x", floats({3, 2}, {2, 2, 2, 2, 2, 2})}};
    EXPECT_EQ(outputOf(graph, inputs), floats({}, row.result).bits) << row.target;
  }
}

TEST(Reductions, RefusedArguments) {
  const std::vector<torch::NamedArgument> half = {{"dim", int64_t{0}}, {"dtype", DType::F64}};
  EXPECT_EQ(errorOf(reduce("aten.softmax.int", half, {"4"}, {"4"}).graph), "argument-unsupported");
  EXPECT_EQ(errorOf(reduce("aten.cumsum.default", half, {"4"}, {"4"}).graph), "argument-unsupported");
  EXPECT_EQ(errorOf(reduce("aten.prod.default", {{"dtype", DType::F64}}, {"4"}, {}).graph),
            "argument-unsupported");
  EXPECT_EQ(errorOf(reduce("aten.linalg_vector_norm.default", {number("ord", NAN)}, {"4"}, {}).graph),
            "argument-unsupported");
  EXPECT_EQ(
      errorOf(reduce("aten._softmax.default", {{"dim", int64_t{0}}, {"half_to_float", true}}, {"4"}, {"4"})
                  .graph),
      "argument-unsupported");
  EXPECT_EQ(errorOf(reduce("aten.amax.default", {{"dim", int64_t{2}}}, {"4", "4"}, {"4"}).graph),
            "argument-unsupported");
  EXPECT_EQ(errorOf(reduce("aten.amax.default", {{"dim", int64_t{1}}}, {"4", "5"}, {"5"}).graph),
            "shape-mismatch");
}

TEST(Reductions, IntegersAreRefusedWhereTheyWouldBeRounded) {
  for (const char* target : {"aten.max.default", "aten.argmax.default", "aten.prod.default"}) {
    GraphBuilder builder;
    builder.input("x", {"4"}, InputKind::User, DType::I64);
    builder.node("out", target, {tensor("self", "x")}, {}, DType::I64);
    EXPECT_EQ(errorOf(builder.graph), "dtype-unsupported") << target;
  }
}

} // namespace
} // namespace plumbline::spec

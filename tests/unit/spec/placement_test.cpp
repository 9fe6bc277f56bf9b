// Operators that lay elements out anew, against PyTorch's recorded results.
#include "tests/unit/spec/calls.h"
#include "tests/unit/spec/recorded_cases.h"

namespace plumbline::spec {
namespace {

using torch::DType;
using torch::InputKind;

TEST(Placements, AgreeWithPyTorch) {
  expectAgreement({"stack.", "chunk.", "split.", "unbind.", "expand_as.", "view_as.", "repeat.", "roll."},
                  15);
  expectAgreement({"constant_pad_nd.", "pad.", "gather.", "index_select.", "diag.", "eye.", "arange."}, 20);
}

TEST(Placements, OverSymbolicSizes) {
  GraphBuilder padded;
  padded.input("x", {"s0"});
  padded.node("out", "aten.constant_pad_nd.default",
              {tensor("self", "x"),
               {"pad", std::vector<torch::SizeArg>{{ir::sizeConstant(1)}, {ir::sizeConstant(1)}}}},
              {"s0 + 2"});
  EXPECT_EQ(outputOf(padded.graph, {{"x", floats({2}, {3, 4})}}), floats({}, {0, 3, 4, 0}).bits);
  GraphBuilder stacked;
  stacked.input("x", {"s0"});
  stacked.node("out", "aten.stack.default",
               {{"tensors", torch::TensorRefs{{{"x"}, {"x"}}}}, {"dim", int64_t{1}}}, {"s0", "2"});
  EXPECT_EQ(outputOf(stacked.graph, {{"x", floats({2}, {3, 4})}}), floats({}, {3, 3, 4, 4}).bits);
}

TEST(Placements, AnIndexOutsideHasNoValue) {
  GraphBuilder builder;
  builder.input("x", {"3", "4"}).input("t", {"2"}, InputKind::User, DType::I64);
  builder.node("out", "aten.index_select.default",
               {tensor("self", "x"), {"dim", int64_t{1}}, tensor("index", "t")}, {"3", "2"});
  logic::TermStore terms;
  auto spec = denote(terms, builder.graph);
  ASSERT_TRUE(spec) << toString(spec.error());
  const ir::Tensor x = floats({3, 4}, std::vector<float>(12, 1.0F));
  EXPECT_TRUE(evaluateSpec(terms, *spec, {{"x", x}, {"t", {ir::ScalarType::I64, {2}, {3, 0}}}}));
  EXPECT_FALSE(evaluateSpec(terms, *spec, {{"x", x}, {"t", {ir::ScalarType::I64, {2}, {4, 0}}}}));
  EXPECT_FALSE(evaluateSpec(terms, *spec,
                            {{"x", x}, {"t", {ir::ScalarType::I64, {2}, {static_cast<uint64_t>(-1), 0}}}}));
}

TEST(Placements, PartsShareMemory) {
  GraphBuilder builder;
  builder.input("x", {"2"});
  builder.node("y", "aten.neg.default", {tensor("self", "x")}, {"2"});
  builder.node("v", "aten.view_as.default", {tensor("self", "y"), tensor("other", "x")}, {"2"});
  builder.node("r", "aten.relu_.default", {tensor("self", "v")}, {"2"});
  builder.node("out", "aten.add.Tensor", {tensor("self", "r"), tensor("other", "y")}, {"2"});
  EXPECT_EQ(errorOf(builder.graph), "graph-unsupported");
}

/// Integers beside a float tensor are promoted; among themselves they are compared exactly.
TEST(Promotion, OfIntegers) {
  expectAgreement({"mul.Tensor"}, 1);
  GraphBuilder builder;
  builder.input("t", {"2"}, InputKind::User, DType::I64);
  builder.node("out", "aten.gt.Scalar", {tensor("self", "t"), {"other", int64_t{16777217}}}, {"2"},
               DType::Bool);
  EXPECT_EQ(outputOf(builder.graph, {{"t", {ir::ScalarType::I64, {2}, {16777217, 16777218}}}}),
            (std::vector<uint64_t>{0, 1}));
}

torch::Graph integerSum(int64_t low, int64_t high, int64_t added) {
  GraphBuilder builder;
  builder.input("t", {"2"}, InputKind::User, DType::I64);
  builder.node("c", "aten.clamp.default", {tensor("self", "t"), {"min", low}, {"max", high}}, {"2"},
               DType::I64);
  builder.node("out", "aten.add.Tensor", {tensor("self", "c"), {"other", added}}, {"2"}, DType::I64);
  return builder.graph;
}

/// Up to the last number and not beyond.
TEST(Int64, ArithmeticThatMayWrapIsRefused) {
  EXPECT_EQ(errorOf(integerSum(0, INT64_MAX - 5, 5)), "");
  EXPECT_EQ(errorOf(integerSum(0, INT64_MAX - 4, 5)), "int64-range");
  EXPECT_EQ(errorOf(integerSum(INT64_MIN + 5, 0, -5)), "");
  EXPECT_EQ(errorOf(integerSum(INT64_MIN + 4, 0, -5)), "int64-range");
}

torch::Graph integerNode(const char* target, std::vector<torch::NamedArgument> more,
                         DType result = DType::I64) {
  GraphBuilder builder;
  builder.input("t", {"2"}, InputKind::User, DType::I64);
  more.insert(more.begin(), tensor("self", "t"));
  builder.node("out", target, std::move(more), {"2"}, result);
  return builder.graph;
}

TEST(Int64, AnyInput) {
  EXPECT_EQ(errorOf(integerNode("aten.neg.default", {})), "int64-range");
  EXPECT_EQ(errorOf(integerNode("aten.abs.default", {})), "int64-range");
  EXPECT_EQ(errorOf(integerNode("aten.cumsum.default", {{"dim", int64_t{0}}})), "int64-range");
  EXPECT_EQ(errorOf(integerNode("aten.mul.Tensor", {{"other", int64_t{1}}})), "");
  EXPECT_EQ(errorOf(integerNode("aten.mul.Tensor", {{"other", int64_t{-1}}})), "int64-range");
  EXPECT_EQ(errorOf(integerNode("aten.floor_divide.default", {{"other", int64_t{-2}}})), "");
  EXPECT_EQ(errorOf(integerNode("aten.floor_divide.default", {{"other", int64_t{-1}}})), "int64-range");
  EXPECT_EQ(errorOf(integerNode("aten.floor_divide.default", {tensor("other", "t")})), "int64-range");
  EXPECT_EQ(errorOf(integerNode("aten.remainder.Scalar", {{"other", int64_t{-1}}})), "int64-range");
  EXPECT_EQ(errorOf(integerNode("aten.to.dtype", {{"dtype", DType::F32}}, DType::F32)), "");
  EXPECT_EQ(errorOf(integerNode("aten.bitwise_and.Tensor", {tensor("other", "t")})), "argument-unsupported");
}

/// Rounded down, and the rest with the sign of the divisor; a divisor of zero has no value.
TEST(Int64, Division) {
  const ir::Tensors inputs{{"t", {ir::ScalarType::I64, {2}, {7, static_cast<uint64_t>(-7)}}}};
  const auto value = [&](const char* target, int64_t divisor) {
    const auto found = outputOf(integerNode(target, {{"other", divisor}}), inputs);
    return std::vector<int64_t>(found.begin(), found.end());
  };
  EXPECT_EQ(value("aten.floor_divide.default", 2), (std::vector<int64_t>{3, -4}));
  EXPECT_EQ(value("aten.floor_divide.default", -2), (std::vector<int64_t>{-4, 3}));
  EXPECT_EQ(value("aten.floor_divide.default", 7), (std::vector<int64_t>{1, -1}));
  EXPECT_EQ(value("aten.remainder.Scalar", 2), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(value("aten.remainder.Scalar", -2), (std::vector<int64_t>{-1, -1}));
  logic::TermStore terms;
  const auto spec = denote(terms, integerNode("aten.remainder.Scalar", {{"other", int64_t{0}}}));
  ASSERT_TRUE(spec);
  EXPECT_FALSE(evaluateSpec(terms, *spec, inputs));
}

} // namespace
} // namespace plumbline::spec

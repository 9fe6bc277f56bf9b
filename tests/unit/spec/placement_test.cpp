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

/// Integers beside a float tensor are promoted; among themselves they would need int64 arithmetic.
TEST(Promotion, OfIntegers) {
  expectAgreement({"mul.Tensor"}, 1);
  GraphBuilder builder;
  builder.input("t", {"2"}, InputKind::User, DType::I64);
  builder.node("out", "aten.gt.Scalar", {tensor("self", "t"), {"other", int64_t{16777217}}}, {"2"},
               DType::Bool);
  EXPECT_EQ(errorOf(builder.graph), "dtype-unsupported");
}

} // namespace
} // namespace plumbline::spec

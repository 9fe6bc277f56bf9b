// Losses, distances and activations against PyTorch's recorded results.
#include "tests/unit/spec/calls.h"
#include "tests/unit/spec/recorded_cases.h"

namespace plumbline::spec {
namespace {

using torch::DType;
using torch::InputKind;

TEST(Losses, AgreeWithPyTorch) {
  expectAgreement({"mse_loss.", "l1_loss.", "smooth_l1_loss.", "huber_loss.", "kl_div.",
                   "hinge_embedding_loss.", "binary_cross_entropy", "soft_margin_loss.",
                   "margin_ranking_loss."},
                  65);
  expectAgreement({"cross_entropy_loss.", "nll_loss"}, 65);
  expectAgreement(
      {"cosine_similarity.", "pairwise_distance.", "triplet_margin_loss.", "cosine_embedding_loss."}, 25);
}

TEST(Activations, AgreeWithPyTorch) {
  expectAgreement({"celu.", "log_sigmoid.", "hardshrink.", "softshrink.", "gelu.", "prelu.", "glu.",
                   "dropout.", "feature_dropout.", "alpha_dropout."},
                  20);
}

GraphBuilder classLoss(const std::vector<std::string>& result, int64_t reduction) {
  GraphBuilder builder;
  builder.input("x", {"s0", "s1"}).input("t", {"s0"}, InputKind::User, DType::I64);
  return builder.node("out", "aten.cross_entropy_loss.default",
                      {tensor("self", "x"), tensor("target", "t"), {"reduction", reduction}}, result);
}

TEST(Losses, OverSymbolicSizes) {
  const ir::Tensors inputs = {{"x", floats({2, 4}, {1, 1, 1, 1, 0, 0, 0, 0})},
                              {"t", {ir::ScalarType::I64, {2}, {3, 0}}}};
  const float log4 = 1.3862944F;
  EXPECT_EQ(outputOf(classLoss({"s0"}, 0).graph, inputs), floats({}, {log4, log4}).bits);
  EXPECT_EQ(outputOf(classLoss({}, 1).graph, inputs), floats({}, {log4}).bits);
}

/// PyTorch stops on such a target; so there is no value.
TEST(Losses, AClassThatDoesNotExistHasNoValue) {
  for (uint64_t cls : {uint64_t{4}, static_cast<uint64_t>(-1), uint64_t{1} << 40}) {
    logic::TermStore terms;
    auto spec = denote(terms, classLoss({"s0"}, 0).graph);
    ASSERT_TRUE(spec) << toString(spec.error());
    const ir::Tensors inputs = {{"x", floats({2, 4}, {1, 1, 1, 1, 0, 0, 0, 0})},
                                {"t", {ir::ScalarType::I64, {2}, {cls, 0}}}};
    EXPECT_FALSE(evaluateSpec(terms, *spec, inputs)) << cls;
  }
}

TEST(Losses, RefusedArguments) {
  EXPECT_EQ(errorOf(classLoss({}, 3).graph), "argument-unsupported");
  EXPECT_EQ(errorOf(classLoss({"s1"}, 0).graph), "shape-mismatch");
  auto idOf = [](const char* target, torch::NamedArgument more) {
    GraphBuilder builder;
    builder.input("x", {"4"}).input("y", {"4"});
    return errorOf(
        builder.node("out", target, {tensor("self", "x"), tensor("target", "y"), std::move(more)}, {}).graph);
  };
  EXPECT_EQ(idOf("aten.smooth_l1_loss.default", number("beta", -1)), "argument-unsupported");
  EXPECT_EQ(idOf("aten.huber_loss.default", number("delta", 0)), "argument-unsupported");
  EXPECT_EQ(idOf("aten.cross_entropy_loss.default", number("label_smoothing", 1.5)), "argument-unsupported");
  EXPECT_EQ(idOf("aten.cross_entropy_loss.default", {"ignore_index", int64_t{1}}), "argument-unsupported");
}

TEST(Activations, DropoutInTrainingIsRandom) {
  GraphBuilder builder;
  builder.input("x", {"4"});
  builder.node("out", "aten.dropout.default", {tensor("input", "x"), number("p", 0.5), {"train", true}},
               {"4"});
  EXPECT_EQ(errorOf(builder.graph), "random");
}

TEST(Inputs, OfTruthValues) {
  GraphBuilder builder;
  builder.input("x", {"4"}).input("mask", {"4"}, InputKind::User, DType::Bool);
  builder.node("out", "aten.mul.Tensor", {tensor("self", "x"), tensor("other", "mask")}, {"4"});
  const ir::Tensor x = floats({4}, {1, 2, -3, NAN});
  EXPECT_EQ(outputOf(builder.graph, {{"x", x}, {"mask", {ir::ScalarType::Bool, {4}, {1, 0, 0, 1}}}}),
            (std::vector<uint64_t>{bits(1), 0, minusZero, nan}));
  logic::TermStore terms;
  auto spec = denote(terms, builder.graph);
  ASSERT_TRUE(spec);
  auto wrong = evaluateSpec(terms, *spec, {{"x", x}, {"mask", x}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().id, "dtype-unsupported");
}

} // namespace
} // namespace plumbline::spec

// The formulas of PyTorch's CUDA kernels: their values by the processor's own arithmetic, what they assume,
// and what has none. Nothing here ran on a GPU: the formulas come from PyTorch's sources.
#include "core/base/json.h"
#include "core/logic/term_text.h"
#include "core/spec/torch_cuda.h"
#include "tests/unit/spec/calls.h"

#include <algorithm>

namespace plumbline::spec {
namespace {

using torch::DType;
using torch::InputKind;
using Values = std::vector<float>;

constexpr DenoteOptions onCuda{.target = Target::TorchCuda};

Expected<Spec> cudaSpec(logic::TermStore& terms, const GraphBuilder& builder) {
  return denote(terms, builder.graph, onCuda);
}

std::vector<uint64_t> cudaOutputOf(const GraphBuilder& builder, const ir::Tensors& inputs) {
  logic::TermStore terms;
  const auto spec = cudaSpec(terms, builder);
  const auto result = spec ? evaluateSpec(terms, *spec, inputs) : tl::unexpected(spec.error());
  if (!result)
    ADD_FAILURE() << toString(result.error());
  return result ? result->at("out").bits : std::vector<uint64_t>{};
}

std::string cudaErrorOf(const GraphBuilder& builder) {
  logic::TermStore terms;
  const auto spec = cudaSpec(terms, builder);
  return spec ? "" : spec.error().id;
}

std::vector<std::string> cudaAssumptionsOf(const GraphBuilder& builder) {
  logic::TermStore terms;
  const auto spec = cudaSpec(terms, builder);
  return spec ? spec->assumptions : std::vector<std::string>{toString(spec.error())};
}

GraphBuilder call(const std::string& target, std::vector<torch::NamedArgument> more,
                  const std::vector<std::string>& from, const std::vector<std::string>& to) {
  more.insert(more.begin(), tensor("self", "x"));
  return GraphBuilder().input("x", from).node("out", target, std::move(more), to);
}

torch::NamedArgument integers(const std::string& name, const std::vector<int64_t>& values) {
  std::vector<torch::SizeArg> result;
  for (const int64_t value : values)
    result.push_back({ir::sizeConstant(value)});
  return {name, result};
}

/// Both denotations of an element-wise operator on the values, against two functions of the processor. They
/// must differ on some of the values, or the test says nothing.
void expectBoth(const GraphBuilder& builder, const Values& values, const auto& defined, const auto& cuda) {
  const ir::Tensors inputs = {{"x", floats({static_cast<int64_t>(values.size())}, values)}};
  std::vector<uint64_t> wantedDefined;
  std::vector<uint64_t> wantedCuda;
  for (const float x : values) {
    wantedDefined.push_back(bits(defined(x)));
    wantedCuda.push_back(bits(cuda(x)));
  }
  EXPECT_NE(wantedDefined, wantedCuda) << "no value tells the two apart";
  EXPECT_EQ(outputOf(builder.graph, inputs), wantedDefined);
  EXPECT_EQ(cudaOutputOf(builder, inputs), wantedCuda);
}

const Values someValues = {1,          5,    7,       -0.1F, 1e-40F, 0x1.fffffep127F,
                           -0x1p-149F, 0,    -2.999F, 2.97F, 0.001F, 1.7F,
                           -1.23456F,  0.3F, 2.3F,    -0.7F};

TEST(TorchCuda, DivisionByANumberMultipliesByItsReciprocal) {
  for (const char* target :
       {"aten.div.Tensor", "aten.div.Scalar", "aten.divide.Tensor", "aten.true_divide.Tensor"})
    expectBoth(
        call(target, {number("other", 3)}, {"s0"}, {"s0"}), someValues, [](float x) { return x / 3.0F; },
        [](float x) { return x * (1.0F / 3.0F); });
  // The number is rounded to binary32 before it is inverted.
  expectBoth(
      call("aten.div.Tensor", {number("other", 3.7)}, {"s0"}, {"s0"}), someValues,
      [](float x) { return x / 3.7F; }, [](float x) { return x * (1.0F / 3.7F); });
}

TEST(TorchCuda, DivisionByATensorIsOne) {
  GraphBuilder builder;
  builder.input("x", {"2"})
      .input("y", {})
      .node("out", "aten.div.Tensor", {tensor("self", "x"), tensor("other", "y")}, {"2"});
  EXPECT_EQ(cudaOutputOf(builder, {{"x", floats({2}, {5, 7})}, {"y", floats({}, {3})}}),
            (std::vector<uint64_t>{bits(5.0F / 3.0F), bits(7.0F / 3.0F)}));
}

/// PyTorch keeps `torch.tensor(3.0)` in the memory of the host, and then takes it for a number.
TEST(TorchCuda, AConstantDivisorOfOneElementIsRefused) {
  const auto dividedBy = [](const std::string& divisor, const std::vector<std::string>& shape,
                            InputKind kind) {
    GraphBuilder builder;
    builder.input("x", {"4"})
        .input("c", shape, kind)
        .node("copy", "aten.clone.default", {tensor("self", "c")}, shape);
    builder.node("out", "aten.div.Tensor", {tensor("self", "x"), tensor("other", divisor)}, {"4"});
    EXPECT_EQ(errorOf(builder.graph), "");
    return cudaErrorOf(builder);
  };
  EXPECT_EQ(dividedBy("c", {}, InputKind::Constant), "argument-unsupported");
  EXPECT_EQ(dividedBy("copy", {"1"}, InputKind::Constant), "argument-unsupported");
  EXPECT_EQ(dividedBy("copy", {"4"}, InputKind::Constant), "");
  EXPECT_EQ(dividedBy("copy", {}, InputKind::Parameter), "");
  EXPECT_EQ(dividedBy("copy", {}, InputKind::User), "");
}

float clipped(float x) {
  return std::min(std::max(x + 3.0F, 0.0F), 6.0F);
}

TEST(TorchCuda, HardActivationsMultiplyByOneSixth) {
  Values values = someValues;
  for (int k = 0; k < 70; ++k)
    values.push_back(static_cast<float>(k) * 0.0937F - 3.3F);
  expectBoth(
      call("aten.hardsigmoid.default", {}, {"s0"}, {"s0"}), values, [](float x) { return clipped(x) / 6.0F; },
      [](float x) { return clipped(x) * (1.0F / 6.0F); });
  expectBoth(
      call("aten.hardswish.default", {}, {"s0"}, {"s0"}), values,
      [](float x) { return x * clipped(x) / 6.0F; }, [](float x) { return x * clipped(x) * (1.0F / 6.0F); });
}

float rounded(double value) {
  return static_cast<float>(value);
}

TEST(TorchCuda, ExponentialUnitsHaveExpm1) {
  const Values small = {-1e-4F, -0.01F, -0.3F, 2};
  const auto unit = [](float x, float inner, float alpha, auto power) {
    return x > 0 ? x : power(x * inner) * alpha;
  };
  const auto exp = [](float x) { return rounded(std::exp(static_cast<double>(x))) - 1.0F; };
  const auto expm1 = [](float x) { return rounded(std::expm1(static_cast<double>(x))); };
  expectBoth(
      call("aten.elu.default", {}, {"4"}, {"4"}), small, [&](float x) { return unit(x, 1, 1, exp); },
      [&](float x) { return unit(x, 1, 1, expm1); });
  expectBoth(
      call("aten.celu.default", {number("alpha", 2)}, {"4"}, {"4"}), small,
      [&](float x) { return unit(x, 0.5F, 2, exp); }, [&](float x) { return unit(x, 0.5F, 2, expm1); });
}

TEST(TorchCuda, MeansMultiplyByResultsOverElements) {
  const ir::Tensors inputs = {{"x", floats({2, 3}, {1, 2, 2, 3, 3, 1})}}; // sums 5 and 7
  const float third = 2.0F / 6.0F;
  ASSERT_NE(5.0F * third, 5.0F / 3.0F);
  for (const std::string& rows : {std::string("2"), std::string("s0")})
    EXPECT_EQ(cudaOutputOf(call("aten.mean.dim", {integers("dim", {1})}, {rows, "3"}, {rows}), inputs),
              (std::vector<uint64_t>{bits(5.0F * third), bits(7.0F * third)}));
  EXPECT_EQ(cudaOutputOf(call("aten.mean.default", {}, {"2", "3"}, {}), inputs),
            (std::vector<uint64_t>{bits(12.0F * (1.0F / 6.0F))}));
}

TEST(TorchCuda, LossesReduceAsMeansDo) {
  GraphBuilder builder;
  builder.input("x", {"3"}).input("y", {"3"});
  const ir::Tensors inputs = {{"x", floats({3}, {2, 1, 0})}, {"y", floats({3}, {0, 0, 0})}}; // squares: 5
  const auto loss = [&](int64_t reduction) {
    GraphBuilder result = builder;
    return result.node("out", "aten.mse_loss.default",
                       {tensor("self", "x"), tensor("target", "y"), {"reduction", reduction}}, {});
  };
  EXPECT_EQ(outputOf(loss(1).graph, inputs), std::vector{bits(5.0F / 3.0F)});
  EXPECT_EQ(cudaOutputOf(loss(1), inputs), std::vector{bits(5.0F * (1.0F / 3.0F))});
  EXPECT_EQ(cudaOutputOf(loss(2), inputs), std::vector{bits(5.0F)});
  EXPECT_EQ(std::ranges::count(cudaAssumptionsOf(loss(1)), "torch-cuda: mse_loss multiplies as mean does"),
            1);
  EXPECT_EQ(std::ranges::count(cudaAssumptionsOf(loss(2)), "torch-cuda: mse_loss multiplies as mean does"),
            0);
}

TEST(TorchCuda, CrossEntropyOfProbabilitiesDividesByANumber) {
  GraphBuilder builder;
  builder.input("x", {"3", "2"}).input("y", {"3", "2"});
  const auto loss = [&](int64_t reduction) {
    GraphBuilder result = builder;
    return result.node("out", "aten.cross_entropy_loss.default",
                       {tensor("self", "x"), tensor("target", "y"), {"reduction", reduction}}, {});
  };
  const ir::Tensors inputs = {{"x", floats({3, 2}, {0, 1, 2, -1, 0.5F, 0.3F})},
                              {"y", floats({3, 2}, {0.5F, 0.5F, 0.25F, 0.75F, 1, 0})}};
  const float sum = std::bit_cast<float>(static_cast<uint32_t>(outputOf(loss(2).graph, inputs).at(0)));
  EXPECT_EQ(outputOf(loss(1).graph, inputs), std::vector{bits(sum / 3.0F)});
  EXPECT_EQ(cudaOutputOf(loss(1), inputs), std::vector{bits(sum * (1.0F / 3.0F))});
}

TEST(TorchCuda, AdaptiveAveragesDivideBySides) {
  const auto pool = [](const std::vector<int64_t>& size) {
    return call("aten.adaptive_avg_pool2d.default", {integers("output_size", size)}, {"1", "3", "9"},
                {"1", std::to_string(size[0]), std::to_string(size[1])});
  };
  Values values(27, 0);
  values[0] = 5;
  values[26] = 5;
  const ir::Tensors inputs = {{"x", floats({1, 3, 9}, values)}};
  // One window: the mean.
  ASSERT_NE(10.0F * (1.0F / 27.0F), 10.0F / 27.0F);
  EXPECT_EQ(cudaOutputOf(pool({1, 1}), inputs), std::vector{bits(10.0F * (1.0F / 27.0F))});
  // Windows of 3 by 3: two divisions.
  const float third = 5.0F / 3.0F;
  ASSERT_NE(third / 3.0F, 5.0F / 9.0F);
  EXPECT_EQ(outputOf(pool({1, 3}).graph, inputs),
            (std::vector<uint64_t>{bits(5.0F / 9.0F), 0, bits(5.0F / 9.0F)}));
  EXPECT_EQ(cudaOutputOf(pool({1, 3}), inputs),
            (std::vector<uint64_t>{bits(third / 3.0F), 0, bits(third / 3.0F)}));
  // Windows of one column: one division, as defined.
  logic::TermStore terms;
  EXPECT_EQ(denote(terms, pool({1, 9}).graph)->outputs[0].element,
            cudaSpec(terms, pool({1, 9}))->outputs[0].element);
}

/// PyTorch contracts operands in pairs, and sums what only one of them has first.
TEST(TorchCuda, OnlySummationsThatAreOneFoldAreTaken) {
  const auto summed = [](const std::string& equation, const std::vector<std::vector<std::string>>& shapes) {
    GraphBuilder builder;
    torch::TensorRefs names;
    for (const auto& shape : shapes) {
      names.items.push_back({"x" + std::to_string(names.items.size())});
      builder.input(names.items.back().name, shape);
    }
    builder.node("out", "aten.einsum.default", {{"equation", equation}, {"tensors", names}}, {"2"});
    EXPECT_EQ(errorOf(builder.graph), "") << equation;
    return cudaErrorOf(builder);
  };
  EXPECT_EQ(summed("ij->i", {{"2", "3"}}), "");
  EXPECT_EQ(summed("ij,j->i", {{"2", "3"}, {"3"}}), "");
  EXPECT_EQ(summed("ij,k->i", {{"2", "3"}, {"3"}}), "argument-unsupported");
  EXPECT_EQ(summed("ij,ij->i", {{"2", "3"}, {"2", "1"}}), "argument-unsupported"); // j is stretched
  EXPECT_EQ(summed("ij,ij->i", {{"2", "1"}, {"2", "1"}}), "");
  EXPECT_EQ(summed("ij,j,j->i", {{"2", "3"}, {"3"}, {"3"}}), "argument-unsupported");
}

/// 2.05 enlarges 10 to 20, which a CPU takes for a doubling; CUDA finds another neighbour for position 2, as
/// 2 / 2.05 < 1. 1.05 leaves 10 at 10, which a CPU copies; 1 / 1.05 < 1.
TEST(TorchCuda, NearestNeighboursComeFromTheFactor) {
  const auto enlarged = [](int64_t from, int64_t to, double factor) {
    GraphBuilder builder;
    const std::string size = std::to_string(to);
    builder.input("input", {"1", "1", std::to_string(from)})
        .node("out", "aten.upsample_nearest1d.vec",
              {tensor("input", "input"),
               {"output_size", torch::NoneArg{}},
               {"scale_factors", std::vector<torch::FloatScalar>{torch::floatScalar(factor)}}},
              {"1", "1", size});
    EXPECT_EQ(errorOf(builder.graph), "") << factor;
    return cudaErrorOf(builder);
  };
  EXPECT_EQ(enlarged(10, 20, 2), "");
  EXPECT_EQ(enlarged(10, 20, 2.05), "argument-unsupported");
  EXPECT_EQ(enlarged(10, 10, 1), "");
  EXPECT_EQ(enlarged(10, 10, 1.05), "argument-unsupported");
  EXPECT_EQ(enlarged(10, 30, 3), "");
}

/// Positions are binary32 numbers in ATen: a symbolic side is enlarged only as far as these are exact. A CPU
/// doubles without them.
TEST(TorchCuda, NearestNeighboursOfSymbolicSizesHaveALimit) {
  const auto factsOf = [](double factor, const std::string& size, Target target) {
    GraphBuilder builder;
    builder.input("input", {"1", "1", "s0"})
        .node("out", "aten.upsample_nearest1d.vec",
              {tensor("input", "input"),
               {"output_size", torch::NoneArg{}},
               {"scale_factors", std::vector<torch::FloatScalar>{torch::floatScalar(factor)}}},
              {"1", "1", size});
    logic::TermStore store;
    const auto spec = denote(store, builder.graph, {.target = target});
    EXPECT_TRUE(spec) << toString(spec.error());
    std::string text;
    for (const logic::TermId fact : spec ? spec->facts : std::vector<logic::TermId>())
      text += logic::displayText(store, fact) + ";";
    return text;
  };
  EXPECT_EQ(factsOf(2, "s0*2", Target{}), "");
  EXPECT_NE(factsOf(4, "s0*4", Target{}).find("<= 16777216"), std::string::npos);
  EXPECT_NE(factsOf(2, "s0*2", Target::TorchCuda).find("<= 16777216"), std::string::npos);
}

TEST(TorchCuda, RangesOfFloatsRoundStepByStep) {
  GraphBuilder builder;
  builder.input("x", {"2"})
      .node("out", "aten.arange.start_step",
            {number("start", 16777217), number("end", 16777219), number("step", 1)}, {"2"});
  EXPECT_EQ(outputOf(builder.graph, {{"x", floats({2}, {0, 0})}}),
            (std::vector<uint64_t>{bits(16777216), bits(16777218)}));
  const auto start = static_cast<float>(16777217);
  EXPECT_EQ(cudaOutputOf(builder, {{"x", floats({2}, {0, 0})}}),
            (std::vector<uint64_t>{bits(start + 0.0F), bits(start + 1.0F)}));
}

TEST(TorchCuda, RootMeanSquaresMultiplyByRsqrt) {
  GraphBuilder builder;
  builder.input("input", {"s0", "4"})
      .node("out", "aten.rms_norm.default",
            {tensor("input", "input"), integers("normalized_shape", {4}), number("eps", 0)}, {"s0", "4"});
  logic::TermStore terms;
  EXPECT_TRUE(denote(terms, builder.graph)->opaque.empty());
  const auto spec = cudaSpec(terms, builder);
  ASSERT_TRUE(spec) << toString(spec.error());
  EXPECT_EQ(spec->opaque, std::vector<std::string>{"aten.rsqrt"});
  EXPECT_EQ(cudaOutputOf(builder, {{"input", floats({2, 4}, {2, -2, 2, 2, 4, 4, 4, 4})}}),
            floats({2, 4}, {1, -1, 1, 1, 1, 1, 1, 1}).bits);
}

TEST(TorchCuda, AssumptionsSayWhichFormulasWereUsed) {
  const std::vector<std::string> scope(cudaScope().begin(), cudaScope().end());
  EXPECT_EQ(cudaAssumptionsOf(call("aten.neg.default", {}, {"4"}, {"4"})), scope);
  std::vector<std::string> withDiv = scope;
  withDiv.emplace_back("torch-cuda: div by a number multiplies by its reciprocal");
  std::ranges::sort(withDiv);
  EXPECT_EQ(cudaAssumptionsOf(call("aten.div.Tensor", {number("other", 3)}, {"4"}, {"4"})), withDiv);
  EXPECT_EQ(std::ranges::count(cudaAssumptionsOf(call("aten.sum.default", {}, {"4"}, {})),
                               "torch-cuda: sums run in index order"),
            1);
  logic::TermStore terms;
  EXPECT_TRUE(
      denote(terms, call("aten.div.Tensor", {number("other", 3)}, {"4"}, {"4"}).graph)->assumptions.empty());
}

TEST(TorchCuda, WhatHasNoDenotationIsRefusedWithItsNode) {
  const GraphBuilder builder = call("aten.softshrink.default", {}, {"4"}, {"4"});
  EXPECT_EQ(errorOf(builder.graph), "");
  logic::TermStore terms;
  const auto spec = cudaSpec(terms, builder);
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().id, "profile-unsupported");
  EXPECT_NE(spec.error().message.find("'out' (aten.softshrink.default)"), std::string::npos);
  GraphBuilder single;
  single.input("x", {"4"}).input("t", {}, InputKind::User, DType::I64);
  single.node("out", "aten.nll_loss.default", {tensor("self", "x"), tensor("target", "t")}, {});
  EXPECT_EQ(errorOf(single.graph), "");
  EXPECT_EQ(cudaErrorOf(single), "argument-unsupported");
}

TEST(TorchCuda, TheTableIsTheOneInTheDocument) {
  const auto document = readFile(std::string(PLUMBLINE_SOURCE_DIR) + "/core/spec/KNOWN_DIFFERENCES.md");
  ASSERT_TRUE(document);
  EXPECT_NE(document->find(printCudaRows()), std::string::npos) << printCudaRows();
  EXPECT_EQ(findCudaRow("aten.div.Tensor")->op, "div");
  EXPECT_EQ(findCudaRow("aten.divide.Tensor")->op, "divide");
  EXPECT_EQ(findCudaRow("aten.add.Tensor"), nullptr);
  EXPECT_EQ(findCudaRow("div"), nullptr);
}

} // namespace
} // namespace plumbline::spec

// Convolutions: PyTorch's own results on integers, symbolic sizes, refusals.
#include "core/spec/evaluate.h"
#include "core/spec/spec.h"
#include "tests/unit/spec/graphs.h"
#include "tests/unit/spec/integer_cases.h"

#include <bit>
#include <gtest/gtest.h>

namespace plumbline::spec {
namespace {

std::string errorOf(const torch::Graph& graph) {
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  return spec ? "" : spec.error().id;
}

torch::NamedArgument integers(const std::string& name, const std::vector<int64_t>& values) {
  std::vector<torch::SizeArg> result;
  for (int64_t value : values)
    result.push_back({ir::sizeConstant(value)});
  return {name, result};
}

void expectAll(std::initializer_list<std::string_view> words, size_t atLeast) {
  const auto cases = integerCases(words);
  EXPECT_GE(cases.size(), atLeast);
  for (const IntegerCase& each : cases)
    expectAgreement(each);
}

TEST(Convolution, AgreesWithPyTorch) {
  expectAll({"conv1d.default", "conv2d.default", "conv3d.default", "convolution"}, 14);
}

TEST(Convolution, PaddingByNameAgreesWithPyTorch) {
  expectAll({"conv1d.padding", "conv2d.padding", "conv3d.padding"}, 5);
}

TEST(Convolution, TransposedAgreesWithPyTorch) {
  expectAll({"conv_transpose"}, 9);
}

/// The same case with symbols for the sizes of the input and the result in terms of them.
void expectSymbolic(std::string_view word, size_t which, const std::vector<std::string>& input,
                    const std::vector<std::string>& result) {
  IntegerCase each = integerCases({word}).at(which);
  SCOPED_TRACE(each.name);
  const torch::Argument* given = torch::findArgument(each.graph.nodes[0], "input");
  const std::string name = std::get<torch::TensorRef>(*given).name;
  each.graph.tensors[name].sizes = sizes(input);
  each.graph.tensors["out0"].sizes = sizes(result);
  for (const auto& size : each.graph.tensors[name].sizes)
    for (const std::string& symbol : ir::symbolsOf(*size))
      each.graph.symbols[symbol] = {1, std::nullopt};
  expectAgreement(each);
}

TEST(Convolution, SymbolicSizes) {
  expectSymbolic("conv2d.default", 0, {"s0", "3", "s2", "s3"}, {"s0", "4", "s2 - 2", "s3 - 1"});
  // Stride 2 and 3, dilation 2 and 1, padding 1: (s2 + 2 - 4 - 1) / 2 + 1 and (s3 + 2 - 1 - 1) / 3 + 1.
  expectSymbolic("conv2d.default", 2, {"s0", "4", "s2", "s3"}, {"s0", "6", "(s2 - 1) / 2", "s3 / 3 + 1"});
  expectSymbolic("conv_transpose1d.default", 1, {"3", "s1"}, {"2", "2 * s1"});
}

struct ConvolutionGraph {
  std::vector<std::string> input = {"1", "4", "5"};
  std::vector<std::string> weight = {"6", "4", "3"};
  std::vector<std::string> result = {"1", "6", "3"};
  std::vector<torch::NamedArgument> more = {};
  std::string target = "aten.conv1d.default";

  torch::Graph graph() const {
    GraphBuilder builder;
    builder.input("x", input).input("w", weight).input("b", {"5"});
    std::vector<torch::NamedArgument> arguments{tensor("input", "x"), tensor("weight", "w")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return builder.node("out", target, std::move(arguments), result).graph;
  }
};

TEST(Convolution, Refusals) {
  EXPECT_EQ(errorOf(ConvolutionGraph{}.graph()), "");
  EXPECT_EQ(errorOf(ConvolutionGraph{.result = {"1", "6", "4"}}.graph()), "shape-mismatch");
  EXPECT_EQ(errorOf(ConvolutionGraph{.weight = {"6", "3", "3"}}.graph()), "shape-mismatch");
  EXPECT_EQ(errorOf(ConvolutionGraph{.more = {tensor("bias", "b")}}.graph()), "shape-mismatch");
  EXPECT_EQ(errorOf(ConvolutionGraph{
                .weight = {"5", "2", "3"}, .result = {"1", "5", "3"}, .more = {{"groups", int64_t{2}}}}
                        .graph()),
            "shape-mismatch");
  EXPECT_EQ(errorOf(ConvolutionGraph{.input = {"4", "5", "1", "1"}}.graph()), "argument-unsupported");
  EXPECT_EQ(errorOf(ConvolutionGraph{.more = {integers("stride", {0})}}.graph()), "argument-unsupported");
  EXPECT_EQ(errorOf(ConvolutionGraph{.more = {integers("padding", {-1})}}.graph()), "argument-unsupported");
  EXPECT_EQ(errorOf(ConvolutionGraph{.more = {integers("dilation", {1, 1})}}.graph()),
            "argument-unsupported");
  EXPECT_EQ(
      errorOf(ConvolutionGraph{.more = {{"padding", std::string("reflect")}}, .target = "aten.conv1d.padding"}
                  .graph()),
      "argument-unsupported");
  EXPECT_EQ(errorOf(ConvolutionGraph{.weight = {"4", "6", "3"},
                                     .result = {"1", "6", "8"},
                                     .more = {integers("output_padding", {1})},
                                     .target = "aten.conv_transpose1d.default"}
                        .graph()),
            "argument-unsupported");
}

/// A tap in the padding is no term: 0 * infinity would be NaN.
TEST(Convolution, PaddingIsNotMultiplied) {
  const torch::Graph graph = ConvolutionGraph{
      .input = {"1", "1", "1"},
      .weight = {"1", "1", "3"},
      .result = {"1", "1", "1"},
      .more = {integers("padding",
                        {1})}}.graph();
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  ASSERT_TRUE(spec);
  const uint64_t infinity = 0x7F800000;
  const uint64_t two = 0x40000000;
  const ir::Tensors inputs{{"x", {ir::ScalarType::F32, {1, 1, 1}, {two}}},
                           {"w", {ir::ScalarType::F32, {1, 1, 3}, {infinity, two, infinity}}},
                           {"b", {ir::ScalarType::F32, {5}, std::vector<uint64_t>(5)}}};
  EXPECT_EQ(evaluateSpec(terms, *spec, inputs)->at("out").bits, std::vector<uint64_t>{0x40800000});
}

} // namespace
} // namespace plumbline::spec

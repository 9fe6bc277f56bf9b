// Pooling: PyTorch's own results, symbolic sizes, refusals.
#include "core/spec/spec.h"
#include "tests/unit/spec/graphs.h"
#include "tests/unit/spec/integer_cases.h"

#include <gtest/gtest.h>

namespace plumbline::spec {
namespace {

void expectAll(std::initializer_list<std::string_view> words, size_t atLeast) {
  const auto cases = integerCases(words);
  EXPECT_GE(cases.size(), atLeast);
  for (const IntegerCase& each : cases)
    expectAgreement(each);
}

TEST(Pooling, MaximumAgreesWithPyTorch) {
  expectAll({"max_pool"}, 17);
}

TEST(Pooling, AverageAgreesWithPyTorch) {
  expectAll({"avg_pool"}, 10);
}

TEST(Pooling, AdaptiveAgreesWithPyTorch) {
  expectAll({"adaptive_"}, 12);
}

torch::NamedArgument integers(const std::string& name, const std::vector<int64_t>& values) {
  std::vector<torch::SizeArg> result;
  for (int64_t value : values)
    result.push_back({ir::sizeConstant(value)});
  return {name, result};
}

std::string errorOf(const std::string& target, const std::vector<std::string>& input,
                    std::vector<torch::NamedArgument> arguments, const std::vector<std::string>& result) {
  GraphBuilder builder;
  arguments.insert(arguments.begin(), tensor("self", "x"));
  builder.input("x", input).node("out", target, std::move(arguments), result);
  logic::TermStore terms;
  auto spec = denote(terms, builder.graph);
  return spec ? "" : spec.error().id;
}

TEST(Pooling, SymbolicSizes) {
  const std::vector<std::string> input{"s0", "2", "s2"};
  EXPECT_EQ(errorOf("aten.max_pool1d.default", input, {integers("kernel_size", {3}), integers("stride", {1})},
                    {"s0", "2", "s2 - 2"}),
            "");
  EXPECT_EQ(errorOf("aten.avg_pool1d.default", input,
                    {integers("kernel_size", {2}), integers("padding", {1})}, {"s0", "2", "s2 / 2 + 1"}),
            "");
  // The last window is left out when it would start in the padding at the end.
  EXPECT_EQ(errorOf("aten.avg_pool1d.default", input,
                    {integers("kernel_size", {2}), integers("padding", {1}), {"ceil_mode", true}},
                    {"s0", "2", "s2 / 2 + 1"}),
            "");
  EXPECT_EQ(errorOf("aten.avg_pool1d.default", input, {integers("kernel_size", {2}), {"ceil_mode", true}},
                    {"s0", "2", "(s2 + 1) / 2"}),
            "");
  EXPECT_EQ(
      errorOf("aten.adaptive_avg_pool1d.default", input, {integers("output_size", {4})}, {"s0", "2", "4"}),
      "");
}

TEST(Pooling, Refusals) {
  const std::string target = "aten.max_pool1d.default";
  const std::vector<std::string> input{"1", "2", "6"};
  const auto kernel = integers("kernel_size", {2});
  EXPECT_EQ(errorOf(target, input, {kernel}, {"1", "2", "3"}), "");
  EXPECT_EQ(errorOf(target, input, {kernel}, {"1", "2", "4"}), "shape-mismatch");
  EXPECT_EQ(errorOf(target, input, {kernel, integers("padding", {2})}, {"1", "2", "5"}),
            "argument-unsupported");
  EXPECT_EQ(errorOf(target, input, {kernel, integers("stride", {0})}, {"1", "2", "5"}),
            "argument-unsupported");
  EXPECT_EQ(errorOf(target, input, {integers("kernel_size", {0})}, {"1", "2", "5"}), "argument-unsupported");
  EXPECT_EQ(errorOf(target, {"6"}, {kernel}, {"3"}), "argument-unsupported");
  EXPECT_EQ(
      errorOf("aten.avg_pool2d.default", input, {kernel, {"divisor_override", int64_t{0}}}, {"1", "1", "3"}),
      "argument-unsupported");
  EXPECT_EQ(errorOf("aten.adaptive_avg_pool2d.default", input, {integers("output_size", {1, 1, 1})},
                    {"1", "1", "1"}),
            "argument-unsupported");
}

} // namespace
} // namespace plumbline::spec

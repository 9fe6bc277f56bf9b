// Matrix products, einsum and attention: PyTorch's own results where they are exact, refusals, sizes.
#include "core/spec/evaluate.h"
#include "core/spec/spec.h"
#include "tests/unit/spec/calls.h"
#include "tests/unit/spec/graphs.h"
#include "tests/unit/spec/integer_cases.h"

#include <bit>
#include <chrono>
#include <gtest/gtest.h>

namespace plumbline::spec {
namespace {

using ir::ScalarType;

std::string errorOf(const torch::Graph& graph) {
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  return spec ? "" : spec.error().id;
}

void expectAll(std::initializer_list<std::string_view> words, size_t atLeast) {
  const auto cases = integerCases(words);
  EXPECT_GE(cases.size(), atLeast);
  for (const IntegerCase& each : cases)
    expectAgreement(each);
}

GraphBuilder product(const std::string& target, const std::vector<std::string>& left,
                     const std::vector<std::string>& right, const std::vector<std::string>& result) {
  GraphBuilder builder;
  builder.input("a", left).input("b", right);
  return builder.node("out", target, {tensor("self", "a"), tensor("other", "b")}, result);
}

TEST(LinearAlgebra, ProductsAgreeWithPyTorch) {
  expectAll({"matmul", "mm", "bmm", "mv", "dot", "vdot", "outer", "addm", "baddbmm"}, 24);
}

TEST(LinearAlgebra, LinearAgreesWithPyTorch) {
  expectAll({"linear"}, 6);
}

TEST(LinearAlgebra, EinsumAgreesWithPyTorch) {
  expectAll({"einsum"}, 22);
}

/// Scores of 0: every key that is seen weighs alike. A row that sees none has weights 0, not NaN.
TEST(LinearAlgebra, AttentionAgreesWithPyTorch) {
  expectAll({"scaled_dot_product_attention"}, 8);
}

TEST(LinearAlgebra, ShapesThatDoNotFit) {
  EXPECT_EQ(errorOf(product("aten.matmul.default", {"2", "3"}, {"4", "5"}, {"2", "5"}).graph),
            "shape-mismatch");
  EXPECT_EQ(errorOf(product("aten.matmul.default", {"2", "2", "3"}, {"3", "3", "5"}, {"2", "2", "5"}).graph),
            "shape-mismatch");
  EXPECT_EQ(errorOf(product("aten.matmul.default", {"2", "3"}, {"3", "5"}, {"5", "2"}).graph),
            "shape-mismatch");
  EXPECT_EQ(errorOf(product("aten.matmul.default", {}, {"3"}, {"3"}).graph), "argument-unsupported");
  EXPECT_EQ(errorOf(product("aten.vdot.default", {"1", "3"}, {"3"}, {}).graph), "argument-unsupported");
}

/// The exporter lets symbols differ that only PyTorch's own check joins: the spec says so as a fact.
TEST(LinearAlgebra, ContractedSymbolsAreEqualAsAFact) {
  GraphBuilder builder = product("aten.matmul.default", {"s0", "s1"}, {"s2", "s3"}, {"s0", "s3"});
  logic::TermStore terms;
  EXPECT_EQ(errorOf(builder.graph), "shape-mismatch")
      << "without captured sizes nothing says that they agree";
  builder.graph.hints = {{"s0", 2}, {"s1", 3}, {"s2", 3}, {"s3", 4}};
  auto spec = denote(terms, builder.graph);
  ASSERT_TRUE(spec) << toString(spec.error());
  ASSERT_EQ(spec->facts.size(), 1U);
  const ir::Tensor a{ScalarType::F32, {2, 3}, std::vector<uint64_t>(6)};
  EXPECT_TRUE(
      evaluateSpec(terms, *spec, {{"a", a}, {"b", {ScalarType::F32, {3, 2}, std::vector<uint64_t>(6)}}}));
  auto wrong =
      evaluateSpec(terms, *spec, {{"a", a}, {"b", {ScalarType::F32, {4, 2}, std::vector<uint64_t>(8)}}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().id, "shape-mismatch");
  builder.graph.hints["s2"] = 5;
  EXPECT_EQ(errorOf(builder.graph), "shape-mismatch");
}

/// (2^24 + 1) + 1 in that order: the fold from the first term on, not a tree and not a wider accumulator.
TEST(LinearAlgebra, TheFoldIsInIndexOrder) {
  const auto bits = [](std::vector<float> values) {
    std::vector<uint64_t> result;
    for (float value : values)
      result.push_back(std::bit_cast<uint32_t>(value));
    return result;
  };
  const torch::Graph graph = product("aten.matmul.default", {"3"}, {"3"}, {}).graph;
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  ASSERT_TRUE(spec);
  const ir::Tensor ones{ScalarType::F32, {3}, bits({1, 1, 1})};
  auto value = [&](std::vector<float> values) {
    return evaluateSpec(terms, *spec, {{"a", {ScalarType::F32, {3}, bits(std::move(values))}}, {"b", ones}})
        ->at("out")
        .bits;
  };
  EXPECT_EQ(value({0x1p24F, 1, 1}), bits({0x1p24F}));
  EXPECT_EQ(value({1, 1, 0x1p24F}), bits({0x1p24F + 2}));
}

TEST(LinearAlgebra, AFactorOfZeroIsRefused) {
  GraphBuilder builder;
  builder.input("a", {"2", "2"});
  builder.node("out", "aten.addmm.default",
               {tensor("self", "a"), tensor("mat1", "a"), tensor("mat2", "a"), number("alpha", 0)},
               {"2", "2"});
  EXPECT_EQ(errorOf(builder.graph), "argument-unsupported");
}

torch::Graph einsumOf(const std::string& equation, size_t operands, const std::vector<std::string>& result) {
  GraphBuilder builder;
  builder.input("a", {"2", "3"});
  torch::TensorRefs tensors;
  for (size_t k = 0; k < operands; ++k)
    tensors.items.push_back({"a"});
  return builder.node("out", "aten.einsum.default", {{"equation", equation}, {"tensors", tensors}}, result)
      .graph;
}

TEST(Einsum, Refusals) {
  EXPECT_EQ(errorOf(einsumOf("ij->ji", 1, {"3", "2"})), "");
  EXPECT_EQ(errorOf(einsumOf("ij,ij,ij->i", 3, {"2"})), "");
  EXPECT_EQ(errorOf(einsumOf("ij->ijk", 1, {"2", "3", "1"})), "argument-unsupported");
  EXPECT_EQ(errorOf(einsumOf("ij->ii", 1, {"2", "2"})), "argument-unsupported");
  EXPECT_EQ(errorOf(einsumOf("i->i", 1, {"2"})), "argument-unsupported");
  EXPECT_EQ(errorOf(einsumOf("ijk->i", 1, {"2"})), "argument-unsupported");
  EXPECT_EQ(errorOf(einsumOf("ij", 2, {"2", "3"})), "argument-unsupported");
  EXPECT_EQ(errorOf(einsumOf("i1->i", 1, {"2"})), "argument-unsupported");
  EXPECT_EQ(errorOf(einsumOf("i......", 1, {"2", "3"})), "argument-unsupported");
  EXPECT_EQ(errorOf(einsumOf("ii->i", 1, {"2"})), "shape-mismatch");
  EXPECT_EQ(errorOf(einsumOf("ij,jk->ik", 2, {"2", "3"})), "shape-mismatch");
}

torch::Graph attentionOf(std::vector<torch::NamedArgument> more) {
  GraphBuilder builder;
  builder.input("q", {"2", "2", "4"}).input("m", {"2", "2"});
  std::vector<torch::NamedArgument> arguments{tensor("query", "q"), tensor("key", "q"), tensor("value", "q")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return builder
      .node("out", "aten.scaled_dot_product_attention.default", std::move(arguments), {"2", "2", "4"})
      .graph;
}

TEST(Attention, Refusals) {
  EXPECT_EQ(errorOf(attentionOf({})), "");
  EXPECT_EQ(errorOf(attentionOf({number("dropout_p", 0.1)})), "argument-unsupported");
  EXPECT_EQ(errorOf(attentionOf({{"enable_gqa", true}})), "");
  EXPECT_EQ(errorOf(attentionOf({{"is_causal", true}, tensor("attn_mask", "m")})), "argument-unsupported");
  EXPECT_EQ(errorOf(attentionOf({tensor("attn_mask", "m")})), "");
}

/// (1 * 2^24) * 2^24 per term and then the sum, in order: a pairwise contraction would round elsewhere.
TEST(Einsum, ThreeOperandsAreOneFold) {
  GraphBuilder builder;
  builder.input("a", {"3"}).input("b", {"3"}).input("c", {"3"});
  const torch::TensorRefs tensors{{{"a"}, {"b"}, {"c"}}};
  builder.node("out", "aten.einsum.default", {{"equation", std::string("i,i,i->")}, {"tensors", tensors}},
               {});
  const ir::Tensors inputs{{"a", floats({3}, {1, 0x1p24F, 3})},
                           {"b", floats({3}, {0x1p24F, 1, 0x1p-1F})},
                           {"c", floats({3}, {1, 0x1p-24F, 2})}};
  EXPECT_EQ(outputOf(builder.graph, inputs), std::vector<uint64_t>{bits((0x1p24F + 1.0F) + 3.0F)});
}

torch::Graph groupedAttention(const char* heads) {
  GraphBuilder builder;
  builder.input("q", {"4", "2", "4"}).input("k", {heads, "2", "4"});
  return builder
      .node("out", "aten.scaled_dot_product_attention.default",
            {tensor("query", "q"), tensor("key", "k"), tensor("value", "k"), {"enable_gqa", true}},
            {"4", "2", "4"})
      .graph;
}

TEST(Attention, GroupsOfHeads) {
  for (const char* heads : {"1", "2", "4"})
    EXPECT_EQ(errorOf(groupedAttention(heads)), "") << heads;
  for (const char* heads : {"3", "8"})
    EXPECT_EQ(errorOf(groupedAttention(heads)), "argument-unsupported") << heads;
}

/// One element of a large product needs neither the other elements nor copies of the operands.
TEST(LinearAlgebra, OneElementOfALargeProduct) {
  constexpr int64_t n = 4096;
  const std::string size = std::to_string(n);
  const torch::Graph graph = product("aten.matmul.default", {size, size}, {size, size}, {size, size}).graph;
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  ASSERT_TRUE(spec);
  EXPECT_LT(terms.size(), 100U);
  const ir::Tensor ones{
      ScalarType::F32, {n, n}, std::vector<uint64_t>(static_cast<size_t>(n * n), 0x3F800000)};
  const ir::Tensors inputs{{"a", ones}, {"b", ones}};
  const int64_t index[] = {n * 1234 + 567};
  const auto start = std::chrono::steady_clock::now();
  auto value = evaluateAt(terms, *spec, 0, index, {}, inputs);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(value) << toString(value.error());
  EXPECT_EQ(value->at(0).bits, std::bit_cast<uint32_t>(4096.0F));
  RecordProperty("milliseconds", std::to_string(elapsed.count()));
  EXPECT_LT(elapsed.count(), 100);
}

} // namespace
} // namespace plumbline::spec

#include "core/spec/evaluate_real.h"
#include "core/spec/operators.h"
#include "core/spec/spec_json.h"
#include "core/spec/tensor_operators.h"
#include "tests/unit/spec/graphs.h"

#include <gtest/gtest.h>
#include <set>

namespace plumbline::spec {
namespace {

using torch::DType;
using torch::InputKind;

constexpr uint64_t minusZero = 0x80000000;
constexpr uint64_t nan = 0x7FC00000;

GraphBuilder unary(const std::string& target, std::vector<torch::NamedArgument> more = {}) {
  more.insert(more.begin(), tensor("self", "x"));
  return GraphBuilder().input("x", {"4"}).node("out", target, std::move(more), {"4"});
}

std::string errorOf(const torch::Graph& graph) {
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  return spec ? "" : spec.error().id;
}

/// The values at four inputs with every choice set alike.
std::vector<uint64_t> values(const torch::Graph& graph, std::vector<uint64_t> bits, bool choice) {
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  if (!spec) {
    ADD_FAILURE() << toString(spec.error());
    return {};
  }
  EvaluateOptions options;
  options.otherChoices = choice;
  auto result = evaluateSpec(terms, *spec, {{"x", {ir::ScalarType::F32, {4}, std::move(bits)}}}, options);
  return result ? result->at("out").bits : std::vector<uint64_t>{};
}

TEST(Denote, ReluLeavesOnlyTheSignOfZeroOpen) {
  const torch::Graph graph = unary("aten.relu.default").graph;
  const std::vector<uint64_t> bits = {minusZero, 0, 0xBF800000, 0x7F800001};
  EXPECT_EQ(values(graph, bits, true), (std::vector<uint64_t>{minusZero, 0, 0, nan}));
  EXPECT_EQ(values(graph, bits, false), (std::vector<uint64_t>{0, 0, 0, nan}));
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  ASSERT_EQ(spec->choices.size(), 1U);
  EXPECT_EQ(spec->choices[0].op, "relu");
  EXPECT_EQ(spec->choices[0].node, "out");
  EXPECT_EQ(spec->assumptions, std::vector<std::string>{"zero-sign:relu"});
}

TEST(Denote, NoChoiceWithoutATie) {
  logic::TermStore terms;
  EXPECT_TRUE(denote(terms, unary("aten.hardtanh.default").graph)->choices.empty());
  EXPECT_TRUE(denote(terms, unary("aten.leaky_relu.default").graph)->choices.empty());
  EXPECT_EQ(denote(terms, unary("aten.relu6.default").graph)->choices.size(), 1U);
}

TEST(Denote, DefaultsComeFromTheTable) {
  const torch::Graph given = unary("aten.leaky_relu.default", {number("negative_slope", 0.01)}).graph;
  const torch::Graph left = unary("aten.leaky_relu.default").graph;
  logic::TermStore terms;
  EXPECT_EQ(denote(terms, given)->outputs[0].element, denote(terms, left)->outputs[0].element);
  const torch::Graph other = unary("aten.leaky_relu.default", {number("negative_slope", 0.02)}).graph;
  EXPECT_NE(denote(terms, given)->outputs[0].element, denote(terms, other)->outputs[0].element);
}

TEST(Denote, ConstantsKeepTheirText) {
  logic::TermStore terms;
  auto constantText = [&](double value) {
    auto spec = denote(terms, unary("aten.mul.Tensor", {number("other", value)}).graph);
    return terms.symbolText(terms[spec->outputs[0].element].args[1]);
  };
  EXPECT_EQ(constantText(0.01), "0.01");
  EXPECT_EQ(constantText(0.5), "");
  EXPECT_EQ(constantText(16777217), "16777217");
  EXPECT_EQ(constantText(1e40), "1e+40");
  EXPECT_EQ(constantText(HUGE_VAL), "");
}

TEST(Denote, ChoicesFollowTheirElement) {
  GraphBuilder builder;
  builder.input("x", {"2", "3"}).input("b", {"3"});
  builder.node("r", "aten.relu.default", {tensor("self", "b")}, {"3"});
  builder.node("out", "aten.add.Tensor", {tensor("self", "x"), tensor("other", "r")}, {"2", "3"});
  logic::TermStore terms;
  auto spec = denote(terms, builder.graph);
  ASSERT_TRUE(spec) << toString(spec.error());
  ASSERT_EQ(spec->choices.size(), 1U);
  EXPECT_EQ(spec->choices[0].base, "zero:r");
  EXPECT_NE(spec->choices[0].variable, "zero:r");
  EXPECT_EQ(sizeValue(terms, spec->choices[0].index, {{"i", 5}}), 2);
}

TEST(Denote, NamedErrors) {
  EXPECT_EQ(errorOf(unary("aten.frobnicate.default").graph), "operator-unsupported");
  EXPECT_EQ(errorOf(unary("aten.relu.default", {number("inplace", 1)}).graph), "argument-unsupported");
  EXPECT_EQ(errorOf(unary("aten.mul.Tensor").graph), "argument-unsupported");
  EXPECT_EQ(errorOf(unary("aten.clamp.default").graph), "argument-unsupported");
  EXPECT_EQ(errorOf(unary("aten.gelu.default", {{"approximate", std::string("cubic")}}).graph),
            "argument-unsupported");
  EXPECT_EQ(errorOf(unary("aten.relu_.default").graph), "graph-unsupported");
  EXPECT_EQ(errorOf(unary("aten.where.ScalarOther", {tensor("condition", "x"), number("other", 1)}).graph),
            "argument-unsupported");
  torch::Graph shape = unary("aten.relu.default").graph;
  shape.tensors["out"].sizes = sizes({"5"});
  EXPECT_EQ(errorOf(shape), "shape-mismatch");
  torch::Graph dtype = unary("aten.relu.default").graph;
  dtype.tensors["out"].dtype = DType::Bool;
  EXPECT_EQ(errorOf(dtype), "shape-mismatch");
  dtype.tensors["out"].dtype = DType::F64;
  EXPECT_EQ(errorOf(dtype), "dtype-unsupported");
  dtype.tensors["x"].dtype = DType::F16;
  EXPECT_EQ(errorOf(dtype), "dtype-unsupported");
}

TEST(Denote, ErrorsNameTheNode) {
  logic::TermStore terms;
  auto spec = denote(terms, unary("aten.frobnicate.default").graph);
  ASSERT_FALSE(spec);
  EXPECT_NE(spec.error().message.find("'out' (aten.frobnicate.default)"), std::string::npos)
      << spec.error().message;
  GraphBuilder shapes;
  shapes.input("x", {"4"}).input("y", {"3"});
  shapes.node("out", "aten.add.Tensor", {tensor("self", "x"), tensor("other", "y")}, {"4"});
  spec = denote(terms, shapes.graph);
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().id, "shape-mismatch");
  EXPECT_NE(spec.error().message.find("[3]"), std::string::npos);
}

/// Batch normalisation counts its calls in a buffer that nothing reads.
TEST(Denote, UnreadCountersMayBeWritten) {
  auto graph = [](DType dtype, InputKind kind, const char* written) {
    GraphBuilder builder;
    builder.input("x", {"4"}).input("count", {}, kind, dtype);
    builder.node("added", "aten.add_.Tensor", {tensor("self", written), {"other", int64_t{1}}}, {}, dtype);
    return builder.node("out", "aten.relu.default", {tensor("self", "x")}, {"4"}).graph;
  };
  EXPECT_EQ(errorOf(graph(DType::I64, InputKind::Buffer, "count")), "");
  EXPECT_EQ(errorOf(graph(DType::F32, InputKind::Buffer, "count")), "graph-unsupported");
  EXPECT_EQ(errorOf(graph(DType::I64, InputKind::User, "count")), "graph-unsupported");
  EXPECT_EQ(errorOf(graph(DType::I64, InputKind::Buffer, "x")), "graph-unsupported");
}

TEST(Denote, ConstantsOfTheProgram) {
  GraphBuilder builder;
  builder.input("c", {}, InputKind::Constant).input("x", {"4"});
  builder.node("out", "aten.mul.Tensor", {tensor("self", "x"), tensor("other", "c")}, {"4"});
  logic::TermStore terms;
  auto open = denote(terms, builder.graph);
  ASSERT_TRUE(open);
  EXPECT_EQ(open->openConstants, std::vector<std::string>{"c"});
  builder.graph.constants["c"] = {{}, {0x40000000}};
  auto known = denote(terms, builder.graph);
  EXPECT_TRUE(known->openConstants.empty());
  EXPECT_EQ(values(builder.graph, {0x3F800000, 0, nan, minusZero}, true),
            (std::vector<uint64_t>{0x40000000, 0, nan, minusZero}));
}

TEST(Denote, LongChainsAreNotRecursive) {
  GraphBuilder builder;
  builder.input("x", {"4"});
  std::string last = "x";
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "n" + std::to_string(i);
    builder.node(name, "aten.neg.default", {tensor("self", last)}, {"4"});
    last = name;
  }
  EXPECT_EQ(errorOf(builder.graph), "");
}

TEST(Evaluate, NamedErrors) {
  GraphBuilder builder;
  builder.input("x", {"s0"}).node("out", "aten.neg.default", {tensor("self", "x")}, {"s0"});
  logic::TermStore terms;
  auto spec = denote(terms, builder.graph);
  ASSERT_TRUE(spec);
  auto idOf = [&](const ir::Tensors& inputs) {
    auto result = evaluateSpec(terms, *spec, inputs);
    return result ? std::string() : result.error().id;
  };
  using ir::ScalarType;
  EXPECT_EQ(idOf({{"x", {ScalarType::F32, {2}, {0, 1}}}}), "");
  EXPECT_EQ(idOf({{"x", {ScalarType::F32, {2, 1}, {0, 1}}}}), "shape-mismatch");
  EXPECT_EQ(idOf({{"x", {ScalarType::F32, {1}, {0}}}}), "shape-mismatch") << "below the symbol's range";
  EXPECT_EQ(idOf({{"x", {ScalarType::F32, {2}, {0}}}}), "shape-mismatch");
  EXPECT_EQ(idOf({{"x", {ScalarType::F64, {2}, {0, 1}}}}), "dtype-unsupported");
  EXPECT_NE(idOf({}), "");
}

TEST(Evaluate, RealReading) {
  logic::TermStore terms;
  auto spec = denote(terms, unary("aten.mul.Tensor", {number("other", 0.1)}).graph);
  ASSERT_TRUE(spec);
  const ir::Tensors inputs = {{"x", {ir::ScalarType::F32, {4}, {0x3F800000, 0x40400000, nan, minusZero}}}};
  auto result = evaluateSpecReal(terms, *spec, inputs);
  ASSERT_TRUE(result) << toString(result.error());
  const auto& real = result->at("out").values;
  EXPECT_EQ(real[0].rational(), f32::Rational(1, 10));
  EXPECT_EQ(real[1].rational(), f32::Rational(3, 10));
  EXPECT_EQ(real[2].kind(), logic::EnclosedValue::Kind::Undefined);
  EXPECT_TRUE(real[3].is(0));
}

TEST(Operators, EachHasASchemaAndEachSchemaAnOperator) {
  std::set<std::string> names;
  for (const Operator& each : allOperators()) {
    EXPECT_TRUE(names.insert(std::string(each.target)).second) << each.target << " is listed twice";
    EXPECT_NE(findSchema(each.target), nullptr) << each.target;
  }
  for (const TensorOperator& each : allTensorOperators()) {
    EXPECT_TRUE(names.insert(std::string(each.target)).second) << each.target << " is listed twice";
    EXPECT_NE(findSchema(each.target), nullptr) << each.target;
  }
  for (const OpSchema& schema : opSchemas())
    EXPECT_TRUE(names.contains(schema.target)) << schema.target;
}

TEST(SpecJson, RootsAreInRange) {
  logic::TermStore terms;
  auto spec = denote(terms, unary("aten.relu.default").graph);
  const Json json = toJson(terms, *spec);
  EXPECT_EQ(json["outputs"].size(), 1U);
  EXPECT_LT(json["outputs"][0]["element"].get<size_t>(), json["terms"]["roots"].size());
  EXPECT_EQ(json["choices"][0]["op"], "relu");
}

} // namespace
} // namespace plumbline::spec

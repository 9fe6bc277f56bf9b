// The real reading of whole programs: folds, the precision that is needed, single elements of large tensors.
#include "core/spec/evaluate_real.h"

#include "tests/unit/spec/graphs.h"

#include <bit>
#include <gtest/gtest.h>

namespace plumbline::spec {
namespace {

using f32::Rational;
using logic::Doubt;
using logic::EnclosedValue;
using Kind = EnclosedValue::Kind;

uint64_t bitsOf(float value) {
  return std::bit_cast<uint32_t>(value);
}

Rational exact(float value) {
  return f32::toRational<f32::Binary32>(std::bit_cast<uint32_t>(value)).value();
}

/// One program with its inputs.
class Program {
public:
  Program(const GraphBuilder& builder, ir::Tensors inputs, const EvaluateOptions& options = {})
      : m_inputs(std::move(inputs)) {
    auto spec = denote(m_terms, builder.graph);
    if (!spec) {
      ADD_FAILURE() << toString(spec.error());
      return;
    }
    m_spec = *std::move(spec);
    auto sizes = bindSizes(m_terms, m_spec, m_inputs);
    if (!sizes) {
      ADD_FAILURE() << toString(sizes.error());
      return;
    }
    m_sizes = *std::move(sizes);
    auto made = RealEvaluator::make(m_terms, m_spec, m_sizes, m_inputs, options);
    if (made)
      evaluator = *std::move(made);
  }

  EnclosedValue at(int64_t index) const {
    auto value = evaluator->at(0, index);
    if (!value)
      ADD_FAILURE() << toString(value.error());
    return value.value_or(EnclosedValue());
  }

  std::unique_ptr<RealEvaluator> evaluator;

private:
  logic::TermStore m_terms;
  Spec m_spec;
  Sizes m_sizes;
  ir::Tensors m_inputs;
};

ir::Tensor vector(const std::vector<float>& values) {
  ir::Tensor result{ir::ScalarType::F32, {static_cast<int64_t>(values.size())}, {}};
  for (const float value : values)
    result.bits.push_back(bitsOf(value));
  return result;
}

GraphBuilder onVector() {
  GraphBuilder builder;
  builder.input("x", {"s0"});
  return builder;
}

TEST(EvaluateReal, OneElementOfALargeProduct) {
  constexpr int64_t size = 4096;
  GraphBuilder builder;
  builder.input("a", {"4096", "4096"}).input("b", {"4096", "4096"});
  builder.node("out", "aten.mm.default", {tensor("self", "a"), tensor("mat2", "b")}, {"4096", "4096"});
  ir::Tensors inputs;
  for (const char* name : {"a", "b"}) {
    ir::Tensor& matrix = inputs[name];
    matrix.shape = {size, size};
    matrix.bits.resize(size * size);
    for (size_t k = 0; k < matrix.bits.size(); ++k)
      matrix.bits[k] = bitsOf(static_cast<float>((k * 2654435761U) % 20011) * 0.0137F - 137);
  }
  const ir::Tensors given = inputs;
  const Program program(builder, std::move(inputs));
  constexpr int64_t row = 4000;
  constexpr int64_t column = 17;
  Rational expected;
  for (int64_t k = 0; k < size; ++k)
    expected += exact(std::bit_cast<float>(static_cast<uint32_t>(given.at("a").bits[row * size + k]))) *
                exact(std::bit_cast<float>(static_cast<uint32_t>(given.at("b").bits[k * size + column])));
  const EnclosedValue value = program.at(row * size + column);
  ASSERT_EQ(value.kind(), Kind::Exact);
  EXPECT_EQ(value.rational(), expected);
}

TEST(EvaluateReal, WeightsOfASoftmaxSumToOne) {
  GraphBuilder builder = onVector();
  builder.node("out", "aten.softmax.int", {tensor("self", "x"), {"dim", int64_t{0}}}, {"s0"});
  const Program program(builder, {{"x", vector({1, -2.5F, 0.1F, 3, 3})}});
  EnclosedValue sum = EnclosedValue::whole(0);
  const logic::EnclosedArithmetic arithmetic(128);
  for (int64_t k = 0; k < 5; ++k) {
    const EnclosedValue weight = program.at(k);
    ASSERT_EQ(weight.kind(), Kind::Enclosed);
    EXPECT_TRUE(weight.interval(0).isNarrow(100, -1200));
    sum = arithmetic.add(sum, weight);
  }
  EXPECT_TRUE(sum.interval(0).contains(1));
  EXPECT_TRUE(program.at(3).isSame(program.at(4)));
}

TEST(EvaluateReal, PrecisionRisesUntilDigitsAreCertain) {
  GraphBuilder builder = onVector();
  builder.node("power", "aten.exp.default", {tensor("self", "x")}, {"s0"});
  builder.node("out", "aten.sub.Tensor", {tensor("self", "power"), number("other", 1)}, {"s0"});
  const Program program(builder, {{"x", vector({0x1p-149F, 0})}});
  // e^x - 1 = x + x^2/2 + ...: nothing of it is left in 128 bits.
  EXPECT_TRUE(program.evaluator->atPrecision(0, 0, 128).interval(0).contains(0));
  const EnclosedValue value = program.at(0);
  ASSERT_EQ(value.kind(), Kind::Enclosed);
  EXPECT_TRUE(value.interval(0).isNarrow(64, -1200));
  const Rational x = exact(0x1p-149F);
  EXPECT_TRUE(value.interval(0).overlaps(f32::Interval::between(x, x + x * x, 400)));
  EXPECT_TRUE(program.at(1).is(0));
}

TEST(EvaluateReal, PrecisionRisesUntilAComparisonIsDecided) {
  GraphBuilder builder = onVector();
  builder.node("power", "aten.exp.default", {tensor("self", "x")}, {"s0"});
  builder.node("out", "aten.gt.Scalar", {tensor("self", "power"), number("other", 1)}, {"s0"},
               torch::DType::Bool);
  const Program program(builder, {{"x", vector({0x1p-149F, -0x1p-149F, 0})}});
  EXPECT_EQ(program.evaluator->atPrecision(0, 0, 128).kind(), Kind::Undecided);
  EXPECT_TRUE(program.at(0).is(1));
  EXPECT_TRUE(program.at(1).is(0));
  EXPECT_TRUE(program.at(2).is(0));
}

TEST(EvaluateReal, WhatNoPrecisionDecidesIsNamed) {
  GraphBuilder builder = onVector();
  builder.node("root", "aten.sqrt.default", {tensor("self", "x")}, {"s0"});
  builder.node("square", "aten.mul.Tensor", {tensor("self", "root"), tensor("other", "root")}, {"s0"});
  builder.node("out", "aten.gt.Tensor", {tensor("self", "square"), tensor("other", "x")}, {"s0"},
               torch::DType::Bool);
  const Program program(builder, {{"x", vector({2, 4, -1})}});
  EXPECT_EQ(program.at(0).kind(), Kind::Undecided);
  EXPECT_EQ(program.at(0).doubt(), Doubt::Comparison);
  EXPECT_TRUE(program.at(1).is(0));
  EXPECT_EQ(program.at(2).kind(), Kind::Undefined);
}

TEST(EvaluateReal, FoldsOfIrrationalTermsAreEnclosed) {
  // sqrt 2 + sqrt 3 + sqrt 5 and the largest of them.
  for (const auto& [target, low, high] :
       {std::tuple{"aten.sum.default", "5.38233234744176203873", "5.38233234744176203875"},
        std::tuple{"aten.amax.default", "2.23606797749978969640", "2.23606797749978969641"},
        std::tuple{"aten.prod.default", "5.47722557505166113456", "5.47722557505166113457"}}) {
    GraphBuilder builder = onVector();
    builder.node("root", "aten.sqrt.default", {tensor("self", "x")}, {"s0"});
    builder.node("out", target, {tensor("self", "root")}, {});
    const Program program(builder, {{"x", vector({2, 3, 5})}});
    const EnclosedValue value = program.at(0);
    ASSERT_EQ(value.kind(), Kind::Enclosed) << target;
    EXPECT_TRUE(f32::Interval::between(f32::parseExact(low).value(), f32::parseExact(high).value(), 300)
                    .contains(value.interval(0)))
        << target;
  }
}

TEST(EvaluateReal, AnInputWithoutARealValueMakesItsFoldsUndefined) {
  for (const char* target : {"aten.sum.default", "aten.amax.default", "aten.prod.default"}) {
    GraphBuilder builder = onVector();
    builder.node("out", target, {tensor("self", "x")}, {});
    EXPECT_EQ(Program(builder, {{"x", vector({1, NAN, 2})}}).at(0).kind(), Kind::Undefined) << target;
    EXPECT_EQ(Program(builder, {{"x", vector({1, INFINITY, 2})}}).at(0).kind(), Kind::Undefined) << target;
    EXPECT_TRUE(Program(builder, {{"x", vector({1, -1, 1})}}).at(0).isExact()) << target;
  }
}

TEST(EvaluateReal, Stops) {
  GraphBuilder builder = onVector();
  builder.node("out", "aten.sum.default", {tensor("self", "x")}, {});
  EvaluateOptions options;
  const Program program(builder, {{"x", vector(std::vector<float>(5000, 1))}}, options);
  options.stop.requestStop();
  auto value = program.evaluator->at(0, 0);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().id, "stopped");
}

} // namespace
} // namespace plumbline::spec

#include "core/logic/eval.h"

#include <array>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::logic {
namespace {

uint64_t bits(float value) {
  return std::isnan(value) ? 0x7FC00000U : std::bit_cast<uint32_t>(value);
}
float asFloat(uint64_t pattern) {
  return std::bit_cast<float>(static_cast<uint32_t>(pattern));
}

const std::array kSpecials = {0.0F, -0.0F,  1.0F,    -1.0F,   0.01F,  INFINITY, -INFINITY,
                              NAN,  1e-45F, -1e-45F, 3.4e38F, -3e38F, 1e-38F,   16777216.0F};

class EvalTest : public testing::Test {
protected:
  TermStore store;
  TermId x = store.var(Sort::F32, "x");
  TermId y = store.var(Sort::F32, "y");
  TermId n = store.var(Sort::Int, "n");

  TermId constant(float value) { return store.f32Bits(std::bit_cast<uint32_t>(value)); }

  std::string errorOf(TermId root, const std::map<std::string, Value>& environment,
                      const Callbacks& callbacks = {}) {
    CompiledTerm term(store, root);
    auto result = term.evaluate(environment, callbacks);
    return result ? "none" : result.error().id;
  }
  int64_t integerAt(TermId root, int64_t value) {
    CompiledTerm term(store, root);
    auto result = term.evaluate({{"n", Value::integer(value)}});
    EXPECT_TRUE(result.has_value());
    return result ? result->asInteger() : -999;
  }
};

/// A two-variable expression with every float operator, against the same C++ expression on the processor.
TEST_F(EvalTest, FloatOperatorsMatchTheProcessor) {
  TermId sum = store.binary(Op::FAdd, x, y);
  TermId quotient = store.binary(Op::FDiv, store.binary(Op::FMul, x, constant(0.01F)), y);
  TermId fused = store.fma(x, y, store.unary(Op::FNeg, sum));
  TermId root = store.unary(Op::FSqrt, store.unary(Op::FAbs, store.binary(Op::FSub, x, y)));
  TermId chosen =
      store.ite(store.binary(Op::FLt, x, y), fused, store.ite(store.binary(Op::FLe, y, x), quotient, root));
  std::array roots = {sum, quotient, fused, root, chosen};
  CompiledTerm term(store, roots);
  size_t xIndex = static_cast<size_t>(term.inputIndex("x"));
  size_t yIndex = static_cast<size_t>(term.inputIndex("y"));
  std::mt19937_64 generator(1);
  auto random = [&] {
    return generator() % 8 == 0 ? kSpecials.at(generator() % kSpecials.size())
                                : asFloat(generator() & 0xFFFFFFFFU);
  };
  for (int i = 0; i < 100000; ++i) {
    float a = random();
    float b = i % 3 == 0 ? a * 1.0000001F : random();
    std::array<uint64_t, 2> values{};
    values.at(xIndex) = std::bit_cast<uint32_t>(a);
    values.at(yIndex) = std::bit_cast<uint32_t>(b);
    term.evaluate(values);
    float scaledX = a * 0.01F;
    std::array expected = {a + b, scaledX / b, std::fma(a, b, -(a + b)), std::sqrt(std::fabs(a - b)), 0.0F};
    expected[4] = a < b ? expected[2] : b <= a ? expected[1] : expected[3];
    for (size_t r = 0; r < roots.size(); ++r)
      ASSERT_EQ(term.result(r).value_or(Value{}), Value::f32(static_cast<uint32_t>(bits(expected.at(r)))))
          << "root " << r << " at " << a << ", " << b;
  }
}

TEST_F(EvalTest, DoubleProductRoundsTwice) {
  TermId wide =
      store.binary(Op::FMul, store.convert(Sort::F64, x), store.f64Bits(std::bit_cast<uint64_t>(0.01)));
  CompiledTerm term(store, store.convert(Sort::F32, wide));
  std::mt19937_64 generator(2);
  for (int i = 0; i < 100000; ++i) {
    float a = asFloat(generator() & 0xFFFFFFFFU);
    std::array values = {uint64_t{std::bit_cast<uint32_t>(a)}};
    term.evaluate(values);
    ASSERT_EQ(term.result().value_or(Value{}).bits, bits(static_cast<float>(static_cast<double>(a) * 0.01)))
        << a;
  }
}

/// PTX max and min as compare and select: a number beats NaN, +0 is above -0.
TEST_F(EvalTest, PtxMaxAndMinTerms) {
  std::array roots = {store.ptxMax(x, y), store.ptxMin(x, y)};
  CompiledTerm term(store, roots);
  for (float a : kSpecials)
    for (float b : kSpecials) {
      std::map<std::string, Value> environment = {{"x", Value::f32(std::bit_cast<uint32_t>(a))},
                                                  {"y", Value::f32(std::bit_cast<uint32_t>(b))}};
      ASSERT_TRUE(term.evaluate(environment).has_value());
      auto top = static_cast<uint32_t>(term.result(0).value_or(Value{}).bits);
      auto bottom = static_cast<uint32_t>(term.result(1).value_or(Value{}).bits);
      bool bothZero = a == 0 && b == 0;
      float larger = bothZero ? (std::signbit(a) ? b : a) : std::fmax(a, b);
      float smaller = bothZero ? (std::signbit(a) ? a : b) : std::fmin(a, b);
      EXPECT_EQ(top, bits(larger)) << a << " " << b;
      EXPECT_EQ(bottom, bits(smaller)) << a << " " << b;
    }
}

TEST_F(EvalTest, IntegersTruncateAsInC) {
  TermId five = store.integer(5);
  EXPECT_EQ(integerAt(store.idiv(n, five), -7), -1);
  EXPECT_EQ(integerAt(store.irem(n, five), -7), -2);
  EXPECT_EQ(integerAt(store.idiv(n, store.integer(-2)), 7), -3);
  EXPECT_EQ(integerAt(store.irem(n, store.integer(-2)), 7), 1);
  EXPECT_EQ(integerAt(store.irem(n, store.integer(-1)), INT64_MIN), 0);
  EXPECT_EQ(integerAt(store.floatToInt(store.intToFloat(Sort::F32, n), 32, true), 16777217), 16777216);
  EXPECT_EQ(integerAt(store.floatToInt(store.intToFloat(Sort::F64, n), 32, true), 5000000000), 2147483647);
  EXPECT_EQ(integerAt(store.floatToInt(store.intToFloat(Sort::F64, n), 32, false), -1), 0);
}

TEST_F(EvalTest, ErrorsAreNamed) {
  auto at = [](int64_t value) { return std::map<std::string, Value>{{"n", Value::integer(value)}}; };
  TermId zero = store.integer(0);
  EXPECT_EQ(errorOf(store.idiv(store.integer(1), n), at(0)), "division-by-zero");
  EXPECT_EQ(errorOf(store.irem(store.integer(1), n), at(0)), "division-by-zero");
  EXPECT_EQ(errorOf(store.iadd(n, store.integer(1)), at(INT64_MAX)), "int-overflow");
  EXPECT_EQ(errorOf(store.imul(n, n), at(INT64_MAX)), "int-overflow");
  EXPECT_EQ(errorOf(store.isub(zero, n), at(INT64_MIN)), "int-overflow");
  EXPECT_EQ(errorOf(store.idiv(n, store.integer(-1)), at(INT64_MIN)), "int-overflow");
  EXPECT_EQ(errorOf(store.load(Sort::F32, "a", n), at(0)), "load-unavailable");
  EXPECT_EQ(errorOf(x, at(0)), "unbound-variable");
  EXPECT_EQ(errorOf(n, {{"n", Value::f32(0)}}), "unbound-variable");
  std::array args = {x};
  EXPECT_EQ(errorOf(store.opaque(Sort::F32, "frobnicate", args), {{"x", Value::f32(0)}}), "opaque-value");
  TermId huge = store.floatToInt(store.f32Bits(0x7F800000U), 64, false);
  EXPECT_EQ(errorOf(huge, {}), "int-overflow");
}

TEST_F(EvalTest, ErrorsInUntakenBranchesDoNotMatter) {
  TermId inRange = store.land(store.ile(store.integer(0), n), store.ilt(n, store.integer(3)));
  TermId root = store.ite(inRange, store.load(Sort::F32, "a", n), constant(7.0F));
  TermId risky = store.ieq(store.idiv(store.integer(6), n), store.integer(3));
  TermId both = store.land(store.lnot(store.ieq(n, store.integer(0))), risky);
  TermId either = store.lor(store.ieq(n, store.integer(0)), risky);
  std::array roots = {root, both, either};
  CompiledTerm term(store, roots);
  Callbacks callbacks;
  callbacks.load = [](std::string_view buffer, int64_t index) -> Expected<uint64_t> {
    EXPECT_EQ(buffer, "a");
    if (index < 0 || index > 2)
      return fail(ErrorKind::Internal, "out-of-range", "");
    return bits(static_cast<float>(index) + 0.5F);
  };
  auto at = [&](int64_t index) {
    std::array values = {static_cast<uint64_t>(index)};
    term.evaluate(values, callbacks);
    return term.result(0);
  };
  EXPECT_EQ(at(2).value_or(Value{}).bits, bits(2.5F));
  EXPECT_EQ(term.result(1).value_or(Value{}), Value::boolean(true));
  EXPECT_EQ(at(-1).value_or(Value{}).bits, bits(7.0F));
  EXPECT_EQ(at(0).value_or(Value{}).bits, bits(0.5F));
  EXPECT_EQ(term.result(1).value_or(Value::boolean(true)), Value::boolean(false));
  EXPECT_EQ(term.result(2).value_or(Value::boolean(false)), Value::boolean(true));
  CompiledTerm bare(store, store.load(Sort::F32, "a", n));
  auto missing = bare.evaluate({{"n", Value::integer(9)}}, callbacks);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().id, "out-of-range");
}

TEST_F(EvalTest, OpaqueFunctions) {
  std::array args = {x};
  CompiledTerm term(store, store.opaque(Sort::F32, "aten.exp", args));
  std::map<std::string, Value> one = {{"x", Value::f32(std::bit_cast<uint32_t>(1.0F))}};
  EXPECT_EQ(term.evaluate(one).value_or(Value{}).bits, 0x402DF854U); // e rounded to binary32
  Callbacks callbacks;
  callbacks.opaque = [](std::string_view spelling, Sort sort,
                        std::span<const uint64_t> values) -> Expected<uint64_t> {
    EXPECT_EQ(spelling, "aten.exp");
    EXPECT_EQ(sort, Sort::F32);
    return values[0] + 1;
  };
  EXPECT_EQ(term.evaluate(one, callbacks).value_or(Value{}).bits, 0x3F800001U);
}

TEST_F(EvalTest, SameValueJoinsNans) {
  EXPECT_TRUE(sameValue(Value::f32(0xFFC00001U), Value::f32(0x7FC00000U)));
  EXPECT_FALSE(sameValue(Value::f32(0x80000000U), Value::f32(0)));
  EXPECT_FALSE(sameValue(Value::f32(0), Value::integer(0)));
  CompiledTerm term(store, store.binary(Op::FSame, x, y));
  std::map<std::string, Value> nans = {{"x", Value::f32(0xFFC00001U)}, {"y", Value::f32(0x7F800001U)}};
  EXPECT_EQ(term.evaluate(nans).value_or(Value{}), Value::boolean(true));
}

/// A long chain must not recurse.
TEST_F(EvalTest, DeepTerms) {
  TermId root = x;
  for (int i = 0; i < 200000; ++i)
    root = store.binary(Op::FAdd, root, y);
  CompiledTerm term(store, root);
  std::map<std::string, Value> environment = {{"x", Value::f32(0)},
                                              {"y", Value::f32(std::bit_cast<uint32_t>(1.0F))}};
  EXPECT_EQ(term.evaluate(environment).value_or(Value{}).bits, bits(200000.0F));
}

} // namespace
} // namespace plumbline::logic

#include "core/ir/domain.h"

#include <cmath>
#include <gtest/gtest.h>

namespace plumbline::ir {
namespace {

constexpr ScalarType kF32 = ScalarType::F32;
constexpr ScalarType kF64 = ScalarType::F64;

uint64_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}
uint64_t bits(double value) {
  return std::bit_cast<uint64_t>(value);
}

uint64_t ieee(Meaning meaning, float a, float b = 0, float c = 0) {
  uint64_t out = 0;
  EXPECT_TRUE(IeeeDomain::apply(meaning, kF32, bits(a), bits(b), bits(c), out));
  return out;
}

TEST(IeeeDomain, OperationsAreTheHardwares) {
  const float samples[] = {0.0F, -0.0F, 1.0F, -1.5F, 1e-40F, 3.4e38F, INFINITY, -INFINITY, 0.1F, 7.0F};
  for (float a : samples)
    for (float b : samples) {
      const std::pair<Meaning, float> rows[] = {{Meaning::Add, a + b},
                                                {Meaning::Sub, a - b},
                                                {Meaning::Mul, a * b},
                                                {Meaning::Div, a / b},
                                                {Meaning::Fma, std::fma(a, b, 0.3F)}};
      for (const auto& [meaning, value] : rows)
        EXPECT_EQ(ieee(meaning, a, b, 0.3F), std::isnan(value) ? 0x7FC00000 : bits(value)) << a << " " << b;
    }
  EXPECT_EQ(ieee(Meaning::Sqrt, 2.0F), bits(std::sqrt(2.0F)));
  EXPECT_EQ(ieee(Meaning::Reciprocal, 3.0F), bits(1.0F / 3.0F));
  EXPECT_EQ(ieee(Meaning::Abs, -0.0F), bits(0.0F));
}

TEST(IeeeDomain, MaximaDifferInNanAndZero) {
  EXPECT_EQ(ieee(Meaning::PtxMax, NAN, 1.0F), bits(1.0F));
  EXPECT_EQ(ieee(Meaning::PtxMax, -0.0F, 0.0F), bits(0.0F));
  EXPECT_EQ(ieee(Meaning::PtxMin, 0.0F, -0.0F), bits(-0.0F));
  EXPECT_EQ(ieee(Meaning::StdMax, NAN, 1.0F), 0x7FC00000) << "NaN < 1 is false, so the first";
  EXPECT_EQ(ieee(Meaning::StdMax, 1.0F, NAN), bits(1.0F));
  EXPECT_EQ(ieee(Meaning::StdMax, -0.0F, 0.0F), bits(-0.0F));
  EXPECT_EQ(ieee(Meaning::StdMin, 0.0F, -0.0F), bits(0.0F));
}

TEST(IeeeDomain, Conversions) {
  uint64_t out = 0;
  IeeeDomain::convert(kF64, kF32, bits(0.1), out);
  EXPECT_EQ(out, bits(0.1F));
  IeeeDomain::convert(kF32, kF64, bits(0.1F), out);
  EXPECT_EQ(out, bits(static_cast<double>(0.1F)));
  IeeeDomain::fromInteger(ScalarType::U64, kF32, -1, out);
  EXPECT_EQ(out, bits(18446744073709551616.0F));
  IeeeDomain::fromInteger(ScalarType::I32, kF32, 16777217, out);
  EXPECT_EQ(out, bits(16777216.0F));
  EXPECT_TRUE(IeeeDomain::isNonZero(kF32, bits(NAN)));
  EXPECT_FALSE(IeeeDomain::isNonZero(kF32, bits(-0.0F)));
}

/// The processor's compiler converts binary16; bfloat16 is the upper half of binary32.
TEST(IeeeDomain, SixteenBitFloatsAreTheCompilers) {
  uint64_t out = 0;
  for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto half = std::bit_cast<_Float16>(static_cast<uint16_t>(pattern));
    const auto wide = static_cast<float>(half);
    IeeeDomain::convert(ScalarType::F16, kF32, pattern, out);
    ASSERT_EQ(out, std::isnan(wide) ? 0x7FC00000 : bits(wide)) << pattern;
    const auto brain = std::bit_cast<float>(pattern << 16);
    IeeeDomain::convert(ScalarType::BF16, kF32, pattern, out);
    ASSERT_EQ(out, std::isnan(brain) ? 0x7FC00000 : bits(brain)) << pattern;
  }
  for (uint64_t i = 0; i < 200000; ++i) {
    const auto pattern = static_cast<uint32_t>(i * 0x9E3779B97F4A7C15 >> 32);
    const auto value = std::bit_cast<float>(pattern);
    if (std::isnan(value))
      continue;
    IeeeDomain::convert(kF32, ScalarType::F16, pattern, out);
    ASSERT_EQ(out, std::bit_cast<uint16_t>(static_cast<_Float16>(value))) << value;
    IeeeDomain::convert(kF32, ScalarType::BF16, pattern, out);
    const uint32_t nearest =
        (pattern + 0x7FFF + (pattern >> 16 & 1)) >> 16; // ties to even; carries to infinity
    ASSERT_EQ(out, nearest) << value;
  }
  IeeeDomain::convert(kF32, ScalarType::F16, bits(65520.0F), out);
  EXPECT_EQ(out, 0x7C00) << "halfway above the largest number: infinity";
  IeeeDomain::convert(kF64, ScalarType::F16, bits(1.0 + 0x1p-11 + 0x1p-40), out);
  EXPECT_EQ(out, 0x3C01) << "one rounding; by way of float it would be a tie";
}

TEST(IeeeDomain, FunctionsOfTheInterpreterAlone) {
  EXPECT_EQ(ieee(Meaning::Floor, -1.5F), bits(-2.0F));
  EXPECT_EQ(ieee(Meaning::Ceil, -0.5F), bits(-0.0F));
  EXPECT_EQ(ieee(Meaning::Trunc, 2.9F), bits(2.0F));
  EXPECT_EQ(ieee(Meaning::RoundEven, 2.5F), bits(2.0F));
  EXPECT_EQ(ieee(Meaning::RoundAway, -2.5F), bits(-3.0F));
  EXPECT_EQ(ieee(Meaning::Fmod, -7.5F, 2.0F), bits(-1.5F));
  EXPECT_EQ(ieee(Meaning::Remainder, 7.5F, 2.0F), bits(-0.5F));
  EXPECT_EQ(ieee(Meaning::PositiveDifference, INFINITY, INFINITY), bits(0.0F));
  EXPECT_EQ(ieee(Meaning::PositiveDifference, 3.0F, 1.0F), bits(2.0F));
  EXPECT_EQ(ieee(Meaning::PositiveDifference, NAN, 1.0F), 0x7FC00000);
  EXPECT_EQ(ieee(Meaning::Saturate, NAN), bits(0.0F));
  EXPECT_EQ(ieee(Meaning::Saturate, -0.0F), bits(0.0F));
  EXPECT_EQ(ieee(Meaning::Saturate, 7.0F), bits(1.0F));
  EXPECT_EQ(ieee(Meaning::Saturate, 0.25F), bits(0.25F));
  EXPECT_EQ(ieee(Meaning::CopySign, 3.0F, -0.0F), bits(-3.0F));
  uint64_t out = 0;
  EXPECT_FALSE(IeeeDomain::apply(Meaning::CopySign, kF32, bits(3.0F), bits(NAN), 0, out)) << "which sign?";
}

TEST(IeeeDomain, FloatToIntegerSaturates) {
  struct Row {
    float value;
    ScalarType to;
    int64_t expected;
    bool exact;
  };
  const Row rows[] = {{2.9F, ScalarType::I32, 2, true},          {-2.9F, ScalarType::I32, -2, true},
                      {3e9F, ScalarType::I32, INT32_MAX, true},  {-3e9F, ScalarType::I32, INT32_MIN, true},
                      {NAN, ScalarType::I32, 0, true},           {-1.0F, ScalarType::U32, 0, true},
                      {3e9F, ScalarType::U32, 3000000000, true}, {1e30F, ScalarType::I64, INT64_MAX, true},
                      {100.0F, ScalarType::I8, 100, true},       {200.0F, ScalarType::I8, 127, false},
                      {-1.0F, ScalarType::U8, 0, false},         {NAN, ScalarType::U8, 0, false}};
  for (const Row& row : rows) {
    int64_t out = 0;
    bool exact = false;
    EXPECT_TRUE(IeeeDomain::toInteger(kF32, row.to, bits(row.value), out, exact));
    EXPECT_EQ(out, row.expected) << row.value << " to " << name(row.to);
    EXPECT_EQ(exact, row.exact) << row.value << " to " << name(row.to);
  }
}

TEST(IeeeDomain, OpaqueFunctionsAreCorrectlyRounded) {
  const OpaqueFunction<IeeeDomain> opaque = IeeeDomain::defaultOpaque();
  const uint64_t one = bits(1.0F);
  EXPECT_EQ(opaque("expf", kF32, std::span(&one, 1)), bits(2.7182818284590452F));
  const uint64_t zero = bits(0.0);
  EXPECT_EQ(opaque("exp", kF64, std::span(&zero, 1)), bits(1.0));
  EXPECT_FALSE(opaque("no_such_function", kF32, std::span(&one, 1)));
}

RealNumber real(const char* text) {
  return {*f32::parseExact(text), 0};
}
const RealNumber kTop{0, 1};
const RealNumber kBottom{0, -1};

TEST(RealDomain, ArithmeticIsExact) {
  RealNumber out;
  EXPECT_TRUE(RealDomain::apply(Meaning::Div, kF32, real("1"), real("3"), {}, out));
  EXPECT_EQ(out, real("1/3"));
  EXPECT_TRUE(RealDomain::apply(Meaning::Mul, kF32, out, real("3"), {}, out));
  EXPECT_EQ(out, real("1"));
  EXPECT_TRUE(RealDomain::apply(Meaning::Fma, kF32, real("0.1"), real("10"), real("-1"), out));
  EXPECT_EQ(out, real("0"));
  EXPECT_TRUE(RealDomain::apply(Meaning::Sqrt, kF32, real("9/4"), {}, {}, out));
  EXPECT_EQ(out, real("3/2"));
  EXPECT_TRUE(RealDomain::convert(kF64, kF32, real("0.1"), out));
  EXPECT_EQ(out, real("1/10"));
}

TEST(RealDomain, SomeOperationsHaveNoValue) {
  RealNumber out;
  EXPECT_FALSE(RealDomain::apply(Meaning::Div, kF32, real("1"), real("0"), {}, out));
  EXPECT_FALSE(RealDomain::apply(Meaning::Reciprocal, kF32, real("0"), {}, {}, out));
  EXPECT_FALSE(RealDomain::apply(Meaning::Sqrt, kF32, real("2"), {}, {}, out));
  EXPECT_FALSE(RealDomain::apply(Meaning::Sqrt, kF32, real("-4"), {}, {}, out));
  EXPECT_FALSE(RealDomain::apply(Meaning::Add, kF32, kTop, real("1"), {}, out));
  EXPECT_TRUE(RealDomain::apply(Meaning::PtxMax, kF32, kBottom, real("-5"), {}, out));
  EXPECT_EQ(out, real("-5"));
  EXPECT_TRUE(RealDomain::compare(BinaryOp::Lt, kF32, real("1000"), kTop));
}

TEST(RealDomain, LiteralsDenoteTheirText) {
  RealNumber out;
  EXPECT_TRUE(RealDomain::literal(kF32, bits(0.01F), "0.01", out));
  EXPECT_EQ(out, real("1/100"));
  EXPECT_TRUE(RealDomain::literal(kF32, bits(0.5F), "", out));
  EXPECT_EQ(out, real("1/2"));
  EXPECT_TRUE(RealDomain::literal(kF32, bits(-INFINITY), "", out));
  EXPECT_EQ(out, kBottom);
  EXPECT_FALSE(RealDomain::literal(kF32, bits(NAN), "", out));
}

TEST(RealDomain, IntegersGoBothWays) {
  RealNumber number;
  RealDomain::fromInteger(ScalarType::U64, kF32, -1, number);
  EXPECT_EQ(number, real("18446744073709551615"));
  int64_t out = 0;
  bool exact = false;
  EXPECT_TRUE(RealDomain::toInteger(kF32, ScalarType::U64, number, out, exact));
  EXPECT_EQ(out, -1);
  EXPECT_TRUE(exact);
  EXPECT_TRUE(RealDomain::toInteger(kF32, ScalarType::I32, real("-7/2"), out, exact));
  EXPECT_EQ(out, -3);
  EXPECT_TRUE(RealDomain::toInteger(kF32, ScalarType::I32, real("2147483648"), out, exact));
  EXPECT_EQ(out, INT32_MAX);
  EXPECT_FALSE(exact);
  EXPECT_TRUE(RealDomain::toInteger(kF32, ScalarType::I32, real("-2147483648.5"), out, exact));
  EXPECT_EQ(out, INT32_MIN);
  EXPECT_TRUE(exact);
}

} // namespace
} // namespace plumbline::ir

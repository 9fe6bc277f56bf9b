#include "core/f32/elementary.h"

#include <bit>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::f32 {
namespace {

/// Stands for "no value": a NaN that no function returns.
constexpr uint64_t kMissing = 0x7F800001;

uint64_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}
float value(uint64_t pattern) {
  return std::bit_cast<float>(static_cast<uint32_t>(pattern));
}

float rounded32(std::string_view name, float x) {
  uint64_t argument = bits(x);
  return value(elementaryValue(name, Width::Binary32, std::span(&argument, 1)).value_or(kMissing));
}

struct Reference {
  const char* name;
  long double (*function)(long double);
};
const Reference kReferences[] = {
    {"exp", std::exp},     {"exp2", std::exp2},   {"expm1", std::expm1}, {"log", std::log},
    {"log2", std::log2},   {"log10", std::log10}, {"log1p", std::log1p}, {"sin", std::sin},
    {"cos", std::cos},     {"tan", std::tan},     {"asin", std::asin},   {"acos", std::acos},
    {"atan", std::atan},   {"sinh", std::sinh},   {"cosh", std::cosh},   {"tanh", std::tanh},
    {"asinh", std::asinh}, {"acosh", std::acosh}, {"atanh", std::atanh}, {"erf", std::erf},
    {"erfc", std::erfc},   {"cbrt", std::cbrt}};

/// The C library's long double is within a few of its own ulps, so rounding it to binary32 is right unless it
/// lies that near to a tie.
bool agrees(float got, long double reference) {
  if (std::isnan(reference) || std::isnan(got))
    return std::isnan(reference) && std::isnan(got);
  if (std::isinf(reference))
    return static_cast<long double>(got) == reference;
  long double slack = std::fabs(reference) * 0x1p-58L;
  auto low = static_cast<float>(reference - slack);
  auto high = static_cast<float>(reference + slack);
  return (low <= got && got <= high) && (got != 0 || std::signbit(got) == std::signbit(reference));
}

TEST(Elementary, CorrectlyRoundedBinary32) {
  std::mt19937_64 generator(17);
  for (const Reference& reference : kReferences)
    for (int i = 0; i < 20000; ++i) {
      float x = i % 2 == 0 ? value(generator() & 0xFFFFFFFFU)
                           : std::ldexp(static_cast<float>(static_cast<int32_t>(generator())),
                                        -25 - static_cast<int>(generator() % 12));
      float got = rounded32(reference.name, x);
      ASSERT_TRUE(agrees(got, reference.function(static_cast<long double>(x))))
          << reference.name << "(" << x << ") = " << got;
    }
}

TEST(Elementary, SubnormalResultsAreRoundedOnce) {
  for (float x = -103.9F; x < -87.0F; x += 0.0137F)
    ASSERT_TRUE(agrees(rounded32("exp", x), std::exp(static_cast<long double>(x)))) << x;
}

TEST(Elementary, Binary64NearTheCLibrary) {
  std::mt19937_64 generator(23);
  for (int i = 0; i < 20000; ++i) {
    double x = std::ldexp(static_cast<double>(static_cast<int64_t>(generator())), -58);
    auto argument = std::bit_cast<uint64_t>(x);
    auto got = std::bit_cast<double>(
        elementaryValue("exp", Width::Binary64, std::span(&argument, 1)).value_or(kMissing));
    long double reference = std::exp(static_cast<long double>(x));
    ASSERT_LE(static_cast<double>(reference * (1 - 0x1p-60L)), got) << x;
    ASSERT_GE(static_cast<double>(reference * (1 + 0x1p-60L)), got) << x;
  }
}

TEST(Elementary, SpecialValues) {
  const float inf = INFINITY;
  EXPECT_EQ(rounded32("exp", -inf), 0.0F);
  EXPECT_EQ(rounded32("exp", inf), inf);
  EXPECT_EQ(rounded32("exp", 100.0F), inf);
  EXPECT_EQ(rounded32("log", 0.0F), -inf);
  EXPECT_TRUE(std::isnan(rounded32("log", -1.0F)));
  EXPECT_EQ(bits(rounded32("tanh", -0.0F)), 0x80000000U);
  EXPECT_EQ(bits(rounded32("sin", -0.0F)), 0x80000000U);
  EXPECT_EQ(rounded32("rsqrt", 0.0F), inf);
  EXPECT_EQ(rounded32("rsqrt", -0.0F), -inf);
  EXPECT_EQ(rounded32("rsqrt", 4.0F), 0.5F);
  EXPECT_TRUE(std::isnan(rounded32("rsqrt", -1.0F)));
  EXPECT_EQ(elementaryValue("exp", Width::Binary32, std::array{bits(NAN)}), 0x7FC00000U);
  EXPECT_EQ(elementaryValue("pow", Width::Binary32, std::array{bits(NAN), bits(0.0F)}), bits(1.0F));
  EXPECT_EQ(elementaryValue("pow", Width::Binary32, std::array{bits(-2.0F), bits(3.0F)}), bits(-8.0F));
  EXPECT_FALSE(elementaryValue("exp", Width::Binary32, std::array{bits(1.0F), bits(1.0F)}).has_value());
  EXPECT_FALSE(elementaryValue("besselj", Width::Binary32, std::array{bits(1.0F)}).has_value());
}

TEST(Elementary, SpellingsOfOneFunction) {
  for (const char* spelling : {"aten.exp", "expf", "exp", "__expf"})
    EXPECT_EQ(canonicalFunction(spelling), "exp") << spelling;
  EXPECT_EQ(canonicalFunction("erff"), "erf");
  EXPECT_EQ(canonicalFunction("erfcf"), "erfc");
  EXPECT_EQ(canonicalFunction("aten.pow"), "pow");
  EXPECT_EQ(canonicalFunction("powf"), "pow");
  EXPECT_EQ(canonicalFunction("__fdividef"), "divide");
  EXPECT_FALSE(canonicalFunction("aten.expf").has_value());
  EXPECT_FALSE(canonicalFunction("frobnicate").has_value());
  EXPECT_EQ(functionArity("pow"), 2);
  EXPECT_EQ(functionArity("frobnicate"), 0);
}

bool contains(const Range& range, float x) {
  if (std::isnan(x))
    return range.mayBeNan;
  int64_t key = orderedKey(bits(x), Width::Binary32);
  return !range.empty && orderedKey(range.low, Width::Binary32) <= key &&
         key <= orderedKey(range.high, Width::Binary32);
}

Range point(float x) {
  return pointRange(bits(x), Width::Binary32);
}
Range encloseOne(std::string_view spelling, const Range& arg) {
  return enclose(spelling, Width::Binary32, std::span(&arg, 1));
}

TEST(Enclosure, WidthIsTheDocumentedBound) {
  Range range = encloseOne("expf", point(1.0F));
  float middle = rounded32("exp", 1.0F);
  EXPECT_EQ(value(range.low), std::nextafter(std::nextafter(middle, 0.0F), 0.0F));
  EXPECT_EQ(value(range.high), std::nextafter(std::nextafter(middle, 9.0F), 9.0F));
  // __expf at 10: 2 + floor(11.73) = 13 ulp.
  Range fast = encloseOne("__expf", point(10.0F));
  EXPECT_EQ(fast.high - bits(rounded32("exp", 10.0F)), 13U);
  EXPECT_EQ(encloseOne("expf", point(0.0F)), point(1.0F));
  EXPECT_EQ(encloseOne("expf", point(-INFINITY)), point(0.0F));
  EXPECT_EQ(encloseOne("logf", point(-1.0F)), (Range{0, 0, true, true}));
  EXPECT_EQ(encloseOne("__logf", point(2.0F)), wholeRange(Width::Binary32));
  EXPECT_EQ(encloseOne("frobnicate", point(2.0F)), wholeRange(Width::Binary32));
  EXPECT_EQ(errorBound("expf", Width::Binary32), "expf: 2 ulp");
  EXPECT_FALSE(errorBound("__logf", Width::Binary32).has_value());
}

/// Ranges must contain the function's value at every point inside, whatever an implementation within its
/// bound does.
TEST(Enclosure, RangesContainTheirPoints) {
  std::mt19937_64 generator(29);
  auto random = [&] {
    float x = generator() % 3 == 0 ? value(generator() & 0xFFFFFFFFU)
                                   : std::ldexp(static_cast<float>(static_cast<int32_t>(generator())), -29);
    return generator() % 16 == 0 ? std::copysign(0.0F, x) : x;
  };
  for (const char* spelling : {"expf", "__expf", "aten.exp", "logf", "log1pf", "rsqrtf", "tanhf", "erff",
                               "acosf", "asinf", "sinf", "cosf", "erfcf", "tanf", "coshf", "acoshf"})
    for (int i = 0; i < 3000; ++i) {
      float a = random();
      float b = random();
      if (std::isnan(a) || std::isnan(b))
        continue;
      Range argument = hull(point(a), point(b), Width::Binary32);
      Range result = encloseOne(spelling, argument);
      int64_t low = orderedKey(argument.low, Width::Binary32);
      int64_t span = orderedKey(argument.high, Width::Binary32) - low;
      for (int j = 0; j < 5; ++j) {
        auto inside = fromOrderedKey(
            low + static_cast<int64_t>(generator() % (static_cast<uint64_t>(span) + 1)), Width::Binary32);
        float exact = rounded32(canonicalFunction(spelling).value_or(""), value(inside));
        ASSERT_TRUE(contains(result, exact))
            << spelling << " [" << a << ", " << b << "] at " << value(inside);
        Range single = encloseOne(spelling, pointRange(inside, Width::Binary32));
        ASSERT_EQ(hull(single, result, Width::Binary32), result) << spelling << " at " << value(inside);
      }
    }
}

TEST(Enclosure, DisjointnessIsByBits) {
  auto width = Width::Binary32;
  EXPECT_TRUE(disjoint(point(-0.0F), point(0.0F), width));
  EXPECT_FALSE(disjoint(hull(point(-1.0F), point(1.0F), width), point(0.0F), width));
  EXPECT_TRUE(disjoint(point(NAN), point(1.0F), width));
  EXPECT_FALSE(disjoint(point(NAN), point(NAN), width));
  EXPECT_FALSE(disjoint(wholeRange(width), point(NAN), width));
  EXPECT_TRUE(disjoint(point(1.0F), point(std::nextafter(1.0F, 2.0F)), width));
}

} // namespace
} // namespace plumbline::f32

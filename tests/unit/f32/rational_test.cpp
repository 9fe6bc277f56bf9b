#include "core/f32/rational.h"

#include <bit>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::f32 {
namespace {

Rational parsed(std::string_view text) {
  auto value = parseExact(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(Rational(-12345));
}

TEST(Rational, ParsesExactly) {
  EXPECT_EQ(parsed("0.01"), Rational(1, 100));
  EXPECT_EQ(parsed("-1e-3"), Rational(-1, 1000));
  EXPECT_EQ(parsed("1/3"), Rational(1, 3));
  EXPECT_EQ(parsed("-2.5/0.5"), Rational(-5));
  EXPECT_EQ(parsed("0x1.8p3"), Rational(12));
  EXPECT_EQ(parsed("0x.4"), Rational(1, 4));
  EXPECT_EQ(parsed("-0x1p-149"), scaled(-1, -149));
  EXPECT_EQ(parsed(".5"), Rational(1, 2));
  EXPECT_EQ(parsed("+7."), Rational(7));
  EXPECT_EQ(parsed("1e2"), Rational(100));
  EXPECT_EQ(parsed("0"), Rational(0));
}

TEST(Rational, RefusesOtherText) {
  for (const char* text :
       {"", "-", ".", "1e", "1/0", "nan", "inf", "1.0f", "0x", "1e99999999", "1/2/3", " 1", "1_0"}) {
    auto value = parseExact(text);
    ASSERT_FALSE(value.has_value()) << text;
    EXPECT_EQ(value.error().id, "number-syntax");
  }
}

/// strtof and strtod round decimal text correctly; the product's path is parseExact and fromRational.
TEST(Rational, RoundsDecimalTextAsTheCLibraryDoes) {
  std::mt19937_64 generator(3);
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(generator() % 1000000000) + "." + std::to_string(generator()) + "e" +
                       std::to_string(static_cast<int>(generator() % 110) - 60);
    Rational exact = parsed(text);
    ASSERT_EQ(fromRational<Binary32>(exact), std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr)))
        << text;
    ASSERT_EQ(fromRational<Binary64>(exact), std::bit_cast<uint64_t>(std::strtod(text.c_str(), nullptr)))
        << text;
  }
}

TEST(Rational, RoundsTiesToEvenAndOverflows) {
  EXPECT_EQ(fromRational<Binary32>(Rational(16777217)), std::bit_cast<uint32_t>(16777216.0F));
  EXPECT_EQ(fromRational<Binary32>(Rational(16777219)), std::bit_cast<uint32_t>(16777220.0F));
  EXPECT_EQ(fromRational<Binary32>(scaled(1, -150)), 0U);
  EXPECT_EQ(fromRational<Binary32>(scaled(3, -150)), 2U);
  EXPECT_EQ(fromRational<Binary32>(scaled(-1, -151)), 0x80000000U);
  Rational limit = scaled(Rational((1 << 25) - 1), 103); // halfway between the largest value and 2^128
  EXPECT_EQ(fromRational<Binary32>(limit), 0x7F800000U);
  EXPECT_EQ(fromRational<Binary32>(limit - 1), 0x7F7FFFFFU);
}

TEST(Rational, ValueOfAPatternAndBack) {
  std::mt19937_64 generator(5);
  for (int i = 0; i < 20000; ++i) {
    auto wide = generator();
    auto narrow = static_cast<uint32_t>(generator());
    if (auto value = toRational<Binary32>(narrow); value && *value != 0) {
      ASSERT_EQ(mpq_get_d(value->get_mpq_t()), static_cast<double>(std::bit_cast<float>(narrow)));
      ASSERT_EQ(fromRational<Binary32>(*value), narrow);
    }
    if (auto value = toRational<Binary64>(wide); value && *value != 0) {
      ASSERT_EQ(fromRational<Binary64>(*value), wide);
    }
  }
  EXPECT_FALSE(toRational<Binary32>(0x7F800000U).has_value());
  EXPECT_FALSE(toRational<Binary32>(0x7FC00000U).has_value());
  EXPECT_EQ(toRational<Binary32>(0x80000000U), Rational(0));
}

TEST(Rational, ExactSquareRoots) {
  EXPECT_EQ(exactSqrt(Rational(9, 16)), Rational(3, 4));
  EXPECT_EQ(exactSqrt(Rational(0)), Rational(0));
  EXPECT_FALSE(exactSqrt(Rational(2)).has_value());
  EXPECT_FALSE(exactSqrt(Rational(-4)).has_value());
}

} // namespace
} // namespace plumbline::f32

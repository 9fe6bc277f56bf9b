// Integral values and remainders against the C library, and exhaustively in a small format.
#include "core/f32/integral.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::f32 {
namespace {

/// Every exponent gets its turn, so that all shifts occur.
template <class F> std::vector<typename Soft<F>::Bits> samples(size_t count, uint64_t seed) {
  using S = Soft<F>;
  using Bits = typename S::Bits;
  std::vector<Bits> made = {0,      S::signMask, S::infinity, static_cast<Bits>(S::infinity | S::signMask),
                            S::nan, 1,           S::largest,  static_cast<Bits>(S::mantissaMask)};
  std::mt19937_64 random(seed);
  for (size_t i = 0; i < count; ++i)
    made.push_back(static_cast<Bits>(random() << (64 - F::totalBits) >> (64 - F::totalBits)));
  for (int half = -9; half <= 9; ++half) {
    const auto value = static_cast<uint64_t>(Soft<F>::div(fromInteger<F>(half), fromInteger<F>(2)));
    made.insert(made.end(),
                {static_cast<Bits>(value), static_cast<Bits>(value + 1), static_cast<Bits>(value - 1)});
  }
  for (int exponent = 0; exponent < 70; ++exponent) {
    const Bits low = static_cast<Bits>(static_cast<uint64_t>(F::bias + exponent) << F::mantissaBits);
    for (int i = 0; i < 8; ++i)
      made.push_back(static_cast<Bits>(low | (random() & S::mantissaMask)));
  }
  return made;
}

template <class F, class Float> void expectIntegral() {
  using Bits = typename Soft<F>::Bits;
  for (const Bits bits : samples<F>(20000, 7)) {
    const auto value = std::bit_cast<Float>(bits);
    const std::pair<Integral, Float> rows[] = {{Integral::Floor, std::floor(value)},
                                               {Integral::Ceil, std::ceil(value)},
                                               {Integral::Trunc, std::trunc(value)},
                                               {Integral::NearestEven, std::nearbyint(value)},
                                               {Integral::NearestAway, std::round(value)}};
    for (const auto& [mode, expected] : rows)
      ASSERT_TRUE(Soft<F>::same(toIntegral<F>(bits, mode), std::bit_cast<Bits>(expected)))
          << value << " mode " << static_cast<int>(mode);
  }
}

/// IEEE 754: a remainder of zero has the sign of the dividend. Some C libraries lose it for subnormal
/// divisors.
template <class Float> Float remainderOf(Float x, Float y) {
  const Float value = std::remainder(x, y);
  return value == 0 ? std::copysign(value, x) : value;
}

template <class F, class Float> void expectRemainders() {
  using Bits = typename Soft<F>::Bits;
  const std::vector<Bits> values = samples<F>(300, 11);
  for (const Bits a : values)
    for (size_t k = 0; k < values.size(); k += 3) {
      const auto x = std::bit_cast<Float>(a);
      const auto y = std::bit_cast<Float>(values[k]);
      ASSERT_TRUE(Soft<F>::same(fmod<F>(a, values[k]), std::bit_cast<Bits>(std::fmod(x, y))))
          << x << " " << y;
      ASSERT_TRUE(Soft<F>::same(remainder<F>(a, values[k]), std::bit_cast<Bits>(remainderOf(x, y))))
          << x << " " << y;
    }
}

TEST(Integral, IsTheLibrarysInBinary32) {
  expectIntegral<Binary32, float>();
}
TEST(Integral, IsTheLibrarysInBinary64) {
  expectIntegral<Binary64, double>();
}
TEST(Remainder, IsTheLibrarysInBinary32) {
  expectRemainders<Binary32, float>();
}
TEST(Remainder, IsTheLibrarysInBinary64) {
  expectRemainders<Binary64, double>();
}

/// Every pair of an eight-bit format; doubles hold its values and its remainders exactly.
TEST(Remainder, OfEveryPairOfASmallFormat) {
  using Small = Format<4, 3>;
  const auto wide = [](uint8_t bits) { return std::bit_cast<double>(convert<Small, Binary64>(bits)); };
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      const double x = wide(static_cast<uint8_t>(a)), y = wide(static_cast<uint8_t>(b));
      const auto expected = [](double value) {
        return convert<Binary64, Small>(std::bit_cast<uint64_t>(value));
      };
      ASSERT_TRUE(Soft<Small>::same(fmod<Small>(a, b), expected(std::fmod(x, y)))) << x << " " << y;
      ASSERT_TRUE(Soft<Small>::same(remainder<Small>(a, b), expected(remainderOf(x, y)))) << x << " " << y;
    }
}

} // namespace
} // namespace plumbline::f32

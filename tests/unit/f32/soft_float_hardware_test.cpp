// binary32 and binary64 against the processor's own arithmetic (compiled with -ffp-contract=off).
#include "core/f32/soft_float.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace plumbline::f32 {
namespace {

template <class T> struct Host;
template <> struct Host<float> {
  using Fmt = Binary32;
  using Bits = uint32_t;
};
template <> struct Host<double> {
  using Fmt = Binary64;
  using Bits = uint64_t;
};

template <class T> class Hardware : public testing::Test {
public:
  using S = Soft<typename Host<T>::Fmt>;
  using Bits = typename Host<T>::Bits;

  static Bits bits(T value) { return std::isnan(value) ? S::nan : std::bit_cast<Bits>(value); }
  static T host(Bits pattern) { return std::bit_cast<T>(pattern); }

  static void checkOne(Bits a) {
    T x = host(a);
    ASSERT_EQ(S::sqrt(a), bits(std::sqrt(x))) << std::hex << a;
    ASSERT_EQ(S::neg(a), bits(-x)) << std::hex << a;
    ASSERT_EQ(S::abs(a), bits(std::fabs(x))) << std::hex << a;
  }
  static void checkTwo(Bits a, Bits b) {
    T x = host(a);
    T y = host(b);
    ASSERT_EQ(S::add(a, b), bits(x + y)) << std::hex << a << " + " << b;
    ASSERT_EQ(S::sub(a, b), bits(x - y)) << std::hex << a << " - " << b;
    ASSERT_EQ(S::mul(a, b), bits(x * y)) << std::hex << a << " * " << b;
    ASSERT_EQ(S::div(a, b), bits(x / y)) << std::hex << a << " / " << b;
    ASSERT_EQ(S::less(a, b), x < y) << std::hex << a << " < " << b;
    ASSERT_EQ(S::lessEqual(a, b), x <= y) << std::hex << a << " <= " << b;
    ASSERT_EQ(S::equal(a, b), x == y) << std::hex << a << " == " << b;
  }
  static void checkThree(Bits a, Bits b, Bits c) {
    ASSERT_EQ(S::fma(a, b, c), bits(std::fma(host(a), host(b), host(c))))
        << std::hex << a << " " << b << " " << c;
  }

  static std::vector<Bits> specials() {
    using Limits = std::numeric_limits<T>;
    std::vector<Bits> result;
    for (T value : {T(0), Limits::denorm_min(), T(3) * Limits::denorm_min(), Limits::min(), Limits::max(),
                    T(1), T(1.5), T(2), T(3), T(10), T(0.01), T(1) / T(3), Limits::epsilon(), T(16777216),
                    Limits::infinity(), Limits::quiet_NaN()}) {
      Bits pattern = std::bit_cast<Bits>(value);
      result.push_back(pattern);
      result.push_back(pattern ^ S::signMask);
      result.push_back(pattern + 1);
      if (pattern != 0)
        result.push_back(pattern - 1);
    }
    return result;
  }

  /// Raw patterns, and patterns with exponents near one another, so that sums cancel and round.
  static Bits random(std::mt19937_64& generator, bool near) {
    Bits pattern = static_cast<Bits>(generator());
    if (!near)
      return pattern;
    constexpr int spread = 64;
    Bits exponent = Bits{Host<T>::Fmt::bias - spread / 2} + static_cast<Bits>(generator() % spread);
    Bits low = (pattern & S::mantissaMask) | (pattern & S::signMask);
    if (generator() % 4 == 0) // few significant bits: ties
      low &= ~static_cast<Bits>(S::mantissaMask >> (generator() % 12));
    return low | static_cast<Bits>(exponent << S::mantissaBits);
  }
};
using HostTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Hardware, HostTypes);

TYPED_TEST(Hardware, AllCombinationsOfSpecialValues) {
  auto values = this->specials();
  for (auto a : values) {
    this->checkOne(a);
    for (auto b : values) {
      this->checkTwo(a, b);
      for (auto c : values)
        this->checkThree(a, b, c);
    }
    if (this->HasFatalFailure())
      return;
  }
}

TYPED_TEST(Hardware, RandomValues) {
  using S = typename TestFixture::S;
  std::mt19937_64 generator(20240611);
  for (int i = 0; i < 1000000 && !this->HasFatalFailure(); ++i) {
    bool near = i % 2 == 0;
    auto a = this->random(generator, near);
    auto b = this->random(generator, near);
    this->checkOne(a);
    this->checkTwo(a, b);
    this->checkThree(a, b, this->random(generator, near));
    // A third operand that almost cancels the product.
    auto product = S::mul(a, b);
    this->checkThree(a, b, S::neg(product));
    this->checkThree(a, b, S::neg(product) + 1);
  }
}

TEST(HardwareConversions, BetweenFormats) {
  std::mt19937_64 generator(7);
  auto check = [](uint64_t wide) {
    auto narrow = static_cast<float>(std::bit_cast<double>(wide));
    uint32_t expected = std::isnan(narrow) ? 0x7FC00000U : std::bit_cast<uint32_t>(narrow);
    ASSERT_EQ((convert<Binary64, Binary32>(wide)), expected) << std::hex << wide;
    auto part = static_cast<uint32_t>(wide);
    auto wider = static_cast<double>(std::bit_cast<float>(part));
    uint64_t expectedWide = std::isnan(wider) ? 0x7FF8000000000000U : std::bit_cast<uint64_t>(wider);
    ASSERT_EQ((convert<Binary32, Binary64>(part)), expectedWide) << std::hex << part;
  };
  for (int i = 0; i < 2000000 && !testing::Test::HasFatalFailure(); ++i) {
    uint64_t raw = generator();
    check(raw);
    // Exponents around binary32's range, subnormals included, and mantissas near ties.
    uint64_t exponent = 1023 - 160 + raw % 300;
    uint64_t mantissa = generator() & 0xFFFFFFFFFFFFFU;
    if (raw % 3 == 0)
      mantissa = (mantissa & ~uint64_t{0x3FFFFFFF}) | (raw % 2 == 0 ? 0x10000000U : 0x0FFFFFFFU);
    check((raw & (uint64_t{1} << 63)) | exponent << 52 | mantissa);
  }
}

TEST(HardwareConversions, Integers) {
  std::mt19937_64 generator(11);
  for (int i = 0; i < 1000000; ++i) {
    auto value = static_cast<int64_t>(generator()) >> (generator() % 64);
    ASSERT_EQ(fromInteger<Binary32>(value), std::bit_cast<uint32_t>(static_cast<float>(value))) << value;
    ASSERT_EQ(fromInteger<Binary64>(value), std::bit_cast<uint64_t>(static_cast<double>(value))) << value;
    auto plain = static_cast<uint64_t>(value);
    ASSERT_EQ(fromUnsigned<Binary32>(plain), std::bit_cast<uint32_t>(static_cast<float>(plain))) << plain;
    ASSERT_EQ(fromUnsigned<Binary64>(plain), std::bit_cast<uint64_t>(static_cast<double>(plain))) << plain;
    auto single = static_cast<float>(value) * 0.37F; // within int64_t
    ASSERT_EQ(toInteger<Binary32>(std::bit_cast<uint32_t>(single), 64, true), static_cast<int64_t>(single));
    auto wide = static_cast<double>(value) * 0.37;
    ASSERT_EQ(toInteger<Binary64>(std::bit_cast<uint64_t>(wide), 64, true), static_cast<int64_t>(wide));
  }
}

TEST(HardwareConversions, SaturationAndNan) {
  auto toInt = [](float value, int width, bool isSigned) {
    return toInteger<Binary32>(std::bit_cast<uint32_t>(value), width, isSigned);
  };
  EXPECT_EQ(toInt(3e9F, 32, true), 2147483647);
  EXPECT_EQ(toInt(-3e9F, 32, true), -2147483648LL);
  EXPECT_EQ(toInt(3e9F, 32, false), 3000000000LL);
  EXPECT_EQ(toInt(-1.0F, 32, false), 0);
  EXPECT_EQ(toInt(-0.99F, 32, true), 0);
  EXPECT_EQ(toInt(INFINITY, 64, true), INT64_MAX);
  EXPECT_EQ(toInt(-INFINITY, 64, true), INT64_MIN);
  EXPECT_EQ(toInt(INFINITY, 64, false), -1); // the pattern of 2^64 - 1
  EXPECT_EQ(toInt(NAN, 32, true), 0);
  EXPECT_EQ(toInt(300.7F, 8, false), 255);
}

} // namespace
} // namespace plumbline::f32

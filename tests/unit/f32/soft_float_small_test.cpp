// Every operand of small formats against exact rational arithmetic, rounded by code that shares nothing with
// Soft.
#include "core/f32/rational.h"
#include "core/f32/soft_float.h"

#include <gtest/gtest.h>

namespace plumbline::f32 {
namespace {

/// IEEE 754's rules for one operation, on classes of operands and exact values.
template <class F> class Oracle {
public:
  using S = Soft<F>;
  using Bits = typename S::Bits;

  static Rational value(Bits a) { return toRational<F>(a).value_or(Rational(0)); }
  static bool negative(Bits a) { return (a >> (F::totalBits - 1)) != 0; }
  static Bits infinity(bool isNegative) {
    return static_cast<Bits>(S::infinity | (isNegative ? 1U << (F::totalBits - 1) : 0U));
  }
  static Bits zero(bool isNegative) { return static_cast<Bits>(isNegative ? 1U << (F::totalBits - 1) : 0U); }

  static Bits add(Bits a, Bits b) {
    if (S::isNan(a) || S::isNan(b))
      return S::nan;
    if (S::isInf(a) && S::isInf(b))
      return a == b ? a : S::nan;
    if (S::isInf(a) || S::isInf(b))
      return S::isInf(a) ? a : b;
    return sum(value(a), negative(a), value(b), negative(b));
  }
  static Bits mul(Bits a, Bits b) {
    bool sign = negative(a) != negative(b);
    if (S::isNan(a) || S::isNan(b) || (S::isInf(a) && S::isZero(b)) || (S::isZero(a) && S::isInf(b)))
      return S::nan;
    if (S::isInf(a) || S::isInf(b))
      return infinity(sign);
    return signedResult(value(a) * value(b), sign);
  }
  static Bits div(Bits a, Bits b) {
    bool sign = negative(a) != negative(b);
    if (S::isNan(a) || S::isNan(b) || (S::isInf(a) && S::isInf(b)) || (S::isZero(a) && S::isZero(b)))
      return S::nan;
    if (S::isInf(a) || S::isZero(b))
      return infinity(sign);
    if (S::isInf(b))
      return zero(sign);
    return signedResult(value(a) / value(b), sign);
  }
  static Bits fma(Bits a, Bits b, Bits c) {
    bool sign = negative(a) != negative(b);
    if (S::isNan(a) || S::isNan(b) || S::isNan(c) || (S::isInf(a) && S::isZero(b)) ||
        (S::isZero(a) && S::isInf(b)))
      return S::nan;
    if (S::isInf(a) || S::isInf(b))
      return S::isInf(c) && negative(c) != sign ? S::nan : infinity(sign);
    if (S::isInf(c))
      return c;
    return sum(value(a) * value(b), sign, value(c), negative(c));
  }
  /// The pattern r with the least |r - sqrt(a)|, found by comparing squares; a tie cannot happen below one
  /// bit more precision, and the midpoint's square decides.
  static Bits sqrt(Bits a) {
    if (S::isNan(a) || S::isZero(a))
      return S::canonical(a);
    if (negative(a))
      return S::nan;
    if (S::isInf(a))
      return a;
    Bits best = 0;
    while (value(static_cast<Bits>(best + 1)) * value(static_cast<Bits>(best + 1)) <= value(a))
      ++best;
    Rational middle = (value(best) + value(static_cast<Bits>(best + 1))) / 2;
    int side = cmp(Rational(middle * middle), value(a));
    return static_cast<Bits>(side < 0 || (side == 0 && (best & 1U) != 0) ? best + 1 : best);
  }

private:
  static Bits signedResult(const Rational& exact, bool sign) {
    return exact == 0 ? zero(sign) : fromRational<F>(exact);
  }
  static Bits sum(const Rational& x, bool xNegative, const Rational& y, bool yNegative) {
    Rational exact = x + y;
    if (exact == 0)
      return zero(x == 0 && y == 0 ? xNegative && yNegative : false);
    return fromRational<F>(exact);
  }
};

template <class F> class SmallFormat : public testing::Test {};
using SmallFormats = testing::Types<Format<2, 1>, Format<3, 2>, Format<4, 3>, Format<5, 2>, Format<2, 4>>;
TYPED_TEST_SUITE(SmallFormat, SmallFormats);

template <class F> constexpr unsigned patternCount() {
  return 1U << F::totalBits;
}

TYPED_TEST(SmallFormat, TwoOperandsMatchExactArithmetic) {
  using S = Soft<TypeParam>;
  using O = Oracle<TypeParam>;
  for (unsigned i = 0; i < patternCount<TypeParam>(); ++i)
    for (unsigned j = 0; j < patternCount<TypeParam>(); ++j) {
      auto a = static_cast<typename S::Bits>(i);
      auto b = static_cast<typename S::Bits>(j);
      ASSERT_EQ(+S::add(a, b), +O::add(a, b)) << i << " + " << j;
      ASSERT_EQ(+S::sub(a, b), +O::add(a, S::isNan(b) ? b : static_cast<typename S::Bits>(b ^ S::signMask)));
      ASSERT_EQ(+S::mul(a, b), +O::mul(a, b)) << i << " * " << j;
      ASSERT_EQ(+S::div(a, b), +O::div(a, b)) << i << " / " << j;
    }
}

TYPED_TEST(SmallFormat, ComparisonsMatchExactOrder) {
  using S = Soft<TypeParam>;
  for (unsigned i = 0; i < patternCount<TypeParam>(); ++i)
    for (unsigned j = 0; j < patternCount<TypeParam>(); ++j) {
      auto a = static_cast<typename S::Bits>(i);
      auto b = static_cast<typename S::Bits>(j);
      bool unordered = S::isNan(a) || S::isNan(b);
      // Infinities stand beyond every finite value of the format.
      auto rank = [](typename S::Bits bits) {
        if (S::isInf(bits))
          return Rational(S::isNegative(bits) ? -1000000000 : 1000000000);
        return S::isNan(bits) ? Rational(0) : Oracle<TypeParam>::value(bits);
      };
      int order = cmp(rank(a), rank(b));
      ASSERT_EQ(S::less(a, b), !unordered && order < 0) << i << " " << j;
      ASSERT_EQ(S::lessEqual(a, b), !unordered && order <= 0) << i << " " << j;
      ASSERT_EQ(S::equal(a, b), !unordered && order == 0) << i << " " << j;
    }
}

TYPED_TEST(SmallFormat, PtxMaxAndMin) {
  using S = Soft<TypeParam>;
  for (unsigned i = 0; i < patternCount<TypeParam>(); ++i)
    for (unsigned j = 0; j < patternCount<TypeParam>(); ++j) {
      auto a = static_cast<typename S::Bits>(i);
      auto b = static_cast<typename S::Bits>(j);
      auto top = S::ptxMax(a, b);
      auto bottom = S::ptxMin(a, b);
      if (S::isNan(a) || S::isNan(b)) {
        auto other = S::isNan(a) ? b : a;
        auto expected = S::isNan(other) ? S::nan : other;
        ASSERT_EQ(+top, +expected);
        ASSERT_EQ(+bottom, +expected);
        continue;
      }
      // In the order with -0 below +0 the two results are exactly the larger and the smaller operand.
      auto key = [](typename S::Bits bits) {
        int magnitude = bits & ~S::signMask;
        return (bits & S::signMask) != 0 ? -magnitude - 1 : magnitude;
      };
      ASSERT_EQ(key(top), std::max(key(a), key(b)));
      ASSERT_EQ(key(bottom), std::min(key(a), key(b)));
    }
}

TYPED_TEST(SmallFormat, SquareRootNegationAbsolute) {
  using S = Soft<TypeParam>;
  for (unsigned i = 0; i < patternCount<TypeParam>(); ++i) {
    auto a = static_cast<typename S::Bits>(i);
    ASSERT_EQ(+S::sqrt(a), +Oracle<TypeParam>::sqrt(a)) << i;
    ASSERT_EQ(+S::neg(a), S::isNan(a) ? +S::nan : +(a ^ S::signMask));
    ASSERT_EQ(+S::abs(a), S::isNan(a) ? +S::nan : static_cast<int>(i & (S::signMask - 1U)));
  }
}

TYPED_TEST(SmallFormat, IntegersBothWays) {
  using S = Soft<TypeParam>;
  for (int n = -600; n <= 600; ++n) {
    ASSERT_EQ(+fromInteger<TypeParam>(n), +fromRational<TypeParam>(Rational(n))) << n;
    if (n >= 0) {
      ASSERT_EQ(+fromUnsigned<TypeParam>(static_cast<uint64_t>(n)), +fromRational<TypeParam>(Rational(n)));
    }
  }
  for (unsigned i = 0; i < patternCount<TypeParam>(); ++i) {
    auto a = static_cast<typename S::Bits>(i);
    for (int width : {1, 3, 8, 64})
      for (bool isSigned : {false, true}) {
        mpz_class low = isSigned ? mpz_class(-(mpz_class(1) << (width - 1))) : mpz_class(0);
        mpz_class high = (mpz_class(1) << (isSigned ? width - 1 : width)) - 1;
        mpz_class expected = 0;
        if (S::isInf(a))
          expected = S::isNegative(a) ? low : high;
        else if (!S::isNan(a)) {
          Rational value = Oracle<TypeParam>::value(a);
          mpz_tdiv_q(expected.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
          expected = expected < low ? low : expected > high ? high : expected;
        }
        mpz_class got(static_cast<long>(toInteger<TypeParam>(a, width, isSigned)));
        if (!isSigned && got < 0)
          got += mpz_class(1) << 64;
        ASSERT_EQ(got, expected) << i << " to " << width << isSigned;
      }
  }
}

TYPED_TEST(SmallFormat, ConversionsToOtherFormats) {
  using S = Soft<TypeParam>;
  auto check = [](auto target, typename S::Bits a) {
    using To = decltype(target);
    using T = Soft<To>;
    typename T::Bits expected = T::nan;
    if (S::isInf(a))
      expected = Oracle<To>::infinity(S::isNegative(a));
    else if (!S::isNan(a)) {
      Rational value = Oracle<TypeParam>::value(a);
      expected = value == 0 ? Oracle<To>::zero(S::isNegative(a)) : fromRational<To>(value);
    }
    ASSERT_EQ(+(convert<TypeParam, To>(a)), +expected) << +a;
  };
  for (unsigned i = 0; i < patternCount<TypeParam>(); ++i) {
    auto a = static_cast<typename S::Bits>(i);
    check(Format<3, 2>{}, a);
    check(Format<4, 3>{}, a);
    check(Format<2, 1>{}, a);
    check(Format<5, 10>{}, a);
  }
}

template <class F> class TinyFormat : public testing::Test {};
using TinyFormats = testing::Types<Format<2, 1>, Format<2, 2>, Format<3, 1>, Format<3, 2>>;
TYPED_TEST_SUITE(TinyFormat, TinyFormats);

TYPED_TEST(TinyFormat, FusedMultiplyAddMatchesExactArithmetic) {
  using S = Soft<TypeParam>;
  for (unsigned i = 0; i < patternCount<TypeParam>(); ++i)
    for (unsigned j = 0; j < patternCount<TypeParam>(); ++j)
      for (unsigned k = 0; k < patternCount<TypeParam>(); ++k) {
        auto a = static_cast<typename S::Bits>(i);
        auto b = static_cast<typename S::Bits>(j);
        auto c = static_cast<typename S::Bits>(k);
        ASSERT_EQ(+S::fma(a, b, c), +Oracle<TypeParam>::fma(a, b, c)) << i << " * " << j << " + " << k;
      }
}

TEST(SoftFloat, CanonicalNanOfBinary32) {
  using S = Soft<Binary32>;
  EXPECT_EQ(S::nan, 0x7FC00000U);
  EXPECT_EQ(Soft<Binary64>::nan, 0x7FF8000000000000U);
  EXPECT_EQ(S::neg(0xFFC00001U), 0x7FC00000U);
  EXPECT_EQ(S::abs(0xFF800001U), 0x7FC00000U);
  EXPECT_EQ(S::canonical(0x7F800001U), 0x7FC00000U);
  EXPECT_TRUE(S::same(0xFF800001U, 0x7FC00000U));
  EXPECT_FALSE(S::same(0x80000000U, 0U));
}

} // namespace
} // namespace plumbline::f32

// IEEE 754-2019 binary arithmetic on bit patterns, in integer arithmetic only: any format up to binary64,
// round to nearest even, subnormals exact. The answer depends on no floating-point unit, rounding mode or
// compiler flag.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace plumbline::f32 {

__extension__ typedef unsigned __int128 Uint128;

/// An interchange format: one sign bit, then exponent, then mantissa; the top exponent means infinity and
/// NaN.
template <int ExponentBits, int MantissaBits> struct Format {
  static_assert(ExponentBits >= 2 && MantissaBits >= 1 && 1 + ExponentBits + MantissaBits <= 64);
  static constexpr int exponentBits = ExponentBits;
  static constexpr int mantissaBits = MantissaBits;
  static constexpr int totalBits = 1 + ExponentBits + MantissaBits;
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr int specialExponent = (1 << ExponentBits) - 1; ///< the biased exponent of infinity and NaN
  static constexpr int minExponent = 1 - bias;                    ///< of the smallest normal number
};

using Binary32 = Format<8, 23>;
using Binary64 = Format<11, 52>;

namespace detail {

/// Position of the highest set bit; `value` is not zero.
template <class Wide> constexpr int topBit(Wide value) {
  if constexpr (sizeof(Wide) > 8) {
    auto high = static_cast<uint64_t>(value >> 64);
    return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<uint64_t>(value));
  } else {
    return 63 - std::countl_zero(static_cast<uint64_t>(value));
  }
}

/// Shifts right and keeps "something was lost" in the lowest bit.
template <class Wide> constexpr Wide shiftRightSticky(Wide value, int count) {
  constexpr int width = static_cast<int>(sizeof(Wide)) * 8;
  if (count <= 0)
    return value;
  if (count >= width)
    return static_cast<Wide>(value != 0);
  Wide lost = value & ((static_cast<Wide>(1) << count) - 1);
  return (value >> count) | static_cast<Wide>(lost != 0);
}

/// Floor of the square root, and whether it is exact.
template <class Wide> constexpr Wide squareRoot(Wide value, bool& exact) {
  Wide root = 0;
  Wide rest = value;
  for (int bit = value == 0 ? 0 : topBit(value) / 2; bit >= 0; --bit) {
    Wide step = (root << (bit + 1)) + (static_cast<Wide>(1) << (2 * bit));
    if (step <= rest) {
      rest -= step;
      root |= static_cast<Wide>(1) << bit;
    }
  }
  exact = rest == 0;
  return root;
}

} // namespace detail

/// Arithmetic of one format. All functions are pure and work on bit patterns held in the low bits of `Bits`.
/// Every NaN result is the canonical quiet NaN (positive, only the top mantissa bit set: 0x7FC00000 for
/// binary32).
template <class F> struct Soft {
  using Bits =
      std::conditional_t<(F::totalBits <= 8), uint8_t,
                         std::conditional_t<(F::totalBits <= 16), uint16_t,
                                            std::conditional_t<(F::totalBits <= 32), uint32_t, uint64_t>>>;
  /// Holds an exact product with room to align a third operand.
  using Wide = std::conditional_t<(2 * F::mantissaBits + 8 <= 62), uint64_t, Uint128>;

  static constexpr int mantissaBits = F::mantissaBits;
  static constexpr Bits signMask = static_cast<Bits>(static_cast<uint64_t>(1) << (F::totalBits - 1));
  static constexpr Bits mantissaMask = static_cast<Bits>((static_cast<uint64_t>(1) << mantissaBits) - 1);
  static constexpr Bits infinity =
      static_cast<Bits>(static_cast<uint64_t>(F::specialExponent) << mantissaBits);
  static constexpr Bits nan = static_cast<Bits>(infinity | (static_cast<uint64_t>(1) << (mantissaBits - 1)));
  static constexpr Bits largest = static_cast<Bits>(infinity - 1);

  static constexpr bool isNegative(Bits a) { return (a & signMask) != 0; } ///< the sign bit, NaN included
  static constexpr Bits magnitude(Bits a) { return static_cast<Bits>(a & ~signMask); }
  static constexpr bool isNan(Bits a) { return magnitude(a) > infinity; }
  static constexpr bool isInf(Bits a) { return magnitude(a) == infinity; }
  static constexpr bool isZero(Bits a) { return magnitude(a) == 0; }
  static constexpr Bits canonical(Bits a) { return isNan(a) ? nan : a; }
  /// The relation `equal` of the product: same bits, all NaNs being one.
  static constexpr bool same(Bits a, Bits b) { return canonical(a) == canonical(b); }

  static constexpr Bits neg(Bits a) { return isNan(a) ? nan : static_cast<Bits>(a ^ signMask); }
  static constexpr Bits abs(Bits a) { return isNan(a) ? nan : magnitude(a); }

  /// compareQuietEqual, compareQuietLess, compareQuietLessEqual: false when an operand is NaN, -0 equals +0.
  static constexpr bool equal(Bits a, Bits b) {
    return !isNan(a) && !isNan(b) && (a == b || (isZero(a) && isZero(b)));
  }
  static constexpr bool less(Bits a, Bits b) {
    if (isNan(a) || isNan(b) || (isZero(a) && isZero(b)))
      return false;
    if (isNegative(a) != isNegative(b))
      return isNegative(a);
    return isNegative(a) ? magnitude(b) < magnitude(a) : a < b;
  }
  static constexpr bool lessEqual(Bits a, Bits b) { return less(a, b) || equal(a, b); }

  /// PTX max and min: a number beats NaN, +0 is above -0; two NaNs give the canonical NaN.
  static constexpr Bits ptxMax(Bits a, Bits b) {
    if (isNan(a) || isNan(b))
      return isNan(a) ? canonical(b) : a;
    if (isZero(a) && isZero(b))
      return isNegative(a) ? b : a;
    return less(a, b) ? b : a;
  }
  static constexpr Bits ptxMin(Bits a, Bits b) {
    if (isNan(a) || isNan(b))
      return isNan(a) ? canonical(b) : a;
    if (isZero(a) && isZero(b))
      return isNegative(a) ? a : b;
    return less(b, a) ? b : a;
  }

  static constexpr Bits add(Bits a, Bits b) {
    if (isNan(a) || isNan(b) || (isInf(a) && isInf(b) && isNegative(a) != isNegative(b)))
      return nan;
    if (isInf(a) || isInf(b))
      return isInf(a) ? a : b;
    return sum(unpack(a), unpack(b));
  }
  static constexpr Bits sub(Bits a, Bits b) { return add(a, neg(b)); }

  static constexpr Bits mul(Bits a, Bits b) {
    bool negative = isNegative(a) != isNegative(b);
    if (isNan(a) || isNan(b) || (isInf(a) && isZero(b)) || (isZero(a) && isInf(b)))
      return nan;
    if (isInf(a) || isInf(b))
      return withSign(negative, infinity);
    return pack(product(a, b));
  }

  static constexpr Bits div(Bits a, Bits b) {
    bool negative = isNegative(a) != isNegative(b);
    if (isNan(a) || isNan(b) || (isInf(a) && isInf(b)) || (isZero(a) && isZero(b)))
      return nan;
    if (isInf(a) || isZero(b))
      return withSign(negative, infinity);
    if (isZero(a) || isInf(b))
      return withSign(negative, 0);
    Parts x = normalised(unpack(a)), y = normalised(unpack(b));
    constexpr int shift = mantissaBits + 3;
    Wide dividend = x.significand << shift;
    Wide quotient = dividend / y.significand;
    quotient |= static_cast<Wide>(quotient * y.significand != dividend);
    return pack({negative, x.exponent - y.exponent - shift, quotient});
  }

  static constexpr Bits sqrt(Bits a) {
    if (isNan(a))
      return nan;
    if (isZero(a))
      return a;
    if (isNegative(a))
      return nan;
    if (isInf(a))
      return a;
    Parts x = normalised(unpack(a));
    int shift = mantissaBits + 5;
    shift += (x.exponent - shift) & 1; // the exponent left over must be even
    bool exact = false;
    Wide root = detail::squareRoot(static_cast<Wide>(x.significand << shift), exact);
    root = (root << 1) | static_cast<Wide>(!exact);
    return pack({false, (x.exponent - shift) / 2 - 1, root});
  }

  /// a*b+c with one rounding.
  static constexpr Bits fma(Bits a, Bits b, Bits c) {
    bool negative = isNegative(a) != isNegative(b);
    if (isNan(a) || isNan(b) || isNan(c) || (isInf(a) && isZero(b)) || (isZero(a) && isInf(b)))
      return nan;
    if (isInf(a) || isInf(b))
      return isInf(c) && isNegative(c) != negative ? nan : withSign(negative, infinity);
    if (isInf(c))
      return c;
    return sum(product(a, b), unpack(c));
  }

  /// A finite value: (-1)^negative * significand * 2^exponent. A zero keeps its sign.
  struct Parts {
    bool negative = false;
    int exponent = 0;
    Wide significand = 0;
  };

  /// The exact value of a finite pattern.
  static constexpr Parts unpack(Bits a) {
    int biased = static_cast<int>(magnitude(a) >> mantissaBits);
    auto mantissa = static_cast<Wide>(a & mantissaMask);
    if (biased != 0)
      mantissa |= static_cast<Wide>(1) << mantissaBits;
    return {isNegative(a), (biased == 0 ? 1 : biased) - F::bias - mantissaBits, mantissa};
  }

  /// Rounds (-1)^negative * significand * 2^exponent to the format. The top bit of W is not used by the
  /// significand; the lowest bit of one with more than mantissaBits + 2 bits may be sticky.
  template <class W> static constexpr Bits round(bool negative, int exponent, W significand) {
    if (significand == 0)
      return withSign(negative, 0);
    int top = detail::topBit(significand);
    int valueExponent = exponent + top;
    bool subnormal = valueExponent < F::minExponent;
    int drop = (subnormal ? F::minExponent : valueExponent) - mantissaBits - exponent;
    if (valueExponent > F::bias)
      return withSign(negative, infinity);
    if (drop > top + 1)
      return withSign(negative, 0);
    uint64_t kept = drop <= 0 ? static_cast<uint64_t>(significand << std::min(-drop, mantissaBits))
                              : roundedShift(significand, drop);
    // A carry out of the mantissa runs into the exponent field, which is exactly the next binade (or
    // infinity).
    uint64_t base = subnormal ? 0 : static_cast<uint64_t>(valueExponent + F::bias - 1) << mantissaBits;
    return withSign(negative, static_cast<Bits>(base + kept));
  }

private:
  static constexpr Bits withSign(bool negative, Bits a) {
    return negative ? static_cast<Bits>(a | signMask) : a;
  }
  static constexpr Bits pack(Parts x) { return round(x.negative, x.exponent, x.significand); }

  template <class W> static constexpr uint64_t roundedShift(W significand, int drop) {
    int count = std::clamp(drop, 1, static_cast<int>(sizeof(W)) * 8 - 1); // changes nothing: see round
    W half = static_cast<W>(1) << (count - 1);
    W rest = significand & ((half << 1) - 1);
    auto kept = static_cast<uint64_t>(significand >> count);
    bool up = rest > half || (rest == half && (kept & 1) != 0);
    return kept + static_cast<uint64_t>(up);
  }

  /// Highest bit at mantissaBits, so that quotients and roots have a known size. Not for zero.
  static constexpr Parts normalised(Parts x) {
    int shift = mantissaBits - detail::topBit(x.significand);
    return {x.negative, x.exponent - shift, static_cast<Wide>(x.significand << shift)};
  }

  static constexpr Parts product(Bits a, Bits b) {
    Parts x = unpack(a), y = unpack(b);
    return {x.negative != y.negative, x.exponent + y.exponent,
            static_cast<Wide>(x.significand * y.significand)};
  }

  /// Rounded sum of two exact finite values (at most 2 * mantissaBits + 2 bits each). Both are brought to the
  /// same high position; what the smaller one loses is kept as a sticky bit, which lies far below the
  /// rounding position because bits are lost only when the exponents differ by more than the free room, and
  /// then at most one leading bit can cancel.
  static constexpr Bits sum(Parts x, Parts y) {
    if (x.significand == 0 && y.significand == 0)
      return withSign(x.negative && y.negative, 0);
    if (x.significand == 0 || y.significand == 0)
      return pack(x.significand == 0 ? y : x);
    x = raised(x);
    y = raised(y);
    if (x.exponent < y.exponent || (x.exponent == y.exponent && x.significand < y.significand)) {
      Parts keep = x;
      x = y;
      y = keep;
    }
    Wide small = detail::shiftRightSticky(y.significand, x.exponent - y.exponent);
    if (x.negative == y.negative)
      return pack({x.negative, x.exponent, static_cast<Wide>(x.significand + small)});
    Wide difference = x.significand - small;
    return difference == 0 ? Bits{0} : pack({x.negative, x.exponent, difference});
  }

  static constexpr Parts raised(Parts x) {
    int shift = static_cast<int>(sizeof(Wide)) * 8 - 3 - detail::topBit(x.significand);
    return {x.negative, x.exponent - shift, static_cast<Wide>(x.significand << shift)};
  }
};

/// One rounding from one format to another; NaN becomes the canonical NaN.
template <class From, class To> constexpr typename Soft<To>::Bits convert(typename Soft<From>::Bits bits) {
  using Target = Soft<To>;
  bool negative = Soft<From>::isNegative(bits);
  if (Soft<From>::isNan(bits))
    return Target::nan;
  if (Soft<From>::isInf(bits))
    return negative ? Target::neg(Target::infinity) : Target::infinity;
  auto parts = Soft<From>::unpack(bits);
  return Target::round(parts.negative, parts.exponent, parts.significand);
}

/// The nearest value; zero gives +0.
template <class F> constexpr typename Soft<F>::Bits fromUnsigned(uint64_t value) {
  return Soft<F>::round(false, 0, static_cast<Uint128>(value));
}
template <class F> constexpr typename Soft<F>::Bits fromInteger(int64_t value) {
  auto magnitude = value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return Soft<F>::round(value < 0, 0, static_cast<Uint128>(magnitude));
}

/// Truncates towards zero, saturates to an integer type of `width` bits (1 to 64), NaN gives 0. An unsigned
/// 64-bit result above the int64_t range is returned as its two's complement pattern.
template <class F> constexpr int64_t toInteger(typename Soft<F>::Bits bits, int width, bool isSigned) {
  if (Soft<F>::isNan(bits))
    return 0;
  bool negative = Soft<F>::isNegative(bits);
  uint64_t top = ~uint64_t{0} >> (64 - width);
  uint64_t limit = !isSigned ? (negative ? 0 : top) : negative ? (top >> 1) + 1 : top >> 1;
  uint64_t magnitude = limit;
  if (!Soft<F>::isInf(bits)) {
    auto parts = Soft<F>::unpack(bits);
    auto significand = static_cast<uint64_t>(parts.significand);
    if (significand == 0 || parts.exponent <= -64)
      magnitude = 0;
    else if (parts.exponent <= 0)
      magnitude = significand >> -parts.exponent;
    else if (parts.exponent + detail::topBit(significand) < 64)
      magnitude = significand << parts.exponent;
    magnitude = magnitude < limit ? magnitude : limit;
  }
  return static_cast<int64_t>(negative ? uint64_t{0} - magnitude : magnitude);
}

} // namespace plumbline::f32

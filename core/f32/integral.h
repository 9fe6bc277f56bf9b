// Rounding to integral values and exact remainders, on bit patterns and in integer arithmetic.
#pragma once

#include "core/f32/soft_float.h"

#include <utility>

namespace plumbline::f32 {

enum class Integral : uint8_t { Floor, Ceil, Trunc, NearestEven, NearestAway };

/// IEEE 754's roundToIntegral: zero and results of zero keep the sign of `a`; NaN gives the canonical NaN.
template <class F> constexpr typename Soft<F>::Bits toIntegral(typename Soft<F>::Bits a, Integral mode) {
  using S = Soft<F>;
  using Bits = typename S::Bits;
  if (S::isNan(a))
    return S::nan;
  const bool negative = S::isNegative(a);
  const Bits magnitude = S::magnitude(a);
  const int exponent = static_cast<int>(magnitude >> F::mantissaBits) - F::bias;
  if (magnitude == 0 || exponent >= F::mantissaBits)
    return a; // integral already, or infinite
  const Bits one = static_cast<Bits>(static_cast<uint64_t>(F::bias) << F::mantissaBits);
  const Bits half = static_cast<Bits>(static_cast<uint64_t>(F::bias - 1) << F::mantissaBits);
  // Below one, the integral part is zero, and the pattern itself is compared with that of a half. Above, the
  // lowest bit of the integral part is the lowest of the exponent field where no mantissa bit is left of it.
  const bool below = exponent < 0;
  const Bits unit = static_cast<Bits>(static_cast<uint64_t>(1) << (F::mantissaBits - (below ? 0 : exponent)));
  const Bits rest = below ? magnitude : static_cast<Bits>(magnitude & (unit - 1));
  const Bits middle = below ? half : static_cast<Bits>(unit >> 1);
  const Bits whole = below ? Bits{0} : static_cast<Bits>(magnitude - rest);
  const bool odd = !below && (exponent == 0 || (whole & unit) != 0);
  bool away = false;
  switch (mode) {
  case Integral::Floor: away = negative && rest != 0; break;
  case Integral::Ceil: away = !negative && rest != 0; break;
  case Integral::Trunc: break;
  case Integral::NearestEven: away = rest > middle || (rest == middle && odd); break;
  case Integral::NearestAway: away = rest >= middle; break;
  }
  Bits result = whole;
  if (away)
    result = below ? one : static_cast<Bits>(whole + unit);
  return negative ? static_cast<Bits>(result | S::signMask) : result;
}

namespace detail {

/// |a| = quotient * |b| + rest * 2^exponent with 0 <= rest < divisor, where |b| = divisor * 2^exponent. Only
/// the lowest bit of the quotient is kept. Both are finite, b is not zero.
struct Division {
  uint64_t rest;
  uint64_t divisor;
  int exponent;
  bool odd;
};

template <class F> constexpr Division divide(typename Soft<F>::Bits a, typename Soft<F>::Bits b) {
  const auto x = Soft<F>::unpack(a);
  const auto y = Soft<F>::unpack(b);
  const auto left = static_cast<uint64_t>(x.significand);
  const auto right = static_cast<uint64_t>(y.significand);
  if (x.exponent < y.exponent) {
    // b is normal then. From two binades on it is more than twice a; such a divisor is not needed exactly.
    const int shift = std::min(y.exponent - x.exponent, 2);
    const uint64_t divisor = right << shift;
    return {left % divisor, divisor, x.exponent, left >= divisor};
  }
  Division made{left % right, right, y.exponent, (left / right & 1) != 0};
  for (int i = x.exponent - y.exponent; i > 0; --i) {
    made.rest <<= 1;
    made.odd = made.rest >= right;
    if (made.odd)
      made.rest -= right;
  }
  return made;
}

template <class F> constexpr bool isRemainderInvalid(typename Soft<F>::Bits a, typename Soft<F>::Bits b) {
  using S = Soft<F>;
  return S::isNan(a) || S::isNan(b) || S::isInf(a) || S::isZero(b);
}

} // namespace detail

/// a - n*b for the n that truncation gives: C's fmod. The sign is that of `a`.
template <class F> constexpr typename Soft<F>::Bits fmod(typename Soft<F>::Bits a, typename Soft<F>::Bits b) {
  using S = Soft<F>;
  if (detail::isRemainderInvalid<F>(a, b))
    return S::nan;
  if (S::isInf(b))
    return a;
  const detail::Division made = detail::divide<F>(a, b);
  return S::round(S::isNegative(a), made.exponent, static_cast<Uint128>(made.rest));
}

/// a - n*b for the n nearest to a/b, ties to even: IEEE 754's remainder. A zero has the sign of `a`.
template <class F>
constexpr typename Soft<F>::Bits remainder(typename Soft<F>::Bits a, typename Soft<F>::Bits b) {
  using S = Soft<F>;
  if (detail::isRemainderInvalid<F>(a, b))
    return S::nan;
  if (S::isInf(b))
    return a;
  const detail::Division made = detail::divide<F>(a, b);
  const bool up = 2 * made.rest > made.divisor || (2 * made.rest == made.divisor && made.odd);
  const uint64_t rest = up ? made.divisor - made.rest : made.rest;
  return S::round(S::isNegative(a) != up, made.exponent, static_cast<Uint128>(rest));
}

} // namespace plumbline::f32

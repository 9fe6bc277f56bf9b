// Exact rational numbers and their relation to floats. The only folder whose headers name GMP.
#pragma once

#include "core/base/error.h"
#include "core/f32/soft_float.h"

#include <gmpxx.h>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::f32 {

/// Always kept canonical (lowest terms, positive denominator). Dividing by zero is the caller's error to
/// avoid.
using Rational = mpq_class;

/// value * 2^exponent, exactly.
Rational scaled(const Rational& value, long exponent);

/// An integer of 64 bits; GMP's constructors take `long`, which is the same type only on some platforms.
Rational rationalFromInteger(int64_t value);

/// "3", "-1/3": GMP's notation, readable by parseExact.
std::string toString(const Rational& value);

/// The exact square root, when it is rational.
std::optional<Rational> exactSqrt(const Rational& value);

/// Reads "0.01", "-1e-3", "1/3", ".5", "0x1.8p3" without rounding. Errors: "number-syntax", also for
/// exponents beyond +-20000, which no float literal needs.
Expected<Rational> parseExact(std::string_view text);

/// Nearest value to `value` in a format with `mantissaBits` bits and the exponents of the parameters, ties to
/// even, as bit pattern. Written on GMP integers, independently of Soft<F>::round. A zero gives +0.
uint64_t roundRational(const Rational& value, int exponentBits, int mantissaBits);

template <class F> typename Soft<F>::Bits fromRational(const Rational& value) {
  return static_cast<typename Soft<F>::Bits>(roundRational(value, F::exponentBits, F::mantissaBits));
}

/// The exact value of a finite pattern; nothing for infinities and NaN. Both zeros give 0.
template <class F> std::optional<Rational> toRational(typename Soft<F>::Bits bits) {
  if (Soft<F>::isNan(bits) || Soft<F>::isInf(bits))
    return std::nullopt;
  auto parts = Soft<F>::unpack(bits);
  auto significand = rationalFromInteger(static_cast<int64_t>(static_cast<uint64_t>(parts.significand)));
  return scaled(parts.negative ? Rational(-significand) : significand, parts.exponent);
}

} // namespace plumbline::f32

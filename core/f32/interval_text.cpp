// Intervals in decimal. MPFR converts to decimal digits with correct rounding, also in a given direction.
#include "core/f32/interval_ends.h"

#include <memory>

namespace plumbline::f32 {

namespace {

/// 0.DIGITS times ten to the exponent.
struct Digits {
  bool isNegative = false;
  std::string digits;
  mpfr_exp_t exponent = 0;
  bool operator==(const Digits&) const = default;
};

Digits rounded(mpfr_srcptr value, int count, mpfr_rnd_t rounding) {
  Digits result;
  const std::unique_ptr<char, decltype(&mpfr_free_str)> text(
      mpfr_get_str(nullptr, &result.exponent, 10, static_cast<size_t>(count), value, rounding),
      mpfr_free_str);
  result.digits = text.get();
  result.isNegative = result.digits.starts_with('-');
  if (result.isNegative)
    result.digits.erase(0, 1);
  return result;
}

/// Plain for moderate exponents, otherwise "1.25e-40". Keeps zeros at the end.
std::string written(const Digits& number) {
  constexpr mpfr_exp_t mostLeadingZeros = 5;
  std::string text = number.digits;
  const auto count = static_cast<mpfr_exp_t>(text.size());
  if (number.exponent > 0 && number.exponent <= count) {
    if (number.exponent < count)
      text.insert(static_cast<size_t>(number.exponent), ".");
  } else if (number.exponent <= 0 && number.exponent >= -mostLeadingZeros) {
    text = "0." + std::string(static_cast<size_t>(-number.exponent), '0') + text;
  } else {
    if (count > 1)
      text.insert(1, ".");
    text += "e" + std::to_string(number.exponent - 1);
  }
  return (number.isNegative ? "-" : "") + text;
}

/// An end, rounded outward.
std::string endText(mpfr_srcptr value, int count, mpfr_rnd_t rounding) {
  if (mpfr_inf_p(value) != 0)
    return mpfr_sgn(value) < 0 ? "-inf" : "inf";
  if (mpfr_zero_p(value) != 0)
    return "0";
  return written(rounded(value, count, rounding));
}

} // namespace

DecimalText decimalText(const Interval& interval, int mostDigits) {
  constexpr int boundDigits = 4; // how many more the bounds have
  const Interval::Ends& ends = interval.ends();
  DecimalText result;
  int certain = 0;
  const bool readable = mpfr_regular_p(ends.low) != 0 && mpfr_regular_p(ends.high) != 0;
  for (int count = mostDigits; readable && count > 0 && certain == 0; --count) {
    const Digits low = rounded(ends.low, count, MPFR_RNDN);
    if (low != rounded(ends.high, count, MPFR_RNDN))
      continue;
    certain = count;
    result.digits = written(low);
  }
  result.low = endText(ends.low, certain + boundDigits, MPFR_RNDD);
  result.high = endText(ends.high, certain + boundDigits, MPFR_RNDU);
  return result;
}

} // namespace plumbline::f32

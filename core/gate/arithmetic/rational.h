// Fractions of 128-bit integers for the simplex; a result that does not fit is reported, never rounded.
#pragma once

#include <cstdint>

namespace plumbline::gate {

/// Numerator and positive denominator in lowest terms, both below 2^126.
class SmallRational {
public:
  using Wide = __int128;

  SmallRational() = default;
  explicit SmallRational(int64_t value) : m_numerator(value) {}

  bool isZero() const { return m_numerator == 0; }
  bool isNegative() const { return m_numerator < 0; }
  Wide numerator() const { return m_numerator; }
  Wide denominator() const { return m_denominator; }
  bool operator==(const SmallRational&) const = default;

  /// Each sets `overflow` and leaves an unusable value when the result does not fit.
  static SmallRational sum(const SmallRational& a, const SmallRational& b, bool& overflow);
  static SmallRational difference(const SmallRational& a, const SmallRational& b, bool& overflow);
  static SmallRational product(const SmallRational& a, const SmallRational& b, bool& overflow);
  static SmallRational quotient(const SmallRational& a, const SmallRational& b, bool& overflow); ///< b not 0

  bool lessThan(const SmallRational& other) const;

private:
  static SmallRational reduced(Wide numerator, Wide denominator, bool& overflow);
  static SmallRational combined(const SmallRational& a, Wide sign, const SmallRational& b, bool& overflow);

  Wide m_numerator = 0;
  Wide m_denominator = 1;
};

} // namespace plumbline::gate

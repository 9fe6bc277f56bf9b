// Closed intervals of real numbers with binary floating-point ends of any precision (MPFR).
//
// Every operation gives an interval that contains the exact result for all choices of operands, its ends
// rounded outward to `precision` bits. A larger precision or smaller operands give a part of it. An end is
// infinite where the numbers are beyond MPFR's exponents, 2^30; the enclosed numbers themselves are finite.
#pragma once

#include "core/f32/rational.h"

#include <memory>
#include <span>

namespace plumbline::f32 {

/// Immutable and cheap to copy. Without a value only after default construction.
class Interval {
public:
  Interval() = default;
  /// The smallest interval with ends of `precision` bits around the number.
  static Interval around(const Rational& value, int precision);
  /// The smallest one with ends of `precision` bits that reaches from `low` to `high`.
  static Interval between(const Rational& low, const Rational& high, int precision);

  /// The number, when there is only one and it has at most `mostBits` bits before or after the point.
  std::optional<Rational> point(size_t mostBits = 100000) const;
  /// The ends, those beyond +-`most` moved there.
  Rational lowWithin(const Rational& most) const;
  Rational highWithin(const Rational& most) const;

  bool contains(const Rational& value) const;
  bool contains(const Interval& part) const;
  bool overlaps(const Interval& other) const;
  /// A copy, or a copy of a copy: what stands for the one number stands for the other.
  bool isSame(const Interval& other) const { return m_ends == other.m_ends; }
  size_t identity() const { return std::hash<const Ends*>{}(m_ends.get()); }
  /// At most 2^-`relativeBits` of its numbers wide, or at most 2^`absoluteExponent`.
  bool isNarrow(int relativeBits, long absoluteExponent) const;

  struct Ends; ///< in interval_ends.h
  explicit Interval(std::shared_ptr<const Ends> ends) : m_ends(std::move(ends)) {}
  const Ends& ends() const { return *m_ends; }

private:
  std::shared_ptr<const Ends> m_ends;
};

/// Every number of the first is below (at most equal to) every number of the second.
bool surelyLess(const Interval& a, const Interval& b);
bool surelyAtMost(const Interval& a, const Interval& b);

Interval hull(const Interval& a, const Interval& b);
Interval negate(const Interval& a);
Interval absolute(const Interval& a);
/// The larger (smaller) of two numbers, one of each interval.
Interval larger(const Interval& a, const Interval& b);
Interval smaller(const Interval& a, const Interval& b);
Interval add(const Interval& a, const Interval& b, int precision);
Interval subtract(const Interval& a, const Interval& b, int precision);
Interval multiply(const Interval& a, const Interval& b, int precision);
/// The product of a number with itself.
Interval square(const Interval& a, int precision);

/// The values of a function whose arguments are somewhere in intervals.
struct Image {
  enum class Kind : uint8_t {
    Inside,    ///< defined for all of them; the values are in `values`
    Outside,   ///< defined for none
    Straddles, ///< the intervals reach across the edge of the domain or a pole
    Unknown    ///< not a function of canonicalFunction (elementary.h) or "sqrt" with so many arguments
  };
  Kind kind = Kind::Unknown;
  Interval values;
};
/// "exp", "pow", ... by canonical name. pow(0, 0) is 1, as in every library; atan2(0, 0) is not defined.
Image image(std::string_view canonical, std::span<const Interval> args, int precision);

/// An interval in decimal.
struct DecimalText {
  /// The digits that are certain: both ends rounded to that many digits agree. Empty when not even one is.
  std::string digits;
  std::string low; ///< rounded down, "-inf" when there is no bound
  std::string high;
};
DecimalText decimalText(const Interval& interval, int mostDigits);

} // namespace plumbline::f32

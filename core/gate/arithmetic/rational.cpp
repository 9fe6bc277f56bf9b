#include "core/gate/arithmetic/rational.h"

#include <limits>
#include <utility>

namespace plumbline::gate {

namespace {

using Wide = __int128;

Wide gcd(Wide a, Wide b) {
  while (b != 0)
    a = std::exchange(b, a % b);
  return a < 0 ? -a : a;
}

} // namespace

SmallRational SmallRational::reduced(Wide numerator, Wide denominator, bool& overflow) {
  if (denominator != 1) {
    if (denominator < 0) {
      numerator = -numerator;
      denominator = -denominator;
    }
    if (const Wide divisor = gcd(numerator, denominator); divisor > 1) {
      numerator /= divisor;
      denominator /= divisor;
    }
  }
  constexpr Wide most = std::numeric_limits<int64_t>::max();
  SmallRational result;
  if (numerator > most || numerator < -most || denominator > most) {
    overflow = true;
    return result;
  }
  result.m_numerator = static_cast<int64_t>(numerator);
  result.m_denominator = static_cast<int64_t>(denominator);
  return result;
}

// Numerators stay within the negated maximum and denominators below it, so no sum of two products leaves 127
// bits.
SmallRational SmallRational::sum(const SmallRational& a, const SmallRational& b, bool& overflow) {
  if (a.m_denominator == 1 && b.m_denominator == 1)
    return reduced(Wide{a.m_numerator} + b.m_numerator, 1, overflow);
  return reduced(Wide{a.m_numerator} * b.m_denominator + Wide{b.m_numerator} * a.m_denominator,
                 Wide{a.m_denominator} * b.m_denominator, overflow);
}

SmallRational SmallRational::difference(const SmallRational& a, const SmallRational& b, bool& overflow) {
  if (a.m_denominator == 1 && b.m_denominator == 1)
    return reduced(Wide{a.m_numerator} - b.m_numerator, 1, overflow);
  return reduced(Wide{a.m_numerator} * b.m_denominator - Wide{b.m_numerator} * a.m_denominator,
                 Wide{a.m_denominator} * b.m_denominator, overflow);
}

SmallRational SmallRational::product(const SmallRational& a, const SmallRational& b, bool& overflow) {
  return reduced(Wide{a.m_numerator} * b.m_numerator, Wide{a.m_denominator} * b.m_denominator, overflow);
}

SmallRational SmallRational::quotient(const SmallRational& a, const SmallRational& b, bool& overflow) {
  return reduced(Wide{a.m_numerator} * b.m_denominator, Wide{a.m_denominator} * b.m_numerator, overflow);
}

bool SmallRational::lessThan(const SmallRational& other) const {
  return Wide{m_numerator} * other.m_denominator < Wide{other.m_numerator} * m_denominator;
}

} // namespace plumbline::gate

#include "core/gate/arithmetic/rational.h"

#include <limits>
#include <numeric>
#include <utility>

namespace plumbline::gate {

namespace {

using Wide = SmallRational::Wide;

constexpr Wide most = (Wide{1} << 126) - 1;

bool isShort(Wide value) {
  constexpr Wide limit = std::numeric_limits<int64_t>::max();
  return value <= limit && value >= -limit;
}

Wide gcd(Wide a, Wide b) {
  while (b != 0) {
    if (isShort(a) && isShort(b)) // two words are much slower to divide than one
      return std::gcd(static_cast<int64_t>(a), static_cast<int64_t>(b));
    a = std::exchange(b, a % b);
  }
  return a < 0 ? -a : a;
}

Wide floorDivided(Wide a, Wide b) { // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

Wide times(Wide a, Wide b, bool& overflow) {
  if (isShort(a) && isShort(b))
    return a * b;
  Wide result = 0;
  overflow = __builtin_mul_overflow(a, b, &result) || overflow;
  return overflow ? 0 : result;
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
  SmallRational result;
  if (overflow || numerator > most || numerator < -most || denominator > most) {
    overflow = true;
    return result;
  }
  result.m_numerator = numerator;
  result.m_denominator = denominator;
  return result;
}

/// a + sign * b
SmallRational SmallRational::combined(const SmallRational& a, Wide sign, const SmallRational& b,
                                      bool& overflow) {
  const Wide second = sign * b.m_numerator;
  if (a.m_denominator == b.m_denominator) // at most 2^127 - 2
    return reduced(a.m_numerator + second, a.m_denominator, overflow);
  const Wide left = times(a.m_numerator, b.m_denominator, overflow);
  const Wide right = times(second, a.m_denominator, overflow);
  Wide numerator = 0;
  overflow = __builtin_add_overflow(left, right, &numerator) || overflow;
  return reduced(numerator, times(a.m_denominator, b.m_denominator, overflow), overflow);
}

SmallRational SmallRational::sum(const SmallRational& a, const SmallRational& b, bool& overflow) {
  return combined(a, 1, b, overflow);
}

SmallRational SmallRational::difference(const SmallRational& a, const SmallRational& b, bool& overflow) {
  return combined(a, -1, b, overflow);
}

SmallRational SmallRational::product(const SmallRational& a, const SmallRational& b, bool& overflow) {
  if (isShort(a.m_numerator) && isShort(b.m_numerator) && isShort(a.m_denominator) &&
      isShort(b.m_denominator))
    return reduced(a.m_numerator * b.m_numerator, a.m_denominator * b.m_denominator, overflow);
  const Wide across = gcd(a.m_numerator, b.m_denominator);
  const Wide other = gcd(b.m_numerator, a.m_denominator);
  return reduced(times(a.m_numerator / across, b.m_numerator / other, overflow),
                 times(a.m_denominator / other, b.m_denominator / across, overflow), overflow);
}

SmallRational SmallRational::quotient(const SmallRational& a, const SmallRational& b, bool& overflow) {
  SmallRational inverse;
  inverse.m_numerator = b.m_numerator < 0 ? -b.m_denominator : b.m_denominator;
  inverse.m_denominator = b.m_numerator < 0 ? -b.m_numerator : b.m_numerator;
  return product(a, inverse, overflow);
}

/// By whole parts, then by the inverses of what is left, so that no product leaves 128 bits.
bool SmallRational::lessThan(const SmallRational& other) const {
  Wide a = m_numerator;
  Wide b = m_denominator;
  Wide c = other.m_numerator;
  Wide d = other.m_denominator;
  if (b == d)
    return a < c;
  if (isShort(a) && isShort(b) && isShort(c) && isShort(d))
    return a * d < c * b;
  for (bool flipped = false;; flipped = !flipped) {
    const Wide left = floorDivided(a, b);
    const Wide right = floorDivided(c, d);
    if (left != right)
      return (left < right) != flipped;
    a -= left * b;
    c -= right * d;
    if (a == 0 || c == 0)
      return flipped ? c == 0 && a != 0 : a == 0 && c != 0;
    std::swap(a, b);
    std::swap(c, d);
  }
}

} // namespace plumbline::gate

#include "tests/differential/spec/reach_arithmetic.h"

#include "core/f32/elementary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace plumbline::spec::reach {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<float>::max();
constexpr double threshold = 0x1p128 - 0x1p103; // rounds to infinity from here on
constexpr double unit = 0x1p-24;
constexpr int vectorUlps =
    2; // documented for PyTorch's vectorised functions: 1; the correct value is rounded too

double gamma(size_t roundings) {
  const double k = static_cast<double>(roundings) * unit;
  return k / (1 - k);
}

double roundDown(double x) {
  if (std::abs(x) == infinity)
    return x;
  if (x >= threshold)
    return infinity;
  if (x <= -threshold)
    return -infinity;
  const float nearest = static_cast<float>(std::clamp(x, -largest, largest));
  return nearest > x ? std::nextafterf(nearest, -std::numeric_limits<float>::infinity()) : nearest;
}

double roundUp(double x) {
  return -roundDown(-x);
}

/// [RD low, RU high] with what may be NaN beside it.
Reach rounded(double low, double high, bool nan) {
  Reach result;
  result.low = roundDown(low);
  result.high = roundUp(high);
  result.nan = nan;
  return result;
}

Reach onlyNan() {
  Reach result;
  result.number = false;
  result.nan = true;
  return result;
}

double downward(double x, bool exact) {
  return exact ? x : std::nextafter(x, -infinity);
}

double upward(double x, bool exact) {
  return exact ? x : std::nextafter(x, infinity);
}

bool exactSum(double a, double b, double sum) {
  const double part = sum - a;
  return (a - (sum - part)) + (b - part) == 0;
}

bool holdsZero(const Reach& a) {
  return a.low <= 0 && a.high >= 0;
}

bool holdsInfinity(const Reach& a) {
  return a.low == -infinity || a.high == infinity;
}

bool holdsFinite(const Reach& a) {
  return a.low < infinity && a.high > -infinity;
}

/// Sum of two exact intervals, not yet rounded.
struct Bounds {
  double low;
  double high;
  bool nan;
};

Bounds exactAdd(const Bounds& a, const Bounds& b) {
  Bounds result{a.low + b.low, a.high + b.high, a.nan || b.nan};
  result.nan |= (a.high == infinity && b.low == -infinity) || (a.low == -infinity && b.high == infinity);
  // An infinity of one operand alone is left where the other cannot cancel it.
  result.low = std::isnan(result.low)
                   ? infinity
                   : downward(result.low, std::isinf(result.low) || exactSum(a.low, b.low, result.low));
  result.high = std::isnan(result.high)
                    ? -infinity
                    : upward(result.high, std::isinf(result.high) || exactSum(a.high, b.high, result.high));
  return result;
}

/// Products of binary32 values are exact in binary64.
Bounds exactMultiply(const Reach& a, const Reach& b) {
  Bounds result{infinity, -infinity, a.nan || b.nan};
  result.nan |= (holdsZero(a) && holdsInfinity(b)) || (holdsZero(b) && holdsInfinity(a));
  for (double x : {a.low, a.high})
    for (double y : {b.low, b.high})
      if (const double corner = x * y; !std::isnan(corner)) {
        result.low = std::min(result.low, corner);
        result.high = std::max(result.high, corner);
      }
  // Zero times what is finite between infinite ends.
  if ((holdsZero(a) && holdsFinite(b)) || (holdsZero(b) && holdsFinite(a))) {
    result.low = std::min(result.low, 0.0);
    result.high = std::max(result.high, 0.0);
  }
  return result;
}

Reach fromBounds(const Bounds& bounds) {
  return bounds.low > bounds.high ? onlyNan() : rounded(bounds.low, bounds.high, bounds.nan);
}

Bounds boundsOf(const Reach& a) {
  return {a.low, a.high, a.nan};
}

f32::Range rangeOf(const Reach& a) {
  auto bits = [](double x, bool upper) -> uint64_t {
    return x == 0 ? (upper ? 0U : 0x80000000U) : std::bit_cast<uint32_t>(static_cast<float>(x));
  };
  if (!a.number)
    return f32::pointRange(0x7FC00000, f32::Width::Binary32);
  return {bits(a.low, false), bits(a.high, true), false, a.nan};
}

double asDouble(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

} // namespace

Reach point(uint64_t bits) {
  if (std::isnan(asDouble(bits)))
    return onlyNan();
  Reach result;
  result.low = result.high = asDouble(bits);
  return result;
}

Reach wide(uint64_t bits) {
  const auto value = std::bit_cast<double>(bits);
  return std::isnan(value) ? onlyNan() : rounded(value, value, false);
}

Reach whole() {
  Reach result;
  result.low = -infinity;
  result.high = infinity;
  result.nan = true;
  return result;
}

Reach truth(bool mayBeTrue, bool mayBeFalse) {
  Reach result;
  result.sort = logic::Sort::Bool;
  result.mayBeTrue = mayBeTrue;
  result.mayBeFalse = mayBeFalse;
  return result;
}

Reach integer(std::optional<int64_t> value) {
  Reach result;
  result.sort = logic::Sort::Int;
  result.integer = value;
  return result;
}

Reach unknown(logic::Sort sort) {
  switch (sort) {
  case logic::Sort::Bool: return truth(true, true);
  case logic::Sort::Int: return integer(std::nullopt);
  default: return whole();
  }
}

Reach hull(const Reach& a, const Reach& b) {
  if (a.sort == logic::Sort::Bool)
    return truth(a.mayBeTrue || b.mayBeTrue, a.mayBeFalse || b.mayBeFalse);
  if (a.sort == logic::Sort::Int)
    return integer(a.integer == b.integer ? a.integer : std::nullopt);
  Reach result = a.number ? a : b;
  if (a.number && b.number) {
    result.low = std::min(a.low, b.low);
    result.high = std::max(a.high, b.high);
  }
  result.nan = a.nan || b.nan;
  return result;
}

Reach negate(const Reach& a) {
  Reach result = a;
  result.low = -a.high;
  result.high = -a.low;
  return result;
}

Reach absolute(const Reach& a) {
  Reach result = a;
  if (a.high <= 0)
    return negate(a);
  if (a.low < 0) {
    result.low = 0;
    result.high = std::max(-a.low, a.high);
  }
  return result;
}

Reach add(const Reach& a, const Reach& b) {
  if (!a.number || !b.number)
    return onlyNan();
  return fromBounds(exactAdd(boundsOf(a), boundsOf(b)));
}

Reach multiply(const Reach& a, const Reach& b) {
  if (!a.number || !b.number)
    return onlyNan();
  return fromBounds(exactMultiply(a, b));
}

Reach divide(const Reach& a, const Reach& b) {
  if (!a.number || !b.number)
    return onlyNan();
  Bounds result{infinity, -infinity, a.nan || b.nan};
  result.nan |= (holdsZero(a) && holdsZero(b)) || (holdsInfinity(a) && holdsInfinity(b));
  if (holdsZero(b)) {
    // The zero's sign is open, and so is that of the infinity.
    if (a.low == 0 && a.high == 0 && b.low == 0 && b.high == 0)
      return onlyNan();
    Reach all = whole();
    if (a.low == 0 && a.high == 0)
      all.low = all.high = 0;
    all.nan = result.nan;
    return all;
  }
  for (double x : {a.low, a.high})
    for (double y : {b.low, b.high}) {
      const double corner = x / y;
      if (std::isnan(corner))
        continue;
      const bool exact = std::isinf(x) || std::isinf(y) || std::fma(corner, y, -x) == 0;
      result.low = std::min(result.low, downward(corner, exact));
      result.high = std::max(result.high, upward(corner, exact));
    }
  return fromBounds(result);
}

Reach squareRoot(const Reach& a) {
  if (!a.number || a.high < 0)
    return onlyNan();
  auto root = [](double x, bool up) {
    const double value = std::sqrt(x);
    const bool exact = std::isinf(x) || std::fma(value, value, -x) == 0;
    return up ? upward(value, exact) : downward(value, exact);
  };
  return rounded(root(std::max(a.low, 0.0), false), root(a.high, true), a.nan || a.low < 0);
}

Reach multiplyAdd(const Reach& a, const Reach& b, const Reach& c) {
  if (!a.number || !b.number || !c.number)
    return onlyNan();
  const Reach product = multiply(a, b);
  return product.number ? add(product, c) : onlyNan();
}

Reach fromInteger(std::optional<int64_t> value) {
  if (!value)
    return whole();
  return rounded(static_cast<double>(*value), static_cast<double>(*value), false);
}

/// The correctly rounded value at a binary32 number.
double valueAt(std::string_view function, double x) {
  const uint64_t bits = std::bit_cast<uint32_t>(static_cast<float>(x));
  constexpr uint64_t none = 0x7FC00000;
  return asDouble(f32::elementaryValue(function, f32::Width::Binary32, std::span(&bits, 1)).value_or(none));
}

/// An increasing function that is undefined, if at all, below some number.
Reach increasing(std::string_view function, const Reach& a) {
  Reach result = a;
  result.low = valueAt(function, a.low);
  result.high = valueAt(function, a.high);
  if (std::isnan(result.high))
    return onlyNan(); // all of it is below the domain
  if (std::isnan(result.low)) {
    result.low = -infinity;
    result.nan = true;
  }
  auto isFixed = [](double x) { return x == 0 || std::isinf(x); };
  for (int k = 0; k < vectorUlps; ++k) {
    if (!isFixed(a.low))
      result.low = std::nextafterf(static_cast<float>(result.low), -INFINITY);
    if (!isFixed(a.high))
      result.high = std::nextafterf(static_cast<float>(result.high), INFINITY);
  }
  return result;
}

Reach opaque(std::string_view spelling, std::span<const Reach> args) {
  const std::string_view function = f32::canonicalFunction(spelling).value_or("");
  for (std::string_view each : {"exp", "expm1", "log", "log1p", "log2", "tanh", "erf"})
    if (function == each && args[0].number)
      return increasing(function, args[0]);
  std::vector<f32::Range> ranges;
  for (const Reach& arg : args)
    ranges.push_back(rangeOf(arg));
  const f32::Range range = f32::enclose(spelling, f32::Width::Binary32, ranges);
  if (range.empty)
    return onlyNan();
  Reach result;
  result.low = asDouble(range.low);
  result.high = asDouble(range.high);
  result.nan = range.mayBeNan;
  return result;
}

Reach less(const Reach& a, const Reach& b) {
  const bool numbers = a.number && b.number;
  return truth(numbers && a.low < b.high, a.nan || b.nan || !numbers || a.high >= b.low);
}

Reach lessOrEqual(const Reach& a, const Reach& b) {
  const bool numbers = a.number && b.number;
  return truth(numbers && a.low <= b.high, a.nan || b.nan || !numbers || a.high > b.low);
}

Reach equal(const Reach& a, const Reach& b) {
  const bool numbers = a.number && b.number;
  const bool points = a.low == a.high && b.low == b.high && a.low == b.low;
  return truth(numbers && a.low <= b.high && b.low <= a.high, a.nan || b.nan || !numbers || !points);
}

Reach sum(const Reach& init, std::span<const Reach> terms) {
  const bool startsAtZero = init.number && !init.nan && init.low == 0 && init.high == 0;
  double low = init.low;
  double high = init.high;
  double positive = std::max(high, 0.0);
  double negative = std::max(-low, 0.0);
  bool nan = init.nan;
  bool surePositive = init.low == infinity;
  bool sureNegative = init.high == -infinity;
  for (const Reach& term : terms) {
    if (!term.number)
      return onlyNan();
    nan |= term.nan;
    surePositive |= term.low == infinity;
    sureNegative |= term.high == -infinity;
    low += std::isinf(term.low) ? 0 : term.low;
    high += std::isinf(term.high) ? 0 : term.high;
    positive += std::max(term.high, 0.0);
    negative += std::max(-term.low, 0.0);
  }
  const size_t count = terms.size() + (startsAtZero ? 0 : 1);
  const double factor = count > 1 ? gamma(count - 1) + static_cast<double>(count) * 0x1p-52 : 0;
  const bool mayPositive = positive * (1 + factor) >= threshold;
  const bool mayNegative = negative * (1 + factor) >= threshold;
  if (surePositive && sureNegative)
    return onlyNan();
  Reach result;
  const double error = factor * std::min(positive + negative, 0x1p300);
  result.low = mayNegative ? -infinity : roundDown(low - error);
  result.high = mayPositive ? infinity : roundUp(high + error);
  if (surePositive)
    result.low = result.high = infinity;
  if (sureNegative)
    result.low = result.high = -infinity;
  result.nan = nan || (mayPositive && mayNegative);
  return result;
}

Reach product(const Reach& init, std::span<const Reach> terms) {
  std::vector<Reach> factors(terms.begin(), terms.end());
  factors.push_back(init);
  long double low = 1;
  long double high = 1;
  long double above = 1; // product of the factors that are above 1
  long double below = 1;
  bool nan = false;
  bool zero = false;
  for (const Reach& factor : factors) {
    if (!factor.number)
      return onlyNan();
    nan |= factor.nan;
    zero |= holdsZero(factor);
    const Reach size = absolute(factor);
    above *= std::max<long double>(size.high, 1);
    below *= std::min<long double>(size.low, 1);
    const long double corners[] = {low * factor.low, low * factor.high, high * factor.low,
                                   high * factor.high};
    low = *std::ranges::min_element(corners);
    high = *std::ranges::max_element(corners);
  }
  if (!(above < threshold)) {
    Reach result = whole();
    result.nan = nan || zero || below < 0x1p-149L;
    return result;
  }
  const long double relative = gamma(factors.size()) + static_cast<double>(factors.size()) * 0x1p-52;
  const long double error = relative * std::max(std::abs(low), std::abs(high)) +
                            (below < 0x1p-126L && !(low == 0 && high == 0)
                                 ? static_cast<long double>(factors.size()) * 0x1p-149L * above
                                 : 0);
  return rounded(static_cast<double>(low - error), static_cast<double>(high + error), nan);
}

Reach extreme(const Reach& init, std::span<const Reach> terms, bool maximum) {
  Reach result = init;
  for (const Reach& term : terms) {
    if (!term.number)
      return onlyNan();
    result.low = maximum ? std::max(result.low, term.low) : std::min(result.low, term.low);
    result.high = maximum ? std::max(result.high, term.high) : std::min(result.high, term.high);
    result.nan |= term.nan;
  }
  return result;
}

} // namespace plumbline::spec::reach

// The elementary functions on intervals: each end rounded outward by MPFR, and what happens between the ends.
#include "core/f32/interval_ends.h"

#include <algorithm>
#include <array>
#include <limits>

namespace plumbline::f32 {

namespace {

using Ends = Interval::Ends;

/// Beyond 2^this, reducing an argument modulo pi would take too much room.
constexpr mpfr_exp_t farthestAngle = 8192;

enum class Shape : uint8_t { Increasing, Decreasing, Even, Sine, Cosine, Tangent };

/// A function of one argument: where it is defined and how it runs.
struct Rule {
  std::string_view name;
  Shape shape;
  double low;  ///< where the domain begins
  double high; ///< and ends
  bool isOpen; ///< the domain is without these two
};

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr std::array kRules = {
    Rule{"exp", Shape::Increasing, -inf, inf, false},   Rule{"exp2", Shape::Increasing, -inf, inf, false},
    Rule{"exp10", Shape::Increasing, -inf, inf, false}, Rule{"expm1", Shape::Increasing, -inf, inf, false},
    Rule{"log", Shape::Increasing, 0, inf, true},       Rule{"log2", Shape::Increasing, 0, inf, true},
    Rule{"log10", Shape::Increasing, 0, inf, true},     Rule{"log1p", Shape::Increasing, -1, inf, true},
    Rule{"sin", Shape::Sine, -inf, inf, false},         Rule{"cos", Shape::Cosine, -inf, inf, false},
    Rule{"tan", Shape::Tangent, -inf, inf, false},      Rule{"asin", Shape::Increasing, -1, 1, false},
    Rule{"acos", Shape::Decreasing, -1, 1, false},      Rule{"atan", Shape::Increasing, -inf, inf, false},
    Rule{"sinh", Shape::Increasing, -inf, inf, false},  Rule{"cosh", Shape::Even, -inf, inf, false},
    Rule{"tanh", Shape::Increasing, -inf, inf, false},  Rule{"asinh", Shape::Increasing, -inf, inf, false},
    Rule{"acosh", Shape::Increasing, 1, inf, false},    Rule{"atanh", Shape::Increasing, -1, 1, true},
    Rule{"erf", Shape::Increasing, -inf, inf, false},   Rule{"erfc", Shape::Decreasing, -inf, inf, false},
    Rule{"cbrt", Shape::Increasing, -inf, inf, false},  Rule{"rsqrt", Shape::Decreasing, 0, inf, true},
    Rule{"sqrt", Shape::Increasing, 0, inf, false},
};

constexpr MpfrFunction squareRoot{"sqrt", mpfr_sqrt, nullptr};

Image outside() {
  return {Image::Kind::Outside, {}};
}
Image straddles() {
  return {Image::Kind::Straddles, {}};
}
Image inside(std::shared_ptr<const Ends> ends) {
  return {Image::Kind::Inside, Interval(std::move(ends))};
}

/// Where `x` lies to the domain of a rule.
Image::Kind placed(const Rule& rule, const Ends& x) {
  // Infinite borders exclude nothing: an infinite end stands for finite numbers.
  const bool below = rule.low > -inf;
  const bool above = rule.high < inf;
  const int lowSide = below ? mpfr_cmp_d(x.low, rule.low) : 1;
  const int highSide = above ? mpfr_cmp_d(x.high, rule.high) : -1;
  auto isBeyond = [&](int side) { return rule.isOpen ? side <= 0 : side < 0; };
  if ((below && isBeyond(mpfr_cmp_d(x.high, rule.low))) || (above && isBeyond(-mpfr_cmp_d(x.low, rule.high))))
    return Image::Kind::Outside;
  return isBeyond(lowSide) || isBeyond(-highSide) ? Image::Kind::Straddles : Image::Kind::Inside;
}

std::shared_ptr<Ends> monotone(const MpfrFunction& function, const Ends& x, bool increasing, int precision) {
  auto result = std::make_shared<Ends>(precision);
  function.unary(result->low, increasing ? x.low : x.high, MPFR_RNDD);
  function.unary(result->high, increasing ? x.high : x.low, MPFR_RNDU);
  return result;
}

/// A bound of x / pi - (shifted ? 1/2 : 0), below it with MPFR_RNDD and above it with MPFR_RNDU.
void halfTurns(mpfr_ptr result, mpfr_srcptr x, bool shifted, mpfr_rnd_t rounding) {
  MpfrNumber pi(mpfr_get_prec(result));
  const bool largerDivisor = (rounding == MPFR_RNDD) == (mpfr_sgn(x) >= 0);
  mpfr_const_pi(pi.get(), largerDivisor ? MPFR_RNDU : MPFR_RNDD);
  mpfr_div(result, x, pi.get(), rounding);
  if (shifted)
    mpfr_sub_d(result, result, 0.5, rounding);
}

/// The whole numbers j for which (j + shift) pi may lie in an interval.
struct Extremes {
  mpz_class first;
  mpz_class last;
  long count() const {
    const mpz_class difference = last - first;
    return difference < 0 ? 0 : difference.fits_slong_p() ? difference.get_si() + 1 : 3;
  }
};

bool isFar(mpfr_srcptr x) {
  return mpfr_inf_p(x) != 0 || (mpfr_zero_p(x) == 0 && mpfr_get_exp(x) > farthestAngle);
}

Extremes extremes(const Ends& x, bool shifted, int precision) {
  mpfr_exp_t size = 0;
  for (mpfr_srcptr end : {x.low, x.high})
    size = mpfr_zero_p(end) != 0 ? size : std::max(size, mpfr_get_exp(end));
  MpfrNumber turns(precision + size + 32);
  Extremes result;
  halfTurns(turns.get(), x.low, shifted, MPFR_RNDD);
  mpfr_get_z(result.first.get_mpz_t(), turns.get(), MPFR_RNDU);
  halfTurns(turns.get(), x.high, shifted, MPFR_RNDU);
  mpfr_get_z(result.last.get_mpz_t(), turns.get(), MPFR_RNDD);
  return result;
}

Image wave(const MpfrFunction& function, const Ends& x, bool isSine, int precision) {
  auto result = std::make_shared<Ends>(precision);
  mpfr_set_si(result->low, -1, MPFR_RNDD);
  mpfr_set_si(result->high, 1, MPFR_RNDU);
  if (isFar(x.low) || isFar(x.high))
    return inside(std::move(result));
  const Extremes between = extremes(x, isSine, precision);
  if (between.count() > 1) // a highest and a lowest point
    return inside(std::move(result));
  MpfrNumber other(precision);
  const bool isHighest = mpz_even_p(between.first.get_mpz_t()) != 0;
  if (between.count() == 0 || isHighest) {
    function.unary(result->low, x.low, MPFR_RNDD);
    function.unary(other.get(), x.high, MPFR_RNDD);
    mpfr_min(result->low, result->low, other.get(), MPFR_RNDD);
  }
  if (between.count() == 0 || !isHighest) {
    function.unary(result->high, x.low, MPFR_RNDU);
    function.unary(other.get(), x.high, MPFR_RNDU);
    mpfr_max(result->high, result->high, other.get(), MPFR_RNDU);
  }
  return inside(std::move(result));
}

Image tangent(const MpfrFunction& function, const Ends& x, int precision) {
  if (isFar(x.low) || isFar(x.high) || extremes(x, true, precision).count() > 0)
    return straddles();
  return inside(monotone(function, x, true, precision));
}

Image unary(const Rule& rule, const MpfrFunction& function, const Interval& x, int precision) {
  if (const Image::Kind where = placed(rule, x.ends()); where != Image::Kind::Inside)
    return {where, {}};
  switch (rule.shape) {
  case Shape::Increasing: return inside(monotone(function, x.ends(), true, precision));
  case Shape::Decreasing: return inside(monotone(function, x.ends(), false, precision));
  case Shape::Even: return inside(monotone(function, absolute(x).ends(), true, precision));
  case Shape::Sine: return wave(function, x.ends(), true, precision);
  case Shape::Cosine: return wave(function, x.ends(), false, precision);
  case Shape::Tangent: break;
  }
  return tangent(function, x.ends(), precision);
}

/// The hull of a function at the four corners of a box.
std::shared_ptr<Ends> corners(const MpfrFunction& function, const Ends& x, const Ends& y, int precision) {
  auto result = std::make_shared<Ends>(precision);
  MpfrNumber corner(precision);
  bool first = true;
  for (mpfr_srcptr a : {x.low, x.high})
    for (mpfr_srcptr b : {y.low, y.high}) {
      function.binary(corner.get(), a, b, MPFR_RNDD);
      if (first || mpfr_less_p(corner.get(), result->low) != 0)
        mpfr_set(result->low, corner.get(), MPFR_RNDD);
      function.binary(corner.get(), a, b, MPFR_RNDU);
      if (first || mpfr_greater_p(corner.get(), result->high) != 0)
        mpfr_set(result->high, corner.get(), MPFR_RNDU);
      first = false;
    }
  return result;
}

/// x^n for a whole n and any x.
Image wholePower(const Interval& base, const mpz_class& exponent, int precision) {
  const bool isEven = mpz_even_p(exponent.get_mpz_t()) != 0;
  if (exponent < 0 && base.ends().holdsZero())
    return base.ends().isPoint() ? outside() : straddles();
  const Interval x = isEven ? absolute(base) : base;
  const bool increasing = exponent >= 0;
  auto result = std::make_shared<Ends>(precision);
  mpfr_pow_z(result->low, increasing ? x.ends().low : x.ends().high, exponent.get_mpz_t(), MPFR_RNDD);
  mpfr_pow_z(result->high, increasing ? x.ends().high : x.ends().low, exponent.get_mpz_t(), MPFR_RNDU);
  return inside(std::move(result));
}

Image power(const MpfrFunction& function, const Interval& base, const Interval& exponent, int precision) {
  const Ends& x = base.ends();
  const Ends& y = exponent.ends();
  // Monotone in each argument on either side of 1 and of 0: the extremes are at the corners.
  if (mpfr_sgn(x.low) > 0)
    return inside(corners(function, x, y, precision));
  constexpr size_t kMostBits = 4096;
  const std::optional<Rational> fixed = exponent.point(kMostBits);
  if (fixed && fixed->get_den() == 1)
    return wholePower(base, fixed->get_num(), precision);
  const bool isZero = x.isPoint() && mpfr_zero_p(x.low) != 0;
  if (isZero && mpfr_sgn(y.high) < 0)
    return outside();
  if (mpfr_sgn(x.high) < 0)
    return fixed ? outside() : straddles(); // a whole number may be in the exponent's interval
  if (mpfr_sgn(x.low) == 0 && mpfr_sgn(y.low) > 0)
    return inside(corners(function, x, y, precision));
  return straddles();
}

Image quotient(const MpfrFunction& function, const Ends& x, const Ends& y, int precision) {
  if (y.holdsZero())
    return y.isPoint() ? outside() : straddles();
  auto result = std::make_shared<Ends>(precision);
  MpfrNumber corner(precision);
  bool first = true;
  for (mpfr_srcptr a : {x.low, x.high})
    for (mpfr_srcptr b : {y.low, y.high})
      for (mpfr_rnd_t rounding : {MPFR_RNDD, MPFR_RNDU}) {
        const bool isDown = rounding == MPFR_RNDD;
        if (mpfr_inf_p(a) != 0 && mpfr_inf_p(b) != 0)
          mpfr_set_zero(corner.get(), 1); // between the quotients of finite numbers and the other corners
        else
          function.binary(corner.get(), a, b, rounding);
        if (isDown && (first || mpfr_less_p(corner.get(), result->low) != 0))
          mpfr_set(result->low, corner.get(), rounding);
        if (!isDown && (first || mpfr_greater_p(corner.get(), result->high) != 0))
          mpfr_set(result->high, corner.get(), rounding);
        first = first && isDown;
      }
  return inside(std::move(result));
}

Image angle(const MpfrFunction& function, const Interval& y, const Interval& x, int precision) {
  // The angle over a box that is convex and without the origin is extreme at its corners, except across the
  // cut along the negative axis.
  if (!y.ends().holdsZero() || mpfr_sgn(x.ends().low) > 0)
    return inside(corners(function, y.ends(), x.ends(), precision));
  if (!y.ends().isPoint())
    return straddles();
  if (mpfr_sgn(x.ends().high) >= 0)
    return x.ends().isPoint() ? outside() : straddles();
  MpfrNumber zero(2); // on the cut the angle is +pi; a zero without a minus
  mpfr_set_zero(zero.get(), 1);
  auto result = std::make_shared<Ends>(precision);
  mpfr_atan2(result->low, zero.get(), x.ends().low, MPFR_RNDD);
  mpfr_atan2(result->high, zero.get(), x.ends().low, MPFR_RNDU);
  return inside(std::move(result));
}

} // namespace

Image image(std::string_view canonical, std::span<const Interval> args, int precision) {
  const MpfrFunction* function = canonical == "sqrt" ? &squareRoot : findMpfrFunction(canonical);
  if (function == nullptr || args.size() != (function->unary != nullptr ? 1U : 2U))
    return {};
  if (function->unary != nullptr) {
    const auto* rule = std::ranges::find(kRules, canonical, &Rule::name);
    return rule == kRules.end() ? Image{} : unary(*rule, *function, args[0], precision);
  }
  if (canonical == "pow")
    return power(*function, args[0], args[1], precision);
  if (canonical == "atan2")
    return angle(*function, args[0], args[1], precision);
  if (canonical == "divide")
    return quotient(*function, args[0].ends(), args[1].ends(), precision);
  if (canonical == "hypot")
    return inside(corners(*function, absolute(args[0]).ends(), absolute(args[1]).ends(), precision));
  return {};
}

} // namespace plumbline::f32

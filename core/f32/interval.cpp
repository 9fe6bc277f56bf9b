#include "core/f32/interval.h"

#include "core/f32/interval_ends.h"

#include <algorithm>

namespace plumbline::f32 {

namespace {

using Ends = Interval::Ends;

mpfr_prec_t precisionOf(const Ends& ends) {
  return std::max(mpfr_get_prec(ends.low), mpfr_get_prec(ends.high));
}

std::shared_ptr<Ends> ends(int precision) {
  return std::make_shared<Ends>(precision);
}

/// Keeps the ends of both as they are.
std::shared_ptr<Ends> endsFor(const Interval& a, const Interval& b) {
  return ends(static_cast<int>(std::max(precisionOf(a.ends()), precisionOf(b.ends()))));
}

/// The product of two ends, 0 when one is 0: an infinite end stands for finite numbers.
void product(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rounding) {
  if (mpfr_zero_p(x) != 0 || mpfr_zero_p(y) != 0)
    mpfr_set_zero(result, 1);
  else
    mpfr_mul(result, x, y, rounding);
}

Rational within(mpfr_srcptr value, const Rational& most) {
  if (mpfr_cmp_q(value, most.get_mpq_t()) > 0)
    return most;
  if (mpfr_cmp_q(value, Rational(-most).get_mpq_t()) < 0)
    return -most;
  Rational result;
  mpfr_get_q(result.get_mpq_t(), value);
  return result;
}

} // namespace

Interval::Ends::Ends(int precision) {
  releaseMpfrCacheAtThreadEnd();
  mpfr_init2(low, precision);
  mpfr_init2(high, precision);
}

Interval::Ends::~Ends() {
  mpfr_clear(low);
  mpfr_clear(high);
}

Interval Interval::around(const Rational& value, int precision) {
  return between(value, value, precision);
}

Interval Interval::between(const Rational& low, const Rational& high, int precision) {
  auto result = f32::ends(precision);
  mpfr_set_q(result->low, low.get_mpq_t(), MPFR_RNDD);
  mpfr_set_q(result->high, high.get_mpq_t(), MPFR_RNDU);
  return Interval(std::move(result));
}

std::optional<Rational> Interval::point(size_t mostBits) const {
  if (!ends().isPoint() || mpfr_number_p(ends().low) == 0)
    return std::nullopt;
  const auto most = static_cast<mpfr_exp_t>(mostBits);
  if (mpfr_zero_p(ends().low) == 0 &&
      (mpfr_get_exp(ends().low) > most || mpfr_get_exp(ends().low) < mpfr_get_prec(ends().low) - most))
    return std::nullopt;
  Rational result;
  mpfr_get_q(result.get_mpq_t(), ends().low);
  return result;
}

Rational Interval::lowWithin(const Rational& most) const {
  return within(ends().low, most);
}

Rational Interval::highWithin(const Rational& most) const {
  return within(ends().high, most);
}

bool Interval::contains(const Rational& value) const {
  return mpfr_cmp_q(ends().low, value.get_mpq_t()) <= 0 && mpfr_cmp_q(ends().high, value.get_mpq_t()) >= 0;
}

bool Interval::contains(const Interval& part) const {
  return mpfr_lessequal_p(ends().low, part.ends().low) != 0 &&
         mpfr_greaterequal_p(ends().high, part.ends().high) != 0;
}

bool Interval::overlaps(const Interval& other) const {
  return !surelyLess(*this, other) && !surelyLess(other, *this);
}

bool Interval::isNarrow(int relativeBits, long absoluteExponent) const {
  if (mpfr_inf_p(ends().low) != 0 || mpfr_inf_p(ends().high) != 0)
    return false;
  MpfrNumber width(64);
  mpfr_sub(width.get(), ends().high, ends().low, MPFR_RNDU);
  if (mpfr_cmp_si_2exp(width.get(), 1, absoluteExponent) <= 0)
    return true;
  if (ends().holdsZero())
    return false;
  mpfr_srcptr nearest = mpfr_sgn(ends().low) > 0 ? ends().low : ends().high;
  mpfr_mul_2si(width.get(), width.get(), relativeBits, MPFR_RNDU);
  return mpfr_cmpabs(width.get(), nearest) <= 0;
}

bool surelyLess(const Interval& a, const Interval& b) {
  return mpfr_less_p(a.ends().high, b.ends().low) != 0;
}

bool surelyAtMost(const Interval& a, const Interval& b) {
  return mpfr_lessequal_p(a.ends().high, b.ends().low) != 0;
}

Interval hull(const Interval& a, const Interval& b) {
  auto result = endsFor(a, b);
  mpfr_min(result->low, a.ends().low, b.ends().low, MPFR_RNDD);
  mpfr_max(result->high, a.ends().high, b.ends().high, MPFR_RNDU);
  return Interval(std::move(result));
}

Interval negate(const Interval& a) {
  auto result = endsFor(a, a);
  mpfr_neg(result->low, a.ends().high, MPFR_RNDD);
  mpfr_neg(result->high, a.ends().low, MPFR_RNDU);
  return Interval(std::move(result));
}

Interval absolute(const Interval& a) {
  if (mpfr_sgn(a.ends().low) >= 0)
    return a;
  if (mpfr_sgn(a.ends().high) <= 0)
    return negate(a);
  auto result = endsFor(a, a);
  mpfr_set_zero(result->low, 1);
  mpfr_srcptr farther = mpfr_cmpabs(a.ends().low, a.ends().high) > 0 ? a.ends().low : a.ends().high;
  mpfr_abs(result->high, farther, MPFR_RNDU);
  return Interval(std::move(result));
}

Interval larger(const Interval& a, const Interval& b) {
  auto result = endsFor(a, b);
  mpfr_max(result->low, a.ends().low, b.ends().low, MPFR_RNDD);
  mpfr_max(result->high, a.ends().high, b.ends().high, MPFR_RNDU);
  return Interval(std::move(result));
}

Interval smaller(const Interval& a, const Interval& b) {
  auto result = endsFor(a, b);
  mpfr_min(result->low, a.ends().low, b.ends().low, MPFR_RNDD);
  mpfr_min(result->high, a.ends().high, b.ends().high, MPFR_RNDU);
  return Interval(std::move(result));
}

Interval add(const Interval& a, const Interval& b, int precision) {
  // Low ends are never +inf and high ones never -inf, so infinities do not cancel.
  auto result = ends(precision);
  mpfr_add(result->low, a.ends().low, b.ends().low, MPFR_RNDD);
  mpfr_add(result->high, a.ends().high, b.ends().high, MPFR_RNDU);
  return Interval(std::move(result));
}

Interval subtract(const Interval& a, const Interval& b, int precision) {
  auto result = ends(precision);
  mpfr_sub(result->low, a.ends().low, b.ends().high, MPFR_RNDD);
  mpfr_sub(result->high, a.ends().high, b.ends().low, MPFR_RNDU);
  return Interval(std::move(result));
}

Interval multiply(const Interval& a, const Interval& b, int precision) {
  auto result = ends(precision);
  MpfrNumber corner(precision);
  bool first = true;
  for (mpfr_srcptr x : {a.ends().low, a.ends().high})
    for (mpfr_srcptr y : {b.ends().low, b.ends().high}) {
      product(corner.get(), x, y, MPFR_RNDD);
      if (first || mpfr_less_p(corner.get(), result->low) != 0)
        mpfr_set(result->low, corner.get(), MPFR_RNDD);
      product(corner.get(), x, y, MPFR_RNDU);
      if (first || mpfr_greater_p(corner.get(), result->high) != 0)
        mpfr_set(result->high, corner.get(), MPFR_RNDU);
      first = false;
    }
  return Interval(std::move(result));
}

Interval square(const Interval& a, int precision) {
  const Interval size = absolute(a);
  auto result = ends(precision);
  mpfr_sqr(result->low, size.ends().low, MPFR_RNDD);
  mpfr_sqr(result->high, size.ends().high, MPFR_RNDU);
  return Interval(std::move(result));
}

} // namespace plumbline::f32

// The inside of an interval, for the files that compute with MPFR.
#pragma once

#include "core/f32/interval.h"
#include "core/f32/mpfr_functions.h"

namespace plumbline::f32 {

struct Interval::Ends {
  explicit Ends(int precision);
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends();

  bool isPoint() const { return mpfr_equal_p(low, high) != 0; }
  bool holdsZero() const { return mpfr_sgn(low) <= 0 && mpfr_sgn(high) >= 0; }

  mpfr_t low;
  mpfr_t high;
};

/// A number to compute with.
class MpfrNumber {
public:
  explicit MpfrNumber(mpfr_prec_t precision) { mpfr_init2(m_value, precision); }
  MpfrNumber(const MpfrNumber&) = delete;
  MpfrNumber& operator=(const MpfrNumber&) = delete;
  ~MpfrNumber() { mpfr_clear(m_value); }
  mpfr_ptr get() { return m_value; }
  mpfr_srcptr get() const { return m_value; }

private:
  mpfr_t m_value;
};

} // namespace plumbline::f32

#include "core/ir/domain.h"

namespace plumbline::ir {
namespace {

using f32::Rational;

bool before(const RealNumber& a, const RealNumber& b) {
  if (a.infinite != b.infinite)
    return a.infinite < b.infinite;
  return a.infinite == 0 && a.value < b.value;
}

bool finite(const Rational& value, RealNumber& out) {
  out.value = value;
  out.infinite = 0;
  return true;
}

bool quotient(const RealNumber& a, const RealNumber& b, RealNumber& out) {
  return b.value != 0 && finite(a.value / b.value, out);
}

bool squareRoot(const RealNumber& a, RealNumber& out) {
  std::optional<Rational> root = a.value < 0 ? std::nullopt : f32::exactSqrt(a.value);
  return root && finite(*root, out);
}

/// Operations on finite values.
bool arithmetic(Meaning meaning, const RealNumber& a, const RealNumber& b, const RealNumber& c,
                RealNumber& out) {
  switch (meaning) {
  case Meaning::Add: return finite(a.value + b.value, out);
  case Meaning::Sub: return finite(a.value - b.value, out);
  case Meaning::Mul: return finite(a.value * b.value, out);
  case Meaning::Div: return quotient(a, b, out);
  case Meaning::Sqrt: return squareRoot(a, out);
  case Meaning::Fma: return finite(a.value * b.value + c.value, out);
  case Meaning::Abs: return finite(::abs(a.value), out);
  case Meaning::Reciprocal: return quotient({Rational(1), 0}, a, out);
  default: return false;
  }
}

} // namespace

bool RealDomain::literal(ScalarType type, uint64_t bits, const std::string& text, Number& out) {
  if (Expected<Rational> exact = f32::parseExact(text); !text.empty() && exact)
    return finite(*exact, out);
  using S32 = f32::Soft<f32::Binary32>;
  using S64 = f32::Soft<f32::Binary64>;
  if (isSixteenBitFloat(type))
    IeeeDomain::convert(type, ScalarType::F64, bits, bits); // exact
  const bool narrow = type == ScalarType::F32;
  const auto low = static_cast<uint32_t>(bits);
  if (narrow ? S32::isInf(low) : S64::isInf(bits)) {
    out.value = 0;
    out.infinite = (narrow ? S32::isNegative(low) : S64::isNegative(bits)) ? -1 : 1;
    return true;
  }
  std::optional<Rational> value =
      narrow ? f32::toRational<f32::Binary32>(low) : f32::toRational<f32::Binary64>(bits);
  return value && finite(*value, out);
}

bool RealDomain::apply(Meaning meaning, ScalarType, const Number& a, const Number& b, const Number& c,
                       Number& out) {
  switch (meaning) {
  case Meaning::PtxMax:
  case Meaning::StdMax: out = before(a, b) ? b : a; return true;
  case Meaning::PtxMin:
  case Meaning::StdMin: out = before(b, a) ? b : a; return true;
  default: break;
  }
  if (a.infinite != 0 || b.infinite != 0 || c.infinite != 0)
    return false;
  return arithmetic(meaning, a, b, c, out);
}

bool RealDomain::negate(ScalarType, const Number& a, Number& out) {
  out.value = -a.value;
  out.infinite = -a.infinite;
  return true;
}

bool RealDomain::compare(BinaryOp op, ScalarType, const Number& a, const Number& b) {
  switch (op) {
  case BinaryOp::Lt: return before(a, b);
  case BinaryOp::Le: return !before(b, a);
  case BinaryOp::Gt: return before(b, a);
  case BinaryOp::Ge: return !before(a, b);
  case BinaryOp::Eq: return a == b;
  default: return !(a == b);
  }
}

bool RealDomain::isNonZero(ScalarType, const Number& a) {
  return a.infinite != 0 || a.value != 0;
}

bool RealDomain::convert(ScalarType, ScalarType, const Number& a, Number& out) {
  out = a;
  return true;
}

bool RealDomain::fromInteger(ScalarType from, ScalarType, int64_t value, Number& out) {
  Rational exact = f32::rationalFromInteger(value);
  if (from == ScalarType::U64 && value < 0)
    exact += f32::scaled(Rational(1), 64);
  return finite(exact, out);
}

bool RealDomain::toInteger(ScalarType, ScalarType to, const Number& a, int64_t& out, bool& exact) {
  if (a.infinite != 0)
    return false;
  const mpz_class truncated = a.value.get_num() / a.value.get_den(); // GMP truncates here
  const int width = bitWidth(to);
  mpz_class low = 0;
  mpz_class high = (mpz_class(1) << (isSigned(to) ? width - 1 : width)) - 1;
  if (isSigned(to))
    low = -high - 1;
  exact = truncated >= low && truncated <= high;
  const mpz_class bounded = truncated < low ? low : (truncated > high ? high : truncated);
  const mpz_class pattern = bounded < 0 ? mpz_class(bounded + (mpz_class(1) << 64)) : bounded;
  uint64_t word = 0;
  mpz_export(&word, nullptr, -1, sizeof word, 0, 0, pattern.get_mpz_t());
  out = static_cast<int64_t>(word);
  return true;
}

} // namespace plumbline::ir

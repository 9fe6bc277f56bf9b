#include "core/f32/elementary.h"
#include "core/ir/domain.h"

namespace plumbline::ir {
namespace {

using f32::Binary32;
using f32::Binary64;

template <class F>
bool applyIn(Meaning meaning, typename f32::Soft<F>::Bits a, typename f32::Soft<F>::Bits b,
             typename f32::Soft<F>::Bits c, uint64_t& out) {
  using S = f32::Soft<F>;
  switch (meaning) {
  case Meaning::Add: out = S::add(a, b); return true;
  case Meaning::Sub: out = S::sub(a, b); return true;
  case Meaning::Mul: out = S::mul(a, b); return true;
  case Meaning::Div: out = S::div(a, b); return true;
  case Meaning::Sqrt: out = S::sqrt(a); return true;
  case Meaning::Fma: out = S::fma(a, b, c); return true;
  case Meaning::Abs: out = S::abs(a); return true;
  case Meaning::Reciprocal: out = S::div(f32::fromInteger<F>(1), a); return true;
  case Meaning::PtxMax: out = S::ptxMax(a, b); return true;
  case Meaning::PtxMin: out = S::ptxMin(a, b); return true;
  case Meaning::StdMax: out = S::canonical(S::less(a, b) ? b : a); return true;
  case Meaning::StdMin: out = S::canonical(S::less(b, a) ? b : a); return true;
  default: return false;
  }
}

template <class F> bool compareIn(BinaryOp op, typename f32::Soft<F>::Bits a, typename f32::Soft<F>::Bits b) {
  using S = f32::Soft<F>;
  switch (op) {
  case BinaryOp::Lt: return S::less(a, b);
  case BinaryOp::Le: return S::lessEqual(a, b);
  case BinaryOp::Gt: return S::less(b, a);
  case BinaryOp::Ge: return S::lessEqual(b, a);
  case BinaryOp::Eq: return S::equal(a, b);
  default: return !S::equal(a, b);
  }
}

template <class F> int64_t toIntegerIn(uint64_t bits, ScalarType to, bool& exact) {
  using S = f32::Soft<F>;
  const auto pattern = static_cast<typename S::Bits>(bits);
  const int64_t value = f32::toInteger<F>(pattern, bitWidth(to), isSigned(to));
  exact = bitWidth(to) >= 32 || (!S::isNan(pattern) && value == f32::toInteger<F>(pattern, 32, true));
  return value;
}

} // namespace

bool IeeeDomain::literal(ScalarType type, uint64_t bits, const std::string& text, Number& out) {
  (void)text; // the bits are the value
  out = type == ScalarType::F32 ? f32::Soft<Binary32>::canonical(static_cast<uint32_t>(bits))
                                : f32::Soft<Binary64>::canonical(bits);
  return true;
}

bool IeeeDomain::apply(Meaning meaning, ScalarType type, const Number& a, const Number& b, const Number& c,
                       Number& out) {
  if (type == ScalarType::F32)
    return applyIn<Binary32>(meaning, static_cast<uint32_t>(a), static_cast<uint32_t>(b),
                             static_cast<uint32_t>(c), out);
  return applyIn<Binary64>(meaning, a, b, c, out);
}

bool IeeeDomain::negate(ScalarType type, const Number& a, Number& out) {
  out = type == ScalarType::F32 ? f32::Soft<Binary32>::neg(static_cast<uint32_t>(a))
                                : f32::Soft<Binary64>::neg(a);
  return true;
}

bool IeeeDomain::compare(BinaryOp op, ScalarType type, const Number& a, const Number& b) {
  return type == ScalarType::F32 ? compareIn<Binary32>(op, static_cast<uint32_t>(a), static_cast<uint32_t>(b))
                                 : compareIn<Binary64>(op, a, b);
}

bool IeeeDomain::isNan(ScalarType type, const Number& a) {
  return type == ScalarType::F32 ? f32::Soft<Binary32>::isNan(static_cast<uint32_t>(a))
                                 : f32::Soft<Binary64>::isNan(a);
}

bool IeeeDomain::isNonZero(ScalarType type, const Number& a) {
  return type == ScalarType::F32 ? !f32::Soft<Binary32>::isZero(static_cast<uint32_t>(a))
                                 : !f32::Soft<Binary64>::isZero(a);
}

bool IeeeDomain::convert(ScalarType from, ScalarType to, const Number& a, Number& out) {
  if (from == to)
    out = a;
  else if (to == ScalarType::F32)
    out = f32::convert<Binary64, Binary32>(a);
  else
    out = f32::convert<Binary32, Binary64>(static_cast<uint32_t>(a));
  return true;
}

bool IeeeDomain::fromInteger(ScalarType from, ScalarType to, int64_t value, Number& out) {
  const auto magnitude = static_cast<uint64_t>(value);
  if (to == ScalarType::F32)
    out =
        from == ScalarType::U64 ? f32::fromUnsigned<Binary32>(magnitude) : f32::fromInteger<Binary32>(value);
  else
    out =
        from == ScalarType::U64 ? f32::fromUnsigned<Binary64>(magnitude) : f32::fromInteger<Binary64>(value);
  return true;
}

bool IeeeDomain::toInteger(ScalarType from, ScalarType to, const Number& a, int64_t& out, bool& exact) {
  out = from == ScalarType::F32 ? toIntegerIn<Binary32>(a, to, exact) : toIntegerIn<Binary64>(a, to, exact);
  return true;
}

OpaqueFunction<IeeeDomain> IeeeDomain::defaultOpaque() {
  return
      [](std::string_view spelling, ScalarType type, std::span<const Number> args) -> std::optional<Number> {
        std::optional<std::string_view> function = f32::canonicalFunction(spelling);
        if (!function)
          return std::nullopt;
        return f32::elementaryValue(
            *function, type == ScalarType::F32 ? f32::Width::Binary32 : f32::Width::Binary64, args);
      };
}

} // namespace plumbline::ir

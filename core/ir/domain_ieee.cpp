#include "core/f32/elementary.h"
#include "core/f32/integral.h"
#include "core/ir/domain.h"

namespace plumbline::ir {
namespace {

using f32::Binary32;
using f32::Binary64;
using Binary16 = f32::Format<5, 10>;
using BFloat16 = f32::Format<8, 7>;

/// Calls with the format of a float type.
template <class Function> auto inFormat(ScalarType type, Function function) {
  switch (type) {
  case ScalarType::F32: return function(Binary32{});
  case ScalarType::F16: return function(Binary16{});
  case ScalarType::BF16: return function(BFloat16{});
  default: return function(Binary64{});
  }
}

/// +0 for what is not above zero, NaN among it.
template <class F> typename f32::Soft<F>::Bits saturated(typename f32::Soft<F>::Bits a) {
  using S = f32::Soft<F>;
  const typename S::Bits one = f32::fromInteger<F>(1);
  if (!S::less(0, a))
    return 0;
  return S::less(one, a) ? one : a;
}

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
  case Meaning::Floor: out = f32::toIntegral<F>(a, f32::Integral::Floor); return true;
  case Meaning::Ceil: out = f32::toIntegral<F>(a, f32::Integral::Ceil); return true;
  case Meaning::Trunc: out = f32::toIntegral<F>(a, f32::Integral::Trunc); return true;
  case Meaning::RoundEven: out = f32::toIntegral<F>(a, f32::Integral::NearestEven); return true;
  case Meaning::RoundAway: out = f32::toIntegral<F>(a, f32::Integral::NearestAway); return true;
  case Meaning::Fmod: out = f32::fmod<F>(a, b); return true;
  case Meaning::Remainder: out = f32::remainder<F>(a, b); return true;
  case Meaning::PositiveDifference: out = S::lessEqual(a, b) ? 0 : S::sub(a, b); return true;
  case Meaning::Saturate: out = saturated<F>(a); return true;
  case Meaning::CopySign: out = S::isNegative(b) ? S::neg(S::abs(a)) : S::abs(a); return !S::isNan(b);
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
  out = inFormat(type, [&]<class F>(F) -> uint64_t {
    return f32::Soft<F>::canonical(static_cast<typename f32::Soft<F>::Bits>(bits));
  });
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
  return inFormat(
      type, [&]<class F>(F) { return f32::Soft<F>::isNan(static_cast<typename f32::Soft<F>::Bits>(a)); });
}

bool IeeeDomain::isNonZero(ScalarType type, const Number& a) {
  return inFormat(
      type, [&]<class F>(F) { return !f32::Soft<F>::isZero(static_cast<typename f32::Soft<F>::Bits>(a)); });
}

bool IeeeDomain::convert(ScalarType from, ScalarType to, const Number& a, Number& out) {
  if (from == to) {
    out = a;
    return true;
  }
  out = inFormat(from, [&]<class From>(From) {
    return inFormat(to, [&]<class To>(To) -> uint64_t {
      return f32::convert<From, To>(static_cast<typename f32::Soft<From>::Bits>(a));
    });
  });
  return true;
}

bool IeeeDomain::fromInteger(ScalarType from, ScalarType to, int64_t value, Number& out) {
  out = inFormat(to, [&]<class F>(F) -> uint64_t {
    return from == ScalarType::U64 ? f32::fromUnsigned<F>(static_cast<uint64_t>(value))
                                   : f32::fromInteger<F>(value);
  });
  return true;
}

bool IeeeDomain::toInteger(ScalarType from, ScalarType to, const Number& a, int64_t& out, bool& exact) {
  out = inFormat(from, [&]<class F>(F) { return toIntegerIn<F>(a, to, exact); });
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

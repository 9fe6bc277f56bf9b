#include "core/f32/elementary.h"

#include "core/f32/mpfr_functions.h"

#include <algorithm>
#include <array>
#include <bit>

namespace plumbline::f32 {

namespace {

constexpr std::array kFunctions = {
    MpfrFunction{"exp", mpfr_exp, nullptr},     MpfrFunction{"exp2", mpfr_exp2, nullptr},
    MpfrFunction{"exp10", mpfr_exp10, nullptr}, MpfrFunction{"expm1", mpfr_expm1, nullptr},
    MpfrFunction{"log", mpfr_log, nullptr},     MpfrFunction{"log2", mpfr_log2, nullptr},
    MpfrFunction{"log10", mpfr_log10, nullptr}, MpfrFunction{"log1p", mpfr_log1p, nullptr},
    MpfrFunction{"sin", mpfr_sin, nullptr},     MpfrFunction{"cos", mpfr_cos, nullptr},
    MpfrFunction{"tan", mpfr_tan, nullptr},     MpfrFunction{"asin", mpfr_asin, nullptr},
    MpfrFunction{"acos", mpfr_acos, nullptr},   MpfrFunction{"atan", mpfr_atan, nullptr},
    MpfrFunction{"sinh", mpfr_sinh, nullptr},   MpfrFunction{"cosh", mpfr_cosh, nullptr},
    MpfrFunction{"tanh", mpfr_tanh, nullptr},   MpfrFunction{"asinh", mpfr_asinh, nullptr},
    MpfrFunction{"acosh", mpfr_acosh, nullptr}, MpfrFunction{"atanh", mpfr_atanh, nullptr},
    MpfrFunction{"erf", mpfr_erf, nullptr},     MpfrFunction{"erfc", mpfr_erfc, nullptr},
    MpfrFunction{"cbrt", mpfr_cbrt, nullptr},   MpfrFunction{"rsqrt", mpfr_rec_sqrt, nullptr},
    MpfrFunction{"pow", nullptr, mpfr_pow},     MpfrFunction{"atan2", nullptr, mpfr_atan2},
    MpfrFunction{"hypot", nullptr, mpfr_hypot}, MpfrFunction{"divide", nullptr, mpfr_div},
};

struct CacheGuard {
  CacheGuard() = default;
  CacheGuard(const CacheGuard&) = delete;
  CacheGuard& operator=(const CacheGuard&) = delete;
  ~CacheGuard() { mpfr_free_cache(); }
};

/// MPFR's exponent range set to that of a format, as mpfr_subnormalize needs it.
class ExponentRange {
public:
  explicit ExponentRange(Width width) : m_low(mpfr_get_emin()), m_high(mpfr_get_emax()) {
    bool narrow = width == Width::Binary32;
    mpfr_set_emin(narrow ? -148 : -1073); // MPFR's significands lie in [1/2, 1)
    mpfr_set_emax(narrow ? 128 : 1024);
  }
  ExponentRange(const ExponentRange&) = delete;
  ExponentRange& operator=(const ExponentRange&) = delete;
  ~ExponentRange() {
    mpfr_set_emin(m_low);
    mpfr_set_emax(m_high);
  }

private:
  mpfr_exp_t m_low;
  mpfr_exp_t m_high;
};

class Number {
public:
  explicit Number(Width width) { mpfr_init2(m_value, width == Width::Binary32 ? 24 : 53); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(m_value); }

  /// Exact: a double holds every value of both formats.
  void set(uint64_t bits, Width width) {
    uint64_t wide =
        width == Width::Binary32 ? convert<Binary32, Binary64>(static_cast<uint32_t>(bits)) : bits;
    mpfr_set_d(m_value, std::bit_cast<double>(wide), MPFR_RNDN);
  }
  uint64_t bits(Width width) const {
    auto wide = std::bit_cast<uint64_t>(mpfr_get_d(m_value, MPFR_RNDN));
    return width == Width::Binary32 ? convert<Binary64, Binary32>(wide) : Soft<Binary64>::canonical(wide);
  }
  mpfr_ptr get() { return m_value; }

private:
  mpfr_t m_value;
};

} // namespace

const MpfrFunction* findMpfrFunction(std::string_view canonical) {
  const auto* found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                   [&](const MpfrFunction& function) { return function.name == canonical; });
  return found == kFunctions.end() ? nullptr : found;
}

void releaseMpfrCacheAtThreadEnd() {
  thread_local const CacheGuard guard;
}

int functionArity(std::string_view canonical) {
  const MpfrFunction* function = findMpfrFunction(canonical);
  return function == nullptr ? 0 : function->unary != nullptr ? 1 : 2;
}

std::optional<uint64_t> elementaryValue(std::string_view canonical, Width width,
                                        std::span<const uint64_t> args) {
  const MpfrFunction* function = findMpfrFunction(canonical);
  if (function == nullptr || args.size() != (function->unary != nullptr ? 1U : 2U))
    return std::nullopt;
  releaseMpfrCacheAtThreadEnd();
  ExponentRange range(width);
  Number x(width);
  Number y(width);
  Number result(width);
  x.set(args[0], width);
  if (args.size() > 1)
    y.set(args[1], width);
  // MPFR takes 1/sqrt(-0) to be +inf; IEEE 754 and CUDA give -inf.
  if (canonical == "rsqrt" && mpfr_zero_p(x.get()) != 0 && mpfr_signbit(x.get()) != 0)
    mpfr_set_inf(result.get(), -1);
  else {
    int ternary = function->unary != nullptr ? function->unary(result.get(), x.get(), MPFR_RNDN)
                                             : function->binary(result.get(), x.get(), y.get(), MPFR_RNDN);
    mpfr_subnormalize(result.get(), ternary, MPFR_RNDN);
  }
  return result.bits(width);
}

} // namespace plumbline::f32

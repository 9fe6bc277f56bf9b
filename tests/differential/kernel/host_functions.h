// CUDA's function library for the host. Where it has no agreed last bit, the test program gives both sides
// the same values; what is exact is the C library's.
#pragma once

#include <cstdint>
#include <cstring>
#include <math.h>
#include <stdlib.h>
#include <type_traits>

extern "C" {
/// Set by the test program: spelling, whether the type is double, patterns of the arguments, their number.
uint64_t (*plumblineOpaque)(const char*, int, const uint64_t*, int) = nullptr;
}

template <class To, class From> To hostBits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

template <class T, class... A> T hostOpaque(const char* spelling, A... arguments) {
  using Pattern = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  const uint64_t patterns[] = {hostBits<Pattern>(static_cast<T>(arguments))...};
  return hostBits<T>(static_cast<Pattern>(
      plumblineOpaque(spelling, sizeof(T) == 8, patterns, static_cast<int>(sizeof...(A)))));
}

// Each in the float and the double spelling; C++'s float overload; integers mean the double function.
#define HOST_ONE(single, wide)                                                                               \
  inline float host_##single(float x) {                                                                      \
    return hostOpaque<float>(#single, x);                                                                    \
  }                                                                                                          \
  inline float host_##wide(float x) {                                                                        \
    return hostOpaque<float>(#single, x);                                                                    \
  }                                                                                                          \
  template <class T> double host_##wide(T x) {                                                               \
    return hostOpaque<double>(#wide, x);                                                                     \
  }                                                                                                          \
  namespace std {                                                                                            \
  using ::host_##single;                                                                                     \
  using ::host_##wide;                                                                                       \
  }
#define HOST_TWO(single, wide)                                                                               \
  inline float host_##single(float x, float y) {                                                             \
    return hostOpaque<float>(#single, x, y);                                                                 \
  }                                                                                                          \
  inline float host_##wide(float x, float y) {                                                               \
    return hostOpaque<float>(#single, x, y);                                                                 \
  }                                                                                                          \
  template <class T, class U> double host_##wide(T x, U y) {                                                 \
    return hostOpaque<double>(#wide, x, y);                                                                  \
  }                                                                                                          \
  namespace std {                                                                                            \
  using ::host_##single;                                                                                     \
  using ::host_##wide;                                                                                       \
  }
#define HOST_FAST(name)                                                                                      \
  inline float name(float x) {                                                                               \
    return hostOpaque<float>(#name, x);                                                                      \
  }

HOST_ONE(sinf, sin)
HOST_ONE(cosf, cos)
HOST_ONE(tanf, tan)
HOST_ONE(asinf, asin)
HOST_ONE(acosf, acos)
HOST_ONE(atanf, atan)
HOST_ONE(sinhf, sinh)
HOST_ONE(coshf, cosh)
HOST_ONE(tanhf, tanh)
HOST_ONE(asinhf, asinh)
HOST_ONE(acoshf, acosh)
HOST_ONE(atanhf, atanh)
HOST_ONE(expf, exp)
HOST_ONE(exp2f, exp2)
HOST_ONE(exp10f, exp10)
HOST_ONE(expm1f, expm1)
HOST_ONE(logf, log)
HOST_ONE(log2f, log2)
HOST_ONE(log10f, log10)
HOST_ONE(log1pf, log1p)
HOST_ONE(cbrtf, cbrt)
HOST_ONE(rcbrtf, rcbrt)
HOST_ONE(erff, erf)
HOST_ONE(erfcf, erfc)
HOST_ONE(erfcxf, erfcx)
HOST_ONE(erfinvf, erfinv)
HOST_ONE(erfcinvf, erfcinv)
HOST_ONE(normcdff, normcdf)
HOST_ONE(normcdfinvf, normcdfinv)
HOST_ONE(lgammaf, lgamma)
HOST_ONE(tgammaf, tgamma)
HOST_ONE(sinpif, sinpi)
HOST_ONE(cospif, cospi)
HOST_ONE(rsqrtf, rsqrt)
HOST_TWO(powf, pow)
HOST_TWO(atan2f, atan2)
HOST_TWO(hypotf, hypot)
HOST_TWO(rhypotf, rhypot)
#define sinf host_sinf
#define sin host_sin
#define cosf host_cosf
#define cos host_cos
#define tanf host_tanf
#define tan host_tan
#define asinf host_asinf
#define asin host_asin
#define acosf host_acosf
#define acos host_acos
#define atanf host_atanf
#define atan host_atan
#define sinhf host_sinhf
#define sinh host_sinh
#define coshf host_coshf
#define cosh host_cosh
#define tanhf host_tanhf
#define tanh host_tanh
#define asinhf host_asinhf
#define asinh host_asinh
#define acoshf host_acoshf
#define acosh host_acosh
#define atanhf host_atanhf
#define atanh host_atanh
#define expf host_expf
#define exp host_exp
#define exp2f host_exp2f
#define exp2 host_exp2
#define exp10f host_exp10f
#define exp10 host_exp10
#define expm1f host_expm1f
#define expm1 host_expm1
#define logf host_logf
#define log host_log
#define log2f host_log2f
#define log2 host_log2
#define log10f host_log10f
#define log10 host_log10
#define log1pf host_log1pf
#define log1p host_log1p
#define cbrtf host_cbrtf
#define cbrt host_cbrt
#define rcbrtf host_rcbrtf
#define rcbrt host_rcbrt
#define erff host_erff
#define erf host_erf
#define erfcf host_erfcf
#define erfc host_erfc
#define erfcxf host_erfcxf
#define erfcx host_erfcx
#define erfinvf host_erfinvf
#define erfinv host_erfinv
#define erfcinvf host_erfcinvf
#define erfcinv host_erfcinv
#define normcdff host_normcdff
#define normcdf host_normcdf
#define normcdfinvf host_normcdfinvf
#define normcdfinv host_normcdfinv
#define lgammaf host_lgammaf
#define lgamma host_lgamma
#define tgammaf host_tgammaf
#define tgamma host_tgamma
#define sinpif host_sinpif
#define sinpi host_sinpi
#define cospif host_cospif
#define cospi host_cospi
#define rsqrtf host_rsqrtf
#define rsqrt host_rsqrt
#define powf host_powf
#define pow host_pow
#define atan2f host_atan2f
#define atan2 host_atan2
#define hypotf host_hypotf
#define hypot host_hypot
#define rhypotf host_rhypotf
#define rhypot host_rhypot
HOST_FAST(__expf)
HOST_FAST(__exp10f)
HOST_FAST(__logf)
HOST_FAST(__log2f)
HOST_FAST(__log10f)
HOST_FAST(__sinf)
HOST_FAST(__cosf)
HOST_FAST(__tanf)
HOST_FAST(__frsqrt_rn)
inline float __powf(float x, float y) {
  return hostOpaque<float>("__powf", x, y);
}
inline float __fdividef(float x, float y) {
  return hostOpaque<float>("__fdividef", x, y);
}

// Arithmetic with a rounding in its name.
inline float __fadd_rn(float a, float b) {
  return a + b;
}
inline float __fsub_rn(float a, float b) {
  return a - b;
}
inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline float __fdiv_rn(float a, float b) {
  return a / b;
}
inline double __dadd_rn(double a, double b) {
  return a + b;
}
inline double __dsub_rn(double a, double b) {
  return a - b;
}
inline double __dmul_rn(double a, double b) {
  return a * b;
}
inline double __ddiv_rn(double a, double b) {
  return a / b;
}
inline float __fmaf_rn(float a, float b, float c) {
  return fmaf(a, b, c);
}
inline double __fma_rn(double a, double b, double c) {
  return fma(a, b, c);
}
inline float __fsqrt_rn(float a) {
  return sqrtf(a);
}
inline double __dsqrt_rn(double a) {
  return sqrt(a);
}
inline float __frcp_rn(float a) {
  return 1.0f / a;
}
inline float __saturatef(float a) {
  return !(a > 0) ? 0.0f : a > 1 ? 1.0f : a;
}

// Conversions with a rounding in their name; casts saturate (README.md).
#define HOST_CONVERSIONS(from, name, to, short)                                                              \
  inline to __##name##2##short##_rz(from a) {                                                                \
    return static_cast<to>(a);                                                                               \
  }                                                                                                          \
  inline to __##name##2##short##_rn(from a) {                                                                \
    return static_cast<to>(nearbyint(a));                                                                    \
  }                                                                                                          \
  inline to __##name##2##short##_rd(from a) {                                                                \
    return static_cast<to>(floor(a));                                                                        \
  }                                                                                                          \
  inline to __##name##2##short##_ru(from a) {                                                                \
    return static_cast<to>(ceil(a));                                                                         \
  }
HOST_CONVERSIONS(float, float, int, int)
HOST_CONVERSIONS(float, float, unsigned, uint)
HOST_CONVERSIONS(float, float, long long, ll)
HOST_CONVERSIONS(float, float, unsigned long long, ull)
HOST_CONVERSIONS(double, double, int, int)
HOST_CONVERSIONS(double, double, unsigned, uint)
HOST_CONVERSIONS(double, double, long long, ll)
HOST_CONVERSIONS(double, double, unsigned long long, ull)
inline float __int2float_rn(int a) {
  return static_cast<float>(a);
}
inline float __uint2float_rn(unsigned a) {
  return static_cast<float>(a);
}
inline float __ll2float_rn(long long a) {
  return static_cast<float>(a);
}
inline float __double2float_rn(double a) {
  return static_cast<float>(a);
}
inline double __int2double_rn(int a) {
  return a;
}

inline int __float_as_int(float a) {
  return hostBits<int>(a);
}
inline unsigned __float_as_uint(float a) {
  return hostBits<unsigned>(a);
}
inline float __int_as_float(int a) {
  return hostBits<float>(a);
}
inline float __uint_as_float(unsigned a) {
  return hostBits<float>(a);
}
inline long long __double_as_longlong(double a) {
  return hostBits<long long>(a);
}
inline double __longlong_as_double(long long a) {
  return hostBits<double>(a);
}

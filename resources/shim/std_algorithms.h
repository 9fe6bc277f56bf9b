// Templates and limits that kernels use too: callable from host and device.
#pragma once

namespace std {
template <class T> __host__ __device__ const T& max(const T&, const T&) PLUMBLINE_MEANS("std::max<>");
template <class T> __host__ __device__ const T& min(const T&, const T&) PLUMBLINE_MEANS("std::min<>");

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
  typedef T type;
};
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional {
  typedef T type;
};
template <class T, class F> struct conditional<false, T, F> {
  typedef F type;
};
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class T, T V> struct integral_constant {
  static constexpr T value = V;
};
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class T> struct is_floating_point : false_type {};
template <> struct is_floating_point<float> : true_type {};
template <> struct is_floating_point<double> : true_type {};
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> struct remove_reference {
  typedef T type;
};
template <class T> struct remove_reference<T&> {
  typedef T type;
};
template <class T> struct remove_reference<T&&> {
  typedef T type;
};
template <class T> typename remove_reference<T>::type&& move(T&&) PLUMBLINE_HOST("unknown");

template <class T> struct numeric_limits;
template <> struct numeric_limits<float> {
  static constexpr bool has_infinity = true;
  static __host__ __device__ constexpr float infinity() { return __builtin_inff(); }
  static __host__ __device__ constexpr float quiet_NaN() { return __builtin_nanf(""); }
  static __host__ __device__ constexpr float max() { return __FLT_MAX__; }
  static __host__ __device__ constexpr float lowest() { return -__FLT_MAX__; }
  static __host__ __device__ constexpr float min() { return __FLT_MIN__; }
  static __host__ __device__ constexpr float epsilon() { return __FLT_EPSILON__; }
};
template <> struct numeric_limits<double> {
  static constexpr bool has_infinity = true;
  static __host__ __device__ constexpr double infinity() { return __builtin_inf(); }
  static __host__ __device__ constexpr double quiet_NaN() { return __builtin_nan(""); }
  static __host__ __device__ constexpr double max() { return __DBL_MAX__; }
  static __host__ __device__ constexpr double lowest() { return -__DBL_MAX__; }
  static __host__ __device__ constexpr double min() { return __DBL_MIN__; }
  static __host__ __device__ constexpr double epsilon() { return __DBL_EPSILON__; }
};
template <> struct numeric_limits<int> {
  static __host__ __device__ constexpr int max() { return __INT_MAX__; }
  static __host__ __device__ constexpr int min() { return -__INT_MAX__ - 1; }
  static __host__ __device__ constexpr int lowest() { return -__INT_MAX__ - 1; }
};
template <> struct numeric_limits<unsigned> {
  static __host__ __device__ constexpr unsigned max() { return __INT_MAX__ * 2U + 1U; }
  static __host__ __device__ constexpr unsigned min() { return 0; }
  static __host__ __device__ constexpr unsigned lowest() { return 0; }
};
template <> struct numeric_limits<long> {
  static __host__ __device__ constexpr long max() { return __LONG_MAX__; }
  static __host__ __device__ constexpr long min() { return -__LONG_MAX__ - 1; }
  static __host__ __device__ constexpr long lowest() { return -__LONG_MAX__ - 1; }
};
template <> struct numeric_limits<long long> {
  static __host__ __device__ constexpr long long max() { return __LONG_LONG_MAX__; }
  static __host__ __device__ constexpr long long min() { return -__LONG_LONG_MAX__ - 1; }
  static __host__ __device__ constexpr long long lowest() { return -__LONG_LONG_MAX__ - 1; }
};
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::ceilf;
using ::copysign;
using ::cos;
using ::cosf;
using ::cosh;
using ::erf;
using ::erfc;
using ::erff;
using ::exp;
using ::exp2;
using ::expf;
using ::expm1;
using ::fabs;
using ::fabsf;
using ::fdim;
using ::floor;
using ::floorf;
using ::fma;
using ::fmaf;
using ::fmax;
using ::fmaxf;
using ::fmin;
using ::fminf;
using ::fmod;
using ::hypot;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::ldexp;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::logf;
using ::memcpy;
using ::nearbyint;
using ::pow;
using ::powf;
using ::printf;
using ::ptrdiff_t;
using ::remainder;
using ::rint;
using ::round;
using ::signbit;
using ::sin;
using ::sinf;
using ::sinh;
using ::size_t;
using ::sqrt;
using ::sqrtf;
using ::tan;
using ::tanh;
using ::tanhf;
using ::trunc;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
template <class T> __host__ __device__ T clamp(T, T, T) PLUMBLINE_REJECTS("unsupported-function");
template <class T> __host__ __device__ void swap(T&, T&) PLUMBLINE_REJECTS("unsupported-function");
} // namespace std

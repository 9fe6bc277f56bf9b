// CUDA's words for a C++ compiler on the host, so that a kernel's own source runs natively. Included before
// the kernel, once in a library; not part of the product. README.md says where it decides what C++ leaves
// open.
#pragma once

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "tests/differential/kernel/host_threads.h"
#include "tests/differential/kernel/host_vectors.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __shared__ static
#define __constant__

typedef _Float16 __half;
typedef __half half;
typedef __bf16 __nv_bfloat16;
typedef __nv_bfloat16 nv_bfloat16;
struct alignas(4) __half2 {
  __half x, y;
};
typedef __half2 half2;
inline float __half2float(__half a) {
  return static_cast<float>(a);
}
inline __half __float2half(float a) {
  return static_cast<__half>(a);
}
inline __half __float2half_rn(float a) {
  return static_cast<__half>(a);
}
inline float __bfloat162float(__nv_bfloat16 a) {
  return static_cast<float>(a);
}
inline __nv_bfloat16 __float2bfloat16(float a) {
  return static_cast<__nv_bfloat16>(a);
}

typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;

using std::isfinite;
using std::isinf;
using std::isnan;

// PTX max and min: the number beats NaN, +0 is above -0.
template <class T> T hostMax(T a, T b) {
  if (a != a)
    return b;
  if (b != b)
    return a;
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a < b ? b : a;
}
template <class T> T hostMin(T a, T b) {
  if (a != a)
    return b;
  if (b != b)
    return a;
  if (a == 0 && b == 0)
    return std::signbit(a) ? a : b;
  return b < a ? b : a;
}
inline float hostMaxF(float a, float b) {
  return hostMax(a, b);
}
inline float hostMinF(float a, float b) {
  return hostMin(a, b);
}
inline double hostMaxD(double a, double b) {
  return hostMax(a, b);
}
inline double hostMinD(double a, double b) {
  return hostMin(a, b);
}
#define fmaxf hostMaxF
#define fminf hostMinF
#define fmax hostMaxD
#define fmin hostMinD

// CUDA's own max and min: of floats as above, of integers after the usual conversions.
template <class A, class B> std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>)
    return hostMax<T>(a, b);
  else
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B> std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>)
    return hostMin<T>(a, b);
  else
    return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}

// The test gives the interpreter the same values.
inline float hostExpF(float x) {
  return static_cast<float>(std::exp(static_cast<double>(x)));
}
#define expf hostExpF

template <class T> T __ldg(const T* p) {
  return *p;
}
inline float __fmaf_rn(float a, float b, float c) {
  return std::fma(a, b, c);
}
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
inline float __fsqrt_rn(float a) {
  return std::sqrt(a);
}
inline float __frcp_rn(float a) {
  return 1.0f / a;
}
inline int __float2int_rn(float a) {
  return static_cast<int>(std::nearbyint(a));
}
inline int __float2int_rd(float a) {
  return static_cast<int>(std::floor(a));
}
inline unsigned __float2uint_ru(float a) {
  return static_cast<unsigned>(std::ceil(a));
}
inline float __saturatef(float a) {
  return !(a > 0) ? 0.0f : a > 1 ? 1.0f : a;
}
template <class To, class From> To hostBits(From from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
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

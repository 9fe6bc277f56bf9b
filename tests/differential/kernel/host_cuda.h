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

#include "tests/differential/kernel/host_functions.h"
#ifdef PLUMBLINE_SANITIZED
#include "tests/differential/kernel/host_sanitized.h"
#else
#include "tests/differential/kernel/host_threads.h"
#endif
#include "tests/differential/kernel/host_vectors.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#ifndef PLUMBLINE_SANITIZED // there, no declaration may be left
#define __shared__ static
#endif
#define __constant__

#define CUDART_INF_F INFINITY
#define CUDART_NAN_F NAN
#define CUDART_PI_F 3.141592654f
#define CUDART_MAX_NORMAL_F FLT_MAX

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
using std::signbit;

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
namespace std {
using ::hostMaxD;
using ::hostMaxF;
using ::hostMinD;
using ::hostMinF;
} // namespace std
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

template <class T> T __ldg(const T* p) {
  return *p;
}
template <class T> T __ldcg(const T* p) {
  return *p;
}
template <class T> T __ldca(const T* p) {
  return *p;
}
template <class T> T __ldcs(const T* p) {
  return *p;
}

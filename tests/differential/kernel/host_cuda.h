// CUDA's words for a C++ compiler on the host, so that a kernel's own source runs natively, one thread after
// the other. Included before the kernel; not part of the product.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct HostCoordinates {
  unsigned x = 0, y = 0, z = 0;
};
inline thread_local HostCoordinates threadIdx, blockIdx, blockDim, gridDim;
inline constexpr int warpSize = 32;

using std::isnan;
using std::max;
using std::min;

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

namespace host {

template <class... P, size_t... I>
void callWith(void (*kernel)(P...), void** arguments, std::index_sequence<I...>) {
  kernel(*static_cast<std::remove_cv_t<P>*>(arguments[I])...);
}

/// Calls the kernel for every thread; `arguments[i]` points at the i-th argument.
template <class... P>
void runGrid(void (*kernel)(P...), void** arguments, const int64_t* grid, const int64_t* block) {
  gridDim = {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])};
  blockDim = {unsigned(block[0]), unsigned(block[1]), unsigned(block[2])};
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
        for (threadIdx.z = 0; threadIdx.z < blockDim.z; ++threadIdx.z)
          for (threadIdx.y = 0; threadIdx.y < blockDim.y; ++threadIdx.y)
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x)
              callWith(kernel, arguments, std::index_sequence_for<P...>());
}

} // namespace host

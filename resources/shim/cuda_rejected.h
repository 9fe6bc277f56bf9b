// Device names that the importer knows and refuses by name.
#pragma once

__host__ __device__ float ldexpf(float, int) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double scalbn(double, int) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float scalblnf(float, long) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double scalbln(double, long) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double frexp(double, int*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double modf(double, double*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float remquof(float, float, int*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double remquo(double, double, int*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ int ilogbf(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ int ilogb(double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float jnf(int, float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double jn(int, double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float ynf(int, float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double yn(int, double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float normf(int, const float*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double norm(int, const double*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float rnormf(int, const float*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double rnorm(int, const double*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float nanf(const char*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double nan(const char*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ void sincos(double, double*, double*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ void sincospif(float, float*, float*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ void sincospi(double, double*, double*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float nexttowardf(float, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmaf_rz(float, float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __fma_rz(double, double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fsqrt_rz(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsqrt_rz(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __frcp_rz(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __drcp_rz(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __int2float_rz(int) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __uint2float_rz(unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __ll2float_rz(long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __ull2float_rz(unsigned long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __double2float_rz(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ll2double_rz(long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ull2double_rz(unsigned long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmaf_ru(float, float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __fma_ru(double, double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fsqrt_ru(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsqrt_ru(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __frcp_ru(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __drcp_ru(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __int2float_ru(int) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __uint2float_ru(unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __ll2float_ru(long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __ull2float_ru(unsigned long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __double2float_ru(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ll2double_ru(long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ull2double_ru(unsigned long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmaf_rd(float, float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __fma_rd(double, double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fsqrt_rd(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsqrt_rd(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __frcp_rd(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __drcp_rd(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __int2float_rd(int) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __uint2float_rd(unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __ll2float_rd(long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __ull2float_rd(unsigned long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __double2float_rd(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ll2double_rd(long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ull2double_rd(unsigned long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __drcp_rn(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __double2hiint(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __double2loint(double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __hiloint2double(int, int) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __popcll(unsigned long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __clzll(long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __ffsll(long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned long long __brevll(unsigned long long) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double ldexp(double, int) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float scalbnf(float, int) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float frexpf(float, int*) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float modff(float, float*) PLUMBLINE_REJECTS("unsupported-function");
__device__ void sincosf(float, float*, float*) PLUMBLINE_REJECTS("unsupported-function");
__device__ void __sincosf(float, float*, float*) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __popc(unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __clz(int) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __ffs(int) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __brev(unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __mul24(int, int) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __umul24(unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __mulhi(int, int) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __umulhi(unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmaf_ieee_rn(float, float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmaf_ieee_rz(float, float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmaf_ieee_ru(float, float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmaf_ieee_rd(float, float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __byte_perm(unsigned, unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __funnelshift_l(unsigned, unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __funnelshift_lc(unsigned, unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __funnelshift_r(unsigned, unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __funnelshift_rc(unsigned, unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __hadd(int, int) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __rhadd(int, int) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __uhadd(unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __urhadd(unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __sad(int, int, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __usad(unsigned, unsigned, unsigned) PLUMBLINE_REJECTS("unsupported-function");
__device__ long long __mul64hi(long long, long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long) PLUMBLINE_REJECTS("unsupported-function");
__device__ unsigned __fns(unsigned, unsigned, int) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __tanhf(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ long long clock64() PLUMBLINE_REJECTS("unsupported-function");
__device__ long clock() PLUMBLINE_REJECTS("unsupported-function");

__device__ float __fadd_rz(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fadd_ru(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fadd_rd(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dadd_rz(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dadd_ru(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dadd_rd(double, double) PLUMBLINE_REJECTS("unsupported-function");

__device__ float __fsub_rz(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fsub_ru(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fsub_rd(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsub_rz(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsub_ru(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsub_rd(double, double) PLUMBLINE_REJECTS("unsupported-function");

__device__ float __fmul_rz(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmul_ru(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmul_rd(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dmul_rz(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dmul_ru(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dmul_rd(double, double) PLUMBLINE_REJECTS("unsupported-function");

__device__ float __fdiv_rz(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fdiv_ru(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fdiv_rd(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ddiv_rz(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ddiv_ru(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ddiv_rd(double, double) PLUMBLINE_REJECTS("unsupported-function");

__host__ __device__ void* memcpy(void*, const void*, size_t) PLUMBLINE_REJECTS("nan-payload");

// Without a mask: which lanes take part is not said.
template <class T> __device__ T __shfl(T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T> __device__ T __shfl_up(T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T> __device__ T __shfl_down(T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T> __device__ T __shfl_xor(T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
__device__ unsigned __match_any_sync(unsigned, unsigned) PLUMBLINE_REJECTS("warp-shuffle");
__device__ unsigned __reduce_add_sync(unsigned, unsigned) PLUMBLINE_REJECTS("warp-shuffle");

extern "C" __host__ __device__ int printf(const char*, ...) PLUMBLINE_REJECTS("printf");

__host__ __device__ void plumblineAssert(bool) PLUMBLINE_REJECTS("assert");
__device__ void __trap() PLUMBLINE_REJECTS("assert");

#define assert(condition) plumblineAssert(static_cast<bool>(condition))
#define CUDA_KERNEL_ASSERT(condition) plumblineAssert(static_cast<bool>(condition))
#define CUDA_KERNEL_LOOP(i, n)                                                                               \
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

// The heap.
extern "C" __host__ __device__ void* malloc(size_t) PLUMBLINE_REJECTS("dynamic-memory");
extern "C" __host__ __device__ void free(void*) PLUMBLINE_REJECTS("dynamic-memory");

// Textures.
typedef unsigned long long cudaTextureObject_t;
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int) PLUMBLINE_REJECTS("texture");
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float) PLUMBLINE_REJECTS("texture");

// Cooperative groups: enough to be named.
namespace cooperative_groups {
struct PLUMBLINE_REJECTS("cooperative-groups") thread_block {
  __device__ void sync() const;
  __device__ unsigned thread_rank() const;
};
struct PLUMBLINE_REJECTS("cooperative-groups") grid_group {
  __device__ void sync() const;
};
__device__ thread_block this_thread_block() PLUMBLINE_REJECTS("cooperative-groups");
__device__ grid_group this_grid() PLUMBLINE_REJECTS("cooperative-groups");
} // namespace cooperative_groups

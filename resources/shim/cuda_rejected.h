// Device names that the importer knows and refuses by name.
#pragma once

__host__ __device__ float floorf(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double floor(double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float floor(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float ceilf(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double ceil(double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float ceil(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float roundf(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double round(double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float round(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float rintf(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double rint(double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float rint(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float nearbyintf(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double nearbyint(double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float nearbyint(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float truncf(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ double trunc(double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float trunc(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __frsqrt_rn(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __saturatef(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __float2int_rn(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __float2int_rd(float) PLUMBLINE_REJECTS("unsupported-function");
__device__ int __float2int_ru(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ long lround(double) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ long lroundf(float) PLUMBLINE_REJECTS("unsupported-function");
__host__ __device__ float ldexpf(float, int) PLUMBLINE_REJECTS("unsupported-function");
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
__device__ long long clock64() PLUMBLINE_REJECTS("unsupported-function");
__device__ long clock() PLUMBLINE_REJECTS("unsupported-function");

__device__ float __fadd_rz(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fadd_ru(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fadd_rd(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dadd_rn(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dadd_rz(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dadd_ru(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dadd_rd(double, double) PLUMBLINE_REJECTS("unsupported-function");

__device__ float __fsub_rz(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fsub_ru(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fsub_rd(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsub_rn(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsub_rz(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsub_ru(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dsub_rd(double, double) PLUMBLINE_REJECTS("unsupported-function");

__device__ float __fmul_rz(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmul_ru(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fmul_rd(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dmul_rn(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dmul_rz(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dmul_ru(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __dmul_rd(double, double) PLUMBLINE_REJECTS("unsupported-function");

__device__ float __fdiv_rz(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fdiv_ru(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ float __fdiv_rd(float, float) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ddiv_rn(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ddiv_rz(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ddiv_ru(double, double) PLUMBLINE_REJECTS("unsupported-function");
__device__ double __ddiv_rd(double, double) PLUMBLINE_REJECTS("unsupported-function");

__device__ int __float_as_int(float) PLUMBLINE_REJECTS("nan-payload");
__device__ unsigned __float_as_uint(float) PLUMBLINE_REJECTS("nan-payload");
__device__ long long __double_as_longlong(double) PLUMBLINE_REJECTS("nan-payload");
__device__ double __longlong_as_double(long long) PLUMBLINE_REJECTS("nan-payload");
__host__ __device__ bool signbit(float) PLUMBLINE_REJECTS("nan-payload");
__host__ __device__ bool signbit(double) PLUMBLINE_REJECTS("nan-payload");
__host__ __device__ float copysignf(float, float) PLUMBLINE_REJECTS("nan-payload");
__host__ __device__ double copysign(double, double) PLUMBLINE_REJECTS("nan-payload");
__host__ __device__ float copysign(float, float) PLUMBLINE_REJECTS("nan-payload");
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

// Sixteen-bit floats.
struct PLUMBLINE_REJECTS("half-type") __half {
  __host__ __device__ __half();
  __host__ __device__ __half(float);
  __host__ __device__ operator float() const;
};
struct PLUMBLINE_REJECTS("half-type") __half2 {
  __host__ __device__ __half2();
  __host__ __device__ __half2(float);
  __host__ __device__ operator float() const;
};
struct PLUMBLINE_REJECTS("half-type") __nv_bfloat16 {
  __host__ __device__ __nv_bfloat16();
  __host__ __device__ __nv_bfloat16(float);
  __host__ __device__ operator float() const;
};
struct PLUMBLINE_REJECTS("half-type") __nv_bfloat162 {
  __host__ __device__ __nv_bfloat162();
  __host__ __device__ __nv_bfloat162(float);
  __host__ __device__ operator float() const;
};
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
__host__ __device__ float __half2float(__half) PLUMBLINE_REJECTS("half-type");
__host__ __device__ __half __float2half(float) PLUMBLINE_REJECTS("half-type");
__host__ __device__ __half __float2half_rn(float) PLUMBLINE_REJECTS("half-type");
__host__ __device__ __nv_bfloat16 __float2bfloat16(float) PLUMBLINE_REJECTS("half-type");
__host__ __device__ float __bfloat162float(__nv_bfloat16) PLUMBLINE_REJECTS("half-type");
__device__ __half __hadd(__half, __half) PLUMBLINE_REJECTS("half-type");
__device__ __half __hsub(__half, __half) PLUMBLINE_REJECTS("half-type");
__device__ __half __hmul(__half, __half) PLUMBLINE_REJECTS("half-type");
__device__ __half __hmax(__half, __half) PLUMBLINE_REJECTS("half-type");
__device__ __half __hmin(__half, __half) PLUMBLINE_REJECTS("half-type");

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

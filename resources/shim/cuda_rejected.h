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

__device__ void __syncthreads() PLUMBLINE_REJECTS("barrier");
__device__ int __syncthreads_count(int) PLUMBLINE_REJECTS("barrier");
__device__ int __syncthreads_and(int) PLUMBLINE_REJECTS("barrier");
__device__ int __syncthreads_or(int) PLUMBLINE_REJECTS("barrier");
__device__ void __syncwarp(unsigned = 0xffffffff) PLUMBLINE_REJECTS("barrier");

__device__ void __threadfence() PLUMBLINE_REJECTS("memory-fence");
__device__ void __threadfence_block() PLUMBLINE_REJECTS("memory-fence");
__device__ void __threadfence_system() PLUMBLINE_REJECTS("memory-fence");

__device__ int atomicAdd(int*, int) PLUMBLINE_REJECTS("atomics");
__device__ unsigned atomicAdd(unsigned*, unsigned) PLUMBLINE_REJECTS("atomics");
__device__ unsigned long long atomicAdd(unsigned long long*, unsigned long long) PLUMBLINE_REJECTS("atomics");
__device__ float atomicAdd(float*, float) PLUMBLINE_REJECTS("atomics");
__device__ double atomicAdd(double*, double) PLUMBLINE_REJECTS("atomics");
__device__ int atomicSub(int*, int) PLUMBLINE_REJECTS("atomics");
__device__ unsigned atomicSub(unsigned*, unsigned) PLUMBLINE_REJECTS("atomics");
__device__ unsigned long long atomicSub(unsigned long long*, unsigned long long) PLUMBLINE_REJECTS("atomics");
__device__ float atomicSub(float*, float) PLUMBLINE_REJECTS("atomics");
__device__ double atomicSub(double*, double) PLUMBLINE_REJECTS("atomics");
__device__ int atomicExch(int*, int) PLUMBLINE_REJECTS("atomics");
__device__ unsigned atomicExch(unsigned*, unsigned) PLUMBLINE_REJECTS("atomics");
__device__ unsigned long long atomicExch(unsigned long long*, unsigned long long)
    PLUMBLINE_REJECTS("atomics");
__device__ float atomicExch(float*, float) PLUMBLINE_REJECTS("atomics");
__device__ double atomicExch(double*, double) PLUMBLINE_REJECTS("atomics");
__device__ int atomicMin(int*, int) PLUMBLINE_REJECTS("atomics");
__device__ unsigned atomicMin(unsigned*, unsigned) PLUMBLINE_REJECTS("atomics");
__device__ unsigned long long atomicMin(unsigned long long*, unsigned long long) PLUMBLINE_REJECTS("atomics");
__device__ float atomicMin(float*, float) PLUMBLINE_REJECTS("atomics");
__device__ double atomicMin(double*, double) PLUMBLINE_REJECTS("atomics");
__device__ int atomicMax(int*, int) PLUMBLINE_REJECTS("atomics");
__device__ unsigned atomicMax(unsigned*, unsigned) PLUMBLINE_REJECTS("atomics");
__device__ unsigned long long atomicMax(unsigned long long*, unsigned long long) PLUMBLINE_REJECTS("atomics");
__device__ float atomicMax(float*, float) PLUMBLINE_REJECTS("atomics");
__device__ double atomicMax(double*, double) PLUMBLINE_REJECTS("atomics");
__device__ int atomicAnd(int*, int) PLUMBLINE_REJECTS("atomics");
__device__ unsigned atomicAnd(unsigned*, unsigned) PLUMBLINE_REJECTS("atomics");
__device__ unsigned long long atomicAnd(unsigned long long*, unsigned long long) PLUMBLINE_REJECTS("atomics");
__device__ float atomicAnd(float*, float) PLUMBLINE_REJECTS("atomics");
__device__ double atomicAnd(double*, double) PLUMBLINE_REJECTS("atomics");
__device__ int atomicOr(int*, int) PLUMBLINE_REJECTS("atomics");
__device__ unsigned atomicOr(unsigned*, unsigned) PLUMBLINE_REJECTS("atomics");
__device__ unsigned long long atomicOr(unsigned long long*, unsigned long long) PLUMBLINE_REJECTS("atomics");
__device__ float atomicOr(float*, float) PLUMBLINE_REJECTS("atomics");
__device__ double atomicOr(double*, double) PLUMBLINE_REJECTS("atomics");
__device__ int atomicXor(int*, int) PLUMBLINE_REJECTS("atomics");
__device__ unsigned atomicXor(unsigned*, unsigned) PLUMBLINE_REJECTS("atomics");
__device__ unsigned long long atomicXor(unsigned long long*, unsigned long long) PLUMBLINE_REJECTS("atomics");
__device__ float atomicXor(float*, float) PLUMBLINE_REJECTS("atomics");
__device__ double atomicXor(double*, double) PLUMBLINE_REJECTS("atomics");
__device__ int atomicCAS(int*, int, int) PLUMBLINE_REJECTS("atomics");
__device__ unsigned atomicCAS(unsigned*, unsigned, unsigned) PLUMBLINE_REJECTS("atomics");
__device__ unsigned long long atomicCAS(unsigned long long*, unsigned long long, unsigned long long)
    PLUMBLINE_REJECTS("atomics");

template <class T> __device__ T __shfl_sync(unsigned, T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T> __device__ T __shfl_up_sync(unsigned, T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T>
__device__ T __shfl_down_sync(unsigned, T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T> __device__ T __shfl_xor_sync(unsigned, T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T> __device__ T __shfl(T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T> __device__ T __shfl_up(T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T> __device__ T __shfl_down(T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
template <class T> __device__ T __shfl_xor(T, int, int = 32) PLUMBLINE_REJECTS("warp-shuffle");
__device__ unsigned __ballot_sync(unsigned, int) PLUMBLINE_REJECTS("warp-shuffle");
__device__ int __any_sync(unsigned, int) PLUMBLINE_REJECTS("warp-shuffle");
__device__ int __all_sync(unsigned, int) PLUMBLINE_REJECTS("warp-shuffle");
__device__ unsigned __activemask() PLUMBLINE_REJECTS("warp-shuffle");

extern "C" __host__ __device__ int printf(const char*, ...) PLUMBLINE_REJECTS("printf");

__host__ __device__ void plumblineAssert(bool) PLUMBLINE_REJECTS("assert");
__device__ void __trap() PLUMBLINE_REJECTS("assert");

#define assert(condition) plumblineAssert(static_cast<bool>(condition))
#define CUDA_KERNEL_ASSERT(condition) plumblineAssert(static_cast<bool>(condition))
#define CUDA_KERNEL_LOOP(i, n)                                                                               \
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

// Vector types.
struct PLUMBLINE_REJECTS("vector-type") float1 {
  float x;
};
__host__ __device__ float1 make_float1(float) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") float2 {
  float x, y;
};
__host__ __device__ float2 make_float2(float, float) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") float3 {
  float x, y, z;
};
__host__ __device__ float3 make_float3(float, float, float) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") float4 {
  float x, y, z, w;
};
__host__ __device__ float4 make_float4(float, float, float, float) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") double1 {
  double x;
};
__host__ __device__ double1 make_double1(double) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") double2 {
  double x, y;
};
__host__ __device__ double2 make_double2(double, double) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") double3 {
  double x, y, z;
};
__host__ __device__ double3 make_double3(double, double, double) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") double4 {
  double x, y, z, w;
};
__host__ __device__ double4 make_double4(double, double, double, double) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") int1 {
  int x;
};
__host__ __device__ int1 make_int1(int) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") int2 {
  int x, y;
};
__host__ __device__ int2 make_int2(int, int) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") int3 {
  int x, y, z;
};
__host__ __device__ int3 make_int3(int, int, int) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") int4 {
  int x, y, z, w;
};
__host__ __device__ int4 make_int4(int, int, int, int) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") uint1 {
  unsigned x;
};
__host__ __device__ uint1 make_uint1(unsigned) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") uint2 {
  unsigned x, y;
};
__host__ __device__ uint2 make_uint2(unsigned, unsigned) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") uint4 {
  unsigned x, y, z, w;
};
__host__ __device__ uint4 make_uint4(unsigned, unsigned, unsigned, unsigned) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") char1 {
  signed char x;
};
__host__ __device__ char1 make_char1(signed char) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") char2 {
  signed char x, y;
};
__host__ __device__ char2 make_char2(signed char, signed char) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") char3 {
  signed char x, y, z;
};
__host__ __device__ char3 make_char3(signed char, signed char, signed char) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") char4 {
  signed char x, y, z, w;
};
__host__ __device__ char4 make_char4(signed char, signed char, signed char, signed char)
    PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") uchar1 {
  unsigned char x;
};
__host__ __device__ uchar1 make_uchar1(unsigned char) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") uchar2 {
  unsigned char x, y;
};
__host__ __device__ uchar2 make_uchar2(unsigned char, unsigned char) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") uchar3 {
  unsigned char x, y, z;
};
__host__ __device__ uchar3 make_uchar3(unsigned char, unsigned char, unsigned char)
    PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") uchar4 {
  unsigned char x, y, z, w;
};
__host__ __device__ uchar4 make_uchar4(unsigned char, unsigned char, unsigned char, unsigned char)
    PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") short1 {
  short x;
};
__host__ __device__ short1 make_short1(short) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") short2 {
  short x, y;
};
__host__ __device__ short2 make_short2(short, short) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") short3 {
  short x, y, z;
};
__host__ __device__ short3 make_short3(short, short, short) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") short4 {
  short x, y, z, w;
};
__host__ __device__ short4 make_short4(short, short, short, short) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") ushort1 {
  unsigned short x;
};
__host__ __device__ ushort1 make_ushort1(unsigned short) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") ushort2 {
  unsigned short x, y;
};
__host__ __device__ ushort2 make_ushort2(unsigned short, unsigned short) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") ushort3 {
  unsigned short x, y, z;
};
__host__ __device__ ushort3 make_ushort3(unsigned short, unsigned short, unsigned short)
    PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") ushort4 {
  unsigned short x, y, z, w;
};
__host__ __device__ ushort4 make_ushort4(unsigned short, unsigned short, unsigned short, unsigned short)
    PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") longlong1 {
  long long x;
};
__host__ __device__ longlong1 make_longlong1(long long) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") longlong2 {
  long long x, y;
};
__host__ __device__ longlong2 make_longlong2(long long, long long) PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") longlong3 {
  long long x, y, z;
};
__host__ __device__ longlong3 make_longlong3(long long, long long, long long)
    PLUMBLINE_REJECTS("vector-type");
struct PLUMBLINE_REJECTS("vector-type") longlong4 {
  long long x, y, z, w;
};
__host__ __device__ longlong4 make_longlong4(long long, long long, long long, long long)
    PLUMBLINE_REJECTS("vector-type");
__host__ __device__ uint3 make_uint3(unsigned, unsigned, unsigned) PLUMBLINE_REJECTS("vector-type");

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

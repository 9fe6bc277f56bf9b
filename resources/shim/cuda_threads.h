// Where threads meet: barriers, lanes of a warp, atomic operations, fences. The annotation is the name of the
// operation in kernel IR (core/ir/kernel.h, SyncOp).
#pragma once

#define PLUMBLINE_SYNC(op) __attribute__((annotate("sync:" op)))

__device__ void __syncthreads() PLUMBLINE_SYNC("barrier");
__device__ int __syncthreads_count(int) PLUMBLINE_SYNC("barrier-count");
__device__ int __syncthreads_and(int) PLUMBLINE_SYNC("barrier-and");
__device__ int __syncthreads_or(int) PLUMBLINE_SYNC("barrier-or");
__device__ void __syncwarp(unsigned = 0xffffffff) PLUMBLINE_SYNC("warp-barrier");

__device__ void __threadfence() PLUMBLINE_SYNC("fence device");
__device__ void __threadfence_block() PLUMBLINE_SYNC("fence block");
__device__ void __threadfence_system() PLUMBLINE_SYNC("fence system");

__device__ int __shfl_sync(unsigned, int, int, int = 32) PLUMBLINE_SYNC("shuffle");
__device__ int __shfl_up_sync(unsigned, int, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-up");
__device__ int __shfl_down_sync(unsigned, int, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-down");
__device__ int __shfl_xor_sync(unsigned, int, int, int = 32) PLUMBLINE_SYNC("shuffle-xor");
__device__ unsigned __shfl_sync(unsigned, unsigned, int, int = 32) PLUMBLINE_SYNC("shuffle");
__device__ unsigned __shfl_up_sync(unsigned, unsigned, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-up");
__device__ unsigned __shfl_down_sync(unsigned, unsigned, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-down");
__device__ unsigned __shfl_xor_sync(unsigned, unsigned, int, int = 32) PLUMBLINE_SYNC("shuffle-xor");
__device__ long __shfl_sync(unsigned, long, int, int = 32) PLUMBLINE_SYNC("shuffle");
__device__ long __shfl_up_sync(unsigned, long, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-up");
__device__ long __shfl_down_sync(unsigned, long, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-down");
__device__ long __shfl_xor_sync(unsigned, long, int, int = 32) PLUMBLINE_SYNC("shuffle-xor");
__device__ unsigned long __shfl_sync(unsigned, unsigned long, int, int = 32) PLUMBLINE_SYNC("shuffle");
__device__ unsigned long __shfl_up_sync(unsigned, unsigned long, unsigned, int = 32)
    PLUMBLINE_SYNC("shuffle-up");
__device__ unsigned long __shfl_down_sync(unsigned, unsigned long, unsigned, int = 32)
    PLUMBLINE_SYNC("shuffle-down");
__device__ unsigned long __shfl_xor_sync(unsigned, unsigned long, int, int = 32)
    PLUMBLINE_SYNC("shuffle-xor");
__device__ long long __shfl_sync(unsigned, long long, int, int = 32) PLUMBLINE_SYNC("shuffle");
__device__ long long __shfl_up_sync(unsigned, long long, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-up");
__device__ long long __shfl_down_sync(unsigned, long long, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-down");
__device__ long long __shfl_xor_sync(unsigned, long long, int, int = 32) PLUMBLINE_SYNC("shuffle-xor");
__device__ unsigned long long __shfl_sync(unsigned, unsigned long long, int, int = 32)
    PLUMBLINE_SYNC("shuffle");
__device__ unsigned long long __shfl_up_sync(unsigned, unsigned long long, unsigned, int = 32)
    PLUMBLINE_SYNC("shuffle-up");
__device__ unsigned long long __shfl_down_sync(unsigned, unsigned long long, unsigned, int = 32)
    PLUMBLINE_SYNC("shuffle-down");
__device__ unsigned long long __shfl_xor_sync(unsigned, unsigned long long, int, int = 32)
    PLUMBLINE_SYNC("shuffle-xor");
__device__ float __shfl_sync(unsigned, float, int, int = 32) PLUMBLINE_SYNC("shuffle");
__device__ float __shfl_up_sync(unsigned, float, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-up");
__device__ float __shfl_down_sync(unsigned, float, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-down");
__device__ float __shfl_xor_sync(unsigned, float, int, int = 32) PLUMBLINE_SYNC("shuffle-xor");
__device__ double __shfl_sync(unsigned, double, int, int = 32) PLUMBLINE_SYNC("shuffle");
__device__ double __shfl_up_sync(unsigned, double, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-up");
__device__ double __shfl_down_sync(unsigned, double, unsigned, int = 32) PLUMBLINE_SYNC("shuffle-down");
__device__ double __shfl_xor_sync(unsigned, double, int, int = 32) PLUMBLINE_SYNC("shuffle-xor");
__device__ unsigned __ballot_sync(unsigned, int) PLUMBLINE_SYNC("ballot");
__device__ int __any_sync(unsigned, int) PLUMBLINE_SYNC("any");
__device__ int __all_sync(unsigned, int) PLUMBLINE_SYNC("all");
__device__ unsigned __activemask() PLUMBLINE_SYNC("active-mask");

__device__ int atomicAdd(int*, int) PLUMBLINE_SYNC("atomic-add");
__device__ unsigned atomicAdd(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-add");
__device__ unsigned long long atomicAdd(unsigned long long*, unsigned long long) PLUMBLINE_SYNC("atomic-add");
__device__ float atomicAdd(float*, float) PLUMBLINE_SYNC("atomic-add");
__device__ double atomicAdd(double*, double) PLUMBLINE_SYNC("atomic-add");
__device__ int atomicSub(int*, int) PLUMBLINE_SYNC("atomic-sub");
__device__ unsigned atomicSub(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-sub");
__device__ int atomicExch(int*, int) PLUMBLINE_SYNC("atomic-exchange");
__device__ unsigned atomicExch(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-exchange");
__device__ unsigned long long atomicExch(unsigned long long*, unsigned long long)
    PLUMBLINE_SYNC("atomic-exchange");
__device__ float atomicExch(float*, float) PLUMBLINE_SYNC("atomic-exchange");
__device__ int atomicMin(int*, int) PLUMBLINE_SYNC("atomic-min");
__device__ unsigned atomicMin(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-min");
__device__ long long atomicMin(long long*, long long) PLUMBLINE_SYNC("atomic-min");
__device__ unsigned long long atomicMin(unsigned long long*, unsigned long long) PLUMBLINE_SYNC("atomic-min");
__device__ int atomicMax(int*, int) PLUMBLINE_SYNC("atomic-max");
__device__ unsigned atomicMax(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-max");
__device__ long long atomicMax(long long*, long long) PLUMBLINE_SYNC("atomic-max");
__device__ unsigned long long atomicMax(unsigned long long*, unsigned long long) PLUMBLINE_SYNC("atomic-max");
__device__ int atomicAnd(int*, int) PLUMBLINE_SYNC("atomic-and");
__device__ unsigned atomicAnd(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-and");
__device__ unsigned long long atomicAnd(unsigned long long*, unsigned long long) PLUMBLINE_SYNC("atomic-and");
__device__ int atomicOr(int*, int) PLUMBLINE_SYNC("atomic-or");
__device__ unsigned atomicOr(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-or");
__device__ unsigned long long atomicOr(unsigned long long*, unsigned long long) PLUMBLINE_SYNC("atomic-or");
__device__ int atomicXor(int*, int) PLUMBLINE_SYNC("atomic-xor");
__device__ unsigned atomicXor(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-xor");
__device__ unsigned long long atomicXor(unsigned long long*, unsigned long long) PLUMBLINE_SYNC("atomic-xor");
__device__ unsigned atomicInc(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-increment");
__device__ unsigned atomicDec(unsigned*, unsigned) PLUMBLINE_SYNC("atomic-decrement");
__device__ int atomicCAS(int*, int, int) PLUMBLINE_SYNC("atomic-compare-exchange");
__device__ unsigned atomicCAS(unsigned*, unsigned, unsigned) PLUMBLINE_SYNC("atomic-compare-exchange");
__device__ unsigned long long atomicCAS(unsigned long long*, unsigned long long, unsigned long long)
    PLUMBLINE_SYNC("atomic-compare-exchange");

// Written by Plumbline for VerCors: kernel 'k' with a contract made from its launch.
// What VerCors can show here is that each thread stays inside its arrays and that no two threads share a
// cell that one of them writes. It takes integers as unbounded and floats as rationals.
#include <cuda.h>
#include <math.h>

/*@
  context blockDim.x == 128;
  context gridDim.x == (1 < ((n + 128 - 1) / 128) ? ((n + 128 - 1) / 128) : 1);
  context blockDim.y == 1;
  context gridDim.y == 1;
  context blockDim.z == 1;
  context gridDim.z == 1;
  context 1 <= n && n <= 1073741824;
  context x != NULL && \pointer_length(x) == n;
  context out != NULL && \pointer_length(out) == gridDim.x;
  context (\forall* int k_; 0 <= k_ && k_ < n; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context (threadIdx.x == 0) ==> Perm(&out[blockIdx.x], write);
  requires Perm(&part[threadIdx.x], write);
@*/
__global__ void k(float* x, float* out, int n) {
  __shared__ float part[128];
  int i;
  int half;
  i = ((int)((blockIdx.x * ((unsigned int)128)) + threadIdx.x));
  part[threadIdx.x] = ((i < n) ? x[i] : 0.0f);
  /*@
    requires Perm(&part[threadIdx.x], write);
    ensures (threadIdx.x < 64) ==> Perm(&part[threadIdx.x], write);
    ensures (threadIdx.x < 64) ==> Perm(&part[(threadIdx.x + 64)], write);
  @*/
  __syncthreads();
  half = 64;
  /*@
    loop_invariant (0 <= half);
    loop_invariant (half <= 64);
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < n; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant (threadIdx.x == 0) ==> Perm(&out[blockIdx.x], write);
    loop_invariant ((0 < half) && (threadIdx.x < half)) ==> Perm(&part[threadIdx.x], write);
    loop_invariant ((0 < half) && (threadIdx.x < half)) ==> Perm(&part[(threadIdx.x + half)], write);
    loop_invariant (!(0 < half) && (threadIdx.x == 0)) ==> Perm(&part[0], write);
    decreases half;
  @*/
  while ((half > 0)) {
    if ((threadIdx.x < ((unsigned int)half))) {
      part[threadIdx.x] = (part[threadIdx.x] + part[(threadIdx.x + ((unsigned int)half))]);
    }
    /*@
      context (0 <= half);
      context (half <= 64);
      context (0 < half);
      requires ((0 < half) && (threadIdx.x < half)) ==> Perm(&part[threadIdx.x], write);
      requires ((0 < half) && (threadIdx.x < half)) ==> Perm(&part[(threadIdx.x + half)], write);
      requires (!(0 < half) && (threadIdx.x == 0)) ==> Perm(&part[0], write);
      ensures ((0 < (half / 2)) && (threadIdx.x < (half / 2))) ==> Perm(&part[threadIdx.x], write);
      ensures ((0 < (half / 2)) && (threadIdx.x < (half / 2))) ==> Perm(&part[(threadIdx.x + (half / 2))], write);
      ensures (!(0 < (half / 2)) && (threadIdx.x == 0)) ==> Perm(&part[0], write);
    @*/
    __syncthreads();
    half = (half / 2);
  }
  if ((threadIdx.x == ((unsigned int)0))) {
    out[blockIdx.x] = part[0];
  }
}

// Written by Plumbline for VerCors: kernel 'k' with a contract made from its launch.
// What VerCors can show here is that each thread stays inside its arrays and that no two threads share a
// cell that one of them writes. It takes integers as unbounded and floats as rationals.
#include <cuda.h>
#include <math.h>

/*@
  context blockDim.x == 64;
  context gridDim.x == 1;
  context blockDim.y == 1;
  context gridDim.y == 1;
  context blockDim.z == 1;
  context gridDim.z == 1;
  context 0 <= n && n <= 1000;
  context x != NULL && \pointer_length(x) == 64;
  context y != NULL && \pointer_length(y) == 64;
  context (\forall* int k_; 0 <= k_ && k_ < 64; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context Perm(&y[threadIdx.x], write);
  requires Perm(&a[threadIdx.x], write);
@*/
__global__ void k(float* x, float* y, int n) {
  __shared__ float a[64];
  int phase;
  float v;
  a[threadIdx.x] = x[threadIdx.x];
  /*@
    requires Perm(&a[threadIdx.x], write);
    ensures (\forall* int k_; 0 <= k_ && k_ < 64; Perm(&a[k_], write \ (blockDim.x * blockDim.y * blockDim.z)));
  @*/
  __syncthreads();
  phase = 0;
  /*@
    loop_invariant (0 <= phase);
    loop_invariant ((0 < ((n - phase) + 1)) || (phase == 0));
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < 64; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant Perm(&y[threadIdx.x], write);
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < 64; Perm(&a[k_], write \ (blockDim.x * blockDim.y * blockDim.z)));
    decreases (n - phase);
  @*/
  while ((phase < n)) {
    v = a[((threadIdx.x + ((unsigned int)1)) % ((unsigned int)64))];
    /*@
      context (0 <= phase);
      context (phase < n);
      requires (\forall* int k_; 0 <= k_ && k_ < 64; Perm(&a[k_], write \ (blockDim.x * blockDim.y * blockDim.z)));
      ensures Perm(&a[threadIdx.x], write);
    @*/
    __syncthreads();
    a[threadIdx.x] = v;
    /*@
      context (0 <= phase);
      context (phase < n);
      requires Perm(&a[threadIdx.x], write);
      ensures (\forall* int k_; 0 <= k_ && k_ < 64; Perm(&a[k_], write \ (blockDim.x * blockDim.y * blockDim.z)));
    @*/
    __syncthreads();
    phase = (phase + 1);
  }
  y[threadIdx.x] = a[threadIdx.x];
}

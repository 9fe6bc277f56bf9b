// Written by Plumbline for VerCors: kernel 'k' with a contract made from its launch.
// What VerCors can show here is that each thread stays inside its arrays and that no two threads share a
// cell that one of them writes. It takes integers as unbounded and floats as rationals.
#include <cuda.h>
#include <math.h>

/*@
  context blockDim.x == 128;
  context blockDim.y == 1;
  context gridDim.y == 1;
  context blockDim.z == 1;
  context gridDim.z == 1;
  context 1 <= n && n <= 1073741824;
  context 1 <= gridDim.x && gridDim.x <= 1024;
  context x != NULL && \pointer_length(x) == n;
  context y != NULL && \pointer_length(y) == n;
  context (\forall* int k_; 0 <= k_ && k_ < n; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context (\forall* int c1_; (((blockIdx.x * 128) + threadIdx.x) <= c1_) && (((c1_ - ((blockIdx.x * 128) + threadIdx.x)) % (gridDim.x * 128)) == 0) && (c1_ < n); Perm(&y[c1_], write));
@*/
__global__ void k(float* x, float* y, int n) {
  int i;
  i = ((int)((blockIdx.x * blockDim.x) + threadIdx.x));
  /*@
    loop_invariant (((blockIdx.x * 128) + threadIdx.x) <= i);
    loop_invariant (((i - ((blockIdx.x * 128) + threadIdx.x)) % (gridDim.x * 128)) == 0);
    loop_invariant ((0 < ((n - i) + (gridDim.x * 128))) || (i == ((blockIdx.x * 128) + threadIdx.x)));
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < n; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant (\forall* int c1_; (((blockIdx.x * 128) + threadIdx.x) <= c1_) && (((c1_ - ((blockIdx.x * 128) + threadIdx.x)) % (gridDim.x * 128)) == 0) && (c1_ < n); Perm(&y[c1_], write));
    decreases (n - i);
  @*/
  while ((i < n)) {
    y[i] = (x[i] + 1.0f);
    i = ((int)(((unsigned int)i) + (gridDim.x * blockDim.x)));
  }
}

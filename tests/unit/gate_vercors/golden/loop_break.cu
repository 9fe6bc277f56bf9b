// Written by Plumbline for VerCors: kernel 'k' with a contract made from its launch.
// What VerCors can show here is that each thread stays inside its arrays and that no two threads share a
// cell that one of them writes. It takes integers as unbounded and floats as rationals.
#include <cuda.h>
#include <math.h>

/*@
  context blockDim.x == 256;
  context gridDim.x == (1 < ((n + 256 - 1) / 256) ? ((n + 256 - 1) / 256) : 1);
  context blockDim.y == 1;
  context gridDim.y == 1;
  context blockDim.z == 1;
  context gridDim.z == 1;
  context 1 <= n && n <= 1000000;
  context 1 <= m && m <= 1000000;
  context x != NULL && \pointer_length(x) == m;
  context y != NULL && \pointer_length(y) == n;
  context (\forall* int k_; 0 <= k_ && k_ < m; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context !(n <= ((blockIdx.x * 256) + threadIdx.x)) ==> Perm(&y[((blockIdx.x * 256) + threadIdx.x)], write);
@*/
__global__ void k(float* x, float* y, int n, int m) {
  int i;
  float sum_;
  int k;
  float v;
  i = ((int)((blockIdx.x * blockDim.x) + threadIdx.x));
  if ((i >= n)) {
    return;
  }
  sum_ = 0.0f;
  k = 0;
  /*@
    loop_invariant (0 <= k);
    loop_invariant ((0 < ((m - k) + 1)) || (k == 0));
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < m; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant !(n <= ((blockIdx.x * 256) + threadIdx.x)) ==> Perm(&y[((blockIdx.x * 256) + threadIdx.x)], write);
    decreases (m - k);
  @*/
  for (; (k < m); k = (k + 1)) {
    v = x[k];
    if ((v < 0.0f)) {
      break;
    }
    if ((v > 8.0f)) {
      continue;
    }
    sum_ = (sum_ + v);
  }
  y[i] = sum_;
}

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
  context y != NULL && \pointer_length(y) == n;
  context (\forall* int k_; 0 <= k_ && k_ < n; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context (((blockIdx.x * 128) + threadIdx.x) < n) ==> Perm(&y[((blockIdx.x * 128) + threadIdx.x)], write);
  requires Perm(&s[(threadIdx.x + 1)], write);
  requires (threadIdx.x == 0) ==> Perm(&s[0], write);
  requires (threadIdx.x == 127) ==> Perm(&s[129], write);
@*/
__global__ void k(float* x, float* y, int n) {
  __shared__ float s[130];
  int t;
  int i;
  t = ((int)threadIdx.x);
  i = ((int)((blockIdx.x * ((unsigned int)128)) + ((unsigned int)t)));
  s[(t + 1)] = ((i < n) ? x[i] : 0.0f);
  if ((t == 0)) {
    s[0] = ((i > 0) ? x[(i - 1)] : 0.0f);
  }
  if ((t == 127)) {
    s[129] = (((i + 1) < n) ? x[(i + 1)] : 0.0f);
  }
  /*@
    requires Perm(&s[(threadIdx.x + 1)], write);
    requires (threadIdx.x == 0) ==> Perm(&s[0], write);
    requires (threadIdx.x == 127) ==> Perm(&s[129], write);
    ensures (\forall* int k_; 0 <= k_ && k_ < 130; Perm(&s[k_], write \ (blockDim.x * blockDim.y * blockDim.z)));
  @*/
  __syncthreads();
  if ((i < n)) {
    y[i] = ((s[t] + s[(t + 1)]) + s[(t + 2)]);
  }
}

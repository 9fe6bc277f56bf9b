// Written by Plumbline for VerCors: kernel 'k' with a contract made from its launch.
// What VerCors can show here is that each thread stays inside its arrays and that no two threads share a
// cell that one of them writes. It takes integers as unbounded and floats as rationals.
#include <cuda.h>
#include <math.h>

/*@
  context blockDim.x == 256;
  context gridDim.x == ((n + 256 - 1) / 256);
  context blockDim.y == 1;
  context gridDim.y == 1;
  context blockDim.z == 1;
  context gridDim.z == 1;
  context 1 <= n && n <= 1000000;
  context x != NULL && \pointer_length(x) == n;
  context y != NULL && \pointer_length(y) == n;
  context (\forall* int k_; 0 <= k_ && k_ < n; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context !(n <= ((blockIdx.x * 256) + threadIdx.x)) ==> Perm(&y[((blockIdx.x * 256) + threadIdx.x)], write);
@*/
__global__ void k(float* x, float* y, float by, int n) {
  int i;
  i = ((int)((blockIdx.x * blockDim.x) + threadIdx.x));
  if ((i >= n)) {
    return;
  }
  y[i] = (by * x[i]);
}

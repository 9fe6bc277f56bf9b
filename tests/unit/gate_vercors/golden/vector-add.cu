// Written by Plumbline for VerCors: kernel 'add_kernel' with a contract made from its launch.
// What VerCors can show here is that each thread stays inside its arrays and that no two threads share a
// cell that one of them writes. It takes integers as unbounded and floats as rationals.
#include <cuda.h>
#include <math.h>

/*@
  context blockDim.x == 256;
  context gridDim.x == ((n + 255) / 256);
  context blockDim.y == 1;
  context gridDim.y == 1;
  context blockDim.z == 1;
  context gridDim.z == 1;
  context 0 <= n && n <= 9223372036854775807;
  context x != NULL && \pointer_length(x) == n;
  context y != NULL && \pointer_length(y) == n;
  context out != NULL && \pointer_length(out) == n;
  context (\forall* int k_; 0 <= k_ && k_ < n; Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context (\forall* int k_; 0 <= k_ && k_ < n; Perm(&y[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context (((blockIdx.x * 256) + threadIdx.x) < n) ==> Perm(&out[((blockIdx.x * 256) + threadIdx.x)], write);
@*/
__global__ void add_kernel(float* x, float* y, float* out, int n) {
  int i;
  i = ((int)((blockIdx.x * blockDim.x) + threadIdx.x));
  if ((i < n)) {
    out[i] = (x[i] + y[i]);
  }
}

// Written by Plumbline for VerCors: kernel 'k' with a contract made from its launch.
// What VerCors can show here is that each thread stays inside its arrays and that no two threads share a
// cell that one of them writes. It takes integers as unbounded and floats as rationals.
#include <cuda.h>
#include <math.h>

/*@
  context blockDim.x == 16;
  context gridDim.x == ((cols + 16 - 1) / 16);
  context blockDim.y == 16;
  context gridDim.y == ((rows + 16 - 1) / 16);
  context blockDim.z == 1;
  context gridDim.z == 1;
  context 1 <= rows && rows <= 1000;
  context 1 <= cols && cols <= 1000;
  context x != NULL && \pointer_length(x) == (rows * cols);
  context y != NULL && \pointer_length(y) == (rows * cols);
  context (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context ((((blockIdx.y * 16) + threadIdx.y) < rows) && (((blockIdx.x * 16) + threadIdx.x) < cols)) ==> Perm(&y[((((blockIdx.y * 16) + threadIdx.y) * cols) + ((blockIdx.x * 16) + threadIdx.x))], write);
@*/
__global__ void k(float* x, float* y, int rows, int cols) {
  int c;
  int r;
  c = ((int)((blockIdx.x * blockDim.x) + threadIdx.x));
  r = ((int)((blockIdx.y * blockDim.y) + threadIdx.y));
  if ((((r < rows) && (c < cols)) && (x[((r * cols) + c)] > 0.0f))) {
    y[((r * cols) + c)] = x[((r * cols) + c)];
  }
}

// C2: rows * cols does not fit an int. A sound tool refuses it.
#include <cuda.h>

/*@
  context rows == 70000 && cols == 65536;
  context blockDim.x == 256 && blockDim.y == 1 && blockDim.z == 1;
  context gridDim.x == 17920000 && gridDim.y == 1 && gridDim.z == 1;
  context x != NULL && \pointer_length(x) == rows * cols;
  context blockIdx.x * blockDim.x + threadIdx.x < rows * cols ==> Perm(&x[blockIdx.x * blockDim.x + threadIdx.x], write);
@*/
__global__ void canary(float* x, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) {
    x[i] = 0.0f;
  }
}

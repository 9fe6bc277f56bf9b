// C4: without a barrier a thread reads the cell that its neighbour writes. Any tool refuses it.
#include <cuda.h>

/*@
  context blockDim.x == 256 && blockDim.y == 1 && blockDim.z == 1;
  context gridDim.x == 1 && gridDim.y == 1 && gridDim.z == 1;
  context out != NULL && \pointer_length(out) == 256;
  context Perm(&out[threadIdx.x], write);
  requires Perm(&s[threadIdx.x], write);
@*/
__global__ void canary(int* out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  out[t] = s[255 - t];
}

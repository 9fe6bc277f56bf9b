// C1: half of the threads never reach the barrier. A sound tool refuses it.
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
  if (t < 128) {
    /*@
      requires Perm(&s[t], write);
      ensures Perm(&s[255 - t], write);
    @*/
    __syncthreads();
    s[255 - t] = 1;
  } else {
    s[t] = 2;
  }
  out[t] = t;
}

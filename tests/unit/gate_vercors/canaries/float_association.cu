// C3: (a + b) + c is not a + (b + c) on floats. A sound tool refuses it.
#include <cuda.h>

/*@
  context blockDim.x == 256 && blockDim.y == 1 && blockDim.z == 1;
  context gridDim.x == 1 && gridDim.y == 1 && gridDim.z == 1;
  context out != NULL && \pointer_length(out) == 256;
  context Perm(&out[threadIdx.x], write);
  ensures out[threadIdx.x] == a + (b + c);
@*/
__global__ void canary(float* out, float a, float b, float c) {
  out[threadIdx.x] = (a + b) + c;
}

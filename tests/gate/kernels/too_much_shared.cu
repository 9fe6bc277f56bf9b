__global__ void too_much_shared(const float* x, float* y) {
  extern __shared__ float pool[];
  pool[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = pool[threadIdx.x];
}

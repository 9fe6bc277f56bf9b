__global__ void dynamic_two(const float* x, float* y) {
  extern __shared__ float a[];
  float* b = a;
  a[threadIdx.x] = x[threadIdx.x];
  b[63 - threadIdx.x] = 1.0f;
  __syncthreads();
  y[threadIdx.x] = a[threadIdx.x];
}

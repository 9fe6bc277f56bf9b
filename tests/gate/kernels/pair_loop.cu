__global__ void pair_loop(const float* x, float* y, int n) {
  __shared__ float a[64];
  a[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int phase = 0; phase < n; ++phase) {
    float v = a[(threadIdx.x + 1) % 64];
    __syncthreads();
    a[threadIdx.x] = v;
    __syncthreads();
  }
  y[threadIdx.x] = a[threadIdx.x];
}

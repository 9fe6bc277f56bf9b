__global__ void strided_barrier(float* x, int n) {
  for (int i = threadIdx.x; i < n; i += 64) {
    x[i] = x[i] * 2.0f;
    __syncthreads();
  }
}

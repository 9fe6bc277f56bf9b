__global__ void dynamic_carve(const float* x, float* y, int n) {
  extern __shared__ float pool[];
  float* left = pool;
  float* right = pool + blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  left[threadIdx.x] = i < n ? x[i] : 0.0f;
  right[blockDim.x - 1 - threadIdx.x] = i < n ? -x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = left[threadIdx.x] + right[threadIdx.x];
}

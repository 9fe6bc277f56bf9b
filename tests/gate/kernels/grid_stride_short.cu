__global__ void grid_stride_short(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 2; ++k)
    if (i + k * (int)(gridDim.x * blockDim.x) < n) y[i + k * gridDim.x * blockDim.x] = x[i] + 1.0f;
}

__global__ void row_mean(const float* x, float* out, int rows, int cols) {
  __shared__ float part[256];
  int row = blockIdx.x;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[row * cols + c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[row] = part[0] / cols;
}

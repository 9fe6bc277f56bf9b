__global__ void softmax_rows_late(const float* x, float* y, int rows, int cols) {
  extern __shared__ float s[];
  int row = blockIdx.x, t = threadIdx.x;
  float top = -3.4e38f;
  for (int c = t; c < cols; c += blockDim.x) top = fmaxf(top, x[row * cols + c]);
  s[t] = top;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (t < h) s[t] = fmaxf(s[t], s[t + h]);
    __syncthreads();
  }
  top = s[0];
  float sum = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) sum += expf(x[row * cols + c] - top);
  s[t] = sum;
  __syncthreads();
  y[row * cols + t % cols] = s[t] + top;
}

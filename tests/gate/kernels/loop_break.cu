__global__ void loop_break(const float* x, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < m; ++k) {
    float v = x[k];
    if (v < 0.0f) break;
    if (v > 8.0f) continue;
    sum += v;
  }
  y[i] = sum;
}

__global__ void register_unset(const float* x, float* y, int n) {
  float v[4];
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int k = 0; k < 3; ++k) v[k] = base + k < n ? x[base + k] : 0.0f;
  for (int k = 0; k < 4; ++k)
    if (base + k < n) y[base + k] = v[k];
}

__global__ void array_reborn(const float* x, float* y) {
  for (int k = 0; k < 2; ++k) {
    float v[2];
    if (k == 0) v[0] = x[threadIdx.x];
    y[k * 64 + threadIdx.x] = v[0];
  }
}

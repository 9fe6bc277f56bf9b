__global__ void tile_product(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[8][8], tb[8][8];
  int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  float sum = 0.0f;
  for (int t = 0; t < (n + 7) / 8; ++t) {
    int ac = t * 8 + threadIdx.x, br = t * 8 + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = row < n && ac < n ? a[row * n + ac] : 0.0f;
    tb[threadIdx.y][threadIdx.x] = br < n && col < n ? b[br * n + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 8; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

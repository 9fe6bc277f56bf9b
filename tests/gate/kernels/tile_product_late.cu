__global__ void tile_product_late(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[8][8], tb[8][8];
  int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  float sum = 0.0f;
  for (int t = 0; t < n / 8; ++t) {
    __syncthreads();
    ta[threadIdx.y][threadIdx.x] = a[row * n + t * 8 + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t * 8 + threadIdx.y) * n + col];
    for (int k = 0; k < 8; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
  }
  c[row * n + col] = sum;
}

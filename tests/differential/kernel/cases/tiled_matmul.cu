//! {
//!  "block": [16, 16, 1], "grid": ["ceil(n / 16)", "ceil(m / 16)", 1],
//!  "symbols": {"m": [1, 200], "n": [1, 200], "k": [1, 200]},
//!  "buffers": {"a": {"len": "m * k", "role": "input"}, "b": {"len": "k * n", "role": "input"}, "c": {"len": "m * n", "role": "output"}},
//!  "sizes": [{"m": 1, "n": 1, "k": 1}, {"m": 17, "n": 33, "k": 19}, {"m": 16, "n": 5, "k": 40}]
//! }
#define TILE 16
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    if (row < m && t * TILE + threadIdx.x < k)
      as[threadIdx.y][threadIdx.x] = a[row * k + t * TILE + threadIdx.x];
    else
      as[threadIdx.y][threadIdx.x] = 0.0f;
    bs[threadIdx.y][threadIdx.x] = col < n && t * TILE + threadIdx.y < k ? b[(t * TILE + threadIdx.y) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

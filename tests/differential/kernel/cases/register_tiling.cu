//! {
//!  "block": [8, 8, 1], "grid": ["ceil(n / 16)", "ceil(m / 16)", 1],
//!  "symbols": {"m": [1, 100], "n": [1, 100], "k": [1, 100]},
//!  "buffers": {"a": {"len": "m * k", "role": "input"}, "b": {"len": "k * n", "role": "input"}, "c": {"len": "m * n", "role": "inout"}}, "scalars": {"alpha": 0.5, "beta": "free"},
//!  "give": {"beta": -2.0},
//!  "sizes": [{"m": 1, "n": 1, "k": 1}, {"m": 18, "n": 21, "k": 13}]
//! }
template <int BM, int BN, int BK, int TM, int TN>
__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k, float alpha, float beta) {
  __shared__ float as[BK][BM];
  __shared__ float bs[BK][BN];
  float acc[TM][TN] = {{0.0f}};
  float ra[TM], rb[TN];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int e = tid; e < BM * BK; e += blockDim.x * blockDim.y) {
      const int r = e / BK, kk = e % BK, row = blockIdx.y * BM + r;
      as[kk][r] = row < m && k0 + kk < k ? a[row * k + k0 + kk] : 0.0f;
    }
    for (int e = tid; e < BN * BK; e += blockDim.x * blockDim.y) {
      const int kk = e / BN, cc = e % BN, col = blockIdx.x * BN + cc;
      bs[kk][cc] = col < n && k0 + kk < k ? b[(k0 + kk) * n + col] : 0.0f;
    }
    __syncthreads();
    for (int kk = 0; kk < BK; ++kk) {
      for (int i = 0; i < TM; ++i) ra[i] = as[kk][threadIdx.y * TM + i];
      for (int j = 0; j < TN; ++j) rb[j] = bs[kk][threadIdx.x * TN + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i) {
    const int row = blockIdx.y * BM + threadIdx.y * TM + i;
    if (row >= m) break;
    for (int j = 0; j < TN; ++j) {
      const int col = blockIdx.x * BN + threadIdx.x * TN + j;
      if (col < n) c[row * n + col] = alpha * acc[i][j] + beta * c[row * n + col];
    }
  }
}
template __global__ void gemm<16, 16, 4, 2, 2>(const float*, const float*, float*, int, int, int, float, float);

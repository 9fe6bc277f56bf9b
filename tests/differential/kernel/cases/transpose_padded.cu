//! {
//!  "block": [32, 8, 1], "grid": ["ceil(cols / 32)", "ceil(rows / 32)", 1],
//!  "symbols": {"rows": [1, 500], "cols": [1, 500]},
//!  "buffers": {"x": {"len": "rows * cols", "role": "input"}, "y": {"len": "rows * cols", "role": "output"}},
//!  "sizes": [{"rows": 1, "cols": 1}, {"rows": 33, "cols": 70}, {"rows": 64, "cols": 31}]
//! }
constexpr int kTile = 32;
constexpr int kRows = 8;
__global__ void transpose(const float* x, float* y, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  int c = blockIdx.x * kTile + threadIdx.x;
  int r = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (c < cols && r + j < rows) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * cols + c];
  __syncthreads();
  c = blockIdx.y * kTile + threadIdx.x;
  r = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (c < rows && r + j < cols) y[(r + j) * rows + c] = tile[threadIdx.x][threadIdx.y + j];
}

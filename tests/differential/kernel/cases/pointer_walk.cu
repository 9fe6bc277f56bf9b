//! {
//!  "block": [40, 1, 1], "grid": ["ceil(rows / 40)", 1, 1],
//!  "symbols": {"rows": [1, 200], "cols": [1, 50]},
//!  "buffers": {"x": {"len": "rows * cols", "role": "input"}, "y": {"len": "rows * cols", "role": "output"}, "last": {"len": "rows", "role": "output"}},
//!  "sizes": [{"rows": 1, "cols": 1}, {"rows": 43, "cols": 9}]
//! }
__global__ void walk(const float* x, float* y, float* last, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* in = &x[row * cols];
  float* out = y + row * cols;
  float run = 0.0f;
  for (int c = cols; c > 0; c--) {
    run += *in++;
    *out++ = run;
  }
  out -= cols;
  for (int c = 1; c < cols; ++c, ++out) out[1] -= out[0] * 0.5f;
  last[row] = *out;
}

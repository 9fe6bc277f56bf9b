//! {
//!  "block": [8, 8, 1], "grid": ["ceil(w / 8)", "ceil(h / 8)", "c"],
//!  "symbols": {"w": [1, 100], "h": [1, 100], "c": [1, 8]},
//!  "buffers": {"x": {"len": "2 * h * w", "role": "input"}, "weight": {"len": "c * 2 * 3 * 3", "role": "input"}, "bias": {"len": "c", "role": "input"},
//!              "y": {"len": "c * h * w", "role": "output"}},
//!  "sizes": [{"w": 1, "h": 1, "c": 1}, {"w": 11, "h": 9, "c": 3}]
//! }
template <int K> __global__ void conv(const float* x, const float* weight, const float* bias, float* y, int h, int w) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, out = blockIdx.z;
  if (row >= h || col >= w) return;
  float acc = bias[out];
  for (int in = 0; in < 2; ++in)
    for (int i = 0; i < K; ++i) {
      const int r = row + i - K / 2;
      if (r < 0 || r >= h) continue;
      for (int j = 0; j < K; ++j) {
        const int c = col + j - K / 2;
        if (c >= 0 && c < w) acc += x[(in * h + r) * w + c] * weight[((out * 2 + in) * K + i) * K + j];
      }
    }
  y[(out * h + row) * w + col] = acc;
}
template __global__ void conv<3>(const float*, const float*, const float*, float*, int, int);

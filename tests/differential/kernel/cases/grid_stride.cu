//! {
//!  "block": [128, 1, 1], "grid": [3, 1, 1],
//!  "symbols": {"n": [1, 100000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 383}, {"n": 2000}]
//! }
__global__ void stride(const float* x, float* y, long n) {
  const size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += step) {
    if (isnan(x[i])) {
      y[i] = 0.0f;
      continue;
    }
    float v = x[i];
    int rounds = 0;
    while (v > 1.0f && rounds < 20) {
      v *= 0.5f;
      ++rounds;
    }
    y[i] = v + rounds;
  }
}

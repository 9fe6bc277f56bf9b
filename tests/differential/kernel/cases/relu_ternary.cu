//! {
//!  "block": [256, 1, 1], "grid": ["max(1, ceil(n / 256))", 1, 1], "symbols": {"n": [0, 1000000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 1000}, {"n": 3001}]
//! }
__global__ void relu(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    y[i] = v > 0 ? v : 0;
  }
}

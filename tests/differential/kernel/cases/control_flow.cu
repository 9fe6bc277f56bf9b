//! {
//!  "block": [256, 1, 1], "grid": ["max(1, ceil(n / 256))", 1, 1], "symbols": {"n": [0, 1000000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 1000}, {"n": 3001}]
//! }
__global__ void branches(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(i < n)) return;
  float v = x[i], r;
  bool small = v > -1.0f && v < 1.0f;
  if (small || isnan(v)) {
    if (v != v) {
      y[i] = -1.0f;
      return;
    }
    r = v < 0.0f ? (v == -0.5f ? 3.0f : v + 1.0f) : v - 1.0f;
  } else if (v >= 1e20f || (v <= -1e20f && i % 3 != 0)) {
    r = 1.0f / v;
  } else {
    r = v;
    r *= 3.0f;
    if (i % 2) r = -r;
  }
  y[i] = small ? r : !small && r > 5.0f ? 5.0f : r;
}

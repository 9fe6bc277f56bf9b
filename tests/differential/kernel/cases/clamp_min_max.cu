//! {
//!  "block": [256, 1, 1], "grid": ["max(1, ceil(n / 256))", 1, 1], "symbols": {"n": [0, 1000000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 1000}, {"n": 3001}],
//!  "give": {"low": -1.5, "high": 6.0}
//! }
__global__ void clampThem(const float* x, float* y, float low, float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = fminf(fmaxf(x[i], low), high);
  float b = fmaxf(fminf(-x[i], 0.0f), -0.0f);
  if (a == low)
    y[i] = fmaxf(a * 0.5f, b);
  else
    y[i] = fminf(a, b) - fmaxf(b, a);
}

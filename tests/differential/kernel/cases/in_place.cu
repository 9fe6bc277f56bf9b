//! {
//!  "block": [128, 1, 1], "grid": ["max(1, ceil(n / 128))", 1, 1], "symbols": {"n": [0, 1000000]},
//!  "buffers": {"x": {"len": "n", "role": "inout"}, "w": {"len": "n", "role": "input"}},
//!  "sizes": [{"n": 5}, {"n": 2000}], "give": {"a": -0.3, "b": 7.25}
//! }
__global__ void inPlace(float* x, const float* w, float a, float b, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) {
    x[i] = fmaf(x[i], a, b);
    x[i] += w[i];
    if (x[i] > b) x[i] *= 0.5f;
    else x[i] -= a;
  }
}

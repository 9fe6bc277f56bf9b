//! {
//!  "block": [256, 1, 1], "grid": ["max(1, ceil(n / 256))", 1, 1], "symbols": {"n": [0, 1000000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 1000}, {"n": 3001}]
//! }
__global__ void mixed(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    double d = v * 0.01 + 1.0;
    float narrow = d / 3.0;
    y[i] = narrow - (float)(0.1 * (double)(v * 0.1f)) + fmax(d, -2.5) * fabs(sqrt(fmin(d * d, 1e300)));
  }
}

//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}, "z": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 900}]
//! }
__global__ void ties(const float* x, float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float top = -0.0f, bottom = 0.0f;
  for (int k = 0; k < 24; k += 5) {
    top = fmaxf(top, fminf(x[(i + k) % n], 0.0f));
    bottom = min(bottom, max(x[(i + k) % n], -0.0f));
  }
  y[i] = 1.0f / top;
  z[i] = 1.0f / bottom + fabsf(x[i]);
}

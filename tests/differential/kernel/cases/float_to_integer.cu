//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "d": {"len": "n", "role": "input", "align": 8}, "a": {"len": "2 * n", "role": "output"},
//!              "b": {"len": "2 * n", "role": "output"}, "w": {"len": "2 * n", "role": "output", "align": 8}, "f": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 700}]
//! }
__global__ void convert(const float* x, const double* d, int* a, unsigned* b, long long* w, float* f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[2 * i] = (int)x[i];
  a[2 * i + 1] = static_cast<int>(d[i]);
  b[2 * i] = (unsigned)x[i];
  b[2 * i + 1] = (unsigned)d[i];
  w[2 * i] = (long long)x[i];
  w[2 * i + 1] = (long long)(unsigned long long)d[i];
  f[i] = (float)(unsigned long long)x[i] + (float)b[2 * i] - (float)w[2 * i] + (float)(d[i] * 0.5);
}

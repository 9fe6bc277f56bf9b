//! {
//!  "block": [64, 1, 1], "grid": ["max(1, ceil(n / 64))", 1, 1], "symbols": {"n": [1, 100000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"},
//!              "z": {"len": "2 * n", "role": "inout"}},
//!  "sizes": [{"n": 1}, {"n": 777}, {"n": 4096}]
//! }
__global__ void indices(const float* x, float* y, float* z, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n - i - 1u >= n)
    return;
  size_t reversed = (size_t)n - 1 - i;
  long long twice = 2LL * i;
  unsigned mixed = (i * 2654435761u) >> 7;
  y[reversed] = x[i] + (float)(mixed % 1000u) + (float)((int)(i & 15u) - 8) / (float)((i ^ 3u) % 7u + 1u);
  z[twice + (i % 2 == 0 ? 1 : 0)] = (float)twice - z[twice | 1];
}

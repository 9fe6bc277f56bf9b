//! {
//!  "block": [64, 1, 1], "grid": ["ceil(h / 2 * (w / 2) / 64)", 1, 1],
//!  "symbols": {"w": [2, 100], "h": [2, 100]},
//!  "buffers": {"x": {"len": "h * w", "role": "input"}, "y": {"len": "(h / 2) * (w / 2)", "role": "output"}, "where": {"len": "(h / 2) * (w / 2)", "role": "output", "align": 8}},
//!  "sizes": [{"w": 2, "h": 2}, {"w": 23, "h": 14}]
//! }
__global__ void pool(const float* x, float* y, int64_t* where, int h, int w) {
  const int oh = h / 2, ow = w / 2;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= oh * ow) return;
  const int r = i / ow * 2, c = i % ow * 2;
  float best = -FLT_MAX;
  int64_t at = -1;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      const float v = x[(r + a) * w + c + b];
      if (v > best || at == -1) best = v, at = (r + a) * w + (c + b);
    }
  y[i] = best;
  where[i] = at;
}

//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1], "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "4 * n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 300}]
//! }
__device__ float halved(float v, int times) {
  float kept = v;
  float& r = kept;
  for (int i = 0; i < times; ++i)
    r *= 0.5f;
  float parts[2] = {r, 1.0f};
  float& first = parts[0];
  first += 0.25f;
  return kept + first;
}

__device__ int steps(float v, float& last) {
  for (;;) {
    if (!(v > 1.0f) || v > 1e6f) {
      last = v;
      return 1;
    }
    v = v * 0.5f;
    if (v < 0.75f) {
      last = -v;
      return 2;
    }
  }
}

__global__ void references(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[4 * i] = halved(x[i], 1) + halved(x[i], 2) * halved(2.0f, 3);
  float last = 0.0f;
  const int count = steps(x[i], last);
  y[4 * i + 1] = last * count;
  auto search = [&](float v) {
    while (true) {
      if (!(v > 0.5f)) return v;
      if (v > 100.0f) return -1.0f;
      v -= 0.375f;
    }
  };
  y[4 * i + 2] = search(x[i]);
  auto nested = [&](int k) {
    for (;;) {
      for (int j = 0;; ++j) {
        if (j == 3) break;
        if (k + j == 5) return j;
      }
      if (++k > 7) return k;
    }
  };
  y[4 * i + 3] = nested(i % 9);
}

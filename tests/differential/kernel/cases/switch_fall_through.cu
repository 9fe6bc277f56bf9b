//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"k": {"len": "n", "role": "input"}, "x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"},
//!              "out": {"len": "n", "role": "output"}},
//!  "values": {"k": [-2, 12]},
//!  "sizes": [{"n": 500}]
//! }
enum Mode { Zero, One = 1, Seven = 7 };
__device__ int name(int k) {
  switch (k) {
  case Zero: return 100;
  case One:
  case 2: k += 10;
  case 3: {
    if (k > 11) break;
    k *= 2;
  }
  default: k -= 1; break;
  case 5: return -k;
  case Seven: return 70;
  }
  return k;
}
__global__ void choose(const int* k, const float* x, float* y, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  out[i] = name(k[i]);
  for (int round = 0; round < 4; ++round) {
    switch (k[i] + round) {
    case 0: continue;
    case 1: v += 1.0f;
    case 2: v *= 2.0f; break;
    case 4: {
      for (int j = 0; j < 3; ++j) {
        if (j == 1) break;
        v -= 0.5f;
      }
      break;
    }
    case 6: v = -v;
    default: {
      float w = v * 0.25f;
      if (w > 8.0f) continue;
      v = w;
    }
    }
    v += 3.0f;
  }
  y[i] = v;
}

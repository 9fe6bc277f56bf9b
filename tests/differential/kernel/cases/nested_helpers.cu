//! {
//!  "block": [256, 1, 1], "grid": ["max(1, ceil(n / 256))", 1, 1], "symbols": {"n": [0, 1000000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 1000}, {"n": 3001}],
//!  "give": {"slope": 0.2}
//! }
__device__ float square(float v) { return v * v; }

template <typename T> __device__ __forceinline__ T choose(T a, T b, bool first) {
  if (first)
    return a;
  return b;
}

__device__ inline float activation(float v, float slope) {
  if (isnan(v)) return 1.0f;
  if (v < -8.0f) return -square(slope);
  float scaled = choose(v, v * slope, v >= 0.0f);
  if (scaled > 100.0f) {
    float rest = scaled - 100.0f;
    if (rest > 1e6f)
      return 200.0f;
    scaled = 100.0f + square(rest) / (rest + 1.0f);
  }
  return choose(scaled, square(scaled) - scaled, scaled != 3.0f);
}

__global__ void helpers(const float* x, float* y, float slope, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = activation(x[i], slope) + activation(-x[i], square(slope));
}

//! {
//!  "block": [64, 1, 1], "grid": ["max(1, ceil(n / 256))", 1, 1],
//!  "symbols": {"n": [1, 100000]},
//!  "buffers": {"x": {"len": "n", "role": "input", "align": 16}, "y": {"len": "n", "role": "output", "align": 16}},
//!  "sizes": [{"n": 1}, {"n": 3}, {"n": 4}, {"n": 1027}]
//! }
__device__ float act(float v) { return v > 0.0f ? v : v * 0.01f; }
__global__ void vectorised(const float* x, float* y, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n) {
    float4 v = *reinterpret_cast<const float4*>(x + i);
    v.x = act(v.x);
    v.y = act(v.y);
    v.z = act(v.z);
    v.w = act(v.w);
    reinterpret_cast<float4*>(y)[i / 4] = v;
  } else {
    for (int k = i; k < n; ++k) y[k] = act(x[k]);
  }
}

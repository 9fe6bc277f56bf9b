//! {
//!  "block": [256, 1, 1], "grid": ["max(1, ceil(n / 256))", 1, 1], "symbols": {"n": [0, 1000000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 1000}, {"n": 3001}]
//! }
__global__ void rounded(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    float a = __fadd_rn(v, 0.1f);
    float b = __fmul_rn(a, v) * 3.0f;
    float c = __fmaf_rn(v, a, -b);
    float s = sqrtf(fabsf(c)) + __fsqrt_rn(fabsf(v));
    y[i] = __fdiv_rn(s, __fsub_rn(a, 2.0f)) + __frcp_rn(b);
  }
}

//! {
//!  "block": [48, 1, 1], "grid": ["ceil(n / 48)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "4 * n", "role": "input"}, "y": {"len": "4 * n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 100}]
//! }
__device__ float dot(const float* a, const float* b, int n) {
  float s = 0.0f;
  for (int i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}
__device__ void multiply(const float (&m)[4][4], const float* v, float* out) {
  for (int r = 0; r < 4; ++r) out[r] = dot(m[r], v, 4);
}
__device__ float largest(const float* v) {
  float top = v[0];
  for (int i = 1; i < 4; ++i)
    if (v[i] > top) top = v[i];
  return top;
}
__device__ void rotate(float* v, float angle) {
  float m[4][4];
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) m[r][c] = r == c ? angle : (r > c ? 0.5f : -0.5f);
  float out[4];
  multiply(m, v, out);
  for (int i = 0; i < 4; ++i) v[i] = out[i];
}
__global__ void chain(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[4];
  for (int c = 0; c < 4; ++c) v[c] = x[4 * i + c];
  rotate(v, 0.75f);
  const float top = largest(v);
  rotate(v, top > 100.0f || !(top == top) ? 1.0f : top);
  for (int c = 0; c < 4; ++c) y[4 * i + c] = v[3 - c];
}

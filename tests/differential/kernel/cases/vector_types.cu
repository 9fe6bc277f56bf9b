//! {
//!  "block": [32, 1, 1], "grid": ["ceil(n / 32)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "12 * n", "role": "input", "align": 16}, "k": {"len": "4 * n", "role": "input", "align": 16},
//!              "y": {"len": "12 * n", "role": "output", "align": 16}, "out": {"len": "4 * n", "role": "output", "align": 16}},
//!  "sizes": [{"n": 1}, {"n": 45}]
//! }
__device__ float3 cross(const float3& a, const float3& b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ void swap(float2& v) {
  float t = v.x;
  v.x = v.y;
  v.y = t;
}
__global__ void vectors(const float* x, const int* k, float* y, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3* p = (const float3*)(x + 12 * i);
  const float3 a = p[0], b = p[1];
  reinterpret_cast<float3*>(y)[4 * i] = cross(a, b);
  ((float3*)y)[4 * i + 1] = cross(b, p[2]);
  const float2* q = reinterpret_cast<const float2*>(x) + 6 * i;
  float2 s = q[3] + q[4];
  swap(s);
  float2* target = reinterpret_cast<float2*>(&y[12 * i + 6]);
  *target = s;
  target[1] = make_float2(s.y, s.x) + s;
  s = make_float2(s.y, s.x);
  target[2] = s;
  int4 v = reinterpret_cast<const int4*>(k)[i];
  uint2 u = make_uint2(v.x, v.y);
  u.x += v.z;
  u.y ^= u.x;
  int2 low = {(int)u.x, (int)u.y};
  *(int2*)(out + 4 * i) = low;
  *(int2*)(out + 4 * i + 2) = make_int2(v.w, low.y == v.w);
}

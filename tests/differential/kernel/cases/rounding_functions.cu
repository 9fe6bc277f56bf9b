//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1], "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "d": {"len": "n", "role": "input", "align": 8}, "y": {"len": "8 * n", "role": "output"},
//!              "z": {"len": "4 * n", "role": "output", "align": 8}, "k": {"len": "6 * n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 700}]
//! }
__global__ void rounding(const float* x, const double* d, float* y, double* z, int* k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i], w = x[(i + 1) % n];
  y[8 * i] = floorf(v);
  y[8 * i + 1] = ceilf(v) - truncf(w);
  y[8 * i + 2] = rintf(v);
  y[8 * i + 3] = roundf(v);
  y[8 * i + 4] = fmodf(v, w);
  y[8 * i + 5] = remainderf(v, w);
  y[8 * i + 6] = v != v || w != w ? 0.0f : copysignf(v, w) + fdimf(v, w);
  y[8 * i + 7] = __saturatef(v);
  z[4 * i] = floor(d[i]) + trunc(d[(i + 1) % n]);
  z[4 * i + 1] = round(d[i]);
  z[4 * i + 2] = fmod(d[i], d[(i + 1) % n]);
  z[4 * i + 3] = remainder(d[i], 3.0);
  k[6 * i] = __float2int_rn(v);
  k[6 * i + 1] = __float2int_rd(v);
  k[6 * i + 2] = (int)__float2uint_ru(v);
  k[6 * i + 3] = v == v ? __float_as_int(v) >> 23 : 0;
  k[6 * i + 4] = v == v ? (int)(__float_as_uint(v) & 0x7fffffffu) : -1;
  k[6 * i + 5] = (int)(__uint_as_float(0x3f800000u | ((unsigned)i & 0x7fffffu)) * 64.0f);
}

//! {
//!  "block": [80, 1, 1], "grid": [2, 1, 1],
//!  "symbols": {"n": [160, 160]},
//!  "buffers": {"k": {"len": "n", "role": "input"}, "x": {"len": "n", "role": "input"}, "u": {"len": "8 * n", "role": "output"}, "y": {"len": "4 * n", "role": "output"}},
//!  "values": {"k": [-3, 12]},
//!  "sizes": [{"n": 160}]
//! }
__global__ void lanes(const int* k, const float* x, unsigned* u, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const unsigned mask = threadIdx.x / 32 == 2 ? 0xffffu : 0xffffffffu;
  unsigned* o = u + 8 * i;
  o[0] = __ballot_sync(mask, k[i] > 4);
  const int some = __any_sync(mask, k[i] == 12);
  o[1] = some + (__all_sync(mask, k[i] < 12) << 1);
  o[2] = __shfl_sync(mask, k[i], lane % 3 + 9);
  o[3] = __shfl_xor_sync(mask, (unsigned)k[i], 5, 8);
  o[4] = __shfl_up_sync(mask, k[i], 3, 16);
  o[5] = __shfl_down_sync(mask, k[i], 2u, 4);
  o[6] = __shfl_sync(mask, k[i], lane + 5, 8);
  y[4 * i] = __shfl_sync(mask, x[i], 0);
  y[4 * i + 1] = (float)__shfl_down_sync(mask, (double)x[i] * 2.0, 1, 16);
  y[4 * i + 2] = __shfl_xor_sync(mask, x[i], 1);
  const long long wide = (long long)k[i] * (1ll << 40);
  y[4 * i + 3] = (float)__shfl_up_sync(mask, wide, 1);
  unsigned half = 0;
  if (lane < 16)
    half = __ballot_sync(0xffffu, lane % 3 == 0);
  else
    half = __ballot_sync(0xffff0000u, lane % 5 == 0);
  __syncwarp(mask);
  o[7] = half + __shfl_xor_sync(mask, half, 1);
}

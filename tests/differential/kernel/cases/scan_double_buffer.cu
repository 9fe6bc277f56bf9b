//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "k": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"},
//!              "sums": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 100}]
//! }
__global__ void scan(const float* x, const unsigned* k, float* y, unsigned* sums, int n) {
  __shared__ float buffer[2][64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  int out = 0, in = 1;
  buffer[out][t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    out = 1 - out;
    in = 1 - out;
    if (t >= offset)
      buffer[out][t] = buffer[in][t] + buffer[in][t - offset];
    else
      buffer[out][t] = buffer[in][t];
    __syncthreads();
  }
  if (i < n) y[i] = buffer[out][t];
  // A scan of each warp by shuffles.
  unsigned v = i < n ? k[i] : 0u;
  const int lane = t & 31;
  for (int d = 1; d < 32; d <<= 1) {
    unsigned other = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += other;
  }
  if (i < n) sums[i] = v;
}

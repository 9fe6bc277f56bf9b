//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"k": {"len": "n", "role": "input"}, "out": {"len": "n", "role": "output"}},
//!  "values": {"k": [0, 30]},
//!  "sizes": [{"n": 1}, {"n": 200}]
//! }
__global__ void divergent(const int* k, int* out, int n) {
  __shared__ int best[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? k[i] : 0, sum = 0;
  // Every lane makes the same number of rounds; what it does in them differs.
  for (int round = 0; __any_sync(0xffffffff, v > 0); ++round) {
    if (v > 0) {
      sum += v * round;
      v -= 1 + (threadIdx.x & 3);
    }
    const unsigned still = __ballot_sync(0xffffffff, v > 0);
    if (!still) break;
    sum ^= (int)(still & 0xff);
    if (round % 4 == 3) continue;
    sum += __shfl_sync(0xffffffff, sum, round % 32) & 3;
  }
  if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = sum;
  __syncthreads();
  if (i < n) out[i] = sum + best[1 - threadIdx.x / 32];
}

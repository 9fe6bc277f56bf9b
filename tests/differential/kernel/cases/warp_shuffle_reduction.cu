//! {
//!  "block": [160, 1, 1], "grid": ["rows", 1, 1],
//!  "symbols": {"rows": [1, 1000], "cols": [1, 10000]},
//!  "buffers": {"x": {"len": "rows * cols", "role": "input"}, "sum": {"len": "rows", "role": "output"},
//!              "largest": {"len": "rows", "role": "output"}},
//!  "sizes": [{"rows": 1, "cols": 1}, {"rows": 5, "cols": 37}, {"rows": 3, "cols": 1001}]
//! }
__device__ __forceinline__ float warpSum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}
template <int N> __device__ float warpMax(float v) {
#pragma unroll
  for (int mask = N / 2; mask > 0; mask >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, mask));
  return v;
}
__global__ void rowReduce(const float* __restrict__ x, float* __restrict__ sum, float* __restrict__ largest, int cols) {
  __shared__ float sums[32];
  __shared__ float tops[32];
  const float* row = x + blockIdx.x * cols;
  float s = 0.0f, m = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    s += row[c];
    m = fmaxf(m, row[c]);
  }
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  s = warpSum(s);
  m = warpMax<32>(m);
  if (lane == 0) {
    sums[warp] = s;
    tops[warp] = m;
  }
  __syncthreads();
  if (warp == 0) {
    const int warps = (blockDim.x + 31) / 32;
    s = lane < warps ? sums[lane] : 0.0f;
    m = lane < warps ? tops[lane] : -INFINITY;
    s = warpSum(s);
    m = warpMax<8>(m);
    if (lane == 0) {
      sum[blockIdx.x] = s;
      largest[blockIdx.x] = m;
    }
  }
}

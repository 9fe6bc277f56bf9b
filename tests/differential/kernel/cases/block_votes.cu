//! {
//!  "block": [70, 1, 1], "grid": ["ceil(n / 70)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"k": {"len": "n", "role": "input"}, "out": {"len": "n", "role": "output"}},
//!  "values": {"k": [0, 40]},
//!  "sizes": [{"n": 70}, {"n": 500}]
//! }
__global__ void votes(const int* k, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? k[i] : 1;
  const int some = __syncthreads_or(v == 0);
  const int every = __syncthreads_and(v > 0);
  const int many = __syncthreads_count(v % 3 == 0);
  if (i < n) out[i] = (some != 0) + 10 * (every != 0) + 100 * many;
}

//! {
//!  "block": [33, 1, 1], "grid": [4, 1, 1],
//!  "symbols": {"n": [1, 1]},
//!  "buffers": {"seen": {"len": "132", "role": "output"}, "total": {"len": "3", "role": "inout"}},
//!  "values": {"total": [0, 0]},
//!  "sizes": [{"n": 1}]
//! }
__device__ float addByExchange(int* cell, int amount) {
  int old = *cell;
  return (float)atomicAdd(cell, amount) * 0.0f + (old - old);
}
__global__ void counter(int* seen, unsigned* total) {
  __shared__ int ticket;
  if (threadIdx.x == 0) ticket = 0;
  __syncthreads();
  const int mine = atomicAdd(&ticket, 1);
  __syncthreads();
  const int all = atomicExch(&ticket, 33);
  seen[blockIdx.x * 33 + threadIdx.x] = all == 33;
  if (mine >= 33) atomicAdd(total, 1u);
  const unsigned before = atomicInc(&total[1], 1000u);
  if (before > 131u) atomicAdd(total, 1u);
  atomicCAS(&total[2], 0u, 77u);
}

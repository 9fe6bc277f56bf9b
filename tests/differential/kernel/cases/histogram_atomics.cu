//! {
//!  "block": [100, 1, 1], "grid": ["ceil(n / 100)", 1, 1],
//!  "symbols": {"n": [1, 10000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "bins": {"len": "16", "role": "inout"}, "bits": {"len": "4", "role": "inout"},
//!              "wide": {"len": "2", "role": "inout", "align": 8}},
//!  "values": {"x": [-40, 40], "bins": [-5, 100]},
//!  "sizes": [{"n": 1}, {"n": 777}]
//! }
__global__ void histogram(const int* x, int* bins, unsigned* bits, unsigned long long* wide, int n) {
  __shared__ unsigned local[16];
  __shared__ int low, high;
  for (int b = threadIdx.x; b < 16; b += blockDim.x) local[b] = 0u;
  if (threadIdx.x == 0) low = 1000, high = -1000;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&local[(unsigned)x[i] % 16u], 1u);
    atomicMin(&low, x[i]);
    atomicMax(&high, x[i]);
    atomicOr(&bits[0], 1u << (x[i] & 31));
    atomicXor(bits + 1, (unsigned)x[i]);
    atomicAnd(&bits[2], ~(1u << (x[i] & 31)));
    atomicMax(&bits[3], (unsigned)x[i]);
    atomicAdd(wide, (unsigned long long)(x[i] + 40));
    atomicMin(&wide[1], (unsigned long long)x[i]);
  }
  __syncthreads();
  if (threadIdx.x < 14) atomicAdd(&bins[threadIdx.x], (int)local[threadIdx.x]);
  if (threadIdx.x == 0) {
    atomicMin(&bins[14], low);
    atomicSub(&bins[15], high);
  }
}

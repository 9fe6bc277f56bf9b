//! {
//!  "block": [256, 1, 1], "grid": ["ceil(n / 256)", 1, 1],
//!  "symbols": {"n": [1, 100000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "partial": {"len": "ceil(n / 256)", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 255}, {"n": 1031}]
//! }
__global__ void blockSum(const float* x, float* partial, int n) {
  __shared__ float cache[256];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  cache[tid] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) cache[tid] += cache[tid + s];
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = cache[0];
}

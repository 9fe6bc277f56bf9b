//! {
//!  "block": [64, 1, 1], "grid": ["rows", 1, 1],
//!  "symbols": {"rows": [1, 100], "cols": [1, 1000]},
//!  "buffers": {"x": {"len": "rows * cols", "role": "input"}, "y": {"len": "rows * cols", "role": "output"}},
//!  "sizes": [{"rows": 1, "cols": 1}, {"rows": 4, "cols": 65}, {"rows": 3, "cols": 130}]
//! }
__global__ void softmax(const float* x, float* y, int cols) {
  extern __shared__ float unused[];
  __shared__ float scratch[64];
  __shared__ float rowMax, rowSum;
  const float* in = x + static_cast<long long>(blockIdx.x) * cols;
  float* out = y + static_cast<long long>(blockIdx.x) * cols;
  const int tid = threadIdx.x;
  float m = -INFINITY;
  for (int c = tid; c < cols; c += blockDim.x) m = max(m, in[c]);
  scratch[tid] = m;
  __syncthreads();
  for (unsigned s = blockDim.x >> 1; s; s >>= 1) {
    if (tid < s) scratch[tid] = max(scratch[tid], scratch[tid + s]);
    __syncthreads();
  }
  if (!tid) rowMax = scratch[0];
  __syncthreads();
  float sum = 0.f;
  for (int c = tid; c < cols; c += blockDim.x) {
    const float e = expf(in[c] - rowMax);
    out[c] = e;
    sum += e;
  }
  scratch[tid] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x >> 1; s; s >>= 1) {
    if (tid < s) scratch[tid] += scratch[tid + s];
    __syncthreads();
  }
  if (tid == 0) rowSum = scratch[0];
  __syncthreads();
  for (int c = tid; c < cols; c += blockDim.x) out[c] /= rowSum;
}

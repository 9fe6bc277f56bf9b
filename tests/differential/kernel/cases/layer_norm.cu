//! {
//!  "block": [96, 1, 1], "grid": ["rows", 1, 1],
//!  "symbols": {"rows": [1, 100], "cols": [1, 1000]},
//!  "buffers": {"x": {"len": "rows * cols", "role": "input"}, "gamma": {"len": "cols", "role": "input"},
//!              "beta": {"len": "cols", "role": "input"}, "y": {"len": "rows * cols", "role": "output"}},
//!  "sizes": [{"rows": 1, "cols": 7}, {"rows": 3, "cols": 100}, {"rows": 2, "cols": 300}]
//! }
__inline__ __device__ float blockReduce(float v, float* shared) {
  const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  if (lane == 0) shared[wid] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? shared[lane] : 0.0f;
  if (wid == 0)
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  if (threadIdx.x == 0) shared[0] = v;
  __syncthreads();
  v = shared[0];
  __syncthreads();
  return v;
}
__global__ void layerNorm(const float* x, const float* gamma, const float* beta, float* y, int cols) {
  __shared__ float shared[32];
  const int row = blockIdx.x;
  float local = 0.0f;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) local += x[row * cols + i];
  const float mean = blockReduce(local, shared) / cols;
  local = 0.0f;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    const float d = x[row * cols + i] - mean;
    local += d * d;
  }
  const float inv = 1.0f / sqrtf(blockReduce(local, shared) / cols + 1e-5f);
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    y[row * cols + i] = (x[row * cols + i] - mean) * inv * gamma[i] + beta[i];
}

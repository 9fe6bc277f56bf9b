//! {
//!  "block": [5, 3, 4], "grid": ["ceil(n / 5)", 2, 2],
//!  "symbols": {"n": [1, 100]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n * 3 * 2 * 4 * 2", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 12}]
//! }
__global__ void volume(const float* x, float* y, int n) {
  __shared__ float sums[4][3][5];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int d = blockIdx.z * blockDim.z + threadIdx.z;
  sums[threadIdx.z][threadIdx.y][threadIdx.x] = c < n ? x[c] * (r + 1) - d : 0.0f;
  __syncthreads();
  float s = 0.0f;
  for (int z = 0; z < 4; ++z)
    for (int k = 0; k < 3; ++k) s += sums[z][k][threadIdx.x] * (z == threadIdx.z ? 2.0f : 1.0f);
  if (c < n) y[(d * 6 + r) * n + c] = s;
}

//! {
//!  "block": [16, 8, 1], "grid": ["ceil(cols / 16)", "ceil(rows / 8)", "batch"],
//!  "symbols": {"rows": [1, 1000], "cols": [1, 1000], "batch": [1, 8]},
//!  "buffers": {"x": {"len": "batch * rows * cols", "role": "input"}, "bias": {"len": "cols", "role": "input"},
//!              "out": {"len": "batch * rows * cols", "role": "output"}},
//!  "sizes": [{"rows": 1, "cols": 1, "batch": 1}, {"rows": 33, "cols": 45, "batch": 2}, {"rows": 8, "cols": 64, "batch": 1}]
//! }
__global__ void addBias(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ out, int rows,
                        int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) {
    const int index = (blockIdx.z * rows + r) * cols + c;
    out[index] = __ldg(&x[index]) + __ldg(bias + c) * (gridDim.z == 1 ? 2.0f : 1.0f);
  }
}

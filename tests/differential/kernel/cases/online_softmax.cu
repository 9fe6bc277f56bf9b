//! {
//!  "block": [32, 4, 1], "grid": ["ceil(rows / 4)", 1, 1],
//!  "symbols": {"rows": [1, 100], "cols": [1, 200]},
//!  "buffers": {"x": {"len": "rows * cols", "role": "input"}, "y": {"len": "rows * cols", "role": "output"}},
//!  "sizes": [{"rows": 1, "cols": 1}, {"rows": 7, "cols": 50}]
//! }
struct __align__(8) MD {
  float m, d;
};
__device__ __forceinline__ MD reduce(MD a, MD b) {
  const bool larger = a.m > b.m;
  const MD big = larger ? a : b, small = larger ? b : a;
  MD result;
  result.d = big.d + small.d * expf(small.m - big.m);
  result.m = big.m;
  return result;
}
__global__ void onlineSoftmax(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  x += row * cols;
  MD partial;
  partial.m = -FLT_MAX;
  partial.d = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 32) {
    MD next;
    next.m = x[c];
    next.d = 1.0f;
    partial = reduce(partial, next);
  }
  for (int offset = 16; offset > 0; offset >>= 1) {
    MD other{__shfl_xor_sync(0xffffffff, partial.m, offset), __shfl_xor_sync(0xffffffff, partial.d, offset)};
    partial = reduce(partial, other);
  }
  for (int c = threadIdx.x; c < cols; c += 32) y[row * cols + c] = expf(x[c] - partial.m) / partial.d;
}

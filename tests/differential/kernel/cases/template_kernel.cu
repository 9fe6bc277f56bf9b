//! {
//!  "block": [32, 1, 1], "grid": ["ceil(n / 32)", 1, 1], "symbols": {"n": [1, 1000000]},
//!  "buffers": {"x": {"len": "n", "role": "input", "align": 8}, "y": {"len": "n", "role": "output", "align": 8}},
//!  "sizes": [{"n": 31}, {"n": 1000}], "give": {"factor": 0.1}
//! }
template <typename scalar_t, bool Negate>
__global__ void scale(const scalar_t* x, scalar_t* y, scalar_t factor, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    scalar_t v = x[i] * factor;
    v = std::max(v, scalar_t(-100)) / scalar_t(3);
    y[i] = Negate ? -v : std::min(v, x[i]);
  }
}
template __global__ void scale<double, false>(const double*, double*, double, int64_t);

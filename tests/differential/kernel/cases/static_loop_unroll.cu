//! {
//!  "block": [32, 2, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 333}]
//! }
template <int DEGREE> __device__ __forceinline__ float polynomial(float x) {
  const float c[4] = {1.0f, -0.5f, 0.25f, 3.0f};
  float s = c[DEGREE];
  #pragma unroll
  for (int i = DEGREE - 1; i >= 0; --i) s = fmaf(s, x, c[i]);
  if constexpr (DEGREE > 2) s -= 1.0f;
  return s;
}
template <typename T> struct Identity {
  static __device__ T apply(T v) { return v; }
  static constexpr int kShift = 2;
};
template <typename T, typename Op> __global__ void evaluate(const T* x, T* y, int n) {
  const int tid = threadIdx.x + threadIdx.y * blockDim.x;
  const int i = blockIdx.x * (blockDim.x * blockDim.y) + tid;
  if (i < n) y[i] = Op::apply(polynomial<3>(x[i])) + polynomial<1>(x[i] * Op::kShift);
}
template __global__ void evaluate<float, Identity<float>>(const float*, float*, int);

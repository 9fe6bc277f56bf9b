//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "mean": {"len": "ceil(n / 64)", "role": "output"}, "m2": {"len": "ceil(n / 64)", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 200}]
//! }
struct Welford {
  float mean, m2, count;
};
__device__ Welford combine(const Welford& a, const Welford& b) {
  const float count = a.count + b.count;
  if (count == 0.0f) return a;
  const float delta = b.mean - a.mean;
  return {a.mean + delta * (b.count / count), a.m2 + b.m2 + delta * delta * a.count * b.count / count, count};
}
__global__ void welford(const float* x, float* mean, float* m2, int n) {
  __shared__ float means[2], squares[2], counts[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Welford w{0.0f, 0.0f, 0.0f};
  if (i < n) w = combine(w, Welford{x[i], 0.0f, 1.0f});
  for (int o = 16; o > 0; o /= 2) {
    Welford other;
    other.mean = __shfl_down_sync(0xffffffff, w.mean, o);
    other.m2 = __shfl_down_sync(0xffffffff, w.m2, o);
    other.count = __shfl_down_sync(0xffffffff, w.count, o);
    w = combine(w, other);
  }
  if (threadIdx.x % 32 == 0) {
    means[threadIdx.x / 32] = w.mean;
    squares[threadIdx.x / 32] = w.m2;
    counts[threadIdx.x / 32] = w.count;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    Welford a{means[0], squares[0], counts[0]}, b{means[1], squares[1], counts[1]};
    a = combine(a, b);
    mean[blockIdx.x] = a.mean;
    m2[blockIdx.x] = a.m2;
  }
}

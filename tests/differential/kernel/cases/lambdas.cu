//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "k": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"},
//!              "out": {"len": "n", "role": "output"}},
//!  "values": {"k": [-9, 9]},
//!  "sizes": [{"n": 1}, {"n": 99}]
//! }
template <class F> __device__ float fold(int from, int to, F f) {
  float s = 0.0f;
  for (int i = from; i < to; ++i) s = f(s, i);
  return s;
}
template <class F> __device__ void apply(int times, const F& f) {
  while (times-- > 0) f();
}
__global__ void lambdas(const float* x, const int* k, float* y, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  auto at = [&](int j) { return x[j]; };
  auto valid = [=](int j) { return j >= 0 && j < n; };
  float v = 0.0f;
  for (int j = i - 2; j <= i + 2; ++j) v += valid(j) ? at(j) : 0.25f;
  int c = k[i];
  auto plus = [c](int a) { return a * 2 + c; };
  c += 5;
  const int w = plus(c);
  int calls = 0;
  auto next = [&calls, k, n](int j) {
    ++calls;
    return k[(j + 1) % n];
  };
  int j = i;
  while (next(j) > 0 && j < i + 6) ++j;
  auto inside = [&] { return j > i && valid(j) && at(j) > 0.0f; };
  if (inside() || (valid(j + 1) && at(j + 1) < 0.0f)) ++calls;
  int doubled = 1;
  apply(c & 3, [&] { doubled = doubled * 2 + w % 5; });
  const float scale = v;
  y[i] = v + fold(0, 5, [=](float s, int t) { return s * 0.5f + scale * t; });
  out[i] = w + calls * 1000 + doubled * 7 + j;
}

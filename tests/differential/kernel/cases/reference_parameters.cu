//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "inout"}, "z": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 129}]
//! }
__device__ void order(float& a, float& b) {
  if (a > b) {
    const float t = a;
    a = b;
    b = t;
  }
}
__device__ bool take(float& value, int& budget) {
  if (budget <= 0) return false;
  --budget;
  value *= 0.5f;
  return value > 1.0f || value < -1.0f;
}
template <class T, int N> __device__ void sortNet(T (&v)[N]) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j + 1 < N; ++j) order(v[j], v[j + 1]);
}
__device__ int bump(int& n) { return n++; }
__global__ void references(const float* x, float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[5];
  int fill = 0;
  while (fill < 5) {
    const int at = bump(fill);
    v[at] = x[(i + at * 3) % n];
  }
  sortNet(v);
  float value = v[2];
  int budget = 6;
  while (take(value, budget)) {}
  float& cell = y[i];
  order(cell, value);
  float& first = v[fill - 5];
  first += 1.0f;
  const float& second = v[1];
  v[1] = second * 2.0f + first;
  z[i] = value + budget + second;
}

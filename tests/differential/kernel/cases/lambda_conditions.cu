//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"k": {"len": "n", "role": "input"}, "out": {"len": "n", "role": "output"}},
//!  "values": {"k": [-9, 9]},
//!  "sizes": [{"n": 1}, {"n": 99}]
//! }
struct Range {
  const int* k;
  int n;
  __device__ bool holds(int i) const { return i >= 0 && i < n; }
  __device__ int at(int i) const { return k[i]; }
  __device__ int divided(int a, int b) const { return a / b; }
};
__device__ bool below(const Range& range, int i, int limit) { return range.holds(i) && range.at(i) < limit; }
__global__ void conditions(const int* k, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Range range = {k, n};
  int j = i;
  while (range.holds(j) && range.at(j) != 3) ++j;
  int s = range.holds(j) ? range.at(j) : -1;
  for (int a = i; below(range, a, 5); a += 3) s += a;
  int d = i;
  do {
    if (range.at(d) == 7) continue;
    s += 2;
  } while (below(range, --d, 4));
  const bool good = range.holds(j + 1) && range.at(j + 1) > 0;
  const bool odd = !range.holds(i - 1) || range.at(i - 1) % 2 != 0;
  s += k[i] != 0 ? range.divided(100, k[i]) : 0;
  if (good && odd) s *= 2;
  out[i] = s + j * 100 + d;
}

//! {
//!  "block": [50, 1, 1], "grid": ["ceil(n / 50)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"k": {"len": "n", "role": "input"}, "out": {"len": "n", "role": "output"}},
//!  "values": {"k": [-20, 20]},
//!  "sizes": [{"n": 333}]
//! }
__device__ int find(const int* k, int n, int from, int wanted) {
  for (int a = from; a < n; ++a) {
    if (k[a] == wanted) return a;
    if (a > from + 40) break;
  }
  return -1;
}
__global__ void nest(const int* k, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int a = 0; a < 6; ++a) {
    if (a == (k[i] & 7)) continue;
    for (int b = a; b < 6; b += 2) {
      int c = 0;
      while (true) {
        if (c > b) break;
        c += 1 + (k[i] > 0);
        if (c == 3) continue;
        sum += c * (a + 1);
        if (sum > 300) break;
      }
      if (sum > 250 && b > 3) break;
      if (b == 4) continue;
      sum -= b;
    }
    if (sum < -5) return void(out[i] = sum);
  }
  out[i] = sum * 1000 + find(k, n, i, k[i] / 2);
}

//! {
//!  "block": [100, 1, 1], "grid": ["ceil(n / 100)", 1, 1], "symbols": {"n": [1, 1000000]},
//!  "buffers": {"a": {"len": "n", "role": "input"}, "b": {"len": "n", "role": "input"},
//!              "u": {"len": "n", "role": "input"}, "quotient": {"len": "n", "role": "output"},
//!              "bits": {"len": "n", "role": "output"}, "wide": {"len": "n", "role": "output", "align": 8}},
//!  "values": {"a": [-1000000, 1000000], "b": [-50, 50]},
//!  "sizes": [{"n": 1999}]
//! }
__global__ void integers(const int* a, const int* b, const unsigned* u, int* quotient, unsigned* bits, long long* wide,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int divisor = b[i] == 0 ? 7 : b[i];
  quotient[i] = a[i] / divisor + a[i] % divisor * 3 - max(a[i], b[i]) + min(divisor, -3) * abs(b[i]);
  bits[i] = max(u[i], 77u) - min(u[i], 1u << 30) + ((u[i] << 5) | (u[i] >> 27)) ^ (~u[i] & 0xF0F0u) + (u[i] / 3u) * (unsigned)b[i];
  wide[i] = (long long)a[i] * a[i] * divisor + (a[i] >> 2) - (long long)u[i];
}

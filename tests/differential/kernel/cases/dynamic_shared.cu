//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 10000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "keys": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"},
//!              "order": {"len": "n", "role": "output"}}, "shared_bytes": "64 * 8 + 64 * 4",
//!  "values": {"keys": [-3, 3]},
//!  "sizes": [{"n": 1}, {"n": 64}, {"n": 129}]
//! }
__global__ void carve(const float* x, const int* keys, float* y, int* order, int n) {
  extern __shared__ __align__(16) unsigned char memory[];
  double* wide = reinterpret_cast<double*>(memory);
  int* counts = (int*)&wide[blockDim.x];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  wide[t] = i < n ? (double)x[i] * 3.0 : 0.0;
  counts[t] = i < n ? keys[i] : 0;
  __syncthreads();
  int smaller = 0;
  for (int k = 0; k < blockDim.x; k++)
    if (counts[k] < counts[t] || (counts[k] == counts[t] && k < t)) smaller++;
  const double around = wide[(t + 1) % blockDim.x] - wide[(t + blockDim.x - 1) % blockDim.x];
  if (i < n) {
    y[i] = (float)around;
    order[i] = smaller;
  }
}

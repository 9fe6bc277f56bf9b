//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "8 * n", "role": "input"}, "k": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"},
//!              "z": {"len": "n", "role": "output"}},
//!  "values": {"k": [0, 7]},
//!  "sizes": [{"n": 1}, {"n": 150}]
//! }
__constant__ const float kWeights[3][2] = {{0.5f, -1.0f}, {2.0f}, {0.1f, 1e30f}};
__device__ float median(const float* x) {
  float v[8];
  for (int i = 0; i < 8; ++i) v[i] = x[i];
  for (int i = 1; i < 8; ++i) {
    float key = v[i];
    int j = i - 1;
    while (j >= 0 && v[j] > key) {
      v[j + 1] = v[j];
      --j;
    }
    v[j + 1] = key;
  }
  return v[4];
}
__global__ void arrays(const float* x, const int* k, float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float acc[2][3] = {};
  const int pick[] = {2, 0, 1, 2};
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c) acc[r][c] += x[8 * i + r * 3 + c] * kWeights[c][r];
  float* row = acc[k[i] & 1];
  row[pick[k[i] >> 1]] += 1.0f;
  int index[8];
#pragma unroll
  for (int j = 0; j < 8; ++j) index[j] = (j * 3 + k[i]) % 8;
  float s = 0.0f;
  for (int j = 0; j < 8; ++j) s = s * 0.5f + x[8 * i + index[index[j]]];
  y[i] = median(x + 8 * i);
  z[i] = s + acc[0][0] + acc[0][1] + acc[0][2] - acc[1][k[i] % 3];
}

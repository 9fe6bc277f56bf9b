//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1], "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "h": {"len": "n", "role": "input"}, "b": {"len": "n", "role": "input"},
//!              "y": {"len": "2 * n", "role": "output"}, "g": {"len": "2 * n", "role": "output"}, "c": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 1000}]
//! }
__device__ half pick(const half* h, int i, bool first) {
  return first ? h[i] : __float2half(0.1f);
}

__global__ void storage(const float* x, const __half* h, const __nv_bfloat16* b, float* y, half* g, nv_bfloat16* c,
                        int n) {
  __shared__ half tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? h[i] : (half)0;
  __syncthreads();
  if (i >= n)
    return;
  y[2 * i] = __half2float(h[i]) + static_cast<float>(b[i]);
  y[2 * i + 1] = (float)((double)tile[threadIdx.x ^ 1] * 0.3);
  g[2 * i] = __float2half_rn(x[i]);
  g[2 * i + 1] = pick(h, i, x[i] > 0.0f);
  nv_bfloat16 v = x[i];
  c[i] = i % 3 == 0 ? b[i] : v;
}

//! {
//!  "block": [32, 1, 1], "grid": ["ceil(n / 128)", 1, 1],
//!  "symbols": {"n": [4, 1000]},
//!  "buffers": {"xs": {"len": "n", "role": "input", "align": 16}, "ys": {"len": "n", "role": "output", "align": 16}},
//!  "sizes": [{"n": 4}, {"n": 128}, {"n": 300}]
//! }
__global__ void reverse4(const float* xs, float* ys, int n) {
  __shared__ float4 tile[32];
  const float4* x = reinterpret_cast<const float4*>(xs);
  float4* y = reinterpret_cast<float4*>(ys);
  const int count = n / 4;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int here = min(32, count - (int)(blockIdx.x * blockDim.x));
  tile[threadIdx.x] = i < count ? __ldg(x + i) : make_float4(0.f, 0.f, 0.f, 0.f);
  __syncthreads();
  if (i < count) {
    float4 v = tile[here - 1 - threadIdx.x];
    float4 w{v.w, v.z, v.y, v.x};
    w.x += tile[0].y;
    y[i] = w;
  }
  const float* flat = reinterpret_cast<const float*>(tile);
  __syncthreads();
  if (i < count) y[i].z = flat[threadIdx.x] + flat[127 - threadIdx.x];
}

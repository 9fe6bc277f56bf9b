// model: relu2d
// ieee: equal
#include <torch/extension.h>
__device__ float twice(float v) { float w = v + v; return w; }
__device__ float halfOrZero(float v, bool keep) {
  if (!keep) return 0.0f;
  if (v < 0.0f) { return 0.0f; } else { return twice(v) * 0.5f; }
}
__global__ void k(const float* x, float* out, int n) {
  int end = blockIdx.x * blockDim.x + threadIdx.x;
  bool at = end < n;
  if (at) out[end] = x[end] > 1e38f ? x[end] : halfOrZero(x[end], at);
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

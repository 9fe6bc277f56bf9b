// model: relu2d
// ieee: different
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double d = x[i];
  d = d * 1.5 + fmax(d, 0.25) - fmin(-d, sqrt(fabs(d)));
  int t = (int)(d * 0.5);
  out[i] = (float)d + (float)t + (d != d ? 1.0f : 2.0f) + (float)exp(-d) + std::max(x[i], 0.5f) - std::min(x[i], 0.5f);
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

// model: where
// ieee: equal
// real: equal
// gate: accepted
#include <torch/extension.h>
__global__ void k(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r; if (x[i] > 0.f) { r = x[i]; } else { r = y[i]; }
  out[i] = r;
}
torch::Tensor forward(torch::Tensor x, torch::Tensor y) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n+255)/256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

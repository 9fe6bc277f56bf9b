// model: nchw
// ieee: equal
// real: equal
// gate: accepted
#include <torch/extension.h>
__global__ void k(const float* x, const float* b, float* out, int total, int C, int HW) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < total) { int c = (i / HW) % C; out[i] = x[i] * b[c]; }
}
torch::Tensor forward(torch::Tensor x, torch::Tensor b) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  int C = x.size(1); int HW = x.size(2) * x.size(3);
  k<<<(n+255)/256, 256>>>(x.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n, C, HW);
  return out;
}

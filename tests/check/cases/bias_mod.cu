// model: bias
// ieee: equal
// real: equal
// gate: accepted
#include <torch/extension.h>
__global__ void k(const float* x, const float* b, float* out, int n, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = b[i % cols] + x[i];
}
torch::Tensor forward(torch::Tensor x, torch::Tensor b) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  int cols = x.size(1);
  k<<<(n+255)/256, 256>>>(x.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n, cols);
  return out;
}

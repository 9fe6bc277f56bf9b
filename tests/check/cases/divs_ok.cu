// model: divs
// ieee: equal
// real: equal
// torch-cuda: different
// gate: accepted
#include <torch/extension.h>
__global__ void k(const float* __restrict__ x, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  
  out[i] = x[i] / 3.7f;
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n+255)/256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

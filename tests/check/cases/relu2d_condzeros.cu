// model: relu2d
// ieee: different
// real: equal
// gate: accepted
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) out[i] = x[i];
}
torch::Tensor forward(torch::Tensor x) { auto out = torch::zeros_like(x); int n = x.numel();
  k<<<(n+255)/256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n); return out; }

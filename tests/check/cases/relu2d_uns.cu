// model: relu2d
// ieee: equal
// real: equal
// gate: accepted
#include <torch/extension.h>
__global__ void k(const float* x, float* out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] < 0 ? 0 : x[i];
}
torch::Tensor forward(torch::Tensor x) { auto out = torch::empty_like(x); 
  k<<<(x.numel()+255)/256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.numel()); return out; }

// model: relu2d
// gate: refused
// finding: output-shape
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] < 0 ? 0 : x[i];
}
torch::Tensor forward(torch::Tensor x) { int n = x.numel(); auto out = torch::empty({n}, x.options());
  k<<<(n+255)/256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n); return out; }

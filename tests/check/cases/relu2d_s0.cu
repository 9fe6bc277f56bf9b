// model: relu2d
// error: binding-size
#include <torch/extension.h>
// The wrapper's integer has the name of one of the graph's symbols, and nothing else in common with it.
__global__ void k(const float* x, float* out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i < m ? (x[i] < 0 ? 0 : x[i]) : 1.0f;
}
torch::Tensor forward(torch::Tensor x, int s0) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, s0);
  return out;
}

// model: relu2d
// ieee: equal
// real: equal
// gate: accepted
#include <torch/extension.h>
__global__ void k(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { float v = x[i]; x[i] = v < 0 ? 0 : v; }
}
torch::Tensor forward(torch::Tensor x) {
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), n);
  return x;
}

// model: relu2d
// ieee: equal
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r;
  if (i < n) {
    r = x[i];
    if (r < 0.0f) r = 0.0f;
  }
  if (i < n) out[i] = r;
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

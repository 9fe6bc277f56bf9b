// model: relu2d
// ieee: equal
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    if (v < 0.0f) {
      out[i] = 0.0f;
      return;
    }
    if (v != v) {
      out[i] = v;
      return;
    }
  } else {
    return;
  }
  out[i] = x[i];
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

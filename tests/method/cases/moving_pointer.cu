// model: relu2d
// ieee: equal
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* from = x;
  from = from + 1;
  if (i < n && (i == 0 || x[i - 1] == x[i - 1] || true)) {
    const float* at = i > 0 ? from + (i - 1) : x;
    out[i] = !(*at < 0) ? *at : -0.0f + 0.0f;
  }
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

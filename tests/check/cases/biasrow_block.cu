// model: biasrow
// ieee: equal
// real: equal
// gate: accepted
#include <torch/extension.h>
__global__ void k(const float* x, const float* b, float* out, int cols) {
  int r = blockIdx.x; int c = threadIdx.x;
  if (c < cols) out[r * cols + c] = x[r * cols + c] + b[r];
}
torch::Tensor forward(torch::Tensor x, torch::Tensor b) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  int cols = x.size(1); TORCH_CHECK(cols <= 1024, "too wide");
  k<<<x.size(0), cols>>>(x.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), cols);
  return out;
}

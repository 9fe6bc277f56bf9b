// model: relu2d
// rejection: loop
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = x[i] < 0 ? 0 : x[i];
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<1024, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

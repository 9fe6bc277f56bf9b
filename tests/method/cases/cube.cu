// model: relu2d
// ieee: equal
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y * blockDim.z) +
          (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] < 0 ? 0 : x[i];
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  dim3 block(4, 2, 2); dim3 grid((n + 63) / 64, 2, 2);
  k<<<grid, block>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

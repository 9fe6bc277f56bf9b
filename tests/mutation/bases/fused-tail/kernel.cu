#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void fused_kernel(const float* __restrict__ x, const float* __restrict__ y, const float* __restrict__ z, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float t = x[i] * y[i] + z[i];
    out[i] = t < 0.0f ? 0.0f : t;
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor y, torch::Tensor z) {
  TORCH_CHECK(y.sizes() == x.sizes(), "y must have the shape of x");
  TORCH_CHECK(z.sizes() == x.sizes(), "z must have the shape of x");
  auto out = torch::empty_like(x);
  const int n = x.numel();
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  fused_kernel<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), z.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

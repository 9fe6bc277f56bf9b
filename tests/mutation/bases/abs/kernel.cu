#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void abs_kernel(const float* __restrict__ x, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fabsf(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  const int n = x.numel();
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  abs_kernel<<<blocks, threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

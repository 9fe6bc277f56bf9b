#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void bias_kernel(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ out, int n,
                            int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = x[i] + bias[i % columns];
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor bias) {
  auto out = torch::empty_like(x);
  const int n = x.numel();
  const int columns = x.size(1);
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  bias_kernel<<<blocks, threads>>>(x.data_ptr<float>(), bias.data_ptr<float>(), out.data_ptr<float>(), n, columns);
  return out;
}

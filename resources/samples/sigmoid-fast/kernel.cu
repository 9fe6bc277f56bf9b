#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void sigmoid_kernel(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float v = x[i];
    y[i] = 1.0f / (1.0f + __expf(-v));
  }
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.is_contiguous(), "x must be contiguous");
  auto y = torch::empty_like(x);
  const int n = x.numel();
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  sigmoid_kernel<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void hardtanh_kernel(const float* __restrict__ x, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float v = x[i];
    out[i] = v < -1.0f ? -1.0f : (v > 1.0f ? 1.0f : v);
  }
}

torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  const int n = x.numel();
  const int threads = 128;
  const int blocks = (n + threads - 1) / threads;
  hardtanh_kernel<<<blocks, threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

#include <torch/extension.h>
#include <cuda_runtime.h>

__device__ __forceinline__ float limited(float v) {
  if (v < 0.0f) return 0.0f;
  if (v > 6.0f) return 6.0f;
  return v;
}

__global__ void relu6_kernel(const float* __restrict__ x, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = limited(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  const int n = x.numel();
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  relu6_kernel<<<blocks, threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

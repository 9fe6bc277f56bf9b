#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void grid_kernel(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ out, int rows,
                            int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < columns) {
    const int i = r * columns + c;
    out[i] = x[i] - bias[c];
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor bias) {
  auto out = torch::empty_like(x);
  const int rows = x.size(0);
  const int columns = x.size(1);
  const dim3 block(16, 16);
  const dim3 grid((columns + 15) / 16, (rows + 15) / 16);
  grid_kernel<<<grid, block>>>(x.data_ptr<float>(), bias.data_ptr<float>(), out.data_ptr<float>(), rows, columns);
  return out;
}

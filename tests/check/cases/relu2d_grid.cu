// model: relu2d
// ieee: equal
// real: equal
// gate: accepted
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) { float v = x[r * cols + c]; out[r * cols + c] = v < 0 ? 0 : v; }
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  int rows = x.size(0), cols = x.size(1);
  dim3 b(16, 16); dim3 g((cols + 15) / 16, (rows + 15) / 16);
  k<<<g, b>>>(x.data_ptr<float>(), out.data_ptr<float>(), rows, cols);
  return out;
}

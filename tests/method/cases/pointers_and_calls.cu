// model: relu2d
// ieee: equal
#include <torch/extension.h>
__device__ float positive(const float* p, int at) {
  float v = p[at];
  if (v < 0.0f) return 0.0f;
  return v;
}
__device__ void put(float* p, int in, float mut) {
  float* q = p + in;
  *q = mut;
}
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  put(out, i, i >= 0 ? positive(x, i) : 1.0f);
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

// model: relu2d
// ieee: different
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int t = (int)x[i];
  unsigned u = (unsigned)x[i];
  bool b = x[i];
  float f = b ? (float)t : (float)u;
  out[i] = fmaf(f, sqrtf(fabsf(x[i])), __frcp_rn(x[i])) + fminf(x[i], (float)b) - fmaxf(-x[i], __fdiv_rn(1.0f, f));
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

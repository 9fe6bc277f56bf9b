// model: relu2d
// ieee: equal
#include <torch/extension.h>
__global__ void method(const float* in, float* end, int k, float Int) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int mutant = k;
  float from = at < mutant ? in[at] : Int;
  if (at < k) { float g_done = from < 0 ? 0 : from; { float g_done = from; from = g_done; } end[at] = g_done; }
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  method<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, 2.5f);
  return out;
}

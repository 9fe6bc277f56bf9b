// model: relu2d
// ieee: equal
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int even = (i >> 1) << 1;
  int odd = i & 1;
  int back = -(-even) + abs(-odd);
  int j = min(max(back, 0), n) + (i % 7 - i % 7) + i / 3 * 0;
  n -= 1;
  if (j <= n && j >= 0) { float v = x[j]; out[j] = v < 0 ? (float)(n - n) : v; }
}
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

// model: relu2d
// ieee: undetermined
// gate: undetermined
#include <torch/extension.h>
__global__ void k(const float* x, float* out, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i < n) out[i] = x[i] < 0 ? 0 : x[i];
  if (i + 1 < n) out[i + 1] = x[i + 1] < 0 ? 0 : x[i + 1];
}
torch::Tensor forward(torch::Tensor x) { auto out = torch::empty_like(x); int n = x.numel();
  k<<<(n/2+256)/256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n); return out; }

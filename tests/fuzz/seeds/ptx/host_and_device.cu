#include <torch/extension.h>
#define DEV __device__
namespace { template <typename T, int N = (3 > 2)> __global__ void k(T* x) { x[0] = R"a(})a"[0]; } }
DEV float f(float x) { return '}' ? x : 1'0; }
struct alignas(8) S { int a = {1}; };
torch::Tensor run(torch::Tensor x) { k<float><<<1, 1>>>(x.data_ptr<float>()); return x; }

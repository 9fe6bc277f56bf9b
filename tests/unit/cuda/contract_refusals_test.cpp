// A launch that is not understood is named and gives no contract.
#include "core/base/json.h"
#include "tests/unit/cuda/import_fixture.h"

#include <regex>
#include <set>

namespace plumbline::cuda::test {
namespace {

const std::string kernels =
    "__global__ void k(const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i];\n}\n"
    "__global__ void scale(float* y, float a, double d) { y[threadIdx.x] *= a * d; }\n"
    "__global__ void reader(const float* x) { float v = x[0]; }\n"
    "__global__ void refused(float* y) { asm(\"\"); y[0] = 1; }\n"
    "__global__ void ints(int* y) { y[0] = 1; }\n"
    "void mystery(torch::Tensor);\n";

struct Row {
  const char* id;
  const char* wrapper;
};

#define LAUNCH "k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);"

const Row rows[] = {
    {"aliased-buffers", "torch::Tensor f(torch::Tensor x) {\n"
                        "  k<<<1, 32>>>(x.data_ptr<float>(), /*^*/x.data_ptr<float>(), 32); return x; }"},
    {"buffer-length-unknown",
     "void f(/*^*/const float* x, float* y, int n) { k<<<(n + 255) / 256, 256>>>(x, y, n); }"},
    {"host-branch",
     "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 4;\n"
     "  /*^*/if (x.requires_grad()) n = 8;\n  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n"
     "  return y; }"},
    {"host-branch", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                    "  /*^*/if (x.requires_grad()) return y;\n" LAUNCH " return y; }"},
    {"host-call",
     "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); /*^*/mystery(x);\n" LAUNCH
     " return y; }"},
    {"host-call",
     "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); y./*^*/normal_();\n" LAUNCH
     " return y; }"},
    {"host-statement", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 1;\n"
                       "  int m = /*^*/n++;\n  k<<<n, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n"
                       "  return y; }"},
    {"host-call", "torch::Tensor f(torch::Tensor x) { auto y = torch::zeros_like(x);\n"
                  "  cudaError_t e = /*^*/cudaMemset(y.data_ptr(), 1, 4);\n" LAUNCH " return y; }"},
    {"host-call", "torch::Tensor f(torch::Tensor x) { auto y = torch::zeros_like(x);\n"
                  "  auto z = /*^*/y.fill_(1);\n" LAUNCH " return y; }"},
    {"host-branch", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                    "  /*^*/if (x.requires_grad() && x.numel() == 0) return y;\n" LAUNCH " return y; }"},
    {"host-syntax", "torch::Tensor f(torch::Tensor x) {\n"
                    "  k<<<1, 32>>>(x.data_ptr<float>(), /*^*/unknown, 32);\n  return x; }"},
    {"host-loop", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 1;\n"
                  "  /*^*/while (n < x.numel()) n = n * 2;\n" LAUNCH " return y; }"},
    {"host-statement", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 1;\n"
                       "  /*^*/n |= 31;\n" LAUNCH " return y; }"},
    {"host-syntax", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                    "  /*^*/no_such_name(x);\n" LAUNCH " return y; }"},
    {"host-value",
     "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
     "  k<<</*^*/x.stride(0), 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32); return y; }"},
    {"host-value", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                   "  int z = /*^*/x.item<int>();\n"
                   "  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), z); return y; }"},
    {"kernel-argument", "void f(torch::Tensor x) { ints<<<1, 1>>>(/*^*/(int*)x.data_ptr()); }"},
    {"kernel-rejected",
     "torch::Tensor f(torch::Tensor x) { /*^*/refused<<<1, 32>>>(x.data_ptr<float>()); return x; }"},
    {"launch-in-branch", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                         "  /*^*/if (x.requires_grad()) { " LAUNCH " }\n  return y; }"},
    {"launch-in-loop", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                       "  /*^*/for (int j = 0; j < x.size(0); ++j) { " LAUNCH " }\n  return y; }"},
    {"launch-not-read", "torch::Tensor f(torch::Tensor x) /*^*/{ auto y = torch::empty_like(x);\n"
                        "  auto run = [&] { " LAUNCH " };\n  return y; }"},
    {"no-output", "void f(torch::Tensor x) { /*^*/reader<<<1, 1>>>(x.data_ptr<float>()); }"},
    {"not-instantiated", "template <class T> /*^*/__global__ void generic(T* y) { y[0] = 1; }"},
    {"returned-value", "int64_t f(torch::Tensor x, torch::Tensor y) { " LAUNCH "\n  /*^*/return 3; }"},
    {"scalar-conversion", "void f(torch::Tensor x, double s) { const float r = s;\n"
                          "  scale<<<1, 1>>>(x.data_ptr<float>(), r, /*^*/r); }"},
    {"host-statement",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " torch::Tensor& r = x; /*^*/x = z; " LAUNCH " return y; }"},
    {"host-statement",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " const int& m = n; /*^*/n = 6; " LAUNCH " return y; }"},
    {"host-statement",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " const int& m = std::max(n, 2); /*^*/n = 6; " LAUNCH " return y; }"},
    {"host-statement",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " if (n > 0) printf(\"%d\", /*^*/n = 6); " LAUNCH " return y; }"},
    {"host-statement",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " if (n > 0) { cudaSetDevice(/*^*/n = 6); } " LAUNCH " return y; }"},
    {"host-statement",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " if (n > 0) ; else printf(\"%d\", /*^*/++n); " LAUNCH " return y; }"},
    {"host-statement",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " TORCH_WARN(\"n\", /*^*/n = 6); " LAUNCH " return y; }"},
    {"after-return",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " return y; /*^*/" LAUNCH " }"},
    {"after-return",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " { return y; } /*^*/" LAUNCH " }"},
    {"after-return",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " do { return y; } while (0); /*^*/" LAUNCH " }"},
    {"after-return",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     "  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), \"a\", ([&] { return; /*^*/" LAUNCH " }));\n"
     "  return y; }"},
    {"host-branch",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     "  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), \"a\", ([&] { " LAUNCH " /*^*/return x; }));\n"
     "  return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/if (n > 10) throw 1; else throw 2; " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(false, \"no\"); " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(n > 4, \"no\"); " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/AT_ERROR(\"no\"); " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/exit(1); " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " " LAUNCH " if (/*^*/cudaGetLastError() == cudaSuccess) throw 1; return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(x.scalar_type() == torch::kHalf); " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(x.dtype() != torch::kFloat32); " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(!x.is_cuda()); " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(x.device().type() == torch::kCPU); " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " if (/*^*/x.is_cuda()) throw 1; " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " if (/*^*/x.is_contiguous() || n > 9) throw 1; " LAUNCH " return y; }"},
    {"always-throws",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " if (x.is_cuda()) { } else { } if (/*^*/x.numel() == 0 || x.is_cuda()) { TORCH_CHECK(false); }\n" LAUNCH
     " return y; }"},
    {"host-check",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(x.requires_grad()); " LAUNCH " return y; }"},
    {"host-check",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(x.stride(0) == 1); " LAUNCH " return y; }"},
    {"host-check",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(x.numel() > 0 && x.stride(0) == 1); " LAUNCH " return y; }"},
    {"host-check",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(x.device() == torch::kCUDA); " LAUNCH " return y; }"},
    {"host-check",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " if (/*^*/x.sizes() == z.sizes()) throw 1; " LAUNCH " return y; }"},
    {"host-check",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " /*^*/TORCH_CHECK(x.sizes() != z.sizes()); " LAUNCH " return y; }"},
    {"host-check",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " " LAUNCH " /*^*/TORCH_CHECK(x.numel() == 32, \"m\"); return y; }"},
    {"host-check",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     " " LAUNCH " if (/*^*/x.numel() != 32) throw 1; return y; }"},
    {"tensor-dtype",
     "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x); int n = 4;\n"
     "  /*^*/AT_DISPATCH_FLOATING_TYPES(torch::kDouble, \"a\", ([&] { " LAUNCH " }));\n  return y; }"},
    {"host-value",
     "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 4;\n"
     "  if (n > 5) std::cout << &/*^*/n; k<<<n, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n"
     "  return y; }"},
    {"launch-not-read", "__global__ void later(const float* a, float* b);\n"
                        "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                        "  /*^*/later<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>()); return y; }"},
    {"tensor-device",
     "torch::Tensor f(torch::Tensor x) { auto y = /*^*/torch::empty({x.size(0)});\n  " LAUNCH " return y; }"},
    {"tensor-device",
     "torch::Tensor f(torch::Tensor x) { auto y = /*^*/torch::empty(x.sizes(), torch::kFloat32);\n  " LAUNCH
     " return y; }"},
    {"tensor-device", "torch::Tensor f(torch::Tensor x) { auto y = /*^*/torch::empty({x.size(0)}, "
                      "x.options().device(torch::kCPU));\n  " LAUNCH " return y; }"},
    {"tensor-device", "torch::Tensor f(torch::Tensor x) { auto y = /*^*/torch::zeros(x.sizes(), "
                      "torch::dtype(torch::kFloat));\n  " LAUNCH " return y; }"},
    {"tensor-device", "torch::Tensor f(torch::Tensor x) { auto y = /*^*/torch::zeros_like(x, "
                      "torch::device(torch::kCPU));\n  " LAUNCH " return y; }"},
    {"tensor-device", "torch::Tensor f(torch::Tensor x) { auto y = /*^*/torch::empty(x.sizes(), "
                      "torch::TensorOptions().dtype(torch::kFloat));\n  " LAUNCH " return y; }"},
    {"tensor-dtype", "torch::Tensor f(torch::Tensor x) { auto y = /*^*/torch::empty_like(x, "
                     "x.options().dtype(torch::kDouble));\n  " LAUNCH " return y; }"},
    {"tensor-dtype",
     "torch::Tensor f(torch::Tensor x) { auto y = /*^*/torch::empty_like(x, torch::kHalf);\n  " LAUNCH
     " return y; }"},
    {"tensor-dtype", "torch::Tensor f(torch::Tensor x) { auto y = /*^*/torch::empty(x.sizes(), "
                     "torch::dtype(torch::kInt).device(torch::kCUDA));\n  " LAUNCH " return y; }"},
    {"wrapper-parameter",
     "torch::Tensor f(torch::Tensor x, /*^*/uint64_t n) { auto y = torch::empty_like(x);\n"
     "  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); return y; }"},
};

TEST(ContractRefusals, AreNamedAtTheirPlace) {
  for (const Row& row : rows) {
    const Marked source(kernels + row.wrapper + "\n");
    SCOPED_TRACE(source.text);
    const ImportedCuda imported = import(source.text);
    EXPECT_TRUE(imported.launches.empty());
    EXPECT_TRUE(imported.programs.empty());
    bool placed = false;
    for (const Rejection& rejection : imported.unread)
      placed = placed || (rejection.id == row.id && rejection.where.line == source.line &&
                          rejection.where.column == source.column);
    EXPECT_TRUE(placed) << "no " << row.id << " at " << source.line << ":" << source.column << " among\n"
                        << describe(imported.unread);
  }
}

TEST(ContractRefusals, TheListIsComplete) {
  const Expected<std::string> text = readFile(std::string(PLUMBLINE_SOURCE_DIR) + "/core/cuda/REJECTIONS.md");
  ASSERT_TRUE(text);
  const std::string section = text->substr(text->find("## Launches"));
  std::set<std::string> listed;
  const std::regex line("- `([a-z-]+)`: [A-Z`][^\n]*\\.");
  for (std::sregex_iterator it(section.begin(), section.end(), line), end; it != end; ++it)
    listed.insert((*it)[1]);
  std::set<std::string> produced;
  for (const Row& row : rows)
    produced.insert(row.id);
  EXPECT_EQ(listed, produced);
}

TEST(ContractRefusals, AnErrorInTheWrapperLeavesTheKernel) {
  const ImportedCuda imported =
      import(kernels + "torch::Tensor f(torch::Tensor x) { return undefined(x); }\n");
  EXPECT_TRUE(imported.errors.empty()) << describe(imported.errors);
  ASSERT_GE(imported.module.kernels.size(), 1U);
  EXPECT_GE(imported.module.kernels[0].function, 0) << describe(imported.module.kernels[0].rejections);
}

} // namespace
} // namespace plumbline::cuda::test

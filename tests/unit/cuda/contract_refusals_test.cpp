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
    "__global__ void refused(float* y) { __syncthreads(); y[0] = 1; }\n"
    "__global__ void flagged(float* y, bool b) { y[0] = b; }\n"
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
    {"hidden-output", "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x);\n"
                      "  two(x, y, z); return y; }"},
    {"host-branch",
     "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 4;\n"
     "  /*^*/if (x.dim() > 1) n = 8;\n  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n"
     "  return y; }"},
    {"host-branch", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                    "  /*^*/if (x.numel() < 100) return y;\n" LAUNCH " return y; }"},
    {"host-call",
     "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); /*^*/mystery(x);\n" LAUNCH
     " return y; }"},
    {"host-call",
     "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); /*^*/y.fill_(3);\n" LAUNCH
     " return y; }"},
    {"host-statement", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 1;\n"
                       "  int m = /*^*/n++;\n  k<<<n, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n"
                       "  return y; }"},
    {"host-call", "torch::Tensor f(torch::Tensor x) { auto y = torch::zeros_like(x);\n"
                  "  cudaError_t e = /*^*/cudaMemset(y.data_ptr(), 1, 4);\n" LAUNCH " return y; }"},
    {"host-call", "torch::Tensor f(torch::Tensor x) { auto y = torch::zeros_like(x);\n"
                  "  auto z = /*^*/y.fill_(1);\n" LAUNCH " return y; }"},
    {"host-branch", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                    "  /*^*/if (x.numel() == 0 && x.is_cuda()) return y;\n" LAUNCH " return y; }"},
    {"host-syntax", "torch::Tensor f(torch::Tensor x) {\n"
                    "  k<<<1, 32>>>(x.data_ptr<float>(), /*^*/unknown, 32);\n  return x; }"},
    {"host-loop", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 1;\n"
                  "  /*^*/while (n < 32) n = n * 2;\n" LAUNCH " return y; }"},
    {"host-statement", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 1;\n"
                       "  /*^*/n += 31;\n" LAUNCH " return y; }"},
    {"host-syntax", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                    "  /*^*/no_such_name(x);\n" LAUNCH " return y; }"},
    {"host-value",
     "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
     "  k<<</*^*/x.stride(0), 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32); return y; }"},
    {"host-value", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                   "  auto z = /*^*/x.clone();\n"
                   "  k<<<1, 32>>>(z.data_ptr<float>(), y.data_ptr<float>(), 32); return y; }"},
    {"kernel-argument",
     "void f(torch::Tensor x) { flagged<<<1, 1>>>(x.data_ptr<float>(), /*^*/x.is_contiguous()); }"},
    {"kernel-argument", "void f(torch::Tensor x) { ints<<<1, 1>>>(/*^*/(int*)x.data_ptr()); }"},
    {"kernel-rejected",
     "torch::Tensor f(torch::Tensor x) { /*^*/refused<<<1, 32>>>(x.data_ptr<float>()); return x; }"},
    {"launch-in-branch", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                         "  /*^*/if (x.dim() > 1) { " LAUNCH " }\n  return y; }"},
    {"launch-in-loop", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                       "  /*^*/for (int j = 0; j < 3; ++j) { " LAUNCH " }\n  return y; }"},
    {"launch-not-read", "torch::Tensor f(torch::Tensor x) /*^*/{ auto y = torch::empty_like(x);\n"
                        "  auto run = [&] { " LAUNCH " };\n  return y; }"},
    {"no-output", "void f(torch::Tensor x) { /*^*/reader<<<1, 1>>>(x.data_ptr<float>()); }"},
    {"not-instantiated", "template <class T> /*^*/__global__ void generic(T* y) { y[0] = 1; }"},
    {"returned-value", "torch::Tensor f(torch::Tensor x, torch::Tensor y) { " LAUNCH "\n  /*^*/return x; }"},
    {"scalar-conversion", "void f(torch::Tensor x, double s) { const float r = s;\n"
                          "  scale<<<1, 1>>>(x.data_ptr<float>(), r, /*^*/r); }"},
    {"scratch-buffer", "void f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                       "  k<<<1, 32>>>(x.data_ptr<float>(), /*^*/y.data_ptr<float>(), 32); }"},
    {"several-launches", "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x);\n"
                         "  /*^*/" LAUNCH "\n  " LAUNCH "\n  return y; }"},
    {"wrapper-parameter",
     "torch::Tensor f(torch::Tensor x, /*^*/uint64_t n) { auto y = torch::empty_like(x);\n"
     "  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); return y; }"},
};

TEST(ContractRefusals, AreNamedAtTheirPlace) {
  for (const Row& row : rows) {
    std::string wrapper = row.wrapper;
    if (std::string(row.id) == "hidden-output")
      wrapper = "__global__ void both(const float* x, float* y, float* z) { y[0] = x[0]; z[0] = x[0]; }\n"
                "torch::Tensor f(torch::Tensor x, torch::Tensor z) { auto y = torch::empty_like(x);\n"
                "  /*^*/both<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>(), z.data_ptr<float>());\n"
                "  return y; }";
    const Marked source(kernels + wrapper + "\n");
    SCOPED_TRACE(source.text);
    const ImportedCuda imported = import(source.text);
    EXPECT_TRUE(imported.launches.empty());
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

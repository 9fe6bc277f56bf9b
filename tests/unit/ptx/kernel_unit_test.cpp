// Which part of a source is device code, and that it keeps its place.
#include "core/cuda/ptx/kernel_unit.h"

#include <gtest/gtest.h>

namespace plumbline::cuda {
namespace {

/// The unit without blank lines and without spaces at the ends of lines: what remains, readable.
std::string rest(const std::string& source, const std::vector<std::string>& instantiations = {}) {
  std::string text;
  std::string line;
  for (const char c : kernelUnit(source, instantiations) + "\n") {
    if (c != '\n') {
      line += c;
      continue;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line.empty() ? "" : line + "\n";
    line.clear();
  }
  return text;
}

TEST(KernelUnit, HostCodeBecomesBlankInPlace) {
  const std::string source = "#include <torch/extension.h>\n"
                             "__global__ void k(float* x) { x[0] = 1; }\n"
                             "torch::Tensor run(torch::Tensor x) {\n"
                             "  k<<<1, 1>>>(x.data_ptr<float>());\n"
                             "  return x;\n"
                             "}\n";
  const std::string unit = kernelUnit(source, {});
  ASSERT_EQ(unit.size(), source.size());
  for (size_t i = 0; i < unit.size(); ++i)
    EXPECT_TRUE(unit[i] == source[i] || (unit[i] == ' ' && source[i] != '\n')) << i;
  EXPECT_EQ(rest(source), "__global__ void k(float* x) { x[0] = 1; }\n");
}

TEST(KernelUnit, KeepsWhatDeviceCodeMayNeed) {
  for (const std::string kept :
       {"#include <cuda_fp16.h>\n",
        "#define N 4\n",
        "using T = float;\n",
        "typedef int I;\n",
        "constexpr int N = 3;\n",
        "const int A[] = {1, 2};\n",
        "static const float c = 0.5f;\n",
        "struct S { int a; };\n",
        "struct alignas(16) V { float a[4]; };\n",
        "enum class E { A, B };\n",
        "__constant__ float w[4];\n",
        "static_assert(sizeof(int) == 4, \"int\");\n",
        "__device__ float f(float x) { return x; }\n",
        "static inline __host__ __device__ int g() { return 1; }\n",
        "constexpr int h(int n) { return n + 1; }\n",
        "template <typename T, int N = (3 > 2)> __device__ T t(T x) { return x; }\n",
        "template <class T> struct Op { T operator()(T x) const; };\n",
        "extern \"C\" __global__ void k() { }\n",
        "namespace a {\n__device__ int f() { return 1; }\n}\n",
        "#pragma once\n",
        "__launch_bounds__(256) __global__ void k() { }\n",
        "extern \"C\" {\n__global__ void k() { }\n}\n",
        "__global__ void k() { const char* s = R\"x(} \" )x\"; char c = '}'; } // }\n",
        "union U { int a; float b; };\n"})
    EXPECT_EQ(rest(kept), kept);
}

TEST(KernelUnit, DropsWhatIsForTheHost) {
  for (const std::string dropped :
       {"#include <ATen/cuda/CUDAContext.h>\n", "# include \"torch/types.h\"\n", "#include <cublas_v2.h>\n",
        "torch::Tensor f(torch::Tensor x);\n", "static int cache = 3;\n", "int main() { return 0; }\n",
        "void f(std::vector<int> v = {1, 2}) { if (v.empty()) { } }\n",
        "template <typename T> void launch(T* x) { k<T><<<1, 1>>>(x); }\n",
        "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"f\", &f); }\n", "using namespace torch;\n",
        "namespace py = pybind11;\n", "struct Cache { torch::Tensor t; };\n", "using Tensor = at::Tensor;\n"})
    EXPECT_EQ(rest(dropped), "") << dropped;
}

TEST(KernelUnit, HostCodeInsideNamespacesGoes) {
  EXPECT_EQ(
      rest("namespace a { namespace {\nint f() { return 1; }\n__global__ void k() { }\n} }\nint g() { }\n"),
      "namespace a { namespace {\n__global__ void k() { }\n} }\n");
}

TEST(KernelUnit, MacrosThatMakeDeviceCodeStay) {
  const std::string source = "#define DEV __device__ __forceinline__\n"
                             "#define OP(name) DEV float name(float x) \\\n  { return x; }\n"
                             "OP(one)\n"
                             "OP(two);\n"
                             "DEV int three() { return 3; }\n";
  EXPECT_EQ(rest(source + "int host() { return 1; }\n"), source);
}

TEST(KernelUnit, TemplatesAreUsedBehindTheirDefinition) {
  const std::string scale = "template <class T> __global__ void scale(T* x) { x[0] *= 2; }";
  EXPECT_EQ(
      rest("namespace n {\n" + scale + "\n}\n", {"scale<float>", "scale<double>", "other<int>", "scale"}),
      "namespace n {\n" + scale +
          " static const auto plumbline_use_0 = scale<float>; static const auto plumbline_use_1 = "
          "scale<double>;\n}\n");
}

/// Anything may stand in a file; the compiler is the one to complain.
TEST(KernelUnit, AnyTextEnds) {
  for (const std::string text :
       {"}", "{", "((", "\"", "'", "R\"(", "/*", "template <", "#define", "#include <", "a = {",
        "namespace a {", "struct", "__global__ void k(", "#define A A\nA(", "\\", "R\"xx"})
    EXPECT_EQ(kernelUnit(text, {"k<int>"}).size(), text.size()) << text;
  const std::string deep = std::string("namespace a {") + std::string(100000, '{');
  EXPECT_EQ(kernelUnit(deep, {}).size(), deep.size());
  std::string nested;
  for (int i = 0; i < 100000; ++i)
    nested += "namespace a {";
  EXPECT_EQ(kernelUnit(nested, {}).size(), nested.size());
}

} // namespace
} // namespace plumbline::cuda

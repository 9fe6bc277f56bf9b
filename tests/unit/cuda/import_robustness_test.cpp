// Bad input is an answer or a named error, never a crash of the child.
#include "tests/unit/cuda/import_fixture.h"

#include <csignal>
#include <random>

namespace plumbline::cuda::test {
namespace {

const std::string good =
    "#include <torch/extension.h>\n"
    "template <typename T> __device__ __forceinline__ T relu(T v) { return v > T(0) ? v : T(0); }\n"
    "template <typename T> __global__ void k(const T* __restrict__ x, T* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = relu(x[i]) * (T)0.5;\n}\n"
    "torch::Tensor f(torch::Tensor x) {\n  TORCH_CHECK(x.is_cuda(), \"cuda\");\n"
    "  auto y = torch::empty_like(x);\n  int n = x.numel();\n"
    "  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), \"k\", ([&] {\n"
    "    k<scalar_t><<<(n + 255) / 256, 256>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n);\n"
    "  }));\n  return y;\n}\n"
    "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"f\", &f, \"relu\"); }\n";

TEST(ImportRobustness, EmptySourceIsANamedError) {
  Expected<CudaImporter> importer = CudaImporter::start();
  ASSERT_TRUE(importer);
  for (const char* text : {"", " \n\t\r\n"}) {
    const Expected<ImportedCuda> imported = importer->importSource(text, "empty.cu", limit());
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().id, "empty-source");
    EXPECT_EQ(imported.error().kind, ErrorKind::File);
  }
  EXPECT_TRUE(importer->importSource("// nothing\n", "comment.cu", limit()));
}

TEST(ImportRobustness, AKilledChildIsANamedError) {
  Expected<CudaImporter> importer = CudaImporter::start();
  ASSERT_TRUE(importer);
  ASSERT_TRUE(importer->importSource(good, "good.cu", limit()));
  ASSERT_EQ(::kill(importer->pid(), SIGKILL), 0);
  const Expected<ImportedCuda> imported = importer->importSource(good, "good.cu", limit());
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().id, "child-died");
}

TEST(ImportRobustness, ACancelledRequestIsATimeout) {
  Expected<CudaImporter> importer = CudaImporter::start();
  ASSERT_TRUE(importer);
  StopToken stop;
  stop.requestStop();
  const Expected<ImportedCuda> imported = importer->importSource(good, "good.cu", stop);
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().id, "timeout");
}

TEST(ImportRobustness, SyntaxErrorsStandAtTheirPlace) {
  const Marked source("__global__ void k(float* y) {\n  y[0] = /*^*/);\n}\n");
  const ImportedCuda imported = import(source.text);
  const Rejection* error = find(imported.errors, "cuda-syntax");
  ASSERT_TRUE(error) << describe(imported.errors);
  EXPECT_EQ(error->where.line, source.line);
  EXPECT_EQ(error->where.column, source.column);
}

TEST(ImportRobustness, RequestsAreIndependent) {
  import("__device__ float helper(float v) { return v; }\n#define float double\n");
  const ImportedCuda imported = import("__global__ void k(float* y) { y[0] = helper(1); }\n");
  EXPECT_TRUE(find(imported.errors, "cuda-syntax"));
  ASSERT_EQ(imported.module.kernels.size(), 1U);
}

TEST(ImportRobustness, EveryPrefixOfAGoodSource) {
  ASSERT_EQ(import(good).launches.size(), 1U);
  for (size_t length = 1; length < good.size(); length += 7) {
    const ImportedCuda imported = import(good.substr(0, length));
    ASSERT_FALSE(HasFailure()) << "prefix of " << length;
    // A torn kernel is never taken for a whole one.
    if (length < good.find("}\ntorch"))
      for (const ir::Kernel& kernel : imported.module.kernels)
        EXPECT_EQ(kernel.function, -1) << length;
  }
}

TEST(ImportRobustness, RandomBytesAndTokens) {
  std::mt19937 random(20240607);
  const std::vector<std::string> tokens = {
      "__global__", "void",      "k",          "(",   ")",      "{",        "}",     "<<<",
      ">>>",        "template",  "<",          ">",   "class",  "T",        "float", "*",
      "y",          "[",         "]",          "=",   "0",      ";",        "if",    "return",
      "for",        "1e-3f",     "\"",         "#",   "define", "\n",       "::",    "torch",
      "?",          ":",         "__shared__", "asm", "~",      "operator", "new",   "struct",
      "S",          "constexpr", "auto",       "&&",  "...",    "decltype"};
  for (int round = 0; round < 100; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i)
      if (round % 2 == 0)
        text += tokens[random() % tokens.size()] + " ";
      else
        text += static_cast<char>(random() % 256);
    import("x" + text);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST(ImportRobustness, MutatedSources) {
  std::mt19937 random(77);
  for (int round = 0; round < 120; ++round) {
    std::string text = good;
    for (int edit = 0; edit < 3; ++edit) {
      const size_t at = random() % text.size();
      const size_t from = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, random() % 12);
      else
        text.insert(at, text.substr(from, random() % 24));
    }
    import(text);
    ASSERT_FALSE(HasFailure()) << "round " << round << "\n" << text;
  }
}

TEST(ImportRobustness, DeepNesting) {
  const std::string parentheses(5000, '(');
  EXPECT_FALSE(import("__global__ void k(float* y) { y[0] = " + parentheses + "1; }").errors.empty());
  std::string braces = "__global__ void k(float* y) ";
  braces += std::string(5000, '{');
  EXPECT_FALSE(import(braces).errors.empty());
  std::string sum = "__global__ void k(float* y) { y[0] = 1.0f";
  for (int i = 0; i < 20000; ++i)
    sum += " + y[1]";
  const ImportedCuda imported = import(sum + "; }");
  ASSERT_EQ(imported.module.kernels.size(), 1U);
  EXPECT_EQ(imported.module.kernels[0].function, -1);
}

} // namespace
} // namespace plumbline::cuda::test

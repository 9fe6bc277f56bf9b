// Which way through a wrapper a comparison is about, and what a recorded class shows of its wrappers.
#include "core/session/check_pool.h"
#include "core/session/wrapper_ways.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace plumbline::session {
namespace {

namespace fs = std::filesystem;

const std::string imports = "import torch\nimport torch.nn as nn\n"
                            "from torch.utils.cpp_extension import load_inline\n";
const std::string kernels = "#include <torch/extension.h>\n"
                            R"(
__global__ void neg(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = -x[i];
}
__global__ void same(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
)";

class WrapperWays : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    s_folder = fs::temp_directory_path() / ("ways" + std::to_string(::getpid()));
    fs::create_directories(s_folder);
  }
  static void TearDownTestSuite() { fs::remove_all(s_folder); }

  static std::string file(const std::string& text, const std::string& ending) {
    static int count = 0;
    const std::string path = (s_folder / ("w" + std::to_string(++count) + ending)).string();
    EXPECT_TRUE(writeFile(path, text));
    return path;
  }

  static std::string candidate(const std::string& wrapper, const std::string& functions,
                               const std::string& forward) {
    return file(imports + "cuda = r'''" + kernels + wrapper +
                    "'''\next = load_inline(name='e', cpp_sources='', " + "cuda_sources=cuda, functions=[" +
                    functions + "], extra_cuda_cflags=['-O3'])\n" +
                    "class ModelNew(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
                    "        self.w = nn.Parameter(torch.ones(7))\n        self.extra = "
                    "nn.Parameter(torch.ones(3))\n" +
                    "    def forward(self, x):\n        return " + forward + "\n",
                ".py");
  }

  static CheckOutcome check(const std::string& kernel, const std::string& forward) {
    static CheckPool pool;
    CheckOptions options;
    options.model = file(imports + "class Model(nn.Module):\n    def forward(self, x): return " + forward +
                             "\ndef get_inputs(): return [torch.randn(40, 5)]\n",
                         ".py");
    options.kernel = kernel;
    options.timeout = std::chrono::seconds(60);
    return runCheck(options, pool, {}, {});
  }

  static inline fs::path s_folder;
};

const std::string byRank = R"(
torch::Tensor f(torch::Tensor x, int64_t kind) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  if (kind == 1 && x.dim() == 2) {
    neg<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  } else {
    same<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  }
  return y;
}
)";

/// The call decides which of two launches it is.
TEST_F(WrapperWays, TheCallChooses) {
  const CheckOutcome negated = check(candidate(byRank, "'f'", "ext.f(x, 1)"), "-x");
  ASSERT_EQ(negated.verdict.readings.size(), 1U);
  EXPECT_EQ(negated.verdict.readings[0].relation, Relation::Equal)
      << (negated.verdict.error ? negated.verdict.error->message : negated.verdict.readings[0].reason);
  const CheckOutcome copied = check(candidate(byRank, "'f'", "ext.f(x, 2)"), "-x");
  ASSERT_EQ(copied.verdict.readings.size(), 1U);
  EXPECT_EQ(copied.verdict.readings[0].relation, Relation::Different);
}

TEST_F(WrapperWays, WithoutACallNothingIsGuessed) {
  const CheckOutcome outcome = check(file(kernels + byRank, ".cu"), "-x");
  ASSERT_TRUE(outcome.verdict.error);
  EXPECT_EQ(outcome.verdict.error->id, "several-ways") << outcome.verdict.error->message;
}

/// A launch among several is never taken for the whole wrapper.
TEST_F(WrapperWays, WhatGoesBeyondOneLaunchIsNamed) {
  const std::string two =
      "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n  int n = x.numel();\n"
      "  neg<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n  MORE"
      "  return y;\n}\n";
  const auto with = [&](const std::string& more) {
    std::string text = two;
    return file(kernels + text.replace(text.find("MORE"), 4, more), ".cu");
  };
  EXPECT_EQ(check(with(""), "-x").verdict.readings[0].relation, Relation::Equal);
  for (const auto& [more, id] :
       {std::pair{"same<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>(), 1);\n", "several-launches"},
        {"y.add_(1);\n", "torch-operator"},
        {"y = y * 2;\n", "torch-operator"},
        {"auto s = torch::empty_like(x); same<<<1, 1>>>(y.data_ptr<float>(), s.data_ptr<float>(), 1);\n",
         "several-launches"}}) {
    for (const char* kernel : {"", "neg"}) { // naming a kernel does not make the rest go away
      static CheckPool pool;
      CheckOptions options;
      options.model = file(imports + "class Model(nn.Module):\n    def forward(self, x): return -x\n"
                                     "def get_inputs(): return [torch.randn(40, 5)]\n",
                           ".py");
      options.kernel = with(more);
      options.kernelName = kernel;
      options.timeout = std::chrono::seconds(60);
      const CheckOutcome outcome = runCheck(options, pool, {}, {});
      ASSERT_TRUE(outcome.verdict.error) << more;
      EXPECT_EQ(outcome.verdict.error->id, id) << more;
    }
  }
}

TEST_F(WrapperWays, ARecordedClassShowsItsWrappersAndTheRest) {
  CheckOptions options;
  options.kernel = candidate(R"(
torch::Tensor halved(torch::Tensor x, double by) {
  auto y = torch::empty({x.size(0) / 2, x.size(1)}, x.options());
  int n = y.numel();
  neg<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
)",
                             "'halved'", "ext.halved(torch.sin(x), 0.5).sum(-1) + 1");
  options.model =
      file(imports + "class Model(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                     "        self.w = nn.Parameter(torch.ones(7))\n"
                     "        self.v = nn.Parameter(torch.ones(3))\n"
                     "        self.u = nn.Parameter(torch.ones(9))\n"
                     "    def forward(self, x): return x\n"
                     "def get_inputs(): return [torch.randn(40, 5)]\n",
           ".py");
  options.mode = "train";
  ImportChildren children;
  const Expected<ImportChildren::Recorded> read = children.recordClass(options, "ModelNew", {});
  ASSERT_TRUE(read) << toString(read.error());
  std::vector<std::string> targets;
  for (const torch::Node& node : read->recorded.graph.nodes)
    targets.push_back(node.target);
  EXPECT_EQ(targets, (std::vector<std::string>{"aten.sin.default", "plumbline_wrapper.halved.default",
                                               "aten.sum.dim_IntList", "aten.add.Tensor"}));
  EXPECT_EQ(read->candidate.imported.flags, std::vector<std::string>{"-O3"});
  ASSERT_EQ(read->recorded.parameters.size(), 2U);
  for (const torch::RecordedClass::Parameter& parameter : read->recorded.parameters) {
    EXPECT_EQ(parameter.model, parameter.key == "w" ? "w" : "v");
    EXPECT_EQ(parameter.by, parameter.key == "w" ? "name" : "order");
  }
  EXPECT_EQ(read->recorded.left, std::vector<std::string>{"u"});
}

TEST_F(WrapperWays, ARecordingNamesWhatItCannotKnow) {
  const std::string model = file(imports + "class Model(nn.Module):\n    def forward(self, x): return x\n"
                                           "def get_inputs(): return [torch.randn(40, 5)]\n",
                                 ".py");
  const std::string inPlace =
      "torch::Tensor f(torch::Tensor x) {\n  int n = x.numel();\n"
      "  auto y = torch::empty_like(x);\n"
      "  neg<<<1, 32>>>(y.data_ptr<float>(), x.data_ptr<float>(), n);\n  return x;\n}\n";
  const std::string ofTorch =
      "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::matmul(x, x);\n  int n = y.numel();\n"
      "  auto z = torch::empty_like(y);\n"
      "  neg<<<1, 32>>>(y.data_ptr<float>(), z.data_ptr<float>(), n);\n  return z;\n}\n";
  const std::string unread =
      "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n  int n = x.numel();\n"
      "  for (int i = 0; i < n; ++i)\n"
      "    neg<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n  return y;\n}\n";
  for (const auto& [wrapper, words] :
       {std::pair{inPlace, "in place"}, {ofTorch, "shape is torch's"}, {unread, "was not read"}}) {
    CheckOptions options;
    options.kernel = candidate(wrapper, "'f'", "ext.f(x)");
    options.model = model;
    ImportChildren children;
    const Expected<ImportChildren::Recorded> read = children.recordClass(options, "ModelNew", {});
    ASSERT_FALSE(read) << words;
    EXPECT_EQ(read.error().id, "call-unread") << read.error().message;
    EXPECT_NE(read.error().message.find(words), std::string::npos) << read.error().message;
  }
}

} // namespace
} // namespace plumbline::session

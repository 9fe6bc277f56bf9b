// Whole checks of Python candidates: the call that forward() makes decides what is compared.
#include "core/session/check_pool.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace plumbline::session {
namespace {

namespace fs = std::filesystem;

CheckPool& pool() {
  static CheckPool shared;
  return shared;
}

const std::string imports = "import torch\nimport torch.nn as nn\n"
                            "from torch.utils.cpp_extension import load_inline\n";
const std::string model = "class Model(nn.Module):\n    def forward(self, x, y): return x - y\n"
                          "def get_inputs(): return [torch.randn(100), torch.randn(100)]\n";
const std::string cuda = "#include <torch/extension.h>\n"
                         R"(
__global__ void k(const float* a, const float* b, float* out, int n, float s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] - s * b[i];
}
__global__ void into(float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] - b[i];
}
torch::Tensor scaled(torch::Tensor x, torch::Tensor y, double s = 1.0) {
  TORCH_CHECK(y.sizes() == x.sizes(), "y must have the shape of x");
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), n, s);
  return out;
}
void nothing(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(y.sizes() == x.sizes(), "y must have the shape of x");
  int n = x.numel();
  into<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
}
torch::Tensor other(torch::Tensor x, torch::Tensor y, double s) { return x; }
)";
const std::string ownModule = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"f\", &scaled, \"f\"); "
                              "m.def(\"none\", &nothing); m.def(\"g\", &other); }\n";

class CandidateCall : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    s_folder = fs::temp_directory_path() / ("candidate" + std::to_string(::getpid()));
    fs::create_directories(s_folder);
  }
  static void TearDownTestSuite() { fs::remove_all(s_folder); }

  static std::string file(const std::string& text) {
    static int count = 0;
    const std::string path = (s_folder / ("c" + std::to_string(++count) + ".py")).string();
    EXPECT_TRUE(writeFile(path, imports + text));
    return path;
  }

  /// A candidate with its own module whose forward(x, y) returns `result`.
  static Verdict check(const std::string& result, const std::string& takes = "x, y") {
    return checkText("mod = load_inline('e', '', r'''" + cuda + ownModule +
                     "''')\nclass ModelNew(nn.Module):\n    def forward(self, " + takes + "): return " +
                     result + "\n");
  }
  static Verdict checkText(const std::string& text) {
    CheckOptions options;
    options.model = file(model);
    options.kernel = file(text);
    return runCheck(options, pool(), {}, {}).verdict;
  }
  static void expectUnread(const Verdict& verdict, const std::string& names) {
    EXPECT_EQ(overall(verdict), Relation::Undetermined);
    EXPECT_EQ(exitCode(verdict, {}), 3);
    ASSERT_FALSE(verdict.rejections.empty()) << reasonOf(verdict);
    EXPECT_EQ(verdict.rejections[0].id, "call-unread");
    EXPECT_NE(verdict.rejections[0].construct.find(names), std::string::npos)
        << verdict.rejections[0].construct;
  }

  static fs::path s_folder;
};

fs::path CandidateCall::s_folder;

TEST_F(CandidateCall, TheArgumentsDecide) {
  const Verdict equal = check("mod.f(x, y, 1.0)");
  EXPECT_EQ(overall(equal), Relation::Equal) << reasonOf(equal);
  for (const char* call : {"mod.f(y, x, 1.0)", "mod.f(x, y, 1.5)", "mod.f(x, x, 1.0)"}) {
    const Verdict verdict = check(call);
    EXPECT_EQ(overall(verdict), Relation::Different) << call << ": " << reasonOf(verdict);
  }
}

TEST_F(CandidateCall, WithNamesOfFunctions) {
  const std::string head =
      "mod = load_inline('e', 'torch::Tensor scaled(torch::Tensor x, torch::Tensor y, double s);', r'''" +
      cuda + "''', ['scaled'])\nclass ModelNew(nn.Module):\n    def forward(self, x, y): return ";
  const Verdict equal = checkText(head + "mod.scaled(x.contiguous(), y.cuda(), 1.0)\n");
  EXPECT_EQ(overall(equal), Relation::Equal) << reasonOf(equal);
  const Verdict swapped = checkText(head + "mod.scaled(y, x, 1.0)\n");
  EXPECT_EQ(overall(swapped), Relation::Different) << reasonOf(swapped);
}

TEST_F(CandidateCall, WhatForwardAlsoDoesIsNotCompared) {
  expectUnread(check("mod.f(x, y, 1.0) * 3"), "mul");
  expectUnread(check("mod.f(x.cpu(), y, 1.0)"), "cpu");
  expectUnread(check("mod.f(x, y)"),
               "takes 3"); // a default argument of the C++ function is no default in Python
  expectUnread(check("mod.f(x, x, 1.0)", "x"), "takes 1 tensors");
  expectUnread(checkText("mod = load_inline('e', '', r'''" + cuda + ownModule + "''')\n"), "ModelNew");
}

TEST_F(CandidateCall, AResultThatIsNoneIsNotCompared) {
  expectUnread(check("mod.none(x, y)"), "returns nothing");
}

TEST_F(CandidateCall, AFunctionWithoutLaunchIsNotReplacedByAnother) {
  const Verdict verdict = check("mod.g(x, y, 1.0)");
  EXPECT_EQ(overall(verdict), Relation::Undetermined);
  EXPECT_GE(exitCode(verdict, {}), 3);
}

TEST_F(CandidateCall, ALaunchFileReplacesTheCall) {
  CheckOptions options;
  options.model = file(model);
  options.kernel = file("mod = load_inline('e', '', r'''" + cuda + ownModule + "''')\n");
  options.kernelName = "k";
  options.launchFile = (s_folder / "launch.json").string();
  EXPECT_TRUE(writeFile(options.launchFile, R"json({"schema": 1, "kernels": {"k": {
    "block": [256], "grid": ["ceil(n / 256)"], "symbols": {"n": [1, 1073741824]},
    "buffers": {"a": {"len": "n", "align": 4, "role": "input"}, "b": {"len": "n", "align": 4, "role": "input"},
                "out": {"len": "n", "align": 4, "role": "output"}},
    "scalars": {"n": "n", "s": 1.0}
}
}
})json"));
  const Verdict verdict = runCheck(options, pool(), {}, {}).verdict;
  EXPECT_EQ(overall(verdict), Relation::Equal) << reasonOf(verdict);
}

} // namespace
} // namespace plumbline::session

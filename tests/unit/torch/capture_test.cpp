// The Python child: needs an interpreter that imports torch.
#include "core/torch/capture.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace plumbline::torch {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

class Capture : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    s_folder = (fs::temp_directory_path() / ("capture" + std::to_string(::getpid()))).string();
    fs::create_directories(s_folder);
    auto started = PythonCapture::start();
    ASSERT_TRUE(started) << toString(started.error());
    s_python = new PythonCapture(std::move(*started));
  }
  static void TearDownTestSuite() {
    delete s_python;
    s_python = nullptr;
    fs::remove_all(s_folder);
  }

  static std::string file(const std::string& text) {
    static int count = 0;
    const std::string path = s_folder + "/m" + std::to_string(++count) + ".py";
    EXPECT_TRUE(writeFile(path, "import torch\nimport torch.nn as nn\n" + text));
    return path;
  }

  static Expected<Graph> model(const std::string& text, const std::string& mode = "train", int limit = 60) {
    return s_python->captureModel(file(text), mode, StopToken().withTimeout(seconds(limit)));
  }
  static Expected<CandidateSource> candidate(const std::string& text) {
    return s_python->captureCandidate(file(text), StopToken().withTimeout(seconds(60)));
  }

  static PythonCapture* s_python;
  static std::string s_folder;
};

PythonCapture* Capture::s_python = nullptr;
std::string Capture::s_folder;

const std::string simple = R"(
class Model(nn.Module):
    def __init__(self, slope=0.01):
        super().__init__()
        self.slope = slope
        self.drop = nn.Dropout(0.5)
    def forward(self, x):
        return self.drop(torch.nn.functional.leaky_relu(x, self.slope))
def get_inputs():
    return [torch.randn(64, 64)]
def get_init_inputs():
    return [0.25]
)";

TEST_F(Capture, ModelWithSymbolicSizes) {
  auto graph = model(simple);
  ASSERT_TRUE(graph) << toString(graph.error());
  EXPECT_EQ(graph->mode, "train");
  EXPECT_EQ(graph->symbols.size(), 2U) << "equal captured sizes are different symbols";
  ASSERT_EQ(graph->nodes.size(), 2U);
  EXPECT_EQ(std::get<FloatScalar>(*findArgument(graph->nodes[0], "negative_slope")).text, "0.25");
  EXPECT_EQ(std::get<bool>(*findArgument(graph->nodes[1], "train")), true);
  auto eval = model(simple, "eval");
  ASSERT_TRUE(eval);
  EXPECT_EQ(std::get<bool>(*findArgument(eval->nodes[1], "train")), false);
}

TEST_F(Capture, InputsAreNotComputed) {
  auto graph = model(R"(
class Model(nn.Module):
    def forward(self, x): return torch.relu(x)
def get_inputs(): return [torch.randn(1 << 20, 1 << 20)]
)");
  ASSERT_TRUE(graph) << toString(graph.error());
  EXPECT_EQ(graph->hints.at("s0"), 1 << 20);
}

TEST_F(Capture, ConstantsOfTheProgram) {
  auto graph = model(R"(
class Model(nn.Module):
    def forward(self, x): return x * torch.tensor(0.5)
def get_inputs(): return [torch.randn(8)]
)");
  ASSERT_TRUE(graph) << toString(graph.error());
  ASSERT_EQ(graph->constants.size(), 1U);
  EXPECT_EQ(graph->constants.begin()->second.bits, std::vector<uint32_t>{0x3F000000});
}

TEST_F(Capture, PrintingDoesNotDisturb) {
  auto graph = model("import os, sys\nprint('{\"id\": 1}')\nsys.stdout.flush()\nos.write(1, b'raw\\n')\n"
                     "os.system('echo shell')\nsys.__stdout__.write('x\\n')\n" +
                     simple);
  EXPECT_TRUE(graph) << toString(graph.error());
}

TEST_F(Capture, ErrorsOfTheFile) {
  for (const char* text : {"import sys\nsys.exit(0)\n", "raise RuntimeError('boom')\n", "def f(:\n",
                           "1 / 0\n", "raise KeyboardInterrupt\n", "class Model(nn.Module): pass\n"}) {
    auto graph = model(text);
    ASSERT_FALSE(graph) << text;
    EXPECT_EQ(graph.error().id, "capture-failed") << text;
  }
  auto graph = model("x = 1\nraise RuntimeError('boom')\n");
  EXPECT_NE(graph.error().message.find("boom"), std::string::npos);
  ASSERT_TRUE(graph.error().where.has_value());
  EXPECT_EQ(graph.error().where->line, 4); // after the two lines that every file starts with
  EXPECT_TRUE(model(simple)) << "the child goes on";
  EXPECT_EQ(s_python->captureModel("/nonexistent.py", "train", {}).error().id, "file-not-found");
}

TEST_F(Capture, EndlessLoopIsStopped) {
  auto graph = model("while True: pass\n", "train", 4);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().id, "timeout");
  EXPECT_TRUE(model(simple)) << "another child is started";
}

TEST_F(Capture, ChildThatDies) {
  auto graph = model("import os\nos._exit(3)\n");
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().id, "child-died");
  EXPECT_TRUE(model(simple));
}

const std::string extension = R"(
from torch.utils.cpp_extension import load_inline
ext = load_inline(name="e", cpp_sources="torch::Tensor f(torch::Tensor x, double s);", cuda_sources="__global__ void k() {}",
                  functions=["f"], extra_cuda_cflags=["--use_fast_math"])
class ModelNew(nn.Module):
    def __init__(self, slope=0.02):
        super().__init__()
        self.slope = slope
        self.weight = nn.Parameter(torch.ones(3))
        self.ext = ext
    def forward(self, x, y):
)";

TEST_F(Capture, OneWrapperCall) {
  auto source = candidate(extension + R"(
        if not y.is_contiguous():
            y = y.contiguous()
        return self.ext.f(y.cuda(), self.slope, x.contiguous().to("cuda"), 3, self.weight)
)");
  ASSERT_TRUE(source) << toString(source.error());
  EXPECT_EQ(source->cuda, "__global__ void k() {}");
  EXPECT_EQ(source->flags, std::vector<std::string>{"--use_fast_math"});
  EXPECT_EQ(source->functions, std::vector<std::string>{"f"});
  ASSERT_TRUE(source->call.has_value()) << source->unread;
  EXPECT_EQ(source->call->function, "f");
  const auto& arguments = source->call->arguments;
  ASSERT_EQ(arguments.size(), 5U);
  EXPECT_EQ(arguments[0].input, 1);
  EXPECT_EQ(arguments[1].number, 0.02);
  EXPECT_EQ(arguments[1].text, "0.02");
  EXPECT_EQ(arguments[2].input, 0);
  EXPECT_EQ(arguments[3].number, 3.0);
  EXPECT_EQ(arguments[4].parameter, "weight");
}

TEST_F(Capture, AnythingElseIsUnread) {
  const std::pair<const char*, const char*> forwards[] = {
      {"        return torch.relu(self.ext.f(x))\n", "torch.relu"},
      {"        return self.ext.f(x + y)\n", "add"},
      {"        return self.ext.f(x).view(-1)\n", "view"},
      {"        return self.ext.f(x, x.numel())\n", "numel"},
      {"        out = torch.empty_like(x)\n        self.ext.f(x, out)\n        return out\n", "empty_like"},
      {"        self.ext.f(x)\n        return self.ext.f(y)\n", "2 compiled"},
      {"        self.ext.f(x)\n        return x\n", "does not return"},
      {"        try:\n            z = x * 2\n        except Exception:\n            pass\n        return "
       "self.ext.f(x)\n",
       "mul"},
      {"        return self.ext.f(x) if x else y\n", "bool"},
      {"        self.n = getattr(self, 'n', 0) + 1\n        return self.ext.f(x, self.n)\n", "two runs"},
      {"        return x\n", "0 compiled"},
      {"        return self.ext.f(x, s=2.0)\n", "keyword"},
      {"        return self.ext.f(x.to(torch.float64))\n", "to"},
      {"        return self.ext.f([x])\n", "list"},
  };
  for (const auto& [forward, named] : forwards) {
    auto source = candidate(extension + forward);
    ASSERT_TRUE(source) << toString(source.error());
    EXPECT_FALSE(source->call.has_value()) << forward;
    EXPECT_NE(source->unread.find(named), std::string::npos) << forward << ": " << source->unread;
  }
}

TEST_F(Capture, NoCudaSource) {
  auto source = candidate("class ModelNew(nn.Module):\n    pass\n");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().id, "no-cuda-source");
}

TEST_F(Capture, EvaluateRunsTheGraph) {
  auto graph = model(R"(
class Model(nn.Module):
    def forward(self, x, y): return torch.relu(x) * y + 0.5
def get_inputs(): return [torch.randn(4, 4), torch.randn(4, 4)]
)");
  ASSERT_TRUE(graph) << toString(graph.error());
  const Json inputs = Json::parse(R"({
    "x": {"shape": [2, 2], "dtype": "float32", "bits": [1065353216, 3212836864, "0x7fc00000", 0]},
    "y": {"shape": [2, 2], "dtype": "float32", "bits": [1073741824, 1065353216, 0, 1065353216]}})");
  auto result = s_python->evaluate(*graph, inputs, StopToken().withTimeout(seconds(60)));
  ASSERT_TRUE(result) << toString(result.error());
  const Json& output = result->begin().value();
  EXPECT_EQ(output["shape"], Json::parse("[2, 2]"));
  EXPECT_EQ(output["bits"],
            Json::parse("[1075838976, 1056964608, 2143289344, 1056964608]")); // 2.5 0.5 NaN 0.5
  Json wrong = inputs;
  wrong["y"]["shape"] = Json::parse("[4]");
  EXPECT_EQ(s_python->evaluate(*graph, wrong, {}).error().id, "shape-mismatch");
}

TEST(Interpreter, Missing) {
  EXPECT_EQ(PythonCapture::start({"/nonexistent/python"}).error().id, "python-missing");
}

TEST(Interpreter, WithoutTorch) {
  const std::string folder = (fs::temp_directory_path() / ("notorch" + std::to_string(::getpid()))).string();
  fs::create_directories(folder);
  const std::string bare = folder + "/python";
  ASSERT_TRUE(writeFile(bare, "#!/bin/sh\nexec /usr/bin/python3 -I -S \"$@\"\n")); // no site packages
  fs::permissions(bare, fs::perms::owner_all);
  ASSERT_TRUE(writeFile(folder + "/m.py", simple));
  auto python = PythonCapture::start({bare});
  ASSERT_TRUE(python);
  auto graph = python->captureModel(folder + "/m.py", "train", StopToken().withTimeout(seconds(30)));
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().id, "torch-missing");
  auto second = PythonCapture::start({bare, "/usr/bin/python3"});
  ASSERT_TRUE(second);
  auto found = second->captureModel(folder + "/m.py", "train", StopToken().withTimeout(seconds(60)));
  EXPECT_FALSE(found.has_value()) << "the file itself imports nothing";
  EXPECT_EQ(found.error().id, "capture-failed");
  fs::remove_all(folder);
}

} // namespace
} // namespace plumbline::torch

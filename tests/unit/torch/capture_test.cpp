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

using Named = std::vector<std::pair<std::string, const char*>>; ///< a text and what the reason must name

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

  static void expectUnread(const std::string& before, const Named& texts) {
    for (const auto& [text, named] : texts) {
      auto source = candidate(before + text);
      ASSERT_TRUE(source) << text << toString(source.error());
      EXPECT_FALSE(source->call.has_value()) << text;
      EXPECT_NE(source->unread.find(named), std::string::npos) << text << ": " << source->unread;
    }
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

/// The call of a layer is the user's line, not the line of the layer in PyTorch.
TEST_F(Capture, NodesKnowTheirLine) {
  auto graph = model(R"(
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
    def forward(self, x):
        y = self.act(x)
        return y + 1.0
def get_inputs():
    return [torch.randn(4, 8)]
)");
  ASSERT_TRUE(graph) << toString(graph.error());
  ASSERT_EQ(graph->nodes.size(), 2U);
  EXPECT_TRUE(graph->nodes[0].where.file.starts_with(s_folder)) << graph->nodes[0].where.file;
  EXPECT_EQ(graph->nodes[0].where.line, 9); // two imports and an empty line stand before
  EXPECT_EQ(graph->nodes[0].where.text, "y = self.act(x)");
  EXPECT_EQ(graph->nodes[1].where.line, 10);
  EXPECT_EQ(graph->nodes[1].where.text, "return y + 1.0");
}

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
cuda = """
__global__ void k() {}
torch::Tensor f(torch::Tensor x) { return x; }
torch::Tensor g(const torch::Tensor& x, int64_t n) { return x; }
torch::Tensor h(torch::Tensor y, double s, at::Tensor x, int n, torch::Tensor weight) { return x; }
torch::Tensor b(torch::Tensor x, bool yes) { return x; }
torch::Tensor s(torch::Tensor x, float factor = 2.0f) { return x; }
"""
cpp = "".join(line.split("{")[0].replace(" = 2.0f", "") + ";" for line in cuda.split("\n") if "Tensor" in line)
ext = load_inline(name="e", cpp_sources=cpp, cuda_sources=cuda, functions=["f", "g", "h", "b", "s"],
                  extra_cuda_cflags=["--use_fast_math"])
class Through(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return ext.f(x)
count = 0
class ModelNew(nn.Module):
    def __init__(self, slope=0.02):
        super().__init__()
        self.slope = slope
        self.weight = nn.Parameter(torch.ones(3, device="cuda" if torch.cuda.is_available() else "cpu"))
        self.random = torch.rand(1).item()
        self.ext = ext
)";
const std::string twoInputs = extension + "    def forward(self, x, y):\n";

TEST_F(Capture, OneWrapperCall) {
  auto source = candidate(twoInputs + R"(
        if not y.is_contiguous():
            y = y.contiguous()
        return self.ext.h(y.cuda(), self.slope, x.contiguous().to("cuda"), 3, self.weight)
)");
  ASSERT_TRUE(source) << toString(source.error());
  EXPECT_NE(source->cuda.find("__global__ void k() {}"), std::string::npos);
  EXPECT_EQ(source->flags, std::vector<std::string>{"--use_fast_math"});
  EXPECT_EQ(source->functions.size(), 5U);
  EXPECT_EQ(source->functions["h"], "h");
  ASSERT_TRUE(source->call.has_value()) << source->unread;
  EXPECT_EQ(source->call->function, "h");
  EXPECT_EQ(source->call->inputs, 2);
  const auto& arguments = source->call->arguments;
  ASSERT_EQ(arguments.size(), 5U);
  EXPECT_EQ(arguments[0].input, 1);
  EXPECT_EQ(arguments[1].number, 0.02);
  EXPECT_EQ(arguments[1].text, "0.02");
  EXPECT_EQ(arguments[2].input, 0);
  EXPECT_EQ(arguments[3].number, 3.0);
  EXPECT_EQ(arguments[4].parameter, "weight");
}

TEST_F(Capture, FormsOfOneCall) {
  for (const char* forward : {
           "        return ext.f(x)\n",
           "        with torch.no_grad():\n            return ext.f(x.detach().to(x.device, "
           "torch.float32))\n",
           "        return Through.apply(x)\n",
           "        assert isinstance(x, torch.Tensor) and type(x) is torch.Tensor and x.is_cuda\n"
           "        assert x.dtype == torch.float32 and x.device.type == 'cuda' and "
           "torch.cuda.is_available()\n"
           "        out = ext.f(x.to(device='cuda:0', non_blocking=True))\n"
           "        torch.cuda.synchronize()\n        return out.contiguous()\n",
       }) {
    auto source = candidate(twoInputs + forward);
    ASSERT_TRUE(source) << toString(source.error());
    ASSERT_TRUE(source->call.has_value()) << forward << source->unread;
    EXPECT_EQ(source->call->function, "f");
    ASSERT_EQ(source->call->arguments.size(), 1U);
    EXPECT_EQ(source->call->arguments[0].input, 0);
  }
}

/// A float parameter holds the rounded number; the text stays.
TEST_F(Capture, NumbersAsTheParameterHoldsThem) {
  auto source = candidate(twoInputs + "        return ext.s(x, 0.1)\n");
  ASSERT_TRUE(source) << toString(source.error());
  ASSERT_TRUE(source->call.has_value()) << source->unread;
  EXPECT_EQ(source->call->arguments[1].number, static_cast<double>(0.1F));
  EXPECT_EQ(source->call->arguments[1].text, "0.1");
}

TEST_F(Capture, AnythingElseIsUnread) {
  expectUnread(
      twoInputs,
      {
          {"        return torch.relu(ext.f(x))\n", "relu"},
          {"        return ext.f(x + y)\n", "add"},
          {"        return ext.f(x) + 0\n", "add"},
          {"        return ext.f(x).view(-1)\n", "view"},
          {"        return ext.g(x, x.numel())\n", "numel"},
          {"        return ext.g(x, x.shape[0])\n", "shape"},
          {"        return ext.g(x, len(x))\n", "__len__"},
          {"        out = torch.empty_like(x)\n        ext.f(x, out)\n        return out\n", "empty_like"},
          {"        ext.f(x)\n        return ext.f(y)\n", "2 compiled"},
          {"        ext.f(x)\n        return x\n", "does not return"},
          {"        return ext.f(x), y\n", "does not return"},
          {"        a, b = ext.f(x)\n        return a\n", "result"},
          {"        return ext.f(x)[0]\n", "getitem"},
          {"        return ext.f(x) if x else y\n", "bool"},
          {"        return x\n", "0 compiled"},
          {"        return ext.f(x=x)\n", "keyword"},
          {"        return ext.f([x])\n", "list"},
          {"        return ext.f(x, y)\n", "takes 1"},
          {"        return ext.s(x)\n", "takes 2"},
          {"        return ext.b(x, 5)\n", "bool"},
          {"        return ext.g(x, 2.0)\n", "float"},
          {"        return ext.g(x, 1 << 60)\n", "int"},
          {"        return ext.g(x, y)\n", "tensor"},
          {"        return ext.missing(x)\n", "missing"},
          {"        return ext.f(x) if hasattr(ext, 'other') else ext.f(y)\n", "other"},
      });
}

TEST_F(Capture, OtherCopiesAreUnread) {
  for (const char* copy :
       {"x.cpu()", "x.to('cpu')", "x.to('cuda:1')", "x.to(1)", "x.half()", "x.double()",
        "x.to(torch.float64)", "x.to(device='cuda', dtype=torch.bfloat16)", "x.to('cuda', copy=True)",
        "x.type(torch.float16)", "x.contiguous(memory_format=torch.channels_last)",
        "x.to(memory_format=torch.channels_last)", "x.cuda(1)", "x.clone()", "x.data", "x.t()"})
    expectUnread(twoInputs, {{"        return ext.f(" + std::string(copy) + ")\n", "input 0."}});
}

/// What a program does to tensors counts even if it hides the failure, and it cannot tell where it runs.
TEST_F(Capture, NothingIsHidden) {
  const auto tried = [](const std::string& what) {
    return "        try:\n            " + what +
           "\n        except Exception:\n            pass\n        return ext.f(x)\n";
  };
  expectUnread(
      twoInputs,
      {
          {tried("z = x * 2"), "mul"},
          {tried("torch.Tensor.mul_(x, 2)"), "mul_"},
          {tried("torch.ops.aten.mul_.Tensor(x, y)"), "mul_"},
          {tried("x += 1"), "add"},
          {tried("x.data = y"), "data"},
          {tried("self.weight.data.zero_()"), "data"},
          {tried("self.weight.fill_(2)"), "fill_"},
          {tried("torch.empty(3)"), "empty"},
          {tried("ext.f(x).mul_(2)"), "mul_"},
          {tried("x.requires_grad_()"), "requires_grad_"},
          {"        if isinstance(x, torch.Tensor):\n            x = x * 2\n        return ext.f(x)\n",
           "mul"},
          {"        if torch.cuda.is_available():\n            x = x * 2\n        return ext.f(x)\n", "mul"},
          {"        if x.is_cuda:\n            x = x * 2\n        return ext.f(x)\n", "mul"},
          {"        return ext.f(x if torch.cuda.device_count() == 0 else y)\n", "device_count"},
          {"        return ext.f(x if isinstance(x, torch.FloatTensor) else y)\n", "FloatTensor"},
          {"        return ext.f(x if not x.requires_grad else y)\n", "requires_grad"},
          {"        out = ext.f(x)\n        x.mul_(2)\n        return out\n", "mul_"},
          {"        with torch._C.DisableTorchFunction():\n            x.mul_(2)\n        return ext.f(x)\n",
           "mul_"},
      });
}

TEST_F(Capture, RunsThatDifferAreUnread) {
  expectUnread(
      twoInputs,
      {
          {"        self.n = getattr(self, 'n', 0) + 1\n        return ext.g(x, self.n)\n",
           "different calls"},
          {"        self.kept = ext.f(x)\n        return self.kept\n", "changes attributes"},
          {"        global count\n        count += 1\n        return ext.f(x)\n", "changes attributes"},
          {"        return ext.f(x if self.training else y)\n", "different calls"},
          {"        return ext.f(x if torch.is_grad_enabled() else y)\n", "different calls"},
          {"        return ext.s(x, self.random)\n", "two instances"},
      });
  for (const std::string taken : {"*x", "**x", "x, *, y"})
    expectUnread(extension,
                 {{"    def forward(self, " + taken + "):\n        return ext.f(x)\n", "variable number"}});
}

/// A candidate with its own PYBIND11_MODULE, or with functions= when `bound` is empty.
std::string ownModule(const std::string& bound, const std::string& cpp = "", const std::string& more = "") {
  const bool own = !bound.empty();
  return std::string("from torch.utils.cpp_extension import load_inline\ncuda = r'''\n") +
         "#include <torch/extension.h>\n// PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"py\", &other); "
         "}\n"
         "torch::Tensor f(torch::Tensor x) { return x; }\ntorch::Tensor other(torch::Tensor x) { return x; "
         "}\n" +
         more + "\n" + (own ? "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { " + bound + " }" : "") +
         "\n'''\next = load_inline(name='e', cpp_sources=r'''" + cpp + "''', cuda_sources=cuda" +
         (own ? "" : ", functions=['f']") +
         ")\nclass ModelNew(nn.Module):\n    def forward(self, x):\n        return ext." +
         (own ? "py" : "f") + "(x)\n";
}

TEST_F(Capture, NamesOfAnOwnModule) {
  for (const char* bound : {"m.def(\"py\", &other);", "m.def(\"py\", &other, \"what it does (CUDA)\");",
                            "m.def(\"f\", &f); /* m.def(\"py\", &f); */ m.def(\"py\", &other);"}) {
    auto source = candidate(ownModule(bound));
    ASSERT_TRUE(source) << toString(source.error());
    ASSERT_TRUE(source->call.has_value()) << bound << source->unread;
    EXPECT_EQ(source->call->function, "other") << bound;
    EXPECT_EQ(source->functions["py"], "other");
  }
}

TEST_F(Capture, UncertainNamesAreUnread) {
  const std::string good = "m.def(\"py\", &f);";
  const std::string declared = "torch::Tensor f(torch::Tensor x);";
  expectUnread(
      "", {
              {ownModule("m.def(\"py\", [](torch::Tensor x) { return f(x); });"), "m . def"},
              {ownModule("m.def(\"py\", &f, py::arg(\"x\"));"), "py :: arg"},
              {ownModule("m.def(\"py\", f);"), "m . def"},
              {ownModule("m.def(\"py\", &ns::f);"), "ns :: f"},
              {ownModule("if (true) m.def(\"py\", &f);"), "if"},
              {ownModule(good + good), "twice"},
              {ownModule("m.def(\"py\", &absent);"), "absent"},
              {ownModule(good, "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { }"), "2 PYBIND11_MODULE"},
              {ownModule(good, "", "#define f other"), "macro"},
              {ownModule(good, "", "#define def(a, b) def(a, &other)"), "macro"},
              {ownModule(good, "", "#if 1"), "conditional"},
              {ownModule(good, "", "#include \"mine.h\""), "includes"},
              {ownModule(good, "", "torch::Tensor f(torch::Tensor x, double s) { return x; }"), "2 times"},
              {ownModule(good, "", "namespace a { torch::Tensor f(int x) { return x; } }"), "2 times"},
              {ownModule("", declared + "\n#define f other"), "macro"},
              {ownModule("", "torch::Tensor f(torch::Tensor x) { return other(x); }"), "2 times"},
              {ownModule("", "namespace a { " + declared + " } using a::f;"), "not only a function"},
              {ownModule("", declared + " auto f = other;"), "not only a function"},
              {ownModule("", "torch::Tensor other(torch::Tensor x);"), "not declared"},
              {ownModule("", declared + "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { }"), "functions="},
          });
}

const std::string twoExtensions = R"(
from torch.utils.cpp_extension import load_inline
def make(body, **options):
    cuda = "torch::Tensor f(torch::Tensor x) { " + body + " }"
    return load_inline("same", "torch::Tensor f(torch::Tensor x);", cuda, ["f"], **options)
one, two = make("one"), make("two", extra_cuda_cflags=["-O2"])
class ModelNew(nn.Module):
    def forward(self, x):
)";

TEST_F(Capture, ACallUsesTheSourcesOfItsExtension) {
  for (const auto& [called, other] : {std::pair("one", "two"), std::pair("two", "one")}) {
    auto source = candidate(twoExtensions + "        return " + called + ".f(x)\n");
    ASSERT_TRUE(source) << toString(source.error());
    ASSERT_TRUE(source->call.has_value()) << source->unread;
    EXPECT_NE(source->cuda.find(called), std::string::npos) << source->cuda;
    EXPECT_EQ(source->cuda.find(other), std::string::npos) << source->cuda;
    EXPECT_EQ(source->flags.size(), std::string(called) == "two" ? 1U : 0U);
  }
  expectUnread(twoExtensions, {{"        return two.f(one.f(x))\n", "2 compiled"}});
}

TEST_F(Capture, OptionsThatChangeTheHostCodeAreUnread) {
  expectUnread(
      twoExtensions,
      {
          {"        return one.f(x)\none = make('x', extra_cflags=['-Df=g'])\n", "-Df=g"},
          {"        return one.f(x)\none = make('x', extra_include_paths=['/x'])\n", "extra_include_paths"},
          {"        return one.f(x)\none = make('x', is_python_module=False)\n", "is_python_module"},
      });
  auto harmless = candidate(twoExtensions + "        return one.f(x)\n"
                                            "one = make('x', extra_cflags=['-O3'], verbose=True)\n");
  ASSERT_TRUE(harmless) << toString(harmless.error());
  EXPECT_TRUE(harmless->call.has_value()) << harmless->unread;
}

TEST_F(Capture, WithoutTheClassTheCallIsUnread) {
  expectUnread("", {{twoExtensions.substr(0, twoExtensions.find("class ModelNew")), "ModelNew"}});
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

/// TorchScript files made by PyTorch itself: scripted and traced.
TEST_F(Capture, ReadsTorchScript) {
  const std::string folder = (fs::temp_directory_path() / ("script" + std::to_string(::getpid()))).string();
  fs::create_directories(folder);
  auto saver = ChildProcess::start(
      {"/usr/bin/python3", "-c",
       "import torch, sys\n"
       "class M(torch.nn.Module):\n"
       "    def forward(self, x, y): return torch.relu(x) * y + 0.5\n"
       "torch.jit.script(M()).save(sys.argv[1] + '/s.pt')\n"
       "torch.jit.trace(M(), (torch.zeros(2, 3), torch.zeros(3))).save(sys.argv[1] + '/t.pt')\n"
       "print('saved')\n",
       folder});
  ASSERT_TRUE(saver);
  ASSERT_TRUE(saver->readLine(StopToken().withTimeout(seconds(60))));
  const std::vector<InputSpec> inputs = {{"x", DType::F32, {4, 3}}, {"y", DType::F32, {3}}};
  const StopToken stop = StopToken().withTimeout(seconds(60));
  for (const char* file : {"/s.pt", "/t.pt"}) {
    auto graph = s_python->readScripted(folder + file, inputs, stop);
    ASSERT_TRUE(graph) << toString(graph.error());
    std::vector<std::string> targets;
    for (const Node& node : graph->nodes)
      targets.push_back(node.target.substr(0, node.target.rfind('.')));
    EXPECT_EQ(targets, (std::vector<std::string>{"aten.relu", "aten.mul", "aten.add"}));
    EXPECT_EQ(graph->tensors.at(graph->outputs[0]).sizes.size(), 2u);
  }
  EXPECT_EQ(s_python->readScripted(folder + "/s.pt", {inputs[0]}, stop).error().id, "input-missing");
  EXPECT_EQ(s_python->readScripted(folder + "/s.pt", {inputs[0], inputs[1], {"z", DType::F32, {1}}}, stop)
                .error()
                .id,
            "input-unknown");
  ASSERT_TRUE(writeFile(folder + "/torn.pt", "PK not really"));
  EXPECT_EQ(s_python->readScripted(folder + "/torn.pt", inputs, stop).error().id, "script-torn");
  fs::remove_all(folder);
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

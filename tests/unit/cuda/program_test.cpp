// Programs of wrappers: several launches, branches, functions left to torch, other shapes, lists.
#include "tests/unit/cuda/import_fixture.h"

#include <set>

namespace plumbline::cuda::test {
namespace {

const std::string kernels =
    "__global__ void k(const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i];\n}\n"
    "__global__ void add(const float* x, const float* b, float* y, int n, bool has) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = has ? x[i] + b[i] : x[i];\n}\n"
    "__global__ void twice(float* y, int n) { int i = threadIdx.x; if (i < n) y[i] *= 2; }\n";

#define LAUNCH "k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);"

std::vector<ir::HostProgram> programsOf(const std::string& wrapper) {
  const ImportedCuda imported = import(kernels + wrapper);
  EXPECT_TRUE(imported.launches.empty()) << wrapper;
  EXPECT_TRUE(imported.unread.empty()) << describe(imported.unread) << wrapper;
  EXPECT_FALSE(imported.programs.empty()) << wrapper;
  return imported.programs;
}

ir::HostProgram programOf(const std::string& wrapper) {
  const std::vector<ir::HostProgram> programs = programsOf(wrapper);
  EXPECT_EQ(programs.size(), 1U) << wrapper;
  return programs.empty() ? ir::HostProgram() : programs[0];
}

int64_t at(const ir::SizeExprPtr& expr, const std::map<std::string, int64_t>& sizes) {
  const Expected<int64_t> value = ir::evaluate(*expr, [&](const std::string& name) {
    const auto found = sizes.find(name);
    return found == sizes.end() ? std::optional<int64_t>() : std::optional(found->second);
  });
  EXPECT_TRUE(value) << ir::print(*expr);
  return value.value_or(-1);
}

/// Whether the way is taken at these values.
bool taken(const ir::HostProgram& program, const std::map<std::string, int64_t>& values) {
  for (const ir::HostFact& fact : program.when)
    if (at(fact.condition, values) == 0)
      return false;
  return true;
}

std::set<std::string> texts(const std::vector<ir::HostFact>& facts) {
  std::set<std::string> all;
  for (const ir::HostFact& fact : facts)
    all.insert(fact.text);
  return all;
}

const ir::BufferContract& buffer(const ir::ProgramStep& step, const std::string& parameter) {
  const ir::BufferContract* found = ir::findBuffer(step.launch, parameter);
  EXPECT_NE(found, nullptr) << parameter;
  static const ir::BufferContract none;
  return found ? *found : none;
}

TEST(Program, SeveralLaunchesWithScratch) {
  const ir::HostProgram program = programOf(
      "torch::Tensor f(torch::Tensor x) {\n  int n = x.numel();\n  auto mean = torch::zeros({n}, "
      "x.options());\n"
      "  auto y = torch::empty_like(x);\n"
      "  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), mean.data_ptr<float>(), n);\n"
      "  k<<<(n + 127) / 128, 128>>>(mean.data_ptr<float>(), y.data_ptr<float>(), n);\n  return y;\n}\n");
  ASSERT_EQ(program.steps.size(), 2U);
  EXPECT_TRUE(program.when.empty());
  EXPECT_EQ(buffer(program.steps[0], "x").tensor, "x");
  EXPECT_EQ(buffer(program.steps[0], "y").tensor, "mean");
  EXPECT_EQ(buffer(program.steps[0], "y").role, ir::BufferRole::Output);
  EXPECT_EQ(buffer(program.steps[1], "x").tensor, "mean");
  EXPECT_EQ(buffer(program.steps[1], "x").role, ir::BufferRole::Input);
  EXPECT_EQ(buffer(program.steps[1], "y").tensor, "y");
  EXPECT_EQ(at(program.steps[0].launch.grid[0], {{"x.numel", 257}}), 2);
  EXPECT_EQ(at(program.steps[1].launch.grid[0], {{"x.numel", 257}}), 3);
  const ir::ProgramTensor* mean = ir::findTensor(program, "mean");
  const ir::ProgramTensor* y = ir::findTensor(program, "y");
  ASSERT_TRUE(mean && y);
  EXPECT_EQ(mean->origin, ir::ProgramTensor::Origin::Zeros);
  EXPECT_EQ(at(mean->length, {{"x.numel", 257}}), 257);
  ASSERT_EQ(mean->shape.size(), 1U);
  EXPECT_EQ(y->origin, ir::ProgramTensor::Origin::Empty);
  EXPECT_EQ(y->shapeLike, "x");
  EXPECT_TRUE(program.returns);
  EXPECT_EQ(program.returned, std::vector<std::string>{"y"});
  EXPECT_FALSE(program.checks.empty()) << "x.numel() becomes an int";
  EXPECT_EQ(program.checks.size(), program.steps[1].launch.checks.size());
  const Expected<ir::LaunchContract> single = ir::singleLaunch(program);
  ASSERT_FALSE(single);
  EXPECT_EQ(single.error().id, "several-launches");
}

TEST(Program, BranchesOnSizesAreWays) {
  const std::vector<ir::HostProgram> programs = programsOf(
      "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n  int64_t n = x.numel();\n"
      "  if (n > 1024 && x.size(0) < 7) {\n    k<<<2, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n"
      "  } else if (n == 3) {\n    k<<<3, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n"
      "  } else {\n    k<<<4, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n  }\n  return y;\n}\n");
  EXPECT_GE(programs.size(), 3U);
  for (int64_t n : {1, 3, 4, 1024, 1025, 4000})
    for (int64_t rows : {1, 6, 7, 8}) {
      const int64_t wanted = n > 1024 && rows < 7 ? 2 : n == 3 ? 3 : 4;
      int ways = 0;
      for (const ir::HostProgram& program : programs)
        if (taken(program, {{"x.numel", n}, {"x.size.0", rows}})) {
          ++ways;
          ASSERT_EQ(program.steps.size(), 1U);
          EXPECT_EQ(at(program.steps[0].launch.grid[0], {}), wanted) << n << " " << rows;
        }
      EXPECT_EQ(ways, 1) << "exactly one way for " << n << " " << rows;
    }
}

TEST(Program, AWayWithOneLaunchIsAContract) {
  const std::vector<ir::HostProgram> programs =
      programsOf("torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n"
                 "  if (x.dim() == 2) k<<<2, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n"
                 "  else k<<<3, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n  return y;\n}\n");
  ASSERT_EQ(programs.size(), 2U);
  const Expected<ir::LaunchContract> contract = ir::singleLaunch(programs[0]);
  ASSERT_TRUE(contract) << toString(contract.error());
  EXPECT_EQ(at(contract->grid[0], {}), 2);
  EXPECT_EQ(contract->returned, std::vector<std::string>{"output:0"});
  EXPECT_EQ(contract->buffers[1].tensor, "output:0");
  EXPECT_EQ(contract->buffers[1].shapeLike, "x");
  EXPECT_EQ(texts(contract->facts), std::set<std::string>{"x.dim == 2"});
}

TEST(Program, OptionalTensorsAreWays) {
  for (const char* parameter :
       {"torch::Tensor b", "c10::optional<torch::Tensor> b", "std::optional<at::Tensor> b"})
    for (const bool optional : {false, true}) {
      if (optional != (std::string(parameter).find("optional") != std::string::npos))
        continue;
      const std::string given = optional ? "b.has_value()" : "b.defined()";
      const std::string tensor = optional ? "b.value()" : "b";
      const std::vector<ir::HostProgram> programs =
          programsOf(std::string("torch::Tensor f(torch::Tensor x, ") + parameter +
                     ") {\n  auto y = torch::empty_like(x);\n" + "  const bool has = " + given + " && " +
                     tensor + ".numel() > 0;\n" + "  add<<<1, 64>>>(x.data_ptr<float>(), has ? " + tensor +
                     ".data_ptr<float>() : nullptr, y.data_ptr<float>(), 32, has);\n  return y;\n}\n");
      ASSERT_EQ(programs.size(), 3U) << parameter;
      for (const ir::HostProgram& program : programs) {
        const bool with = taken(program, {{"b.defined", 1}, {"b.numel", 5}});
        const std::vector<std::string> nulls =
            with ? std::vector<std::string>{} : std::vector<std::string>{"b"};
        EXPECT_EQ(program.steps[0].nulls, nulls);
        EXPECT_EQ(ir::findBuffer(program.steps[0].launch, "b") != nullptr, with);
        for (const ir::ScalarContract& scalar : program.steps[0].launch.scalars)
          if (scalar.parameter == "has") {
            EXPECT_EQ(at(scalar.integer, {}), with ? 1 : 0);
          }
        EXPECT_EQ(ir::singleLaunch(program).has_value(), with)
            << "a null pointer is for nobody to assume away";
      }
      EXPECT_TRUE(std::any_of(programs.begin(), programs.end(), [](const ir::HostProgram& program) {
        return taken(program, {{"b.defined", 0}, {"b.numel", 0}});
      }));
    }
}

TEST(Program, LoopsWithAKnownNumberOfRounds) {
  const ir::HostProgram program =
      programOf("torch::Tensor f(torch::Tensor x) {\n  auto y = torch::zeros_like(x);\n  int width = 8;\n"
                "  for (int j = 0; j < 3; ++j) {\n    width *= 2;\n    if (j == 1) continue;\n"
                "    twice<<<j + 1, width>>>(y.data_ptr<float>(), j);\n  }\n  return y;\n}\n");
  ASSERT_EQ(program.steps.size(), 2U);
  EXPECT_EQ(at(program.steps[0].launch.grid[0], {}), 1);
  EXPECT_EQ(at(program.steps[0].launch.block[0], {}), 16);
  EXPECT_EQ(at(program.steps[1].launch.grid[0], {}), 3);
  EXPECT_EQ(at(program.steps[1].launch.block[0], {}), 64);
  EXPECT_EQ(at(program.steps[1].launch.scalars[0].integer, {}), 2);
}

/// The usual product of the sizes around a dimension, against the same computed here.
TEST(Program, LoopsOverDimensions) {
  const ImportedCuda imported = import(
      kernels +
      "torch::Tensor f(torch::Tensor x, int64_t dim) {\n  if (dim < 0) dim += x.dim();\n"
      "  auto sizes = x.sizes();\n  int64_t outer = 1, inner = 1;\n"
      "  for (int i = 0; i < dim; ++i) outer *= sizes[i];\n"
      "  for (size_t i = dim + 1; i < sizes.size(); i++) inner *= sizes[i];\n"
      "  auto shape = x.sizes().vec();\n  shape.erase(shape.begin() + dim);\n"
      "  auto y = torch::empty(shape, x.options());\n"
      "  k<<<outer, inner>>>(x.data_ptr<float>(), y.data_ptr<float>(), sizes[dim]);\n  return y;\n}\n");
  const std::vector<int64_t> all = {2, 3, 5, 7, 11};
  for (int64_t rank = 1; rank <= 5; ++rank)
    for (int64_t dim = -rank; dim < rank; ++dim) {
      std::map<std::string, int64_t> values{{"dim", dim}, {"x.dim", rank}};
      int64_t outer = 1;
      int64_t inner = 1;
      std::vector<int64_t> kept;
      const int64_t place = dim < 0 ? dim + rank : dim;
      for (int64_t i = 0; i < rank; ++i) {
        const int64_t size = all[static_cast<size_t>(i)];
        values["x.size." + std::to_string(i)] = size;
        (i < place ? outer : inner) *= i == place ? 1 : size;
        if (i != place)
          kept.push_back(size);
      }
      int ways = 0;
      for (const ir::HostProgram& program : imported.programs) {
        if (!taken(program, values))
          continue;
        ++ways;
        ASSERT_EQ(program.steps.size(), 1U);
        EXPECT_EQ(at(program.steps[0].launch.grid[0], values), outer) << rank << " " << dim;
        EXPECT_EQ(at(program.steps[0].launch.block[0], values), inner) << rank << " " << dim;
        EXPECT_EQ(at(program.steps[0].launch.scalars[0].integer, values), all[static_cast<size_t>(place)]);
        const ir::ProgramTensor* y = ir::findTensor(program, "y");
        ASSERT_NE(y, nullptr);
        std::vector<int64_t> shape;
        for (const ir::SizeExprPtr& size : y->shape)
          shape.push_back(at(size, values));
        EXPECT_EQ(shape, kept);
      }
      EXPECT_EQ(ways, 1) << "rank " << rank << ", dim " << dim;
    }
  // Ranks beyond those tried are no program's, and are said to be unread.
  EXPECT_FALSE(imported.unreadWays.empty());
}

TEST(Program, ListParameters) {
  const ir::HostProgram program =
      programOf("torch::Tensor f(torch::Tensor x, at::IntArrayRef stride, std::vector<int64_t> pad) {\n"
                "  auto y = torch::empty_like(x);\n  auto z = torch::empty_like(x);\n"
                "  k<<<stride[1], pad[0]>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n"
                "  k<<<1, 32>>>(x.data_ptr<float>(), z.data_ptr<float>(), 32);\n  return y;\n}\n");
  EXPECT_EQ(at(program.steps[0].launch.grid[0], {{"stride.1", 9}}), 9);
  EXPECT_EQ(at(program.steps[0].launch.block[0], {{"pad.0", 33}}), 33);
  bool longEnough = false;
  for (const ir::HostCheck& check : program.checks)
    longEnough = longEnough || (ir::print(*check.value) == "stride.len" && check.low == 2);
  EXPECT_TRUE(longEnough) << "reading beyond the end of a list is undefined";
  for (const ir::SizeSymbol& symbol : program.symbols)
    EXPECT_TRUE(symbol.parameter == "stride" || symbol.parameter == "pad" || symbol.tensor == "x")
        << symbol.name;
}

TEST(Program, FunctionsLeftToTorch) {
  const ir::HostProgram program =
      programOf("torch::Tensor f(torch::Tensor x, torch::Tensor w, double s) {\n"
                "  auto y = torch::matmul(x, w.transpose(0, 1)) + 0.5;\n  auto out = torch::empty_like(y);\n"
                "  int n = y.numel();\n"
                "  k<<<(n + 255) / 256, 256>>>(y.data_ptr<float>(), out.data_ptr<float>(), n);\n"
                "  out.mul_(s);\n  return out.mean({0, 1}, true);\n}\n");
  ASSERT_EQ(program.steps.size(), 6U);
  const auto& call = [&](size_t i) -> const ir::TorchOperator& { return program.steps[i].call; };
  EXPECT_EQ(call(0).name, "transpose");
  EXPECT_TRUE(call(0).view);
  EXPECT_EQ(call(1).name, "matmul");
  ASSERT_EQ(call(1).arguments.size(), 2U);
  EXPECT_EQ(call(1).arguments[0].text, "x");
  EXPECT_EQ(call(1).arguments[1].text, call(0).results[0]);
  EXPECT_EQ(call(2).name, "add");
  EXPECT_EQ(call(2).arguments[0].text, call(1).results[0]);
  EXPECT_EQ(call(2).arguments[1].floating, 0.5);
  EXPECT_EQ(call(2).results, std::vector<std::string>{"y"});
  EXPECT_EQ(program.steps[3].kind, ir::ProgramStep::Kind::Launch);
  EXPECT_EQ(buffer(program.steps[3], "x").tensor, "y");
  EXPECT_EQ(ir::print(*buffer(program.steps[3], "x").length), "y.numel");
  EXPECT_EQ(call(4).name, "mul_");
  EXPECT_EQ(call(4).modifies, std::vector<std::string>{"out"});
  EXPECT_EQ(call(4).arguments[1].kind, ir::OperatorArgument::Kind::Parameter);
  EXPECT_EQ(call(5).name, "mean");
  EXPECT_EQ(call(5).arguments[1].parts.size(), 2U);
  EXPECT_EQ(program.returned, call(5).results);
  const ir::ProgramTensor* y = ir::findTensor(program, "y");
  ASSERT_NE(y, nullptr);
  EXPECT_EQ(y->origin, ir::ProgramTensor::Origin::Operator);
  EXPECT_FALSE(y->rowMajor) << "in which order torch puts its elements is not known here";
  EXPECT_EQ(ir::singleLaunch(program).error().id, "torch-operator");
}

TEST(Program, Libraries) {
  const ir::HostProgram program =
      programOf("torch::Tensor f(torch::Tensor x, torch::Tensor w) {\n  cublasHandle_t handle;\n  "
                "cublasCreate(&handle);\n"
                "  auto y = torch::zeros({4, 4}, x.options());\n  const float alpha = 1.5f, beta = 0.0f;\n"
                "  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, 4, &alpha, w.data_ptr<float>(), 4,\n"
                "              x.data_ptr<float>(), 4, &beta, y.data_ptr<float>(), 4);\n"
                "  twice<<<1, 16>>>(y.data_ptr<float>(), 16);\n  cublasDestroy(handle);\n  return y;\n}\n");
  ASSERT_EQ(program.steps.size(), 2U);
  const ir::TorchOperator& call = program.steps[0].call;
  EXPECT_EQ(call.name, "cublasSgemm");
  EXPECT_EQ(call.modifies, std::vector<std::string>{"y"});
  ASSERT_EQ(call.arguments.size(), 14U);
  EXPECT_EQ(call.arguments[1].text, "CUBLAS_OP_T");
  EXPECT_EQ(call.arguments[6].floating, 1.5);
  EXPECT_EQ(call.arguments[7].text, "w");
  EXPECT_EQ(call.arguments[12].text, "y");
}

TEST(Program, HelpersAndOtherShapes) {
  const ImportedCuda imported = import(
      kernels +
      std::string(
          "int threadsFor(int n) {\n  int t = 1;\n  while (t < n) t *= 2;\n  if (t > 64) return 64;\n  "
          "return t;\n}\n"
          "torch::Tensor copied(torch::Tensor x, int n) {\n  auto y = torch::empty_like(x);\n"
          "  const int t = threadsFor(20);\n  k<<<1, t>>>(x.data_ptr<float>(), y.data_ptr<float>(), "
          "n);\n  return y;\n}\n"
          "torch::Tensor f(torch::Tensor x) {\n  auto a = copied(x, 7);\n  auto b = copied(a, 9);\n"
          "  return b.view({x.size(0), -1});\n}\n"
          "torch::Tensor unused(torch::Tensor x) { return x; }\n"));
  ASSERT_EQ(imported.programs.size(), 1U) << describe(imported.unread);
  const ir::HostProgram& program = imported.programs[0];
  ASSERT_EQ(program.wrapper, "f");
  ASSERT_EQ(program.steps.size(), 2U);
  EXPECT_EQ(at(program.steps[0].launch.block[0], {}), 32);
  EXPECT_EQ(at(program.steps[1].launch.scalars[0].integer, {}), 9);
  EXPECT_EQ(buffer(program.steps[1], "x").tensor, buffer(program.steps[0], "y").tensor);
  ASSERT_EQ(program.returned.size(), 1U);
  const ir::ProgramTensor* shown = ir::findTensor(program, program.returned[0]);
  ASSERT_TRUE(shown && shown->origin == ir::ProgramTensor::Origin::View);
  EXPECT_EQ(shown->base, buffer(program.steps[1], "y").tensor);
  ASSERT_EQ(shown->shape.size(), 2U);
  EXPECT_EQ(at(shown->shape[1], {{"x.size.0", 3}, {"x.numel", 12}}), 4);
}

/// One launch and a view of its output is still one contract, with the view's shape.
TEST(Program, AViewOfTheOutputIsItsShape) {
  const ImportedCuda imported = import(
      kernels + "torch::Tensor f(torch::Tensor x) {\n  int64_t n = x.size(0);\n"
                "  auto y = torch::empty({n}, x.options());\n  " LAUNCH "\n  return y.view({n, 1});\n}\n");
  ASSERT_EQ(imported.launches.size(), 1U) << describe(imported.unread);
  const ir::BufferContract& out = imported.launches[0].buffers[1];
  ASSERT_EQ(out.shape.size(), 2U);
  EXPECT_EQ(ir::print(*out.shape[0]), "x.size.0");
  EXPECT_EQ(ir::print(*out.shape[1]), "1");
}

TEST(Program, JsonGivesTheSameProgram) {
  for (const ir::HostProgram& program : programsOf(
           "torch::Tensor f(torch::Tensor x, c10::optional<torch::Tensor> b, double s, at::IntArrayRef p) {\n"
           "  auto y = torch::conv2d(x, x, {}, p, {1, 2}, 0.25);\n  auto z = torch::zeros_like(y);\n"
           "  TORCH_CHECK(x.dim() == 4);\n"
           "  add<<<1, 64>>>(y.data_ptr<float>(), b ? b->data_ptr<float>() : nullptr, z.data_ptr<float>(), "
           "32, true);\n"
           "  z.add_(s);\n  return z.view({-1});\n}\n")) {
    const Json json = ir::toJson(program);
    const Expected<ir::HostProgram> back = ir::programFromJson(json);
    ASSERT_TRUE(back) << toString(back.error());
    EXPECT_EQ(ir::toJson(*back), json);
    EXPECT_EQ(back->steps.size(), program.steps.size());
    EXPECT_EQ(texts(back->when), texts(program.when));
    EXPECT_EQ(texts(back->steps[1].launch.facts), texts(program.facts));
  }
}

} // namespace
} // namespace plumbline::cuda::test

// Programs of wrappers, run in the interpreter, against what the wrappers compute by definition.
#include "core/ir/program_run.h"
#include "tests/unit/cuda/import_fixture.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace plumbline::cuda::test {
namespace {

using Floats = std::vector<float>;

Floats seeded(size_t count, unsigned seed) {
  const Floats special = {0.0F,
                          -0.0F,
                          1.0F,
                          -1.0F,
                          std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::denorm_min(),
                          std::numeric_limits<float>::max()};
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(-4.0F, 4.0F);
  Floats values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(random() % 8 == 0 ? special[random() % special.size()] : any(random));
  return values;
}

ir::Tensor tensorOf(const Floats& values, std::vector<int64_t> shape) {
  ir::Tensor tensor{ir::ScalarType::F32, std::move(shape), {}};
  for (float value : values)
    tensor.bits.push_back(std::bit_cast<uint32_t>(value));
  return tensor;
}

ir::Tensor integer(int64_t value) {
  return {ir::ScalarType::I64, {}, {static_cast<uint64_t>(value)}};
}

/// The only way of the wrapper that these inputs take, run in two orders of the threads.
std::vector<ir::Tensor> run(const ImportedCuda& imported, const ir::TensorFile& inputs) {
  std::vector<ir::Tensor> returned;
  int ways = 0;
  for (const ir::HostProgram& program : imported.programs)
    for (const char* order : {"forward", "random:7"}) {
      const Expected<ir::ProgramRun> done =
          ir::runProgram(imported.module, program, inputs, *ir::parseSchedule(order), limit());
      if (!done) {
        EXPECT_EQ(done.error().id, "launch-precondition") << toString(done.error());
        continue;
      }
      ++ways;
      EXPECT_TRUE(done->findings.empty()) << done->findings[0].message;
      returned = done->returned;
    }
  EXPECT_EQ(ways, 2) << imported.programs.size() << " programs; " << describe(imported.unread);
  return returned;
}

void expectSame(const ir::Tensor& got, const Floats& wanted, const std::vector<int64_t>& shape) {
  EXPECT_EQ(got.shape, shape);
  ASSERT_EQ(got.bits.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(got.bits[i]));
    const bool same =
        std::isnan(wanted[i]) ? std::isnan(value) : got.bits[i] == std::bit_cast<uint32_t>(wanted[i]);
    EXPECT_TRUE(same) << i << ": " << value << " for " << wanted[i];
  }
}

/// Two launches: the means of the rows, then every element less the mean of its row.
TEST(ProgramMeaning, RowsLessTheirMeans) {
  const ImportedCuda imported = import(
      "__global__ void means(const float* x, float* m, int rows, int cols) {\n"
      "  int r = blockIdx.x * blockDim.x + threadIdx.x;\n  if (r >= rows) return;\n  float s = 0.0f;\n"
      "  for (int c = 0; c < cols; ++c) s += x[r * cols + c];\n  m[r] = s / cols;\n}\n"
      "__global__ void less(const float* x, const float* m, float* y, int n, int cols) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i] - m[i / cols];\n}\n"
      "torch::Tensor f(torch::Tensor x) {\n  TORCH_CHECK(x.dim() == 2);\n  int rows = x.size(0), cols = "
      "x.size(1);\n"
      "  auto m = torch::empty({rows}, x.options());\n  auto y = torch::empty_like(x);\n"
      "  means<<<(rows + 3) / 4, 4>>>(x.data_ptr<float>(), m.data_ptr<float>(), rows, cols);\n"
      "  less<<<(x.numel() + 31) / 32, 32>>>(x.data_ptr<float>(), m.data_ptr<float>(), y.data_ptr<float>(),\n"
      "                                      x.numel(), cols);\n  return y;\n}\n");
  for (const auto& [rows, cols] : {std::pair<size_t, size_t>{1, 1}, {3, 5}, {5, 13}, {9, 4}}) {
    const Floats x = seeded(rows * cols, static_cast<unsigned>(rows * 100 + cols));
    Floats wanted;
    for (size_t r = 0; r < rows; ++r) {
      float sum = 0;
      for (size_t c = 0; c < cols; ++c)
        sum += x[r * cols + c];
      const float mean = sum / static_cast<float>(cols);
      for (size_t c = 0; c < cols; ++c)
        wanted.push_back(x[r * cols + c] - mean);
    }
    const std::vector<int64_t> shape = {static_cast<int64_t>(rows), static_cast<int64_t>(cols)};
    const std::vector<ir::Tensor> returned = run(imported, {{{"x", tensorOf(x, shape)}}, {}});
    ASSERT_EQ(returned.size(), 1U);
    expectSame(returned[0], wanted, shape);
  }
}

/// Which launch runs depends on the size, what it adds on an optional tensor, and how often on a loop.
TEST(ProgramMeaning, BranchesLoopsAndOptionalTensors) {
  const ImportedCuda imported =
      import("__global__ void scaled(const float* x, float* y, int n, float a) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i] * a;\n}\n"
             "__global__ void plus(float* y, const float* b, int n) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = y[i] + b[i];\n}\n"
             "torch::Tensor f(torch::Tensor x, c10::optional<torch::Tensor> b, int64_t rounds) {\n"
             "  auto y = torch::zeros_like(x);\n  const int n = x.numel();\n"
             "  if (n > 10) {\n    scaled<<<(n + 7) / 8, 8>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, "
             "0.5f);\n  } else {\n"
             "    scaled<<<1, 16>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 3.0f);\n  }\n"
             "  if (b.has_value()) {\n    for (int k = 0; k < rounds; ++k)\n"
             "      plus<<<(n + 7) / 8, 8>>>(y.data_ptr<float>(), b.value().data_ptr<float>(), n);\n  }\n"
             "  return y.view({n, 1});\n}\n");
  for (const size_t n : {1U, 10U, 11U, 30U})
    for (const int64_t rounds : {0, 1, 3})
      for (const bool given : {false, true}) {
        const Floats x = seeded(n, static_cast<unsigned>(n));
        const Floats b = seeded(n, static_cast<unsigned>(n) + 1000);
        Floats wanted;
        for (size_t i = 0; i < n; ++i) {
          float value = x[i] * (n > 10 ? 0.5F : 3.0F);
          for (int64_t k = 0; given && k < rounds; ++k)
            value = value + b[i];
          wanted.push_back(value);
        }
        const auto count = static_cast<int64_t>(n);
        ir::TensorFile inputs{{{"x", tensorOf(x, {count})}, {"rounds", integer(rounds)}}, {}};
        if (given)
          inputs.tensors["b"] = tensorOf(b, {count});
        SCOPED_TRACE(std::to_string(n) + " " + std::to_string(rounds) + (given ? " given" : ""));
        const std::vector<ir::Tensor> returned = run(imported, inputs);
        ASSERT_EQ(returned.size(), 1U);
        expectSame(returned[0], wanted, {count, 1});
      }
}

/// Filling and copying are the same everywhere; what torch does otherwise is not run.
TEST(ProgramMeaning, OperatorsAreRunOrNamed) {
  const std::string kernel = "__global__ void plus(float* y, const float* b, int n) {\n"
                             "  int i = threadIdx.x;\n  if (i < n) y[i] = y[i] + b[i];\n}\n";
  const std::string wrapper =
      "torch::Tensor f(torch::Tensor x) {\n  auto y = x.clone();\n  auto b = torch::empty_like(x);\n"
      "  b.fill_(2.5);\n  plus<<<1, 32>>>(y.data_ptr<float>(), b.data_ptr<float>(), 4);\n  OTHER"
      "  return y;\n}\n";
  const auto with = [&](const std::string& other) {
    std::string text = wrapper;
    return import(kernel + text.replace(text.find("OTHER"), 5, other));
  };
  const Floats x = {1.0F, -2.0F, 0.25F, 8.0F};
  const ir::TensorFile inputs{{{"x", tensorOf(x, {4})}}, {}};
  const std::vector<ir::Tensor> returned = run(with(""), inputs);
  ASSERT_EQ(returned.size(), 1U);
  expectSame(returned[0], {3.5F, 0.5F, 2.75F, 10.5F}, {4});
  const ImportedCuda named = with("y.sqrt_();\n");
  ASSERT_EQ(named.programs.size(), 1U) << describe(named.unread);
  const Expected<ir::ProgramRun> refused =
      ir::runProgram(named.module, named.programs[0], inputs, ir::Schedule(), limit());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "torch-operator");
}

/// Elements that no launch wrote are not read as if they were something.
TEST(ProgramMeaning, UnwrittenScratchIsNotRead) {
  const ImportedCuda imported =
      import("__global__ void first(const float* x, float* y) { if (threadIdx.x == 0) y[0] = x[0]; }\n"
             "__global__ void copy(const float* x, float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = "
             "x[threadIdx.x]; }\n"
             "torch::Tensor f(torch::Tensor x) {\n  auto s = torch::empty_like(x);\n  auto y = "
             "torch::empty_like(x);\n"
             "  first<<<1, 32>>>(x.data_ptr<float>(), s.data_ptr<float>());\n"
             "  copy<<<1, 32>>>(s.data_ptr<float>(), y.data_ptr<float>(), x.numel());\n  return y;\n}\n");
  ASSERT_EQ(imported.programs.size(), 1U) << describe(imported.unread);
  const Expected<ir::ProgramRun> one = ir::runProgram(
      imported.module, imported.programs[0], {{{"x", tensorOf({4.0F}, {1})}}, {}}, ir::Schedule(), limit());
  EXPECT_TRUE(one) << toString(one.error());
  const Expected<ir::ProgramRun> two =
      ir::runProgram(imported.module, imported.programs[0], {{{"x", tensorOf({4.0F, 5.0F}, {2})}}, {}},
                     ir::Schedule(), limit());
  ASSERT_TRUE(two) << toString(two.error());
  ASSERT_EQ(two->findings.size(), 1U);
  EXPECT_EQ(two->findings[0].kind, ir::FindingKind::UninitialisedRead);
  EXPECT_EQ(two->findings[0].index, 1);
}

} // namespace
} // namespace plumbline::cuda::test

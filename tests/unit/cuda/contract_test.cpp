// Launch contracts of wrappers, field by field.
#include "tests/unit/cuda/import_fixture.h"

#include <limits>
#include <set>

namespace plumbline::cuda::test {
namespace {

const std::string kernel = "__global__ void k(const float* x, float* y, int n) {\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i];\n}\n";

ir::LaunchContract contractOf(const std::string& source) {
  const ImportedCuda imported = import(source);
  if (imported.launches.size() != 1) {
    ADD_FAILURE() << imported.launches.size() << " contracts; " << describe(imported.unread) << source;
    return {};
  }
  return imported.launches[0];
}

int64_t at(const ir::SizeExprPtr& expr, const std::map<std::string, int64_t>& sizes) {
  if (!expr) {
    ADD_FAILURE() << "no expression";
    return -1;
  }
  const Expected<int64_t> value = ir::evaluate(*expr, [&](const std::string& name) {
    const auto found = sizes.find(name);
    return found == sizes.end() ? std::optional<int64_t>() : std::optional(found->second);
  });
  EXPECT_TRUE(value) << ir::print(*expr);
  return value.value_or(-1);
}

/// A wrapper with the given launch size, all in C++ that is also what the test computes itself.
struct GridRow {
  const char* before;
  const char* grid;
  int64_t (*expected)(int64_t n);
};

TEST(Contract, LaunchSizes) {
  const GridRow rows[] = {
      {"int n = x.numel();", "(n + 255) / 256", [](int64_t n) { return (n + 255) / 256; }},
      {"const auto n = x.numel();", "(n + 256 - 1) / 256", [](int64_t n) { return (n + 255) / 256; }},
      {"auto n = x.numel();", "at::ceil_div(n, (int64_t)256)", [](int64_t n) { return (n + 255) / 256; }},
      {"auto n = x.numel();", "std::min<int64_t>((n + 255) / 256, 65535)",
       [](int64_t n) { return std::min<int64_t>((n + 255) / 256, 65535); }},
      {"int n = x.numel(); int b = std::max(1, (n + 255) / 256);", "b",
       [](int64_t n) { return std::max<int64_t>(1, (n + 255) / 256); }},
      {"int n = x.numel(); const int threads = 256; const int blocks = (n + threads - 1) / threads;",
       "blocks", [](int64_t n) { return (n + 255) / 256; }},
      {"int n = x.numel(); dim3 grid((n + 255) / 256);", "grid", [](int64_t n) { return (n + 255) / 256; }},
      {"int64_t n = x.numel(); int blocks = n / 256; blocks = blocks + 1;", "blocks",
       [](int64_t n) { return n / 256 + 1; }},
      {"int n = x.numel();", "divUp(n, 256)", [](int64_t n) { return (n + 255) / 256; }},
      {"int n = x.numel();", "n % 7 + 3", [](int64_t n) { return n % 7 + 3; }},
  };
  for (const GridRow& row : rows) {
    const std::string source =
        kernel + "int divUp(int a, int b) { return (a + b - 1) / b; }\n" +
        "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n  " + row.before + "\n  k<<<" +
        row.grid + ", 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n" + "  return y;\n}\n";
    SCOPED_TRACE(source);
    const ir::LaunchContract contract = contractOf(source);
    for (int64_t n : {1, 255, 256, 257, 100000, 1 << 30}) {
      EXPECT_EQ(at(contract.grid[0], {{"x.numel", n}}), row.expected(n)) << n;
      EXPECT_EQ(at(contract.block[0], {}), 256);
      EXPECT_EQ(at(contract.grid[1], {}), 1);
    }
  }
}

TEST(Contract, BuffersScalarsAndNames) {
  const ir::LaunchContract contract = contractOf(
      kernel + "at::Tensor forward(const at::Tensor& in, double unused = 0.5) {\n"
               "  auto out = torch::zeros_like(in);\n  int n = in.numel();\n"
               "  k<<<(n + 127) / 128, 128, 0>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);\n"
               "  C10_CUDA_KERNEL_LAUNCH_CHECK();\n  return out;\n}\n");
  EXPECT_EQ(contract.kernel, "k");
  EXPECT_EQ(contract.wrapper, "forward");
  EXPECT_EQ(contract.wrapperTensors, std::vector<std::string>{"in"});
  EXPECT_EQ(contract.wrapperParameters, (std::vector<std::string>{"in", "unused"}));
  EXPECT_EQ(contract.returnedTensors, 1);
  ASSERT_EQ(contract.buffers.size(), 2U);
  EXPECT_EQ(contract.buffers[0].parameter, "x");
  EXPECT_EQ(contract.buffers[0].tensor, "in");
  EXPECT_EQ(contract.buffers[0].role, ir::BufferRole::Input);
  EXPECT_EQ(ir::print(*contract.buffers[0].length), "in.numel");
  EXPECT_EQ(contract.buffers[1].tensor, "output:0");
  EXPECT_EQ(contract.buffers[1].role, ir::BufferRole::Output);
  EXPECT_TRUE(contract.buffers[1].zeroInitialised);
  EXPECT_FALSE(contract.buffers[0].zeroInitialised);
  ASSERT_EQ(contract.scalars.size(), 1U);
  EXPECT_EQ(contract.scalars[0].kind, ir::ScalarContract::Kind::Integer);
  EXPECT_EQ(ir::print(*contract.scalars[0].integer), "in.numel");
  ASSERT_EQ(contract.symbols.size(), 1U);
  EXPECT_EQ(contract.symbols[0].name, "in.numel");
  EXPECT_EQ(contract.symbols[0].tensor, "in");
  EXPECT_EQ(contract.symbols[0].low, 0);
}

TEST(Contract, NarrowingsAreChecks) {
  const Marked source(kernel + "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n"
                               "  int n = /*^*/x.numel();\n"
                               "  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n"
                               "  return y;\n}\n");
  const ir::LaunchContract contract = contractOf(source.text);
  const int64_t top = std::numeric_limits<int32_t>::max();
  bool narrowed = false;
  bool added = false;
  for (const ir::HostCheck& check : contract.checks) {
    const std::string value = ir::print(*check.value);
    const bool int32 = check.low == -top - 1 && check.high == top;
    narrowed = narrowed || (value == "x.numel" && int32 && check.where.line == source.line &&
                            check.where.column == source.column);
    added = added || (value == "x.numel + 255" && int32);
  }
  EXPECT_TRUE(narrowed);
  EXPECT_TRUE(added);
}

TEST(Contract, SixtyFourBitKernelsNeedNoNarrowingOfTheLength) {
  const ir::LaunchContract contract =
      contractOf("__global__ void k(const float* x, float* y, int64_t n) { if (threadIdx.x < n) "
                 "y[threadIdx.x] = x[threadIdx.x]; }\n"
                 "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n"
                 "  k<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());\n  return y;\n}\n");
  EXPECT_TRUE(contract.checks.empty()) << contract.checks[0].what;
}

TEST(Contract, ScalarsOfEveryKind) {
  const std::string body =
      "__global__ void k(const float* x, float* y, float a, float b, float c, double d, float e, int m) {\n"
      "  y[threadIdx.x] = x[threadIdx.x] * a + b + c + d + e + m;\n}\n";
  const ir::LaunchContract contract = contractOf(
      body + "torch::Tensor f(torch::Tensor x, double slope = 0.01, int64_t m = 3, float g = 2.0f) {\n"
             "  auto y = torch::empty_like(x);\n  const float s = static_cast<float>(slope);\n"
             "  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), s, 0.1, -0.25f, slope, g, (int)m);\n"
             "  return y;\n}\n");
  ASSERT_EQ(contract.scalars.size(), 6U);
  using Kind = ir::ScalarContract::Kind;
  EXPECT_EQ(contract.scalars[0].kind, Kind::WrapperParameter);
  EXPECT_EQ(contract.scalars[0].wrapperName, "slope");
  EXPECT_EQ(contract.scalars[0].wrapperDefault, 0.01);
  EXPECT_EQ(contract.scalars[1].kind, Kind::Float);
  EXPECT_EQ(contract.scalars[1].floating, 0.1);
  EXPECT_EQ(contract.scalars[1].text, "0.1");
  EXPECT_EQ(contract.scalars[2].kind, Kind::Float);
  EXPECT_EQ(contract.scalars[2].floating, -0.25);
  EXPECT_EQ(contract.scalars[2].text, "-0.25");
  EXPECT_EQ(contract.scalars[3].kind, Kind::WrapperParameter);
  EXPECT_EQ(contract.scalars[4].wrapperName, "g");
  EXPECT_EQ(contract.scalars[4].wrapperDefault, 2.0);
  EXPECT_EQ(contract.scalars[5].kind, Kind::Integer);
  EXPECT_EQ(ir::print(*contract.scalars[5].integer), "m");
  for (const ir::SizeSymbol& symbol : contract.symbols)
    if (symbol.name == "m") {
      EXPECT_EQ(symbol.parameter, "m");
    }
}

TEST(Contract, FactsAreWhatTheWrapperChecks) {
  const ir::LaunchContract contract = contractOf(
      kernel +
      "#define CHECK_INPUT(t) TORCH_CHECK(t.is_contiguous(), #t \" must be contiguous\")\n"
      "torch::Tensor f(torch::Tensor x, torch::Tensor z) {\n  CHECK_INPUT(x);\n"
      "  TORCH_CHECK(x.numel() == z.numel() && x.is_cuda(), \"sizes\");\n"
      "  AT_ASSERTM(x.size(0) > 4, \"rows\");\n"
      "  if (x.dim() != 2) throw std::runtime_error(\"dim\");\n"
      "  if (x.size(1) > 9 && !x.is_cuda()) throw std::runtime_error(\"both\");\n"
      "  if (x.numel() == 0) return x;\n"
      "  auto y = torch::empty_like(x);\n"
      "  k<<<1, 32>>>(x.contiguous().data_ptr<float>(), y.data_ptr<float>(), 32);\n  return y;\n}\n");
  std::map<std::string, std::string> facts;
  for (const ir::HostFact& fact : contract.facts)
    facts[fact.text] = fact.condition ? ir::print(*fact.condition) : "";
  EXPECT_TRUE(facts.contains("x.is_contiguous()"));
  EXPECT_EQ(facts["x.is_contiguous()"], "");
  EXPECT_EQ(facts["x.numel() == z.numel() && x.is_cuda()"], "x.numel == z.numel");
  EXPECT_EQ(facts["x.size(0) > 4"], "x.size.0 > 4");
  EXPECT_EQ(facts["!(x.dim() != 2)"], "x.dim == 2");
  EXPECT_EQ(facts["x.numel > 0"], "x.numel > 0");
  ASSERT_TRUE(facts.contains("!(x.size(1) > 9 && !x.is_cuda())"));
  EXPECT_EQ(facts["!(x.size(1) > 9 && !x.is_cuda())"], "") << "the other conjunct may be what is false";
  EXPECT_TRUE(facts.contains("x.contiguous()"));
}

/// Conditions that hold for every tensor that is compared are no conditions.
TEST(Contract, UsualChecks) {
  const ir::LaunchContract contract = contractOf(
      kernel +
      "#define CHECK_CUDA(t) TORCH_CHECK(t.device().is_cuda(), #t \" must be on the GPU\")\n"
      "#define CHECK_INPUT(t) CHECK_CUDA(t); TORCH_CHECK(t.is_contiguous(), #t \" must be contiguous\")\n"
      "torch::Tensor f(torch::Tensor x, torch::Tensor z) {\n  CHECK_INPUT(x);\n"
      "  TORCH_CHECK(x.scalar_type() == torch::kFloat32 && z.dtype() == torch::kFloat, \"type\");\n"
      "  TORCH_CHECK(x.scalar_type() == at::ScalarType::Float && x.dim() == 2);\n"
      "  TORCH_CHECK(x.device() == z.device() && x.get_device() == z.get_device(), \"device\");\n"
      "  TORCH_CHECK(x.device().type() == torch::kCUDA && x.dtype() == z.dtype());\n"
      "  if (!x.is_cuda() || x.scalar_type() != torch::kFloat) { TORCH_CHECK(false, \"no\"); }\n"
      "  if (x.dim() != 2 || x.size(0) != z.size(0)) throw std::runtime_error(\"dim\");\n"
      "  if (x.sizes() != z.sizes()) AT_ERROR(\"sizes\");\n"
      "  if (x.numel() > 0) { } else { throw 1; }\n"
      "  TORCH_CHECK(x.numel());\n"
      "  auto y = torch::empty_like(x);\n"
      "  TORCH_CHECK(y.sizes() == x.sizes());\n" // of one shape in any case
      "  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n"
      "  cudaError_t err = cudaGetLastError();\n  TORCH_CHECK(err == cudaSuccess, \"launch\");\n"
      "  if (err != cudaSuccess) throw std::runtime_error(cudaGetErrorString(err));\n"
      "  TORCH_CHECK(y.is_cuda());\n  return y;\n}\n");
  std::multiset<std::string> conditions;
  for (const ir::HostFact& fact : contract.facts)
    if (fact.condition)
      conditions.insert(ir::print(*fact.condition));
  EXPECT_EQ(conditions, (std::multiset<std::string>{"x.dim == 2", "x.dim == 2 && x.size.0 == z.size.0",
                                                    "x.numel == z.numel", "x.numel > 0", "x.numel != 0"}));
}

TEST(Contract, ParametersAreTheDefinitions) {
  const std::string wrapper =
      "torch::Tensor f(torch::Tensor x, torch::Tensor z) {\n  auto out = torch::empty_like(x);\n"
      "  k(x.data_ptr<float>(), z.data_ptr<float>(), out.data_ptr<float>());\n  return out;\n}\n";
  const std::string body = "{ y[threadIdx.x] = a[threadIdx.x] - b[threadIdx.x]; }\n";
  const char* const declarations[][2] = {
      {"__global__ void k(const float* a, const float* b, float* y, int s = 7);\n",
       "__global__ void k(const float* b, const float* a, float* y, int s) "},
      {"template <class T> __global__ void k(const T* a, const T* b, T* y, int s = 7);\n",
       "template <class T> __global__ void k(const T* b, const T* a, T* y, int s) "},
      {"__global__ void k(const float*, const float*, float*, int = 7);\n",
       "__global__ void k(const float* b, const float* a, float* y, int s) "}};
  for (const auto& [declared, defined] : declarations) {
    std::string launching = wrapper;
    launching.replace(launching.find("k(x"), 1, "k<<<1, 32>>>");
    for (const std::string& source :
         {declared + launching + defined + body, declared + (defined + body) + launching}) {
      SCOPED_TRACE(source);
      const ir::LaunchContract contract = contractOf(source);
      ASSERT_EQ(contract.buffers.size(), 3U);
      EXPECT_EQ(contract.buffers[0].parameter, "b");
      EXPECT_EQ(contract.buffers[0].tensor, "x");
      EXPECT_EQ(contract.buffers[1].parameter, "a");
      EXPECT_EQ(contract.buffers[1].tensor, "z");
      ASSERT_EQ(contract.scalars.size(), 1U);
      EXPECT_EQ(contract.scalars[0].parameter, "s");
      EXPECT_EQ(at(contract.scalars[0].integer, {}), 7);
    }
  }
}

TEST(Contract, NewTensorsOnTheDevice) {
  for (const char* made :
       {"torch::empty(x.sizes(), x.options())", "torch::empty_like(x, x.options().dtype(torch::kFloat))",
        "torch::zeros(x.sizes(), torch::TensorOptions().dtype(torch::kFloat32).device(torch::kCUDA))",
        "torch::empty(x.sizes(), torch::dtype(x.dtype()).device(x.device()))",
        "torch::empty(x.sizes(), torch::device(torch::kCUDA))", "torch::empty_like(x, torch::kFloat)",
        "torch::empty(x.sizes(), x.options().device(torch::Device(torch::kCUDA, 0)))"}) {
    const ir::LaunchContract contract =
        contractOf(kernel + "torch::Tensor f(torch::Tensor x) { auto y = " + made +
                   ";\n  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32); return y; }\n");
    ASSERT_EQ(contract.buffers.size(), 2U) << made;
    EXPECT_EQ(contract.buffers[1].tensor, "output:0") << made;
  }
}

TEST(Contract, AFactNamesTheChecksItNeeds) {
  const ir::LaunchContract contract = contractOf(
      kernel + "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n  int n = x.numel();\n"
               "  TORCH_CHECK(n < 100, \"small\");\n"
               "  k<<<1, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n  return y;\n}\n");
  ASSERT_EQ(contract.facts.size(), 1U);
  // 2^32 elements pass this check: it says something only where the narrowing is exact.
  ASSERT_EQ(contract.facts[0].reliesOn.size(), 1U);
  EXPECT_EQ(ir::print(*contract.facts[0].reliesOn[0].value), "x.numel");
  EXPECT_EQ(contract.facts[0].reliesOn[0].high, std::numeric_limits<int32_t>::max());
}

TEST(Contract, DispatchTakesTheFloatInstance) {
  const ir::LaunchContract contract = contractOf(
      "template <typename T> __global__ void k(const T* __restrict__ x, T* __restrict__ y, size_t n) {\n"
      "  size_t i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i] > T(0) ? x[i] : "
      "T(0);\n}\n"
      "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n  const int threads = 1024;\n"
      "  const dim3 blocks((x.numel() + threads - 1) / threads);\n"
      "  const at::cuda::OptionalCUDAGuard guard(x.device());\n"
      "  auto stream = at::cuda::getCurrentCUDAStream();\n"
      "  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), \"k\", ([&] {\n"
      "    k<scalar_t><<<blocks, threads, 0, stream>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), "
      "x.numel());\n"
      "  }));\n  return y;\n}\n");
  EXPECT_EQ(contract.kernel, "k<float>");
  EXPECT_EQ(contract.where.line, 12);
  EXPECT_EQ(at(contract.grid[0], {{"x.numel", 1025}}), 2);
}

TEST(Contract, TwoDimensionsAndSizes) {
  const ir::LaunchContract contract = contractOf(
      "__global__ void k(const float* x, float* y, int h, int w) {\n"
      "  int c = blockIdx.x * blockDim.x + threadIdx.x;\n  int r = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  if (r < h && c < w) y[r * w + c] = x[r * w + c];\n}\n"
      "torch::Tensor f(torch::Tensor x) {\n  int h = x.size(0);\n  int w = x.sizes()[1];\n"
      "  auto y = torch::empty({h, w}, x.options());\n  dim3 block(16, 8);\n"
      "  dim3 grid((w + block.x - 1) / 16, (h + 7) / 8);\n"
      "  k<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), h, w);\n"
      "  return y;\n}\n");
  EXPECT_EQ(at(contract.block[0], {}), 16);
  EXPECT_EQ(at(contract.block[1], {}), 8);
  EXPECT_EQ(at(contract.grid[0], {{"x.size.1", 17}}), 2);
  EXPECT_EQ(at(contract.grid[1], {{"x.size.0", 9}}), 2);
  ASSERT_EQ(contract.buffers.size(), 2U);
  EXPECT_EQ(at(contract.buffers[1].length, {{"x.size.0", 3}, {"x.size.1", 5}}), 15);
}

TEST(Contract, InPlaceAndVoidWrappers) {
  const std::string inPlace =
      "__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }\n";
  const ir::LaunchContract returned = contractOf(
      inPlace +
      "torch::Tensor f(torch::Tensor x) { k<<<1, 32>>>(x.data_ptr<float>(), x.numel()); return x; }\n");
  ASSERT_EQ(returned.buffers.size(), 1U);
  EXPECT_EQ(returned.buffers[0].role, ir::BufferRole::InOut);
  EXPECT_EQ(returned.buffers[0].tensor, "x");
  EXPECT_EQ(returned.returnedTensors, 1);
  const ir::LaunchContract nothing =
      contractOf(kernel + "void f(torch::Tensor a, torch::Tensor b) {\n"
                          "  k<<<1, 32>>>(a.data_ptr<float>(), b.data_ptr<float>(), a.numel());\n}\n");
  EXPECT_EQ(nothing.returnedTensors, -1);
  EXPECT_EQ(nothing.buffers[1].tensor, "b");
  EXPECT_EQ(nothing.buffers[1].role, ir::BufferRole::Output);
}

TEST(Contract, ALauncherIsReadThroughItsCaller) {
  const ir::LaunchContract contract = contractOf(
      kernel + "void launch(const float* x, float* y, int n) { k<<<(n + 255) / 256, 256>>>(x, y, n); }\n"
               "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n"
               "  launch(x.data_ptr<float>(), (float*)y.data_ptr(), x.numel());\n  return y;\n}\n");
  EXPECT_EQ(contract.wrapper, "f");
  EXPECT_EQ(contract.buffers.size(), 2U);
}

TEST(Contract, SeveralOutputs) {
  const ir::LaunchContract contract =
      contractOf("__global__ void k(const float* x, float* p, float* q, int n) {\n"
                 "  int i = threadIdx.x;\n  if (i < n) { p[i] = x[i]; q[i] = p[i] + 1; }\n}\n"
                 "std::vector<torch::Tensor> f(torch::Tensor x) {\n  auto a = torch::empty_like(x);\n"
                 "  auto b = torch::zeros(x.sizes(), x.options());\n"
                 "  k<<<1, 32>>>(x.data_ptr<float>(), b.data_ptr<float>(), a.data_ptr<float>(), x.numel());\n"
                 "  return {a, b};\n}\n");
  EXPECT_EQ(contract.returnedTensors, 2);
  ASSERT_EQ(contract.buffers.size(), 3U);
  EXPECT_EQ(contract.buffers[1].tensor, "output:1");
  EXPECT_EQ(contract.buffers[1].role, ir::BufferRole::InOut);
  EXPECT_TRUE(contract.buffers[1].zeroInitialised);
  EXPECT_EQ(contract.buffers[2].tensor, "output:0");
}

TEST(Contract, Bindings) {
  const ir::LaunchContract contract =
      contractOf("#include <torch/extension.h>\n#include <vector>\n" + kernel +
                 "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n"
                 "  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);\n"
                 "  cudaError_t err = cudaGetLastError();\n"
                 "  if (err != cudaSuccess) { printf(\"%s\", cudaGetErrorString(err)); }\n  return y;\n}\n"
                 "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"f\", &f, \"doc\", py::arg(\"x\")); }\n");
  EXPECT_EQ(contract.wrapper, "f");
}

} // namespace
} // namespace plumbline::cuda::test

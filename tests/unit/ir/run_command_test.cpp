#include "core/ir/run_command.h"

#include "tests/unit/ir/run_fixture.h"

namespace plumbline::ir {
namespace {

using namespace test;

Json json(const std::string& text) {
  return *parseJson(text, "test");
}

const char* const kLaunch = R"JSON({"kernels": {"elementwise": {
  "block": [32, 1, 1], "grid": ["max(1, ceil(n / 32))", 1, 1], "symbols": {"n": [0, 1000000]},
  "assume": ["n != 13"],
  "buffers": {
  "x" : {"len" : "n", "role" : "input"}, "y" : {"len" : "n", "role" : "output"}
}
}
}
})JSON";

Module squaring() {
  return elementwise([](Builder& b, ExprId x) { return b.binary(BinaryOp::Mul, x, x); });
}

RunRequest request(const Module& module, const std::string& inputs, const std::string& launch = kLaunch) {
  RunRequest made;
  made.module = &module;
  Expected<LaunchContract> contract = launchFromFile(json(launch), "elementwise");
  EXPECT_TRUE(contract) << contract.error().message;
  made.launch = contract.value_or(LaunchContract{});
  Expected<TensorFile> tensors = tensorsFromJson(json(inputs));
  EXPECT_TRUE(tensors) << tensors.error().message;
  made.inputs = tensors.value_or(TensorFile{});
  return made;
}

TEST(RunCommand, SizesComeFromTheBuffers) {
  const Module module = squaring();
  Expected<RunReport> report = runKernel(
      request(module,
              R"({"x": {"shape": [3], "dtype": "float32", "bits": [1073741824, 3212836864, 2143289344]}})"),
      {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->ran);
  EXPECT_TRUE(report->findings().empty());
  EXPECT_EQ(report->launch.symbols.at("n"), 3);
  EXPECT_EQ(report->outputs.size(), 1U);
  EXPECT_EQ(report->outputs.at("y").bits, (std::vector<uint64_t>{0x40800000, 0x3f800000, 0x7fc00000}));
  const Json written = toJson(*report);
  EXPECT_EQ(written["schema"], 1);
  EXPECT_EQ(written["outputs"]["y"]["dtype"], "float32");
  EXPECT_EQ(written["threads"], 32);
  EXPECT_EQ(written["symbols"]["n"], 3);
  EXPECT_NE(print(*report).find("y: float32 [3] = [4, 1, nan]"), std::string::npos) << print(*report);
}

TEST(RunCommand, GivenSizesWin) {
  const Module module = squaring();
  Expected<RunReport> report = runKernel(
      request(module, R"({"symbols": {"n": 4}, "x": {"shape": [3], "dtype": "float32", "bits": [0, 0, 0]}})"),
      {});
  EXPECT_EQ(report.error().id, "buffer-length");
}

TEST(RunCommand, ErrorsAreNamed) {
  const Module module = squaring();
  auto idOf = [&](const std::string& inputs) {
    Expected<RunReport> report = runKernel(request(module, inputs), {});
    return report ? "ran" : report.error().id;
  };
  EXPECT_EQ(idOf(R"({})"), "size-unbound");
  EXPECT_EQ(idOf(R"({"symbols": {"n": 13}})"), "launch-precondition");
  EXPECT_EQ(idOf(R"({"symbols": {"n": -1}})"), "size-range");
  EXPECT_EQ(idOf(R"({"x": {"shape": [1], "dtype": "float64", "bits": [0]}})"), "tensor-dtype");
  EXPECT_EQ(launchFromFile(json(kLaunch), "other").error().id, "launch-missing");
  RunRequest wrong = request(module, "{}");
  wrong.kernel = "other";
  EXPECT_EQ(runKernel(wrong, {}).error().id, "kernel-missing");
}

TEST(RunCommand, RejectedKernelsKeepTheirReasons) {
  Module module = squaring();
  module.kernels[0].function = -1;
  module.kernels[0].rejections = {{"inline-asm", "asm", {"k.cu", 3, 1, 3, 4}}};
  Expected<RunReport> report = runKernel(request(module, "{}"), {});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::Rejected);
  ASSERT_EQ(report.error().rejections.size(), 1U);
}

TEST(RunCommand, AnUninitialisedInputIsAFinding) {
  const Module module = squaring();
  Expected<RunReport> report = runKernel(request(module, R"({"symbols": {"n": 2}})"), {});
  ASSERT_TRUE(report);
  ASSERT_EQ(report->findings().size(), 1U);
  EXPECT_EQ(report->findings()[0].kind, FindingKind::UninitialisedRead);
}

std::string launchWith(const std::string& more) {
  return R"({"symbols": {"n": [1, 100000000000]}, "buffers": {"x": {"len": "n", "role": "input"},
             "y": {"len": "n", "role": "output"}}, )" +
         more + "}";
}

TEST(RunCommand, LaunchesOutsideCudasLimitsAreNotRun) {
  const Module module = squaring();
  for (const char* launch :
       {R"("block": [1025], "grid": [1])", R"("block": [32, 33], "grid": [1])",
        R"("block": [1, 1, 65], "grid": [1])", R"("block": [32], "grid": [1, 65536])",
        R"("block": [32], "grid": [1, 1, 65536])", R"("block": [32], "grid": [2147483648])",
        R"("block": [32], "grid": [0])", R"("block": [32], "grid": [1], "shared_bytes": 49153)"}) {
    Expected<RunReport> report =
        runKernel(request(module, R"({"symbols": {"n": 1}})", launchWith(launch)), {});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_FALSE(report->ran) << launch;
    ASSERT_EQ(report->findings().size(), 1U) << launch;
    EXPECT_EQ(report->findings()[0].kind, FindingKind::LaunchLimit) << launch;
  }
}

TEST(RunCommand, HostConversionsThatLoseTheValueAreFindings) {
  const Module module = squaring();
  const std::string grid = R"("block": [32], "grid": [1])";
  const std::string check = R"(, "checks": [{"value": "n * 4", "range": [-2147483648, 2147483647],
      "what": "conversion of n * 4 to int", "where": {"file": "k.cu", "line": 9, "column": 2}}])";
  Expected<RunReport> report =
      runKernel(request(module, R"({"symbols": {"n": 536870912}})", launchWith(grid + check)), {});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->findings().size(), 1U);
  EXPECT_EQ(report->findings()[0].kind, FindingKind::Overflow);
  EXPECT_EQ(report->findings()[0].where.line, 9);
  report = runKernel(request(module, R"({"symbols": {"n": 4294967296}})", launchWith(grid)), {});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->findings().size(), 1U) << "the parameter n is an int";
  EXPECT_EQ(report->findings()[0].kind, FindingKind::Overflow);
}

TEST(RunCommand, LaunchBoundsLimitTheBlock) {
  Module module = squaring();
  module.kernels[0].maxThreadsPerBlock = 16;
  Expected<RunReport> report =
      runKernel(request(module, R"({"symbols": {"n": 1}})", launchWith(R"("block": [32], "grid": [1])")), {});
  ASSERT_TRUE(report);
  ASSERT_EQ(report->findings().size(), 1U);
}

/// The contract of a wrapper `torch::Tensor f(torch::Tensor x)` that works in place: both pointers are x.
TEST(RunCommand, WrapperNamesBindTensorsAndSizes) {
  const Module module = squaring();
  const std::string launch =
      R"JSON({"wrapper": "f", "block": [32], "grid": ["ceil(x.size.0 * x.size.1 / 32)"],
    "symbols": {"x.size.0": {"range": [1, 1000], "tensor": "x.size.0"},
                "x.size.1": {"range": [1, 1000], "tensor": "x.size.1"}},
    "buffers": {"x": {"len": "x.size.0 * x.size.1", "role": "inout", "tensor": "x"},
                "y": {"len": "x.size.0 * x.size.1", "role": "inout", "tensor": "x"}},
    "scalars": {"n": "x.size.0 * x.size.1"}, "wrapper_tensors": ["x"], "wrapper_parameters": ["x"]
})JSON";
  Expected<RunReport> report = runKernel(
      request(module, R"({"x": {"shape": [2, 1], "dtype": "float32", "bits": [1077936128, 3221225472]}})",
              launch),
      {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings().empty());
  EXPECT_EQ(report->outputs.at("x").bits, (std::vector<uint64_t>{0x41100000, 0x40800000}));
  EXPECT_EQ(report->outputs.at("x").shape, (std::vector<int64_t>{2, 1}));
}

TEST(RunCommand, WrapperScalarsHaveDefaults) {
  Builder b("elementwise");
  const int y = b.parameter("y", kF32Pointer);
  const int s = b.parameter("s", kF32);
  b.body({b.store(b.get(y), b.get(s))});
  const Module module = b.kernelModule();
  const std::string launch = R"({"wrapper": "f", "block": [1], "grid": [1],
    "buffers": {"y": {"len": 1, "role": "output"}}, "scalars": {"s": {"wrapper": "slope", "default": 0.1}}})";
  Expected<RunReport> report = runKernel(request(module, "{}", launch), {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->outputs.at("y").bits, floats({0.1F}));
  report = runKernel(
      request(module, R"({"slope": {"shape": [], "dtype": "float32", "bits": [1073741824]}})", launch), {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outputs.at("y").bits, floats({2}));
  const std::string free = R"({"block": [1], "grid": [1], "buffers": {"y": {"len": 1, "role": "output"}}})";
  EXPECT_EQ(runKernel(request(module, "{}", free), {}).error().id, "scalar-unbound");
}

/// y[0] += x[t], by way of dynamic shared memory of the launch.
TEST(RunCommand, DynamicSharedMemoryAndAtomics) {
  Builder b("elementwise");
  const int x = b.parameter("x", kF32Pointer);
  const int y = b.parameter("y", kF32Pointer);
  const int tile = b.array("tile", ScalarType::F32, ArraySpace::Shared, {});
  StmtId add = b.atomic(-1, SyncOp::AtomicAdd, b.get(y), b.load(b.arrayAt(tile, b.thread())));
  b.body({b.store(b.arrayAt(tile, b.thread()), b.load(b.at(b.get(x), b.thread()))), b.barrier(), add});
  const Module module = b.kernelModule();
  const std::string launch =
      R"({"symbols": {"n": [1, 1024]}, "block": ["n"], "grid": [1], "shared_bytes": "BYTES",
    "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": 1, "role": "inout"}}})";
  const std::string inputs =
      R"({"x": {"shape": [3], "dtype": "float32", "bits": [1065353216, 1073741824, 1077936128]},
                                 "y": {"shape": [1], "dtype": "float32", "bits": [0]}})";
  const auto with = [&](const std::string& bytes) {
    std::string text = launch;
    return runKernel(request(module, inputs, text.replace(text.find("BYTES"), 5, bytes)), {});
  };
  Expected<RunReport> report = with("4 * n");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings().empty());
  EXPECT_EQ(report->outputs.at("y").bits, floats({6})); // 1 + 2 + 3
  const Json written = toJson(*report);
  EXPECT_EQ(written["order_dependent"][0]["buffer"], "y");
  EXPECT_EQ(written["order_dependent"][0]["spans"][0]["line"], b.lineOf(add));
  Expected<std::string> schema =
      readFile(std::string(PLUMBLINE_SOURCE_DIR) + "/resources/schema/run.schema.json");
  ASSERT_TRUE(schema);
  for (const Json& key : json(*schema)["required"])
    EXPECT_TRUE(written.contains(key.get<std::string>())) << key;
  EXPECT_NE(print(*report).find("depends on the order"), std::string::npos);
  report = with("4 * n - 1");
  ASSERT_TRUE(report);
  ASSERT_EQ(report->findings().size(), 1U) << "the last float has three bytes";
  EXPECT_EQ(report->findings()[0].kind, FindingKind::OutOfBounds);
}

TEST(RunCommand, StaticSharedArraysCountAgainstTheLimit) {
  Builder b("elementwise");
  const int y = b.parameter("y", kF32Pointer);
  b.shared("tile", 12000);
  b.body({b.store(b.get(y), b.f32(0))});
  const Module module = b.kernelModule();
  for (const int64_t bytes : {1152, 1153}) { // 12000 floats and 1152 bytes are 49152
    const std::string launch = R"({"block": [1], "grid": [1], "buffers": {"y": {"len": 1, "role": "output"}},
      "shared_bytes": )" + std::to_string(bytes) +
                               "}";
    Expected<RunReport> report = runKernel(request(module, "{}", launch), {});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->ran, bytes == 1152);
  }
}

} // namespace
} // namespace plumbline::ir

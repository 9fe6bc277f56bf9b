#include "tests/unit/ir/run_fixture.h"

#include <cmath>

namespace plumbline::ir {
namespace {

using namespace test;

Module doubling() {
  return elementwise([](Builder& b, ExprId x) { return b.binary(BinaryOp::Add, x, x); });
}

TEST(Interpreter, RunsEveryThreadOfTheGrid) {
  std::vector<float> values;
  for (int i = 0; i < 101; ++i)
    values.push_back(0.25F * static_cast<float>(i) - 3);
  for (const char* order : {"forward", "backward", "random:5"}) {
    RunOptions<IeeeDomain> options;
    options.schedule = *parseSchedule(order);
    const Outcome out = runOn(doubling(), elementwiseLaunch(101), {{"x", floats(values)}}, options);
    EXPECT_TRUE(out.result.findings.empty()) << print(out.result.findings[0]);
    EXPECT_EQ(out.result.threads, 128U);
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(floatOf(out.buffers.at("y")[i]), 2 * values[i]);
  }
}

TEST(Interpreter, CallsHaveTheirOwnLocals) {
  // helper(v, k) { int t = k + 1; if (t < 2) return v; return helper2(v) + v; }   helper2(v) { t = v * v;
  // return t; }
  Builder square("square", kF32);
  const int sv = square.parameter("v", kF32);
  const int st = square.local("t", kF32);
  StmtId sa = square.assign(st, square.binary(BinaryOp::Mul, square.get(sv), square.get(sv)));
  square.body({sa, square.ret(square.get(st))});
  Builder helper("helper", kF32);
  const int v = helper.parameter("v", kF32);
  const int k = helper.parameter("k", kI32);
  const int t = helper.local("t", kI32);
  StmtId a = helper.assign(t, helper.binary(BinaryOp::Add, helper.get(k), helper.integer(1)));
  StmtId early = helper.branch(helper.binary(BinaryOp::Lt, helper.get(t), helper.integer(2)),
                               {helper.ret(helper.get(v))});
  ExprId both = helper.binary(BinaryOp::Add, helper.call(0, kF32, {helper.get(v)}), helper.get(v));
  helper.body({a, early, helper.ret(both)});
  const Module module = elementwise(
      [](Builder& b, ExprId x) {
        ExprId first = b.call(1, kF32, {x, b.integer(0)});
        ExprId second = b.call(1, kF32, {b.binary(BinaryOp::Add, x, first), b.integer(1)});
        return b.binary(BinaryOp::Sub, second, first);
      },
      {square.function(), helper.function()});
  const Outcome out = runOn(module, elementwiseLaunch(3), {{"x", floats({1, 2, -3})}});
  // first = x, second = (2x)^2 + 2x, result = 4x^2 + x
  EXPECT_EQ(out.buffers.at("y"), floats({5, 18, 33}));
  EXPECT_TRUE(out.result.findings.empty());
}

TEST(Interpreter, OnlyTheChosenBranchIsEvaluated) {
  // (n == 0 || 10 / n > 100) && ... guards a division; the conditional's other branch would divide by zero.
  Builder b("guarded");
  const int y = b.parameter("y", kI32Pointer);
  const int n = b.parameter("n", kI32);
  ExprId zero = b.binary(BinaryOp::Eq, b.get(n), b.integer(0));
  ExprId divided = b.binary(BinaryOp::Gt, b.binary(BinaryOp::Div, b.integer(10), b.get(n)), b.integer(100));
  ExprId either = b.logical(ExprKind::LogicalOr, zero, divided);
  ExprId notZero = b.binary(BinaryOp::Ne, b.get(n), b.integer(0));
  ExprId both =
      b.logical(ExprKind::LogicalAnd, notZero,
                b.binary(BinaryOp::Gt, b.binary(BinaryOp::Div, b.integer(10), b.get(n)), b.integer(4)));
  ExprId chosen = b.select(notZero, b.binary(BinaryOp::Rem, b.integer(10), b.get(n)), b.integer(77));
  ExprId sum = b.binary(BinaryOp::Add, b.cast(kI32, either),
                        b.binary(BinaryOp::Mul, b.integer(2), b.cast(kI32, both)));
  b.body({b.store(b.get(y), b.binary(BinaryOp::Add, sum, b.binary(BinaryOp::Mul, b.integer(100), chosen)))});
  for (const auto& [value, expected] : {std::pair<int64_t, int64_t>{0, 7701}, {2, 2}, {3, 100}}) {
    ConcreteLaunch launch;
    launch.buffers = {{"y", buffer(1, BufferRole::Output)}};
    launch.scalars = {{"n", ScalarValue::integer(value)}};
    const Outcome out = runOn(b.kernelModule(), launch, {});
    EXPECT_TRUE(out.result.findings.empty()) << print(out.result.findings[0]);
    EXPECT_EQ(out.buffers.at("y")[0], static_cast<uint64_t>(expected)) << value;
  }
}

TEST(Interpreter, BuiltinsNameTheThread) {
  // y[linear] = ((((bz*8+by)*8+bx)*8+tz)*8+ty)*8+tx over a 3-dimensional launch
  Builder b("where_am_i");
  const int y = b.parameter("y", kI32Pointer);
  auto fold = [&](ExprId a, const char* scale, int factor, const char* digit) {
    ExprId size = scale ? b.cast(kI32, b.builtin(scale)) : b.integer(factor);
    return b.binary(BinaryOp::Add, b.binary(BinaryOp::Mul, a, size), b.cast(kI32, b.builtin(digit)));
  };
  ExprId value = b.integer(0);
  ExprId index = b.integer(0);
  const std::pair<const char*, const char*> digits[] = {
      {"gridDim.z", "blockIdx.z"},   {"gridDim.y", "blockIdx.y"},   {"gridDim.x", "blockIdx.x"},
      {"blockDim.z", "threadIdx.z"}, {"blockDim.y", "threadIdx.y"}, {"blockDim.x", "threadIdx.x"}};
  for (const auto& [size, digit] : digits) {
    value = fold(value, nullptr, 8, digit);
    index = fold(index, size, 0, digit);
  }
  b.body({b.store(b.at(b.get(y), index), b.binary(BinaryOp::Add, value, b.builtin("warpSize")))});
  ConcreteLaunch launch;
  launch.grid = {2, 3, 4};
  launch.block = {5, 3, 2};
  launch.buffers = {{"y", buffer(2 * 3 * 4 * 5 * 3 * 2, BufferRole::Output)}};
  const Outcome out = runOn(b.kernelModule(), launch, {});
  EXPECT_TRUE(out.result.findings.empty());
  size_t at = 0;
  for (uint64_t bz = 0; bz < 4; ++bz)
    for (uint64_t by = 0; by < 3; ++by)
      for (uint64_t bx = 0; bx < 2; ++bx)
        for (uint64_t tz = 0; tz < 2; ++tz)
          for (uint64_t ty = 0; ty < 3; ++ty)
            for (uint64_t tx = 0; tx < 5; ++tx)
              EXPECT_EQ(out.buffers.at("y")[at++],
                        ((((bz * 8 + by) * 8 + bx) * 8 + tz) * 8 + ty) * 8 + tx + 32);
}

TEST(Interpreter, DoubleLiteralsAreDoubles) {
  // y = (float)((double)x * 0.01), C++'s x * 0.01
  const Module module = elementwise([](Builder& b, ExprId x) {
    return b.cast(kF32,
                  b.binary(BinaryOp::Mul, b.cast(kF64, x), b.f64(std::bit_cast<uint64_t>(0.01), "0.01")));
  });
  std::vector<float> values;
  std::vector<float> expected;
  for (int i = 0; i < 500; ++i) {
    values.push_back(std::bit_cast<float>(0x3f800000U + static_cast<uint32_t>(i) * 9973));
    expected.push_back(static_cast<float>(static_cast<double>(values.back()) * 0.01));
  }
  EXPECT_EQ(runOn(module, elementwiseLaunch(500), {{"x", floats(values)}}).buffers.at("y"), floats(expected));
}

TEST(Interpreter, ScalarsAreConvertedToTheParametersType) {
  Builder b("scalars");
  const int y = b.parameter("y", kF32Pointer);
  const int f = b.parameter("f", kF32);
  const int d = b.parameter("d", kF64);
  const int i = b.parameter("i", kI32);
  b.body({b.store(b.get(y), b.get(f)), b.store(b.at(b.get(y), b.integer(1)), b.cast(kF32, b.get(d))),
          b.store(b.at(b.get(y), b.integer(2)), b.cast(kF32, b.get(i)))});
  ConcreteLaunch launch;
  launch.buffers = {{"y", buffer(3, BufferRole::Output)}};
  launch.scalars = {{"f", ScalarValue::floating(0.1)},
                    {"d", {ScalarType::F32, bitsOfFloat(0.1F), {}}},
                    {"i", ScalarValue::floating(-3.75)}};
  EXPECT_EQ(runOn(b.kernelModule(), launch, {}).buffers.at("y"), floats({0.1F, 0.1F, -3}));
}

TEST(Interpreter, AliasedParametersShareMemory) {
  const Module module = doubling();
  ConcreteLaunch launch = elementwiseLaunch(40, BufferRole::InOut);
  launch.buffers["x"].sameAs = "x";
  launch.buffers["y"].sameAs = "x";
  const Outcome out = runOn(module, launch, {{"x", std::vector<uint64_t>(40, bitsOfFloat(3))}});
  EXPECT_TRUE(out.result.findings.empty()) << "a thread that reads and writes its own cell does not race";
  EXPECT_EQ(out.buffers.at("x"), std::vector<uint64_t>(40, bitsOfFloat(6)));
}

TEST(Interpreter, SparseBuffersReachFarIndices) {
  // y[i * 2^20] = x[i * 2^20] + x[...]: lengths of 2^40 cells, a few threads
  Builder b("far");
  const int x = b.parameter("x", kF32Pointer);
  const int y = b.parameter("y", kF32Pointer);
  const int at = b.local("at", kI64);
  StmtId index =
      b.assign(at, b.binary(BinaryOp::Mul, b.cast(kI64, b.globalIndex()), b.integer(1 << 20, kI64)));
  ExprId value = b.load(b.at(b.get(x), b.get(at)));
  b.body({index, b.store(b.at(b.get(y), b.get(at)), b.binary(BinaryOp::Add, value, value))});
  const Module module = b.kernelModule();
  ConcreteLaunch launch;
  launch.grid = {1 << 20, 1, 1};
  launch.buffers = {{"x", buffer(int64_t{1} << 40, BufferRole::Input)},
                    {"y", buffer(int64_t{1} << 40, BufferRole::Output)}};
  using Cells = Buffer<IeeeDomain>;
  Memory<IeeeDomain> memory;
  memory.bind("x", memory.add(Cells("x", ScalarType::F32, int64_t{1} << 40, [](int64_t i) {
    return Cells::Cell{bitsOfFloat(static_cast<float>(i >> 20)), 0};
  })));
  memory.bind(
      "y", memory.add(Cells("y", ScalarType::F32, int64_t{1} << 40, [](int64_t) { return Cells::Cell{}; })));
  Expected<Interpreter<IeeeDomain>> interpreter = Interpreter<IeeeDomain>::make(module, 0);
  ASSERT_TRUE(interpreter);
  const ThreadId threads[] = {
      {{0, 0, 0}, {0, 0, 0}}, {{12345, 0, 0}, {0, 0, 0}}, {{(1 << 20) - 1, 0, 0}, {0, 0, 0}}};
  Expected<RunResult> result = interpreter->runThreads(launch, memory, threads);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->findings.empty()) << print(result->findings[0]);
  EXPECT_EQ(memory[1].writtenCount(), 3);
  EXPECT_EQ(floatOf(memory[1].read(int64_t{12345} << 20).number), 24690);
  EXPECT_EQ(memory[1].firstUnwritten(), 1);
}

TEST(Interpreter, RealArithmeticKeepsRationals) {
  // y = x / 3 * 3 is x exactly, and 0.01 denotes 1/100
  const Module module = elementwise([](Builder& b, ExprId x) {
    ExprId third = b.binary(BinaryOp::Div, x, b.f32(0x40400000, "3"));
    return b.binary(BinaryOp::Mul, b.binary(BinaryOp::Mul, third, b.f32(0x40400000, "3")),
                    b.f32(0x3c23d70a, "0.01"));
  });
  ConcreteLaunch launch = elementwiseLaunch(2);
  using Cells = Buffer<RealDomain>;
  Memory<RealDomain> memory;
  std::vector<Cells::Cell> x(2);
  x[0].number.value = f32::Rational(7, 5);
  x[1].number.value = f32::Rational(-1, 3);
  memory.bind("x", memory.add(Cells("x", ScalarType::F32, x)));
  memory.bind("y", memory.add(Cells("y", ScalarType::F32, std::vector<Cells::Cell>(2))));
  Expected<Interpreter<RealDomain>> interpreter = Interpreter<RealDomain>::make(module, 0);
  ASSERT_TRUE(interpreter);
  Expected<RunResult> result = interpreter->run(launch, memory);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->findings.empty());
  EXPECT_EQ(memory[1].read(0).number.value, f32::Rational(7, 500));
  EXPECT_EQ(memory[1].read(1).number.value, f32::Rational(-1, 300));
}

TEST(Interpreter, StopsWhenAskedAndAtTheStepLimit) {
  const Module module = doubling();
  ConcreteLaunch launch = elementwiseLaunch(5000);
  const Function& kernel = module.functions[0];
  Expected<Interpreter<IeeeDomain>> interpreter = Interpreter<IeeeDomain>::make(module, 0);
  for (auto& [parameter, binding] : launch.buffers)
    binding.sameAs = parameter;
  Expected<Memory<IeeeDomain>> memory = makeMemory(launch, kernel, {{"x", std::vector<uint64_t>(5000)}});
  ASSERT_TRUE(memory);
  RunOptions<IeeeDomain> options;
  options.stepLimit = 1000;
  EXPECT_EQ(interpreter->run(launch, *memory, options).error().id, "step-limit");
  options = {};
  options.stop.requestStop();
  EXPECT_EQ(interpreter->run(launch, *memory, options).error().id, "timeout");
}

TEST(Interpreter, NamesWhatIsNotBound) {
  const Module module = doubling();
  Expected<Interpreter<IeeeDomain>> interpreter = Interpreter<IeeeDomain>::make(module, 0);
  ConcreteLaunch launch = elementwiseLaunch(4);
  Memory<IeeeDomain> memory;
  EXPECT_EQ(interpreter->run(launch, memory).error().id, "launch-unbound");
  using Cells = Buffer<IeeeDomain>;
  memory.bind("x", memory.add(Cells("x", ScalarType::I32, std::vector<Cells::Cell>(4))));
  EXPECT_EQ(interpreter->run(launch, memory).error().id, "buffer-type");
  memory.bind("x", memory.add(Cells("x", ScalarType::F32, std::vector<Cells::Cell>(4))));
  memory.bind("y", memory.indexOf("x"));
  launch.scalars.clear();
  EXPECT_EQ(interpreter->run(launch, memory).error().id, "scalar-unbound");
  EXPECT_EQ(Interpreter<IeeeDomain>::make(module, -1).error().id, "kernel-rejected");
}

TEST(Interpreter, SharedNodesDoNotExplode) {
  const Module module = elementwise([](Builder& b, ExprId x) {
    for (int i = 0; i < 64; ++i)
      x = b.binary(BinaryOp::Add, x, x);
    return x;
  });
  EXPECT_EQ(Interpreter<IeeeDomain>::make(module, 0).error().id, "kernel-too-large");
}

} // namespace
} // namespace plumbline::ir

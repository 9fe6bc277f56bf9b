// Shared memory, vectors, memory read as another type, and atomic operations.
#include "tests/unit/ir/run_fixture.h"

#include <numeric>

namespace plumbline::ir {
namespace {

using namespace test;

constexpr Type kF32x4Pointer{ScalarType::F32, true, 4};
constexpr Type kF32x3Pointer{ScalarType::F32, true, 3};
constexpr Type kF64Pointer{ScalarType::F64, true};

const RunFinding* find(const RunResult& result, FindingKind kind) {
  for (const RunFinding& finding : result.findings)
    if (finding.kind == kind)
      return &finding;
  return nullptr;
}

ConcreteLaunch oneBlock(int64_t threads, int64_t length, BufferRole role = BufferRole::InOut) {
  ConcreteLaunch launch;
  launch.block = {threads, 1, 1};
  launch.buffers = {{"y", buffer(length, role)}};
  return launch;
}

TEST(SharedMemory, ReadBeforeItIsWritten) {
  // Block 0 writes tile[0]; block 1 reads it: every block starts without contents.
  Builder b("uninitialised");
  const int y = b.parameter("y", kF32Pointer);
  const int tile = b.shared("tile", 4);
  ExprId read = b.load(b.arrayAt(tile, b.integer(0)));
  b.body({b.branch(b.equal(b.cast(kI32, b.builtin("blockIdx.x")), b.integer(0)),
                   {b.store(b.arrayAt(tile, b.integer(0)), b.f32(0x3f800000))}),
          b.store(b.at(b.get(y), b.builtin("blockIdx.x")), read)});
  ConcreteLaunch launch = oneBlock(1, 2);
  launch.grid = {2, 1, 1};
  const Outcome out = runOn(b.kernelModule(), launch, {{"y", floats({5, 6})}});
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::UninitialisedRead);
  EXPECT_EQ(out.result.findings[0].where.line, b.lineOf(read));
  EXPECT_EQ(out.result.findings[0].thread.block[0], 1);
  EXPECT_EQ(out.result.findings[0].buffer, "tile");
  EXPECT_EQ(out.buffers.at("y"), floats({1, 6}));
}

/// Dynamic shared bytes: 4 floats, then 2 doubles at byte 16, then 4 ints at byte 32: 48 bytes.
struct CarveUp : Builder {
  CarveUp() : Builder("carve") {}
  int y = parameter("y", kF32Pointer);
  int raw = array("raw", ScalarType::U8, ArraySpace::Shared, {});
  ExprId as(Type type, int64_t byte) { return pointerCast(type, arrayAt(raw, integer(byte))); }
  StmtId put(ExprId value) { return store(at(get(y), thread()), value); }
};

TEST(SharedMemory, DynamicBytesHoldRegionsOfSeveralTypes) {
  CarveUp b;
  std::vector<StmtId> body;
  ExprId sum = b.f64(0);
  for (int k = 0; k < 4; ++k)
    body.push_back(b.store(b.as(kF32Pointer, 4L * k), b.f32(static_cast<uint32_t>(bitsOfFloat(k + 0.5F)))));
  for (int k = 0; k < 2; ++k)
    body.push_back(b.store(b.as(kF64Pointer, 16 + 8L * k), b.f64(std::bit_cast<uint64_t>(100.0 + k))));
  for (int k = 0; k < 4; ++k)
    body.push_back(b.store(b.as(kI32Pointer, 32 + 4L * k), b.integer(1000 + k)));
  double expected = 0;
  for (int k = 0; k < 4; ++k) {
    sum = b.add(sum, b.cast(kF64, b.load(b.as(kF32Pointer, 4L * k))));
    sum = b.add(sum, b.cast(kF64, b.load(b.as(kI32Pointer, 32 + 4L * k))));
    expected += k + 0.5 + 1000 + k;
  }
  for (int k = 0; k < 2; ++k) {
    sum = b.add(sum, b.load(b.as(kF64Pointer, 16 + 8L * k)));
    expected += 100.0 + k;
  }
  body.push_back(b.put(b.cast(kF32, sum)));
  b.body(body);
  ConcreteLaunch launch = oneBlock(1, 1);
  launch.sharedBytes = 48;
  Outcome out = runOn(b.kernelModule(), launch, {{"y", {0}}});
  EXPECT_TRUE(out.result.findings.empty());
  EXPECT_EQ(floatOf(out.buffers.at("y")[0]), static_cast<float>(expected));
  for (const int64_t bytes : {47, 33, 0}) { // the last int, and everything, lie outside
    launch.sharedBytes = bytes;
    out = runOn(b.kernelModule(), launch, {{"y", {0}}});
    ASSERT_EQ(out.result.findings.size(), 1U) << bytes;
    EXPECT_EQ(out.result.findings[0].kind, FindingKind::OutOfBounds);
    EXPECT_EQ(out.result.findings[0].buffer, "raw");
  }
}

TEST(SharedMemory, TypesThatOverlap) {
  enum class Way : uint8_t {
    FloatAsInt,
    IntAsFloat,
    NanAsInt,
    NanAsFloat,
    HalfOfADouble,
    DoubleOverFloat,
    IntOverDouble
  };
  for (const Way way : {Way::FloatAsInt, Way::IntAsFloat, Way::NanAsInt, Way::NanAsFloat, Way::HalfOfADouble,
                        Way::DoubleOverFloat, Way::IntOverDouble}) {
    CarveUp b;
    StmtId pi = b.store(b.as(kF32Pointer, 0), b.f32(0x40490fdb));
    StmtId nan = b.store(b.as(kF32Pointer, 0), b.f32(0x7fc00000));
    StmtId bits = b.store(b.as(kI32Pointer, 0), b.integer(0x40490fdb));
    StmtId wide = b.store(b.as(kF64Pointer, 0), b.f64(0x3ff0000000000000));
    StmtId high = b.store(b.as(kI32Pointer, 4), b.integer(1));
    ExprId number = b.load(b.as(kF32Pointer, 0));
    ExprId word = b.load(b.as(kI32Pointer, 0));
    ExprId doubled = b.load(b.as(kF64Pointer, 0));
    StmtId putNumber = b.put(number);
    StmtId putWord = b.put(b.cast(kF32, b.binary(BinaryOp::Sub, word, b.integer(0x40490000))));
    StmtId putDouble = b.put(b.cast(kF32, doubled));
    StmtId unused = b.branch(b.less(b.thread(), b.integer(0)), {});
    std::vector<StmtId> live;
    std::optional<float> expected;
    switch (way) {
    case Way::FloatAsInt:
      live = {pi, putWord};
      expected = 0xfdb;
      break;
    case Way::IntAsFloat:
      live = {bits, putNumber};
      expected = std::bit_cast<float>(0x40490fdb);
      break;
    case Way::NanAsInt: live = {nan, putWord}; break;
    case Way::NanAsFloat:
      live = {nan, putNumber};
      expected = NAN;
      break;
    case Way::HalfOfADouble: live = {wide, putNumber}; break;
    case Way::DoubleOverFloat:
      live = {pi, wide, putDouble};
      expected = 1.F;
      break;
    case Way::IntOverDouble: live = {wide, high, putDouble}; break;
    }
    std::vector<StmtId> dead; // every statement stands somewhere: these in a branch that is never taken
    for (StmtId id : {pi, nan, bits, wide, high, putNumber, putWord, putDouble, unused})
      if (std::ranges::find(live, id) == live.end())
        dead.push_back(id);
    live.push_back(b.branch(b.less(b.thread(), b.integer(0)), dead));
    b.body(live);
    ConcreteLaunch launch = oneBlock(1, 1);
    launch.sharedBytes = 8;
    const Outcome out = runOn(b.kernelModule(), launch, {{"y", {0}}});
    const float got = floatOf(out.buffers.at("y")[0]);
    if (expected) {
      EXPECT_TRUE(out.result.findings.empty());
      EXPECT_TRUE(got == *expected || (std::isnan(got) && std::isnan(*expected))) << got;
    } else {
      ASSERT_EQ(out.result.findings.size(), 1U) << static_cast<int>(way);
      EXPECT_EQ(out.result.findings[0].kind, FindingKind::Undefined);
      EXPECT_EQ(out.result.findings[0].message.find("NaN payload") != std::string::npos,
                way == Way::NanAsInt);
    }
  }
}

TEST(GlobalMemory, IntegersReadAsFloatsAndBack) {
  // x holds floats; its bits plus 1 are stored through an int pointer, for all but a NaN.
  Builder b("bits");
  const int x = b.parameter("x", kF32Pointer);
  ExprId place = b.pointerCast(kI32Pointer, b.at(b.get(x), b.thread()));
  ExprId read = b.load(place);
  b.body({b.store(place, b.add(read, b.integer(1)))});
  ConcreteLaunch launch;
  launch.block = {3, 1, 1};
  launch.buffers = {{"x", buffer(3, BufferRole::InOut)}};
  const Outcome out = runOn(b.kernelModule(), launch, {{"x", {0x3f800000, 0x7fc00000, 0x7f7fffff}}});
  EXPECT_EQ(out.buffers.at("x"), (std::vector<uint64_t>{0x3f800001, 0x7fc00000, 0x7f800000}));
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::Undefined);
  EXPECT_EQ(out.result.findings[0].where.line, b.lineOf(read));
  EXPECT_EQ(out.result.findings[0].thread.thread[0], 1);
  EXPECT_NE(out.result.findings[0].message.find("NaN payload"), std::string::npos);
}

TEST(GlobalMemory, RealNumbersHaveNoBits) {
  Builder b("bits");
  const int x = b.parameter("x", kF32Pointer);
  b.body({b.store(b.pointerCast(kI32Pointer, b.get(x)), b.load(b.pointerCast(kI32Pointer, b.get(x))))});
  Memory<RealDomain> memory;
  memory.bind("x",
              memory.add(Buffer<RealDomain>("x", ScalarType::F32, std::vector<Buffer<RealDomain>::Cell>(1))));
  ConcreteLaunch launch;
  launch.buffers = {{"x", buffer(1, BufferRole::InOut)}};
  Expected<RunResult> result = Interpreter<RealDomain>::make(b.kernelModule(), 0)->run(launch, memory);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->findings.size(), 1U);
  EXPECT_EQ(result->findings[0].kind, FindingKind::Undefined);
  EXPECT_NE(result->findings[0].message.find("bits of a real number"), std::string::npos);
}

/// y[k] = x4[index].lane k, through a pointer that starts `shift` floats into x.
Outcome vectorLoad(Type type, int64_t shift, int64_t index, int64_t length, int64_t align = 256) {
  Builder b("vector");
  const int x = b.parameter("x", kF32Pointer);
  const int y = b.parameter("y", kF32Pointer);
  std::vector<StmtId> body;
  for (int lane = 0; lane < type.lanes; ++lane) {
    ExprId vector = b.at(b.pointerCast(type, b.at(b.get(x), b.integer(shift))), b.integer(index));
    body.push_back(b.storeLane(b.pointerCast(kF32x4Pointer, b.get(y)), lane, b.loadLane(vector, lane)));
  }
  b.body(body);
  ConcreteLaunch launch;
  launch.buffers = {{"x", buffer(length, BufferRole::Input)}, {"y", buffer(4, BufferRole::InOut)}};
  launch.buffers["x"].align = align;
  launch.buffers["y"].align = 16;
  std::vector<float> values(static_cast<size_t>(length));
  std::iota(values.begin(), values.end(), 10.F);
  return runOn(b.kernelModule(), launch, {{"x", floats(values)}, {"y", floats({0, 0, 0, 0})}});
}

TEST(Vectors, LanesAndAlignment) {
  Outcome out = vectorLoad(kF32x4Pointer, 4, 1, 12);
  EXPECT_TRUE(out.result.findings.empty());
  EXPECT_EQ(out.buffers.at("y"), floats({18, 19, 20, 21}));
  out = vectorLoad(kF32x3Pointer, 1, 2, 12); // three lanes ask for 4 bytes only
  EXPECT_TRUE(out.result.findings.empty());
  EXPECT_EQ(out.buffers.at("y"), floats({17, 18, 19, 0}));
  for (const int64_t shift : {1, 2, 3}) {
    out = vectorLoad(kF32x4Pointer, shift, 0, 12);
    ASSERT_EQ(out.result.findings.size(), 1U) << shift;
    EXPECT_EQ(out.result.findings[0].kind, FindingKind::Misaligned);
    EXPECT_EQ(out.result.findings[0].buffer, "x");
    EXPECT_EQ(out.result.findings[0].index, shift);
    EXPECT_EQ(out.buffers.at("y"), floats({0, 0, 0, 0}));
  }
  out = vectorLoad(kF32x4Pointer, 0, 0, 12, 4);
  ASSERT_EQ(out.result.findings.size(), 1U) << "the launch promises a multiple of 4 only";
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::Misaligned);
  out = vectorLoad(kF32x4Pointer, 0, 2, 10);
  ASSERT_EQ(out.result.findings.size(), 1U) << "the third lane is the eleventh float";
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(out.result.findings[0].index, 10);
  EXPECT_EQ(out.buffers.at("y"), floats({18, 19, 0, 0}));
}

TEST(Atomics, IntegersWrapAndGiveTheOldValue) {
  struct Row {
    SyncOp op;
    uint64_t start;
    int64_t operand;
    uint64_t result;
  };
  // Definitions of the CUDA C++ programming guide, section on atomic functions.
  const std::vector<Row> rows = {
      {SyncOp::AtomicAdd, 0xfffffffe, 5, 3},   {SyncOp::AtomicSub, 2, 5, 0xfffffffd},
      {SyncOp::AtomicMin, 7, 0xffffffff, 7},   {SyncOp::AtomicMax, 7, 0xffffffff, 0xffffffff},
      {SyncOp::AtomicAnd, 0xff0, 0x3c, 0x30},  {SyncOp::AtomicOr, 0xff0, 0x3c, 0xffc},
      {SyncOp::AtomicXor, 0xff0, 0x3c, 0xfcc}, {SyncOp::AtomicExchange, 1, 9, 9},
      {SyncOp::AtomicIncrement, 4, 5, 5},      {SyncOp::AtomicIncrement, 5, 5, 0},
      {SyncOp::AtomicDecrement, 0, 5, 5},      {SyncOp::AtomicDecrement, 3, 5, 2},
      {SyncOp::AtomicDecrement, 6, 5, 5}};
  for (const Row& row : rows) {
    Builder b("atomic");
    const int y = b.parameter("y", {ScalarType::U32, true});
    const int old = b.local("old", kU32);
    b.body({b.atomic(old, row.op, b.get(y), b.integer(row.operand, kU32)),
            b.store(b.at(b.get(y), b.integer(1)), b.get(old))});
    const Outcome out = runOn(b.kernelModule(), oneBlock(1, 2), {{"y", {row.start, 0}}});
    EXPECT_TRUE(out.result.findings.empty());
    EXPECT_EQ(out.buffers.at("y"), (std::vector<uint64_t>{row.result, row.start})) << name(row.op);
  }
}

TEST(Atomics, SignedMinimumAndCompareExchange) {
  Builder b("atomic");
  const int y = b.parameter("y", kI32Pointer);
  b.body({b.atomic(-1, SyncOp::AtomicMin, b.get(y), b.integer(-1)),
          b.atomic(-1, SyncOp::AtomicCompareExchange, b.at(b.get(y), b.integer(1)), b.integer(8),
                   {b.integer(7)}),
          b.atomic(-1, SyncOp::AtomicCompareExchange, b.at(b.get(y), b.integer(2)), b.integer(8),
                   {b.integer(6)})});
  const Outcome out = runOn(b.kernelModule(), oneBlock(1, 3), {{"y", {7, 7, 7}}});
  EXPECT_EQ(out.buffers.at("y"), (std::vector<uint64_t>{0xffffffff, 8, 7}));
}

/// Every thread of two blocks adds to y[0] in order; with `mixed`, thread 0 also stores to it.
Outcome sum(Type pointer, const std::string& schedule, bool mixed = false) {
  Builder b("sum");
  const int y = b.parameter("y", pointer);
  const Type type{pointer.scalar, false};
  ExprId amount = b.cast(type, b.add(b.globalIndex(), b.integer(1)));
  if (isFloat(type.scalar))
    amount = b.binary(BinaryOp::Div, b.f32(0x3f800000), amount);
  std::vector<StmtId> body = {b.atomic(-1, SyncOp::AtomicAdd, b.get(y), amount)};
  if (mixed)
    body.push_back(
        b.branch(b.equal(b.globalIndex(), b.integer(0)), {b.store(b.get(y), b.cast(type, b.integer(0)))}));
  b.body(body);
  ConcreteLaunch launch = oneBlock(40, 1);
  launch.grid = {2, 1, 1};
  RunOptions<IeeeDomain> options;
  options.schedule = *parseSchedule(schedule);
  return runOn(b.kernelModule(), launch, {{"y", {0}}}, options);
}

TEST(Atomics, FloatSumsDependOnTheOrder) {
  float forward = 0;
  float backward = 0;
  for (int i = 1; i <= 80; ++i)
    forward += 1.F / static_cast<float>(i);
  for (int i = 80; i >= 1; --i)
    backward += 1.F / static_cast<float>(i);
  ASSERT_NE(forward, backward);
  for (const char* schedule : {"forward", "backward"}) {
    const Outcome out = sum(kF32Pointer, schedule);
    EXPECT_TRUE(out.result.findings.empty()) << "atomics do not race with each other";
    EXPECT_EQ(floatOf(out.buffers.at("y")[0]), schedule[0] == 'f' ? forward : backward);
    ASSERT_EQ(out.result.orderDependent.size(), 1U);
    EXPECT_EQ(out.result.orderDependent[0].buffer, "y");
    EXPECT_EQ(out.result.orderDependent[0].count, 79U);
    EXPECT_NE(out.result.orderDependent[0].thread, out.result.orderDependent[0].otherThread);
  }
  const Outcome integers = sum(kI32Pointer, "random:4");
  EXPECT_EQ(integers.buffers.at("y")[0], 80U * 81 / 2);
  EXPECT_TRUE(integers.result.orderDependent.empty());
  EXPECT_TRUE(integers.result.findings.empty());
}

TEST(Atomics, RaceWithOrdinaryAccesses) {
  const Outcome out = sum(kI32Pointer, "forward", true);
  EXPECT_NE(find(out.result, FindingKind::RaceBlock), nullptr);
  EXPECT_NE(find(out.result, FindingKind::RaceGrid), nullptr);
}

} // namespace
} // namespace plumbline::ir

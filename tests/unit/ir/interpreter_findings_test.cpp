// Each kind of finding, triggered, with its position, thread and cell.
#include "tests/unit/ir/run_fixture.h"

#include "core/ir/launch.h"

#include <gtest/gtest.h>

namespace plumbline::ir {
namespace {

using namespace test;

std::map<FindingKind, RunFinding> byKind(const RunResult& result) {
  std::map<FindingKind, RunFinding> found;
  for (const RunFinding& finding : result.findings)
    found.emplace(finding.kind, finding);
  return found;
}

TEST(Findings, OutOfBoundsOnLoadAndStore) {
  // Without a guard: 5 elements, 32 threads.
  Builder b("unguarded");
  const int x = b.parameter("x", kF32Pointer);
  const int y = b.parameter("y", kF32Pointer);
  const int i = b.local("i", kI32);
  StmtId index = b.assign(i, b.globalIndex());
  ExprId load = b.load(b.at(b.get(x), b.get(i)));
  b.body({index, b.store(b.at(b.get(y), b.get(i)), load)});
  ConcreteLaunch launch = elementwiseLaunch(5);
  launch.scalars.clear();
  const Outcome out = runOn(b.kernelModule(), launch, {{"x", floats({1, 2, 3, 4, 5})}});
  ASSERT_EQ(out.result.findings.size(), 1U);
  const RunFinding& finding = out.result.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::OutOfBounds);
  EXPECT_EQ(finding.where.line, b.lineOf(load));
  EXPECT_EQ(finding.buffer, "x");
  EXPECT_EQ(finding.index, 5);
  EXPECT_EQ(finding.thread.thread[0], 5);
  EXPECT_EQ(finding.count, 27U);
  EXPECT_EQ(out.buffers.at("y"), floats({1, 2, 3, 4, 5})) << "the other threads are not disturbed";
}

TEST(Findings, NegativeIndexIsOutOfBounds) {
  Builder b("negative");
  const int y = b.parameter("y", kF32Pointer);
  StmtId store = b.store(b.at(b.get(y), b.integer(-1)), b.f32(0));
  b.body({store});
  ConcreteLaunch launch;
  launch.buffers = {{"y", buffer(3, BufferRole::InOut)}};
  const Outcome out = runOn(b.kernelModule(), launch, {{"y", floats({1, 2, 3})}});
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].index, -1);
  EXPECT_EQ(out.result.findings[0].where.line, b.lineOf(store));
}

TEST(Findings, AWrappedUnsignedOffsetIsOutOfBounds) {
  Builder b("wrapped");
  const int y = b.parameter("y", kF32Pointer);
  b.body({b.store(b.at(b.get(y), b.binary(BinaryOp::Sub, b.integer(0, kU32), b.integer(1, kU32))), b.f32(0)),
          b.ret()});
  ConcreteLaunch launch;
  launch.buffers = {{"y", buffer(3, BufferRole::InOut)}};
  const Outcome out = runOn(b.kernelModule(), launch, {{"y", floats({1, 2, 3})}});
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(out.result.findings[0].index, 4294967295);
}

TEST(Findings, LocalReadBeforeItsFirstAssignment) {
  Builder b("maybe");
  const int y = b.parameter("y", kF32Pointer);
  const int t = b.local("t", kF32);
  StmtId set = b.assign(t, b.f32(0x3f800000));
  StmtId guard = b.branch(b.binary(BinaryOp::Lt, b.builtin("threadIdx.x"), b.integer(2, kU32)), {set});
  ExprId read = b.get(t);
  b.body({guard, b.store(b.at(b.get(y), b.builtin("threadIdx.x")), read)});
  ConcreteLaunch launch;
  launch.block = {4, 1, 1};
  launch.buffers = {{"y", buffer(4, BufferRole::InOut)}};
  const Outcome out = runOn(b.kernelModule(), launch, {{"y", floats({0, 0, 0, 0})}});
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::UninitialisedRead);
  EXPECT_EQ(out.result.findings[0].where.line, b.lineOf(read));
  EXPECT_EQ(out.result.findings[0].thread.thread[0], 2);
  EXPECT_EQ(out.result.findings[0].count, 2U);
}

TEST(Findings, CellOfEmptyMemoryReadBeforeItsFirstWrite) {
  Builder b("accumulate");
  const int y = b.parameter("y", kF32Pointer);
  ExprId read = b.load(b.at(b.get(y), b.builtin("threadIdx.x")));
  ExprId sum = b.binary(BinaryOp::Add, read, b.f32(0x3f800000));
  b.body({b.store(b.at(b.get(y), b.builtin("threadIdx.x")), sum)});
  ConcreteLaunch launch;
  launch.block = {4, 1, 1};
  launch.buffers = {{"y", buffer(4, BufferRole::Output)}};
  Outcome out = runOn(b.kernelModule(), launch, {{"y", floats({5, 6, 7, 8})}});
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::UninitialisedRead);
  EXPECT_EQ(out.result.findings[0].buffer, "y");
  EXPECT_EQ(out.result.findings[0].where.line, b.lineOf(read));
  EXPECT_EQ(out.buffers.at("y"), floats({6, 7, 8, 9})) << "the given initial contents are used";
  launch.buffers["y"].zeroInitialised = true;
  out = runOn(b.kernelModule(), launch, {});
  EXPECT_TRUE(out.result.findings.empty());
  EXPECT_EQ(out.buffers.at("y"), floats({1, 1, 1, 1}));
}

/// Thread t of block b writes y[t / 2] and, when asked, reads what another thread writes.
Module sharing(bool acrossBlocks) {
  Builder b("sharing");
  const int y = b.parameter("y", kF32Pointer);
  ExprId index = acrossBlocks ? b.builtin("threadIdx.x")
                              : b.binary(BinaryOp::Div, b.builtin("threadIdx.x"), b.integer(2, kU32));
  b.body({b.store(b.at(b.get(y), index), b.f32(0x3f800000))});
  return b.kernelModule();
}

TEST(Findings, TwoWritersInOneBlock) {
  ConcreteLaunch launch;
  launch.block = {4, 1, 1};
  launch.buffers = {{"y", buffer(2, BufferRole::Output)}};
  const Outcome out = runOn(sharing(false), launch, {});
  ASSERT_EQ(out.result.findings.size(), 1U);
  const RunFinding& finding = out.result.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::RaceBlock);
  EXPECT_TRUE(finding.hasOther);
  EXPECT_EQ(finding.thread.thread[0], 1);
  EXPECT_EQ(finding.otherThread.thread[0], 0);
  EXPECT_EQ(finding.index, 0);
  EXPECT_EQ(finding.count, 2U);
}

TEST(Findings, TwoWritersInDifferentBlocks) {
  ConcreteLaunch launch;
  launch.grid = {3, 1, 1};
  launch.block = {4, 1, 1};
  launch.buffers = {{"y", buffer(4, BufferRole::Output)}};
  const Outcome out = runOn(sharing(true), launch, {});
  const auto found = byKind(out.result);
  ASSERT_EQ(found.size(), 1U);
  ASSERT_TRUE(found.contains(FindingKind::RaceGrid));
  EXPECT_EQ(found.at(FindingKind::RaceGrid).thread.block[0], 1);
  EXPECT_EQ(found.at(FindingKind::RaceGrid).otherThread.block[0], 0);
}

TEST(Findings, ReaderAgainstWriterInEveryOrder) {
  // a[i] = a[i + 1]: the neighbour reads what this thread writes.
  Builder b("shift");
  const int a = b.parameter("a", kF32Pointer);
  const int i = b.local("i", kI32);
  StmtId index = b.assign(i, b.globalIndex());
  ExprId load = b.load(b.at(b.get(a), b.binary(BinaryOp::Add, b.get(i), b.integer(1))));
  StmtId store = b.store(b.at(b.get(a), b.get(i)), load);
  b.body({index, store});
  ConcreteLaunch launch;
  launch.grid = {2, 1, 1};
  launch.block = {4, 1, 1};
  launch.buffers = {{"a", buffer(9, BufferRole::InOut)}};
  for (const char* order : {"forward", "backward", "random:1", "random:2"}) {
    RunOptions<IeeeDomain> options;
    options.schedule = *parseSchedule(order);
    const Outcome out = runOn(b.kernelModule(), launch, {{"a", std::vector<uint64_t>(9)}}, options);
    const auto found = byKind(out.result);
    EXPECT_TRUE(found.contains(FindingKind::RaceBlock)) << order;
    EXPECT_TRUE(found.contains(FindingKind::RaceGrid)) << order;
    for (const auto& [kind, finding] : found) {
      const bool atLoad = finding.where.line == b.lineOf(load) && finding.otherWhere.line == b.lineOf(store);
      const bool atStore = finding.where.line == b.lineOf(store) && finding.otherWhere.line == b.lineOf(load);
      EXPECT_TRUE(atLoad || atStore) << print(finding);
    }
  }
}

TEST(Findings, AThirdReaderIsNotForgotten) {
  // Threads 0 and 1 read cell 0, then thread 0 writes it: thread 1 is the other.
  Builder b("third");
  const int y = b.parameter("y", kF32Pointer);
  const int t = b.local("t", kF32);
  StmtId read = b.assign(t, b.load(b.get(y)));
  StmtId write = b.store(b.get(y), b.f32(0));
  b.body({read, b.branch(b.binary(BinaryOp::Eq, b.builtin("threadIdx.x"), b.integer(0, kU32)), {write})});
  ConcreteLaunch launch;
  launch.block = {3, 1, 1};
  launch.buffers = {{"y", buffer(1, BufferRole::InOut)}};
  RunOptions<IeeeDomain> options;
  options.schedule = *parseSchedule("backward");
  const Outcome out = runOn(b.kernelModule(), launch, {{"y", {0}}}, options);
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::RaceBlock);
  EXPECT_EQ(out.result.findings[0].otherThread.thread[0], 2);
}

TEST(Findings, IntegerTrouble) {
  struct Row {
    BinaryOp op;
    int64_t a;
    int64_t b;
    FindingKind kind;
    bool goesOn;
  };
  const Row rows[] = {{BinaryOp::Add, INT32_MAX, 1, FindingKind::Overflow, true},
                      {BinaryOp::Mul, 65536, 32768, FindingKind::Overflow, true},
                      {BinaryOp::Div, INT32_MIN, -1, FindingKind::Overflow, true},
                      {BinaryOp::Shl, 1, 32, FindingKind::Overflow, true},
                      {BinaryOp::Div, 1, 0, FindingKind::DivisionByZero, false},
                      {BinaryOp::Rem, 1, 0, FindingKind::DivisionByZero, false}};
  for (const Row& row : rows) {
    Builder b("integers");
    const int y = b.parameter("y", kI32Pointer);
    ExprId trouble = b.binary(row.op, b.integer(row.a), b.integer(row.b));
    b.body({b.store(b.get(y), trouble)});
    ConcreteLaunch launch;
    launch.buffers = {{"y", buffer(1, BufferRole::InOut)}};
    const Outcome out = runOn(b.kernelModule(), launch, {{"y", {123}}});
    ASSERT_EQ(out.result.findings.size(), 1U) << name(row.op);
    EXPECT_EQ(out.result.findings[0].kind, row.kind) << name(row.op);
    EXPECT_EQ(out.result.findings[0].where.line, b.lineOf(trouble));
    EXPECT_EQ(out.buffers.at("y")[0] != 123, row.goesOn) << name(row.op);
  }
}

TEST(Findings, AbsOfTheSmallestIntAndNarrowConversions) {
  Builder b("more");
  const int y = b.parameter("y", kI32Pointer);
  ExprId abs = b.intrinsic("abs<int>", kI32, {b.integer(INT32_MIN)});
  ExprId narrow = b.cast({ScalarType::I8, false}, b.f32(0x43480000)); // 200
  b.body({b.store(b.get(y), abs), b.store(b.at(b.get(y), b.integer(1)), b.cast(kI32, narrow))});
  ConcreteLaunch launch;
  launch.buffers = {{"y", buffer(2, BufferRole::Output)}};
  const Outcome out = runOn(b.kernelModule(), launch, {});
  ASSERT_EQ(out.result.findings.size(), 2U);
  EXPECT_EQ(out.result.findings[0].where.line, b.lineOf(abs));
  EXPECT_EQ(out.result.findings[1].where.line, b.lineOf(narrow));
}

TEST(Findings, UnwrittenOutput) {
  const Module module = elementwise([](Builder&, ExprId x) { return x; });
  ConcreteLaunch launch = elementwiseLaunch(100);
  launch.grid = {2, 1, 1};
  Outcome out = runOn(module, launch, {{"x", std::vector<uint64_t>(100)}});
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::Incomplete);
  EXPECT_EQ(out.result.findings[0].buffer, "y");
  EXPECT_EQ(out.result.findings[0].index, 64);
  EXPECT_EQ(out.result.findings[0].count, 36U);
  EXPECT_FALSE(out.result.findings[0].hasThread);
  launch.buffers["y"].role = BufferRole::InOut;
  out = runOn(module, launch, {{"x", std::vector<uint64_t>(100)}, {"y", std::vector<uint64_t>(100)}});
  EXPECT_TRUE(out.result.findings.empty()) << "an inout buffer keeps what it held";
}

TEST(Findings, NoValueInTheChosenArithmetic) {
  const Module module = elementwise([](Builder& b, ExprId x) { return b.intrinsic("expf", kF32, {x}); });
  RunOptions<IeeeDomain> options;
  options.opaque = [](std::string_view, ScalarType, std::span<const uint64_t>) {
    return std::optional<uint64_t>();
  };
  const Outcome out = runOn(module, elementwiseLaunch(2), {{"x", floats({1, 2})}}, options);
  const auto found = byKind(out.result);
  ASSERT_TRUE(found.contains(FindingKind::Undefined));
  EXPECT_NE(found.at(FindingKind::Undefined).message.find("expf"), std::string::npos);
  EXPECT_TRUE(found.contains(FindingKind::Incomplete));
}

TEST(Findings, MissingReturn) {
  Builder helper("helper", kF32);
  const int v = helper.parameter("v", kF32);
  helper.body({helper.branch(helper.binary(BinaryOp::Gt, helper.get(v), helper.f32(0)),
                             {helper.ret(helper.get(v))})});
  const Module module =
      elementwise([](Builder& b, ExprId x) { return b.call(0, kF32, {x}); }, {helper.function()});
  const Outcome out = runOn(module, elementwiseLaunch(2), {{"x", floats({1, -1})}});
  const auto found = byKind(out.result);
  ASSERT_TRUE(found.contains(FindingKind::UninitialisedRead));
  EXPECT_EQ(found.at(FindingKind::UninitialisedRead).where, helper.function().where);
  EXPECT_EQ(found.at(FindingKind::Incomplete).index, 1);
}

TEST(Findings, LongListsAreCut) {
  Builder b("many");
  const int y = b.parameter("y", kI32Pointer);
  std::vector<StmtId> body;
  for (int i = 0; i < 10; ++i)
    body.push_back(b.store(b.get(y), b.binary(BinaryOp::Add, b.integer(INT32_MAX), b.integer(1))));
  b.body(body);
  ConcreteLaunch launch;
  launch.buffers = {{"y", buffer(1, BufferRole::Output)}};
  RunOptions<IeeeDomain> options;
  options.maxFindings = 4;
  const Outcome out = runOn(b.kernelModule(), launch, {}, options);
  EXPECT_EQ(out.result.findings.size(), 4U);
  EXPECT_EQ(out.result.moreFindings, 6U);
}

TEST(Findings, AsJsonAndText) {
  RunFinding finding;
  finding.kind = FindingKind::RaceGrid;
  finding.message = "message";
  finding.where = {"k.cu", 3, 4, 3, 9};
  finding.thread = {{1, 0, 0}, {2, 0, 0}};
  finding.hasOther = true;
  finding.otherThread = {{0, 0, 0}, {2, 0, 0}};
  finding.otherWhere = {"k.cu", 5, 1, 5, 2};
  finding.buffer = "y";
  finding.index = 7;
  const Json json = toJson(finding);
  EXPECT_EQ(json["kind"], "race-grid");
  EXPECT_EQ(json["threads"][0]["block"], Json::array({1, 0, 0}));
  EXPECT_EQ(json["spans"][1]["line"], 5);
  EXPECT_EQ(json["index"], 7);
  EXPECT_EQ(print(finding),
            "k.cu:3:4: message [race-grid] in thread (2,0,0) of block (1,0,0), against thread "
            "(2,0,0) of block (0,0,0) at k.cu:5:1");
}

} // namespace
} // namespace plumbline::ir

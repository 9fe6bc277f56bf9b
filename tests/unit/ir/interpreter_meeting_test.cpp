// Threads of a block that meet: barriers, what they order, and what happens when threads do not come.
#include "tests/unit/ir/run_fixture.h"

namespace plumbline::ir {
namespace {

using namespace test;

std::vector<FindingKind> kinds(const RunResult& result) {
  std::vector<FindingKind> found;
  for (const RunFinding& finding : result.findings)
    found.push_back(finding.kind);
  return found;
}

RunOptions<IeeeDomain> scheduled(const std::string& text) {
  RunOptions<IeeeDomain> options;
  options.schedule = *parseSchedule(text);
  return options;
}

constexpr std::array<const char*, 4> kSchedules = {"forward", "backward", "random:1", "random:77"};

enum class Barriers : uint8_t { All, NoneAfterLoad, NoneInLoop };

/// tile[t] = x[i]; barrier; for (s = n / 2; s > 0; s /= 2) { if (t < s) tile[t] += tile[t + s]; barrier }
/// if (t == 0) y[block] = tile[0]
Module treeReduction(int64_t threads, Barriers barriers = Barriers::All) {
  Builder b("tree");
  const int x = b.parameter("x", kF32Pointer);
  const int y = b.parameter("y", kF32Pointer);
  const int t = b.local("t", kI32);
  const int s = b.local("s", kI32);
  const int tile = b.shared("tile", threads);
  std::vector<StmtId> body = {b.assign(t, b.thread()),
                              b.store(b.arrayAt(tile, b.get(t)), b.load(b.at(b.get(x), b.globalIndex())))};
  if (barriers != Barriers::NoneAfterLoad)
    body.push_back(b.barrier());
  ExprId sum = b.add(b.load(b.arrayAt(tile, b.get(t))), b.load(b.arrayAt(tile, b.add(b.get(t), b.get(s)))));
  std::vector<StmtId> inner = {
      b.branch(b.less(b.get(t), b.get(s)), {b.store(b.arrayAt(tile, b.get(t)), sum)})};
  if (barriers != Barriers::NoneInLoop)
    inner.push_back(b.barrier());
  body.push_back(b.assign(s, b.integer(threads / 2)));
  body.push_back(b.loop(b.less(b.integer(0), b.get(s)), inner,
                        {b.assign(s, b.binary(BinaryOp::Div, b.get(s), b.integer(2)))}));
  body.push_back(b.branch(b.equal(b.get(t), b.integer(0)), {b.store(b.at(b.get(y), b.builtin("blockIdx.x")),
                                                                    b.load(b.arrayAt(tile, b.integer(0))))}));
  b.body(body);
  return b.kernelModule();
}

ConcreteLaunch treeLaunch(int64_t threads, int64_t blocks) {
  ConcreteLaunch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  launch.buffers = {{"x", buffer(threads * blocks, BufferRole::Input)},
                    {"y", buffer(blocks, BufferRole::Output)}};
  return launch;
}

/// Sums of the same tree, in the processor's own binary32.
std::vector<uint64_t> treeSums(const std::vector<float>& x, size_t threads) {
  std::vector<float> sums;
  for (size_t first = 0; first < x.size(); first += threads) {
    std::vector<float> tile(x.begin() + static_cast<int64_t>(first),
                            x.begin() + static_cast<int64_t>(first + threads));
    for (size_t s = threads / 2; s > 0; s /= 2)
      for (size_t t = 0; t < s; ++t)
        tile[t] += tile[t + s];
    sums.push_back(tile[0]);
  }
  return floats(sums);
}

std::vector<float> someFloats(size_t count) {
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>((i * 2654435761U) % 1000) * 0.37F - 140.F);
  return values;
}

TEST(Barriers, TreeReductionInEverySchedule) {
  const std::vector<float> x = someFloats(size_t{256} * 3);
  for (const char* schedule : kSchedules) {
    const Outcome out =
        runOn(treeReduction(256), treeLaunch(256, 3), {{"x", floats(x)}}, scheduled(schedule));
    EXPECT_TRUE(out.result.findings.empty()) << schedule << print(out.result.findings.front());
    EXPECT_EQ(out.buffers.at("y"), treeSums(x, 256)) << schedule;
    EXPECT_TRUE(out.result.orderDependent.empty());
  }
}

TEST(Barriers, ExactSums) {
  const Module module = treeReduction(4);
  Memory<RealDomain> memory;
  std::vector<Buffer<RealDomain>::Cell> cells(4);
  f32::Rational expected = 0;
  for (int i = 0; i < 4; ++i) {
    cells[static_cast<size_t>(i)].number.value = f32::Rational(1, i + 3);
    expected += f32::Rational(1, i + 3);
  }
  memory.bind("x", memory.add(Buffer<RealDomain>("x", ScalarType::F32, cells)));
  memory.bind("y",
              memory.add(Buffer<RealDomain>("y", ScalarType::F32, std::vector<Buffer<RealDomain>::Cell>(1))));
  Expected<RunResult> result = Interpreter<RealDomain>::make(module, 0)->run(treeLaunch(4, 1), memory);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->findings.empty());
  EXPECT_EQ(memory[1].read(0).number.value, expected);
}

TEST(Barriers, ADroppedOneIsARaceInEverySchedule) {
  for (const Barriers dropped : {Barriers::NoneAfterLoad, Barriers::NoneInLoop})
    for (const char* schedule : kSchedules) {
      const Outcome out = runOn(treeReduction(64, dropped), treeLaunch(64, 2),
                                {{"x", floats(someFloats(128))}}, scheduled(schedule));
      bool found = false;
      for (const RunFinding& finding : out.result.findings)
        found |= finding.kind == FindingKind::RaceBlock && finding.buffer == "tile" && finding.hasOther &&
                 finding.otherWhere.known() && finding.thread.block == finding.otherThread.block &&
                 finding.thread != finding.otherThread;
      EXPECT_TRUE(found) << schedule;
    }
}

/// Twice: tile[0] = k by thread 0; barrier; y[...] = tile[0]; perhaps a barrier.
Outcome broadcastTwice(bool secondBarrier, const std::string& schedule, int& store) {
  Builder b("broadcast");
  const int y = b.parameter("y", kI32Pointer);
  const int k = b.local("k", kI32);
  const int tile = b.shared("tile", 1, ScalarType::I32);
  StmtId write = b.store(b.arrayAt(tile, b.integer(0)), b.get(k));
  store = b.lineOf(write);
  std::vector<StmtId> body = {b.branch(b.equal(b.thread(), b.integer(0)), {write}), b.barrier()};
  ExprId place = b.add(b.binary(BinaryOp::Mul, b.get(k), b.integer(40)), b.thread());
  body.push_back(b.store(b.at(b.get(y), place), b.load(b.arrayAt(tile, b.integer(0)))));
  if (secondBarrier)
    body.push_back(b.barrier());
  b.body({b.assign(k, b.integer(0)),
          b.loop(b.less(b.get(k), b.integer(2)), body, {b.assign(k, b.add(b.get(k), b.integer(1)))})});
  ConcreteLaunch launch;
  launch.block = {40, 1, 1};
  launch.buffers = {{"y", buffer(80, BufferRole::Output)}};
  return runOn(b.kernelModule(), launch, {}, scheduled(schedule));
}

TEST(Barriers, WriteAfterReadOfABroadcast) {
  for (const char* schedule : kSchedules) {
    int store = 0;
    Outcome out = broadcastTwice(true, schedule, store);
    EXPECT_TRUE(out.result.findings.empty()) << schedule;
    for (size_t i = 0; i < 80; ++i)
      EXPECT_EQ(out.buffers.at("y")[i], i / 40) << schedule;
    out = broadcastTwice(false, schedule, store);
    ASSERT_FALSE(out.result.findings.empty());
    // Who comes first decides which of the two accesses is the later one.
    for (const RunFinding& finding : out.result.findings) {
      EXPECT_EQ(finding.kind, FindingKind::RaceBlock);
      EXPECT_NE(finding.where.line == store, finding.otherWhere.line == store);
    }
  }
}

/// if (t < 32) { A } else { B }, where A and B are barriers.
TEST(Barriers, DifferentStatementsAreDivergence) {
  Builder b("divergent");
  StmtId first = b.barrier();
  StmtId second = b.barrier();
  b.body({b.branch(b.less(b.thread(), b.integer(32)), {first}, {second})});
  ConcreteLaunch launch;
  launch.block = {64, 1, 1};
  const Outcome out = runOn(b.kernelModule(), launch, {});
  ASSERT_EQ(kinds(out.result), std::vector{FindingKind::DivergentBarrier});
  const RunFinding& finding = out.result.findings[0];
  EXPECT_EQ(finding.where.line, b.lineOf(first));
  EXPECT_EQ(finding.otherWhere.line, b.lineOf(second));
  EXPECT_EQ(finding.thread.thread[0], 0);
  EXPECT_EQ(finding.otherThread.thread[0], 32);
}

/// if (t >= 20) return; tile[t] = t; barrier; y[t] = tile[19 - t]
Outcome earlyExit(bool allowed, int& exit, int& barrier) {
  Builder b("early");
  const int y = b.parameter("y", kI32Pointer);
  const int tile = b.shared("tile", 20, ScalarType::I32);
  StmtId leave = b.ret();
  StmtId meet = b.barrier();
  exit = b.lineOf(leave);
  barrier = b.lineOf(meet);
  ExprId other = b.binary(BinaryOp::Sub, b.integer(19), b.thread());
  b.body({b.branch(b.less(b.integer(19), b.thread()), {leave}),
          b.store(b.arrayAt(tile, b.thread()), b.thread()), meet,
          b.store(b.at(b.get(y), b.thread()), b.load(b.arrayAt(tile, other)))});
  ConcreteLaunch launch;
  launch.block = {48, 1, 1};
  launch.buffers = {{"y", buffer(20, BufferRole::Output)}};
  RunOptions<IeeeDomain> options;
  options.exitedThreadsOk = allowed;
  return runOn(b.kernelModule(), launch, {}, options);
}

TEST(Barriers, EarlyExit) {
  int exit = 0;
  int barrier = 0;
  for (const bool allowed : {false, true}) {
    const Outcome out = earlyExit(allowed, exit, barrier);
    for (uint64_t t = 0; t < 20; ++t)
      EXPECT_EQ(out.buffers.at("y")[t], 19 - t) << "the others go on as the hardware does";
    if (allowed) {
      EXPECT_TRUE(out.result.findings.empty());
      continue;
    }
    ASSERT_EQ(kinds(out.result), std::vector{FindingKind::DivergentBarrier});
    EXPECT_EQ(out.result.findings[0].where.line, barrier);
    EXPECT_EQ(out.result.findings[0].otherWhere.line, exit);
    EXPECT_EQ(out.result.findings[0].otherThread.thread[0], 20);
  }
}

TEST(Barriers, AThreadThatFailedIsNoDivergence) {
  Builder b("failed");
  const int y = b.parameter("y", kI32Pointer);
  ExprId beyond = b.add(b.thread(), b.integer(1));
  b.body({b.store(b.at(b.get(y), beyond), b.thread()), b.barrier(),
          b.branch(b.equal(b.thread(), b.integer(0)), {b.store(b.get(y), b.integer(7))})});
  ConcreteLaunch launch;
  launch.block = {3, 1, 1};
  launch.buffers = {{"y", buffer(3, BufferRole::Output)}};
  const Outcome out = runOn(b.kernelModule(), launch, {});
  EXPECT_EQ(kinds(out.result), std::vector{FindingKind::OutOfBounds});
  EXPECT_EQ(out.buffers.at("y"), (std::vector<uint64_t>{7, 0, 1}));
}

TEST(Barriers, CountAndOr) {
  Builder b("combine");
  const int y = b.parameter("y", kI32Pointer);
  const int r = b.local("r", kI32);
  std::vector<StmtId> body;
  int row = 0;
  for (const SyncOp op : {SyncOp::BlockCount, SyncOp::BlockAnd, SyncOp::BlockOr})
    for (const int64_t limit : {0, 13, 50}) {
      body.push_back(b.collective(r, op, {b.less(b.thread(), b.integer(limit))}));
      body.push_back(b.store(b.at(b.get(y), b.add(b.thread(), b.integer(50L * row++))), b.get(r)));
    }
  b.body(body);
  ConcreteLaunch launch;
  launch.block = {50, 1, 1};
  launch.buffers = {{"y", buffer(450, BufferRole::Output)}};
  const Outcome out = runOn(b.kernelModule(), launch, {}, scheduled("random:3"));
  EXPECT_TRUE(out.result.findings.empty());
  const std::array<uint64_t, 9> expected = {0, 13, 50, 0, 0, 1, 0, 1, 1};
  for (size_t i = 0; i < 450; ++i)
    EXPECT_EQ(out.buffers.at("y")[i], expected[i / 50]) << i;
}

TEST(WarpBarriers, OrderTheLanesOfTheirMaskOnly) {
  // tile[t] = t; a warp barrier; y[t] = tile[t ^ 1], or of a lane in the other half or warp.
  struct Row {
    uint32_t mask; ///< of the lower and, inverted, of the upper 16 lanes
    int64_t partner;
    bool races;
  };
  for (const Row& row : {Row{UINT32_MAX, 1, false}, Row{UINT32_MAX, 16, false}, Row{0xFFFF, 1, false},
                         Row{0xFFFF, 16, true}, Row{UINT32_MAX, 32, true}}) {
    Builder b("warp");
    const int y = b.parameter("y", kI32Pointer);
    const int tile = b.shared("tile", 64, ScalarType::I32);
    ExprId lane = b.binary(BinaryOp::Rem, b.thread(), b.integer(32));
    ExprId upper = b.integer(row.mask == UINT32_MAX ? UINT32_MAX : 0xFFFF0000, kU32);
    ExprId mask = b.select(b.less(lane, b.integer(16)), b.integer(row.mask, kU32), upper);
    ExprId other = b.binary(BinaryOp::BitXor, b.thread(), b.integer(row.partner));
    b.body({b.store(b.arrayAt(tile, b.thread()), b.thread()), b.warpBarrier(mask),
            b.store(b.at(b.get(y), b.thread()), b.load(b.arrayAt(tile, other)))});
    ConcreteLaunch launch;
    launch.block = {64, 1, 1};
    launch.buffers = {{"y", buffer(64, BufferRole::Output)}};
    const Outcome out = runOn(b.kernelModule(), launch, {});
    bool race = false;
    for (const RunFinding& finding : out.result.findings)
      race |= finding.kind == FindingKind::RaceBlock;
    EXPECT_EQ(race, row.races) << row.mask << " " << row.partner;
    if (row.races)
      continue;
    EXPECT_TRUE(out.result.findings.empty());
    for (uint64_t t = 0; t < 64; ++t)
      EXPECT_EQ(out.buffers.at("y")[t], t ^ static_cast<uint64_t>(row.partner));
  }
}

TEST(WarpBarriers, LanesThatNeverCome) {
  enum class Way : uint8_t { NotInMask, Ended, Elsewhere };
  for (const Way way : {Way::NotInMask, Way::Ended, Way::Elsewhere}) {
    Builder b("never");
    const int y = b.parameter("y", kI32Pointer);
    StmtId meet = b.warpBarrier(b.integer(way == Way::NotInMask ? 2 : 3, kU32));
    StmtId other = way == Way::Ended ? b.ret() : b.barrier();
    b.body({b.branch(b.equal(b.thread(), b.integer(0)), {meet}, {other}),
            b.store(b.at(b.get(y), b.thread()), b.integer(1))});
    ConcreteLaunch launch;
    launch.grid = {2, 1, 1};
    launch.block = {2, 1, 1};
    launch.buffers = {{"y", buffer(2, BufferRole::InOut)}};
    const Outcome out = runOn(b.kernelModule(), launch, {{"y", {0, 0}}});
    ASSERT_FALSE(out.result.findings.empty());
    const RunFinding& finding = out.result.findings[0];
    EXPECT_EQ(finding.kind, FindingKind::DivergentBarrier);
    EXPECT_EQ(finding.where.line, b.lineOf(meet));
    EXPECT_EQ(finding.count, 2U) << "in each of the two blocks";
    EXPECT_EQ(finding.hasOther, way != Way::NotInMask);
    if (finding.hasOther)
      EXPECT_EQ(finding.otherWhere.line, b.lineOf(other));
    // Only where the missing lane has ended is it known how the hardware goes on.
    EXPECT_EQ(out.buffers.at("y")[0], way == Way::Ended ? 1U : 0U);
    if (way == Way::Ended) {
      RunOptions<IeeeDomain> options;
      options.exitedThreadsOk = true;
      for (const RunFinding& left : runOn(b.kernelModule(), launch, {{"y", {0, 0}}}, options).result.findings)
        EXPECT_EQ(left.kind, FindingKind::RaceGrid) << "both blocks write y[0]";
    }
  }
}

TEST(RunThreads, RunsWholeBlocksWhenThreadsMeet) {
  const Module module = treeReduction(32);
  ConcreteLaunch launch = treeLaunch(32, 3);
  for (auto& [parameter, binding] : launch.buffers)
    binding.sameAs = parameter;
  const std::vector<float> x = someFloats(96);
  Expected<Memory<IeeeDomain>> memory = makeMemory(launch, module.functions[0], {{"x", floats(x)}});
  const std::array<ThreadId, 2> threads = {ThreadId{{1, 0, 0}, {5, 0, 0}}, ThreadId{{1, 0, 0}, {6, 0, 0}}};
  Expected<RunResult> result = Interpreter<IeeeDomain>::make(module, 0)->runThreads(launch, *memory, threads);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->findings.empty());
  EXPECT_EQ(result->threads, 32U);
  EXPECT_EQ((*memory)[1].read(1).number, treeSums(x, 32)[1]);
  EXPECT_FALSE((*memory)[1].written(0));
}

} // namespace
} // namespace plumbline::ir

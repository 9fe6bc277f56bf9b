// Shuffles, votes and masks of the lanes of a warp, against the rules of the CUDA C++ programming guide.
#include "tests/unit/ir/run_fixture.h"

namespace plumbline::ir {
namespace {

using namespace test;

/// y[t] = op(mask, value of t, argument, width) for one block.
Outcome shuffled(SyncOp op, int64_t argument, int64_t width, int64_t threads = 64,
                 uint32_t mask = UINT32_MAX) {
  Builder b("shuffle");
  const int y = b.parameter("y", kI32Pointer);
  const int r = b.local("r", kI32);
  ExprId value = b.add(b.binary(BinaryOp::Mul, b.thread(), b.integer(3)), b.integer(1));
  b.body({b.collective(r, op, {b.integer(mask, kU32), value, b.integer(argument), b.integer(width)}),
          b.store(b.at(b.get(y), b.thread()), b.get(r))});
  ConcreteLaunch launch;
  launch.block = {threads, 1, 1};
  launch.buffers = {{"y", buffer(threads, BufferRole::InOut)}};
  return runOn(b.kernelModule(), launch, {{"y", std::vector<uint64_t>(static_cast<size_t>(threads), 999)}});
}

/// By the guide's sentences, one section of `width` lanes after the other.
int64_t guideSource(SyncOp op, int64_t thread, int64_t argument, int64_t width) {
  const int64_t warp = thread / 32 * 32;
  const int64_t section = thread / width * width;
  switch (op) {
  case SyncOp::Shuffle: return section + ((argument % width) + width) % width;
  case SyncOp::ShuffleUp: return thread - argument >= section ? thread - argument : thread;
  case SyncOp::ShuffleDown: return thread + argument < section + width ? thread + argument : thread;
  default: {
    const int64_t target = warp + ((thread - warp) ^ argument);
    return target >= section + width ? thread : target; // later groups give the own value
  }
  }
}

TEST(Shuffles, EveryWidthAndDistance) {
  for (const SyncOp op : {SyncOp::Shuffle, SyncOp::ShuffleUp, SyncOp::ShuffleDown, SyncOp::ShuffleXor})
    for (const int64_t width : {1, 2, 4, 8, 16, 32})
      for (const int64_t argument : {0, 1, 2, 3, 5, 8, 16, 17, 31}) {
        const Outcome out = shuffled(op, argument, width);
        EXPECT_TRUE(out.result.findings.empty());
        for (int64_t t = 0; t < 64; ++t)
          EXPECT_EQ(out.buffers.at("y")[static_cast<size_t>(t)],
                    static_cast<uint64_t>(guideSource(op, t, argument, width) * 3 + 1))
              << name(op) << " " << width << " " << argument << " " << t;
      }
  for (const int64_t lane : {-1, 32, 45})
    EXPECT_EQ(shuffled(SyncOp::Shuffle, lane, 8).buffers.at("y")[9],
              static_cast<uint64_t>(guideSource(SyncOp::Shuffle, 9, lane, 8) * 3 + 1));
}

TEST(Shuffles, WithoutMeaning) {
  for (const auto& [argument, width] :
       {std::pair{1, 3}, std::pair{1, 0}, std::pair{1, 64}, std::pair{32, 32}, std::pair{-1, 32}}) {
    const Outcome out = shuffled(SyncOp::ShuffleDown, argument, width, 32);
    ASSERT_EQ(out.result.findings.size(), 1U) << argument << " " << width;
    EXPECT_EQ(out.result.findings[0].kind, FindingKind::Undefined);
    EXPECT_EQ(out.result.findings[0].count, 32U);
    EXPECT_EQ(out.buffers.at("y")[0], 999U);
  }
}

TEST(Shuffles, OfALaneThatDoesNotTakePart) {
  // 20 threads: lanes 4 .. 19 read lanes 20 .. 35, of which 20 .. 31 do not exist and 32 .. wrap to
  // themselves.
  const Outcome out = shuffled(SyncOp::ShuffleDown, 16, 32, 20);
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::Undefined);
  EXPECT_EQ(out.result.findings[0].count, 12U);
  EXPECT_EQ(out.result.findings[0].thread.thread[0], 4);
  for (uint64_t t = 0; t < 20; ++t)
    EXPECT_EQ(out.buffers.at("y")[t], t < 4 ? (t + 16) * 3 + 1 : (t < 16 ? 999 : t * 3 + 1));
}

/// for (d = width / 2; d > 0; d /= 2) v += shfl_down(v, d, width); y[t] = v
TEST(Shuffles, TreeSums) {
  for (const int64_t width : {32, 16, 8}) {
    Builder b("sum");
    const int x = b.parameter("x", kF32Pointer);
    const int y = b.parameter("y", kF32Pointer);
    const int v = b.local("v", kF32);
    const int other = b.local("other", kF32);
    const int d = b.local("d", kI32);
    StmtId shuffle = b.collective(other, SyncOp::ShuffleDown,
                                  {b.integer(UINT32_MAX, kU32), b.get(v), b.get(d), b.integer(width)});
    b.body({b.assign(v, b.load(b.at(b.get(x), b.thread()))), b.assign(d, b.integer(width / 2)),
            b.loop(b.less(b.integer(0), b.get(d)), {shuffle, b.assign(v, b.add(b.get(v), b.get(other)))},
                   {b.assign(d, b.binary(BinaryOp::Div, b.get(d), b.integer(2)))}),
            b.store(b.at(b.get(y), b.thread()), b.get(v))});
    std::vector<float> values;
    for (int i = 0; i < 64; ++i)
      values.push_back(static_cast<float>((i * 37) % 64) * 0.1F - 2.F);
    ConcreteLaunch launch;
    launch.block = {64, 1, 1};
    launch.buffers = {{"x", buffer(64, BufferRole::Input)}, {"y", buffer(64, BufferRole::Output)}};
    for (const char* schedule : {"forward", "backward", "random:5"}) {
      RunOptions<IeeeDomain> options;
      options.schedule = *parseSchedule(schedule);
      const Outcome out = runOn(b.kernelModule(), launch, {{"x", floats(values)}}, options);
      EXPECT_TRUE(out.result.findings.empty());
      for (size_t first = 0; first < 64; first += static_cast<size_t>(width)) {
        std::vector<float> tree(values.begin() + static_cast<int64_t>(first),
                                values.begin() + static_cast<int64_t>(first) + width);
        for (size_t half = tree.size() / 2; half > 0; half /= 2)
          for (size_t k = 0; k < half; ++k)
            tree[k] += tree[k + half];
        EXPECT_EQ(floatOf(out.buffers.at("y")[first]), tree[0]) << width << schedule;
      }
    }
  }
}

TEST(Votes, OfTheLanesOfTheirMask) {
  // Lanes below 10 vote with mask 0x3ff, the others do not vote. Predicate: lane * lane % 7 < limit.
  for (const int64_t limit : {0, 2, 7}) {
    Builder b("vote");
    const int y = b.parameter("y", {ScalarType::U32, true});
    const int u = b.local("u", kU32);
    const int r = b.local("r", kI32);
    ExprId square = b.binary(BinaryOp::Mul, b.thread(), b.thread());
    ExprId holds = b.less(b.binary(BinaryOp::Rem, square, b.integer(7)), b.integer(limit));
    const auto slot = [&](int64_t row) {
      return b.at(b.get(y), b.add(b.binary(BinaryOp::Mul, b.thread(), b.integer(3)), b.integer(row)));
    };
    std::vector<StmtId> votes = {b.collective(u, SyncOp::Ballot, {b.integer(0x3ff, kU32), holds}),
                                 b.store(slot(0), b.get(u))};
    for (const SyncOp op : {SyncOp::VoteAny, SyncOp::VoteAll}) {
      votes.push_back(b.collective(r, op, {b.integer(0x3ff, kU32), holds}));
      votes.push_back(b.store(slot(op == SyncOp::VoteAny ? 1 : 2), b.cast(kU32, b.get(r))));
    }
    b.body({b.branch(b.less(b.thread(), b.integer(10)), votes)});
    ConcreteLaunch launch;
    launch.block = {32, 1, 1};
    launch.buffers = {{"y", buffer(30, BufferRole::Output)}};
    const Outcome out = runOn(b.kernelModule(), launch, {});
    EXPECT_TRUE(out.result.findings.empty());
    uint64_t ballot = 0;
    for (int64_t lane = 0; lane < 10; ++lane)
      ballot |= lane * lane % 7 < limit ? uint64_t{1} << lane : 0;
    for (size_t lane = 0; lane < 10; ++lane) {
      EXPECT_EQ(out.buffers.at("y")[3 * lane], ballot);
      EXPECT_EQ(out.buffers.at("y")[3 * lane + 1], ballot != 0 ? 1U : 0U);
      EXPECT_EQ(out.buffers.at("y")[3 * lane + 2], ballot == 0x3ff ? 1U : 0U);
    }
  }
}

TEST(ActiveMask, ContainsTheOwnLane) {
  Builder b("active");
  const int y = b.parameter("y", {ScalarType::U32, true});
  const int u = b.local("u", kU32);
  StmtId ask = b.collective(u, SyncOp::ActiveMask, {});
  b.body({b.branch(b.less(b.thread(), b.integer(40)), {ask, b.store(b.at(b.get(y), b.thread()), b.get(u))})});
  ConcreteLaunch launch;
  launch.block = {64, 1, 1};
  launch.buffers = {{"y", buffer(40, BufferRole::Output)}};
  const Outcome out = runOn(b.kernelModule(), launch, {});
  EXPECT_TRUE(out.result.findings.empty());
  for (size_t t = 0; t < 40; ++t) {
    const uint64_t mask = out.buffers.at("y")[t];
    EXPECT_EQ(mask >> (t % 32) & 1U, 1U);
    EXPECT_EQ(mask & ~(t < 32 ? uint64_t{UINT32_MAX} : uint64_t{0xff}), 0U) << "only lanes that are there";
  }
}

} // namespace
} // namespace plumbline::ir

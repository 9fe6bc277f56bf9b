// The races that a run reports, against a log of all its accesses that is compared pair by pair.
#include "core/ir/interpreter_races.h"
#include "tests/unit/ir/run_fixture.h"

#include <random>
#include <set>

namespace plumbline::ir {
namespace {

using namespace test;

/// One step of a random program, the same for all threads of the grid.
struct Step {
  enum class Kind : uint8_t { Read, Write, Atomic, Block, Warp } kind = Kind::Block;
  uint32_t warpMask = 0;            ///< Warp: the lanes of both warps that meet, the others pass by
  std::array<bool, 64> takesPart{}; ///< accesses: which threads of a block
  int cell = 0;
  bool perBlock = false; ///< each block has a cell of its own
};

constexpr int kCells = 3;

std::vector<Step> randomSteps(std::mt19937& random, uint32_t threads) {
  std::vector<Step> steps(4 + random() % 5);
  for (Step& step : steps) {
    step.kind = static_cast<Step::Kind>(random() % 5);
    if (random() % 3 == 0)
      step.kind = Step::Kind::Read;
    step.cell = static_cast<int>(random() % kCells);
    step.perBlock = random() % 2 == 0;
    step.warpMask = random() % 2 == 0 ? UINT32_MAX : static_cast<uint32_t>(random());
    const uint32_t sparse = 1 + random() % 6;
    for (uint32_t t = 0; t < threads; ++t)
      step.takesPart[t] = random() % sparse == 0;
  }
  return steps;
}

/// An access as the definition of a race sees it.
struct Logged {
  uint32_t block;
  uint32_t thread;
  size_t step;
  int cell; ///< with the block's number, for cells of its own
};

/// Whether meeting points lead from one access to a later one: the threads that know of it grow from step to
/// step.
bool leadsTo(const std::vector<Step>& steps, const Logged& a, const Logged& b) {
  if (a.block != b.block)
    return false;
  std::set<uint32_t> knows = {a.thread};
  for (size_t s = a.step + 1; s < b.step; ++s) {
    if (steps[s].kind == Step::Kind::Block)
      return true;
    if (steps[s].kind != Step::Kind::Warp)
      continue;
    std::set<uint32_t> warps; // the warps of which a lane that meets knows
    for (uint32_t t : knows)
      if ((steps[s].warpMask >> t % 32 & 1U) != 0)
        warps.insert(t / 32);
    for (uint32_t t = 0; t < 64; ++t)
      if ((steps[s].warpMask >> t % 32 & 1U) != 0 && warps.contains(t / 32))
        knows.insert(t);
  }
  return knows.contains(b.thread);
}

bool conflict(Step::Kind a, Step::Kind b) {
  using enum Step::Kind;
  return (a != Read || b != Read) && (a != Atomic || b != Atomic);
}

/// In a run, the later of two unordered accesses may be the one of either step: a run reports a pair at one
/// of both. So what is compared is: each reported pair is a race, and each racing pair of steps is reported.
struct PairOfSteps {
  size_t first;
  size_t second;
  bool inBlock;
  auto operator<=>(const PairOfSteps&) const = default;
};

std::set<PairOfSteps> bruteForce(const std::vector<Step>& steps, uint32_t blocks, uint32_t threads) {
  std::vector<Logged> log;
  for (uint32_t block = 0; block < blocks; ++block)
    for (uint32_t t = 0; t < threads; ++t)
      for (size_t s = 0; s < steps.size(); ++s)
        if (steps[s].kind <= Step::Kind::Atomic && steps[s].takesPart[t])
          log.push_back({block, t, s,
                         steps[s].perBlock ? static_cast<int>(kCells + block * kCells) + steps[s].cell
                                           : steps[s].cell});
  std::set<PairOfSteps> races;
  for (const Logged& a : log)
    for (const Logged& b : log) {
      if (a.cell != b.cell || a.step > b.step || (a.block == b.block && a.thread == b.thread) ||
          !conflict(steps[a.step].kind, steps[b.step].kind) || leadsTo(steps, a, b))
        continue;
      races.insert({a.step, b.step, a.block == b.block});
    }
  return races;
}

/// The program as a kernel; the line of each step's access.
Module kernelOf(const std::vector<Step>& steps, uint32_t threads, std::map<int, size_t>& stepOfLine) {
  Builder b("random");
  const int y = b.parameter("y", kI32Pointer);
  const int got = b.local("got", kI32);
  std::vector<StmtId> body;
  for (size_t s = 0; s < steps.size(); ++s) {
    const Step& step = steps[s];
    ExprId taking = b.expr({.kind = ExprKind::BoolLiteral, .type = kBool, .intValue = 0});
    for (uint32_t t = 0; t < threads; ++t)
      if (step.takesPart[t] && step.kind <= Step::Kind::Atomic)
        taking = b.logical(ExprKind::LogicalOr, taking, b.equal(b.thread(), b.integer(t)));
    ExprId block = b.cast(kI32, b.builtin("blockIdx.x"));
    ExprId own = b.add(b.integer(kCells + step.cell), b.binary(BinaryOp::Mul, block, b.integer(kCells)));
    ExprId place = b.at(b.get(y), step.perBlock ? own : b.integer(step.cell));
    switch (step.kind) {
    case Step::Kind::Read: {
      ExprId read = b.load(place);
      stepOfLine[b.lineOf(read)] = s;
      body.push_back(b.branch(taking, {b.assign(got, read)}));
      break;
    }
    case Step::Kind::Write: {
      StmtId write = b.store(place, b.integer(1));
      stepOfLine[b.lineOf(write)] = s;
      body.push_back(b.branch(taking, {write}));
      break;
    }
    case Step::Kind::Atomic: {
      StmtId add = b.atomic(-1, SyncOp::AtomicAdd, place, b.integer(1));
      stepOfLine[b.lineOf(add)] = s;
      body.push_back(b.branch(taking, {add}));
      break;
    }
    case Step::Kind::Block: body.push_back(b.barrier()); break;
    case Step::Kind::Warp: {
      ExprId lane = b.binary(BinaryOp::Rem, b.thread(), b.integer(32));
      ExprId bit = b.binary(BinaryOp::Shr, b.integer(step.warpMask, kU32), lane);
      ExprId meets = b.equal(b.binary(BinaryOp::BitAnd, bit, b.integer(1, kU32)), b.integer(1, kU32));
      body.push_back(b.branch(meets, {b.warpBarrier(b.integer(step.warpMask, kU32))}));
      break;
    }
    }
  }
  b.body(body);
  return b.kernelModule();
}

TEST(RaceProperty, ReportsAreThePairsOfTheDefinition) {
  std::mt19937 random(20261130);
  size_t programsWithRaces = 0;
  size_t programsWithout = 0;
  for (int round = 0; round < 400; ++round) {
    const uint32_t threads = round % 2 == 0 ? 64 : 3 + random() % 40;
    const uint32_t blocks = 1 + random() % 2;
    const std::vector<Step> steps = randomSteps(random, threads);
    std::map<int, size_t> stepOfLine;
    const Module module = kernelOf(steps, threads, stepOfLine);
    const std::set<PairOfSteps> expected = bruteForce(steps, blocks, threads);
    ConcreteLaunch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.buffers = {{"y", buffer(kCells * 3, BufferRole::InOut)}};
    RunOptions<IeeeDomain> options;
    options.schedule = *parseSchedule(std::array{"forward", "backward", "random:8"}[round % 3]);
    const Outcome out = runOn(module, launch, {{"y", std::vector<uint64_t>(kCells * 3)}}, options);
    std::map<bool, std::set<size_t>> reportedAt;
    for (const RunFinding& finding : out.result.findings) {
      ASSERT_TRUE(finding.kind == FindingKind::RaceBlock || finding.kind == FindingKind::RaceGrid)
          << print(finding);
      const size_t here = stepOfLine.at(finding.where.line);
      const size_t other = stepOfLine.at(finding.otherWhere.line);
      const bool inBlock = finding.kind == FindingKind::RaceBlock;
      EXPECT_EQ(inBlock, finding.thread.block == finding.otherThread.block);
      EXPECT_NE(finding.thread, finding.otherThread);
      EXPECT_TRUE(expected.contains({std::min(here, other), std::max(here, other), inBlock}))
          << "round " << round << ": " << print(finding);
      reportedAt[inBlock].insert(here);
    }
    // Of each racing pair, the access that the run made later is reported, perhaps against another partner.
    for (const PairOfSteps& pair : expected)
      EXPECT_TRUE(reportedAt[pair.inBlock].contains(pair.first) ||
                  reportedAt[pair.inBlock].contains(pair.second))
          << "round " << round << ": steps " << pair.first << " and " << pair.second;
    ++(expected.empty() ? programsWithout : programsWithRaces);
  }
  EXPECT_GT(programsWithRaces, 100U);
  EXPECT_GT(programsWithout, 20U);
}

/// Random histories of one cell, where every access must be told exactly whether an earlier one races with
/// it.
TEST(RaceProperty, EveryAccessIsToldWhetherItRaces) {
  constexpr uint32_t kThreads = 40;
  std::mt19937 random(7);
  struct Past {
    uint32_t thread;
    AccessKind kind;
    std::set<uint32_t> ordered; ///< threads of the block whose accesses to come are ordered after this one
  };
  size_t racing = 0;
  size_t clean = 0;
  for (int round = 0; round < 3000; ++round) {
    const bool warps = round % 3 != 0;
    BlockClocks clocks(kThreads, warps);
    RaceTracker tracker(1, round % 2 == 0);
    std::vector<Past> log;
    uint32_t first = 0;
    clocks.startBlock(first);
    const uint32_t few = 1 + random() % kThreads;
    for (int step = 0; step < 40; ++step) {
      const uint32_t choice = random() % 20;
      if (choice == 0) {
        first += kThreads;
        clocks.startBlock(first);
      } else if (choice == 1) {
        clocks.meetInBlock();
        for (Past& past : log)
          for (uint32_t t = 0; past.thread >= first && t < kThreads; ++t)
            past.ordered.insert(first + t);
      } else if (choice < 5 && warps) {
        const uint32_t warp = random() % 2;
        const uint32_t lanes = warp == 0 ? 32 : kThreads - 32;
        const uint32_t mask =
            static_cast<uint32_t>(random()) & static_cast<uint32_t>((uint64_t{1} << lanes) - 1);
        clocks.meetInWarp(warp, mask);
        for (Past& past : log) {
          const auto meets = [&](uint32_t t) {
            return t >= first && (t - first) / 32 == warp && (mask >> (t - first) % 32 & 1U) != 0;
          };
          if (std::ranges::any_of(past.ordered, meets))
            for (uint32_t lane = 0; lane < lanes; ++lane)
              if ((mask >> lane & 1U) != 0)
                past.ordered.insert(first + warp * 32 + lane);
        }
      } else {
        const uint32_t thread = first + random() % few;
        const auto kind = static_cast<AccessKind>(random() % 3);
        bool grid = false;
        bool block = false;
        for (const Past& past : log) {
          const bool conflicts = (past.kind != AccessKind::Read || kind != AccessKind::Read) &&
                                 (past.kind != AccessKind::Atomic || kind != AccessKind::Atomic);
          grid |= conflicts && past.thread < first;
          block |= conflicts && past.thread >= first && !past.ordered.contains(thread);
        }
        const RacesFound found = tracker.access(0, kind, {thread, clocks.now(thread), step}, clocks);
        ASSERT_EQ(found.inGrid.known(), grid) << round << " " << step;
        ASSERT_EQ(found.inBlock.known(), block) << round << " " << step;
        ++(grid || block ? racing : clean);
        log.push_back({thread, kind, {thread}});
      }
    }
  }
  EXPECT_GT(racing, 1000U);
  EXPECT_GT(clean, 1000U);
}

} // namespace
} // namespace plumbline::ir

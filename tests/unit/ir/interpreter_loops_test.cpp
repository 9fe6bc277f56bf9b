// Loops, blocks, jumps and arrays of a thread, against the same control flow written in C++.
#include "tests/unit/ir/run_fixture.h"

namespace plumbline::ir {
namespace {

using namespace test;

/// One thread that leaves a number in y[0].
std::vector<uint64_t> numbers(const Builder& b, int64_t length = 1) {
  ConcreteLaunch launch;
  launch.buffers = {{"y", buffer(length, BufferRole::Output)}};
  const Outcome out = runOn(b.kernelModule(), launch, {});
  EXPECT_TRUE(out.result.findings.empty()) << print(out.result.findings.front());
  return out.buffers.at("y");
}

/// Locals i, j, sum of one thread and what every test below says with them.
struct Counting : Builder {
  Counting() : Builder("counting") {}
  int y = parameter("y", kI32Pointer);
  int i = local("i", kI32);
  int j = local("j", kI32);
  int sum = local("sum", kI32);
  StmtId set(int local, int64_t value) { return assign(local, integer(value)); }
  StmtId increase(int local, ExprId by) { return assign(local, add(get(local), by)); }
  StmtId increment(int local) { return increase(local, integer(1)); }
  ExprId below(int local, int64_t limit) { return less(get(local), integer(limit)); }
  ExprId is(int local, int64_t value) { return equal(get(local), integer(value)); }
  StmtId result() { return store(get(y), get(sum)); }
};

TEST(Loops, WhileForAndDoWhile) {
  for (const int64_t start : {0, 3, 10, 12}) {
    for (const bool testAfter : {false, true}) {
      Counting b;
      b.body({b.set(b.i, start), b.set(b.sum, 0),
              b.loop(b.below(b.i, 10), {b.increase(b.sum, b.get(b.i))}, {b.increment(b.i)}, testAfter),
              b.result()});
      int64_t expected = 0;
      int64_t i = start;
      if (testAfter)
        do {
          expected += i++;
        } while (i < 10);
      else
        for (; i < 10; ++i)
          expected += i;
      EXPECT_EQ(numbers(b), std::vector<uint64_t>{static_cast<uint64_t>(expected)}) << start << testAfter;
    }
  }
}

TEST(Loops, ContinueGoesOnWithTheStep) {
  for (const bool testAfter : {false, true}) {
    Counting b;
    StmtId skip = b.branch(b.is(b.i, 4), {b.next(0)});
    b.body({b.set(b.i, 0), b.set(b.sum, 0),
            b.loop(b.below(b.i, 7), {skip, b.increase(b.sum, b.get(b.i))}, {b.increment(b.i)}, testAfter),
            b.result()});
    EXPECT_EQ(numbers(b)[0], 0U + 1 + 2 + 3 + 5 + 6);
  }
}

TEST(Loops, JumpsNameTheirLevel) {
  for (const int level : {0, 1})
    for (const bool leaves : {false, true}) {
      Counting b;
      StmtId jump = leaves ? b.leave(level) : b.next(level);
      StmtId inner =
          b.loop(b.below(b.j, 5), {b.branch(b.is(b.j, 3), {jump}), b.increment(b.sum)}, {b.increment(b.j)});
      StmtId outer = b.loop(b.below(b.i, 4), {b.set(b.j, 0), inner, b.increase(b.sum, b.integer(100))},
                            {b.increment(b.i)});
      b.body({b.set(b.i, 0), b.set(b.sum, 0), outer, b.result()});
      uint64_t sum = 0;
      for (int i = 0; i < 4; ++i) {
        bool innerJumped = false;
        for (int j = 0; j < 5; ++j) {
          if (j == 3) {
            if (level == 0 && !leaves)
              continue;
            innerJumped = level == 1;
            break;
          }
          ++sum;
        }
        if (innerJumped && leaves)
          break;
        if (!innerJumped)
          sum += 100;
      }
      EXPECT_EQ(numbers(b)[0], sum) << level << leaves;
    }
}

TEST(Loops, BreakLeavesABlock) {
  // A loop without condition inside a block inside a block; the break of level 1 leaves the inner block.
  Counting b;
  StmtId endless = b.loop(ExprId::None, {b.increment(b.sum), b.branch(b.is(b.sum, 5), {b.leave(1)})});
  StmtId innerBlock = b.block({endless, b.increase(b.sum, b.integer(1000))});
  StmtId outerBlock = b.block({innerBlock, b.increase(b.sum, b.integer(10)), b.leave(), b.set(b.sum, 0)});
  b.body({b.set(b.sum, 0), outerBlock, b.increase(b.sum, b.integer(100)), b.result()});
  EXPECT_EQ(numbers(b)[0], 115U);
}

TEST(Loops, ReturnFromTheMiddle) {
  Counting b;
  b.body({b.set(b.sum, 0),
          b.loop(ExprId::None, {b.increment(b.sum), b.branch(b.is(b.sum, 7), {b.result(), b.ret()})}),
          b.result()});
  EXPECT_EQ(numbers(b)[0], 7U);
}

TEST(Loops, EndlessOnesMeetTheLimitOrTheStop) {
  Counting b;
  b.body({b.loop(ExprId::None, {b.set(b.i, 0)})});
  const Module module = b.kernelModule();
  ConcreteLaunch launch;
  launch.buffers = {{"y", buffer(1, BufferRole::InOut)}};
  launch.buffers["y"].sameAs = "y";
  Expected<Memory<IeeeDomain>> memory = makeMemory(launch, module.functions[0], {{"y", {0}}});
  Expected<Interpreter<IeeeDomain>> interpreter = Interpreter<IeeeDomain>::make(module, 0);
  RunOptions<IeeeDomain> options;
  options.stepLimit = 1'000'000;
  EXPECT_EQ(interpreter->run(launch, *memory, options).error().id, "step-limit");
  options.stepLimit = uint64_t{1} << 60;
  options.stop = StopToken().withTimeout(std::chrono::milliseconds(20));
  EXPECT_EQ(interpreter->run(launch, *memory, options).error().id, "timeout");
}

TEST(ThreadArrays, AreOneForEachThread) {
  // own[k] = thread * 10 + k; perhaps a barrier; y[thread] = own[0] + own[1] + own[2]
  for (const bool meet : {true, false}) {
    Builder b("own");
    const int y = b.parameter("y", kI32Pointer);
    const int own = b.array("own", ScalarType::I32, ArraySpace::Thread, {3});
    std::vector<StmtId> body;
    for (int k = 0; k < 3; ++k)
      body.push_back(b.store(b.arrayAt(own, b.integer(k)),
                             b.add(b.binary(BinaryOp::Mul, b.thread(), b.integer(10)), b.integer(k))));
    ExprId sum = b.load(b.arrayAt(own, b.integer(0)));
    for (int k = 1; k < 3; ++k)
      sum = b.add(sum, b.load(b.arrayAt(own, b.integer(k))));
    if (meet)
      body.push_back(b.barrier());
    body.push_back(b.store(b.at(b.get(y), b.thread()), sum));
    b.body(body);
    ConcreteLaunch launch;
    launch.block = {5, 1, 1};
    launch.buffers = {{"y", buffer(5, BufferRole::Output)}};
    const Outcome out = runOn(b.kernelModule(), launch, {});
    EXPECT_TRUE(out.result.findings.empty());
    for (uint64_t t = 0; t < 5; ++t)
      EXPECT_EQ(out.buffers.at("y")[t], 30 * t + 3);
  }
}

/// for i < 2: { declare; if (i == 0) own[1] = 5, t = 5; y[i] = own[1] or t }
Outcome redeclared(bool array, int& line) {
  Builder b("redeclared");
  const int y = b.parameter("y", kI32Pointer);
  const int i = b.local("i", kI32);
  const int t = b.local("t", kI32);
  const int own = b.array("own", ScalarType::I32, ArraySpace::Thread, {2, 2});
  StmtId declare = array ? b.declareArray(own) : b.declareLocal(t);
  StmtId set = array ? b.store(b.arrayAt(own, b.integer(1)), b.integer(5)) : b.assign(t, b.integer(5));
  ExprId read = array ? b.load(b.arrayAt(own, b.integer(1))) : b.get(t);
  line = b.lineOf(read);
  StmtId use = b.store(b.at(b.get(y), b.get(i)), read);
  b.body({b.assign(i, b.integer(0)), b.loop(b.less(b.get(i), b.integer(2)),
                                            {declare, b.branch(b.equal(b.get(i), b.integer(0)), {set}), use},
                                            {b.assign(i, b.add(b.get(i), b.integer(1)))})});
  ConcreteLaunch launch;
  launch.buffers = {{"y", buffer(2, BufferRole::InOut)}};
  return runOn(b.kernelModule(), launch, {{"y", {0, 0}}});
}

TEST(ThreadArrays, DeclarationsEndTheContents) {
  for (const bool array : {true, false}) {
    int line = 0;
    const Outcome out = redeclared(array, line);
    ASSERT_EQ(out.result.findings.size(), 1U) << array;
    EXPECT_EQ(out.result.findings[0].kind, FindingKind::UninitialisedRead);
    EXPECT_EQ(out.result.findings[0].where.line, line);
    EXPECT_EQ(out.result.findings[0].count, 1U) << "the first iteration is fine";
    EXPECT_EQ(out.buffers.at("y")[0], 5U);
    EXPECT_EQ(out.result.findings[0].buffer, array ? "own" : "");
  }
}

TEST(ThreadArrays, BoundsAndConstants) {
  Builder b("constant");
  const int y = b.parameter("y", kF32Pointer);
  const int taps =
      b.array("taps", ScalarType::F32, ArraySpace::Constant, {2}, {bitsOfFloat(0.5F), bitsOfFloat(-3.F)});
  ExprId beyond = b.load(b.arrayAt(taps, b.integer(2)));
  StmtId write = b.store(b.arrayAt(taps, b.integer(0)), b.f32(0));
  b.body({b.store(b.at(b.get(y), b.integer(0)), b.load(b.arrayAt(taps, b.integer(1)))),
          b.branch(b.equal(b.thread(), b.integer(0)), {b.store(b.at(b.get(y), b.integer(1)), beyond)}),
          write});
  ConcreteLaunch launch;
  launch.buffers = {{"y", buffer(2, BufferRole::InOut)}};
  Outcome out = runOn(b.kernelModule(), launch, {{"y", floats({0, 0})}});
  EXPECT_EQ(floatOf(out.buffers.at("y")[0]), -3.F);
  ASSERT_EQ(out.result.findings.size(), 1U);
  EXPECT_EQ(out.result.findings[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(out.result.findings[0].message, "taps[2] is outside its 2 elements");
  EXPECT_EQ(out.result.findings[0].where.line, b.lineOf(beyond));
  launch.block = {2, 1, 1};
  out = runOn(b.kernelModule(), launch, {{"y", floats({0, 0})}});
  bool written = false;
  for (const RunFinding& finding : out.result.findings)
    written |= finding.kind == FindingKind::Undefined && finding.where.line == b.lineOf(write);
  EXPECT_TRUE(written);
}

} // namespace
} // namespace plumbline::ir

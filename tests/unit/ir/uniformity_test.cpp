// Which values and statements are the same for all threads of a block: expectations follow from CUDA's words
// about threads, each with a neighbour that differs in one place and is not uniform.
#include "core/ir/uniformity.h"
#include "tests/unit/ir/ir_builder.h"

#include <gtest/gtest.h>

namespace plumbline::ir::test {
namespace {

Function finish(Builder& builder, std::vector<StmtId> body) {
  builder.body(std::move(body));
  return builder.function();
}

class UniformityTest : public testing::Test {
protected:
  /// A kernel k(f32* x, i32 n) with locals a and b.
  Builder b{"k"};
  int x = b.parameter("x", kF32Pointer);
  int n = b.parameter("n", kI32);
  int first = b.local("first", kI32);
  int second = b.local("second", kI32);
  Module module;

  Uniformity analyse(std::vector<StmtId> body, const UniformityOptions& options = {}) {
    module = {};
    module.functions.push_back(finish(b, std::move(body)));
    module.kernels.push_back({"k", 0, 0, {}});
    EXPECT_TRUE(verify(module).empty()) << verify(module)[0];
    return uniformityOf(module, module.functions[0], options);
  }
  ExprId lessThanN(int local) { return b.less(b.get(local), b.get(n)); }
};

TEST_F(UniformityTest, CoordinatesOfTheBlockButNotOfTheThread) {
  const ExprId block = b.add(b.cast(kI32, b.builtin("blockIdx.y")), b.get(n));
  const ExprId thread = b.add(b.thread(), b.get(n));
  const ExprId other = b.builtin("threadIdx.y");
  const ExprId size = b.builtin("blockDim.x");
  const std::vector<StmtId> body{b.assign(first, block), b.assign(second, thread)};
  const Uniformity all = analyse(body);
  EXPECT_TRUE(all.value(block));
  EXPECT_TRUE(all.value(size));
  EXPECT_FALSE(all.value(thread));
  EXPECT_FALSE(all.value(other));
  EXPECT_TRUE(all.local(first));
  EXPECT_FALSE(all.local(second));
  const Uniformity oneRow = analyse(body, {.oneThread = {false, true, false}, .isStable = {}});
  EXPECT_TRUE(oneRow.value(other));
  EXPECT_FALSE(oneRow.value(thread));
}

TEST_F(UniformityTest, MemoryIsUniformOnlyWhereSomebodySaysThatItIsStable) {
  const ExprId load = b.load(b.at(b.get(x), b.get(n)));
  const ExprId own = b.load(b.at(b.get(x), b.thread()));
  const int table = b.array("table", ScalarType::I32, ArraySpace::Constant, {2}, {4, 5});
  const int shared = b.shared("shared", 4);
  const ExprId constant = b.load(b.arrayAt(table, b.integer(1)));
  const ExprId written = b.load(b.arrayAt(shared, b.integer(1)));
  const StmtId stmt = b.assign(first, constant);
  const Uniformity careful = analyse({stmt});
  EXPECT_TRUE(careful.value(constant));
  EXPECT_FALSE(careful.value(load));
  EXPECT_FALSE(careful.value(written));
  const Uniformity told = analyse({stmt}, {.oneThread = {}, .isStable = [](ExprId) { return true; }});
  EXPECT_TRUE(told.value(load));
  EXPECT_FALSE(told.value(own)) << "threads read at different addresses";
}

TEST_F(UniformityTest, AVariableAssignedOnSomeThreadsOnlyIsNot) {
  const StmtId inside = b.assign(first, b.integer(1));
  const StmtId same = b.assign(second, b.integer(1));
  const Uniformity all = analyse({b.assign(first, b.integer(0)), b.assign(second, b.integer(0)),
                                  b.branch(b.less(b.thread(), b.get(n)), {inside}),
                                  b.branch(b.less(b.integer(4), b.get(n)), {same})});
  EXPECT_FALSE(all.local(first));
  EXPECT_TRUE(all.local(second));
  EXPECT_FALSE(all.reached(inside));
  EXPECT_TRUE(all.reached(same));
}

TEST_F(UniformityTest, WhatDependsOnItLaterIsNotEither) {
  // second = first stands before the assignment that makes first differ, in a loop that comes round.
  const StmtId early = b.assign(second, b.get(first));
  const Uniformity all = analyse({b.assign(first, b.integer(0)), b.assign(second, b.integer(0)),
                                  b.loop(lessThanN(second), {early, b.assign(first, b.thread())})});
  EXPECT_FALSE(all.local(first));
  EXPECT_FALSE(all.local(second));
  EXPECT_FALSE(all.reached(early)) << "the loop ends at different turns";
}

TEST_F(UniformityTest, ACountedLoopIsUniformAndItsBodyReached) {
  const StmtId wait = b.barrier();
  const StmtId after = b.barrier();
  const StmtId step = b.assign(first, b.add(b.get(first), b.integer(1)));
  const StmtId loop = b.loop(lessThanN(first), {wait}, {step});
  const Uniformity all = analyse({b.assign(first, b.integer(0)), loop, after});
  EXPECT_TRUE(all.local(first));
  EXPECT_TRUE(all.reached(wait));
  EXPECT_TRUE(all.reached(after));
}

TEST_F(UniformityTest, ALoopFromTheThreadsOwnNumberPartsThemUntilItsEnd) {
  const StmtId wait = b.barrier();
  const StmtId after = b.barrier();
  const StmtId step = b.assign(first, b.add(b.get(first), b.integer(32)));
  const Uniformity all =
      analyse({b.assign(first, b.thread()), b.loop(lessThanN(first), {wait}, {step}), after});
  EXPECT_FALSE(all.reached(wait));
  EXPECT_TRUE(all.reached(after));
}

TEST_F(UniformityTest, WhoBreaksAloneIsMissingFromTheRestAndFromLaterTurns) {
  const StmtId before = b.assign(second, b.integer(0));
  const StmtId leave = b.branch(b.less(b.thread(), b.get(first)), {b.stmt({.kind = StmtKind::Break})});
  const StmtId wait = b.barrier();
  const StmtId after = b.barrier();
  const StmtId step = b.assign(first, b.add(b.get(first), b.integer(1)));
  const Uniformity all = analyse(
      {b.assign(first, b.integer(0)), b.loop(lessThanN(first), {before, leave, wait}, {step}), after});
  EXPECT_FALSE(all.reached(wait));
  EXPECT_FALSE(all.reached(before)) << "in the second turn";
  EXPECT_FALSE(all.local(first));
  EXPECT_TRUE(all.reached(after));
}

TEST_F(UniformityTest, WhoContinuesAloneIsBackAtTheStep) {
  const StmtId skip = b.branch(b.less(b.thread(), b.get(n)), {b.stmt({.kind = StmtKind::Continue})});
  const StmtId rest = b.barrier();
  const StmtId wait = b.barrier();
  const StmtId step = b.assign(first, b.add(b.get(first), b.integer(1)));
  const Uniformity all =
      analyse({b.assign(first, b.integer(0)), b.loop(lessThanN(first), {wait, skip, rest}, {step})});
  EXPECT_FALSE(all.reached(rest));
  EXPECT_TRUE(all.reached(step));
  EXPECT_TRUE(all.reached(wait));
  EXPECT_TRUE(all.local(first));
}

TEST_F(UniformityTest, LeavingTheOuterLoopFromTheInnerOnePartsBoth) {
  const StmtId out = b.stmt({.kind = StmtKind::Break, .level = 1});
  const StmtId inner = b.block({b.branch(b.less(b.thread(), b.get(n)), {out})});
  const StmtId wait = b.barrier();
  const StmtId after = b.barrier();
  const StmtId step = b.assign(first, b.add(b.get(first), b.integer(1)));
  const Uniformity all =
      analyse({b.assign(first, b.integer(0)), b.loop(lessThanN(first), {inner, wait}, {step}), after});
  EXPECT_FALSE(all.reached(wait));
  EXPECT_TRUE(all.reached(after));
}

TEST_F(UniformityTest, ABlockThatSomeLeaveIsOneWholeAfterIt) {
  const StmtId out = b.stmt({.kind = StmtKind::Break});
  const StmtId inside = b.barrier();
  const StmtId after = b.barrier();
  const Uniformity all = analyse({b.block({b.branch(b.less(b.thread(), b.get(n)), {out}), inside}), after});
  EXPECT_FALSE(all.reached(inside));
  EXPECT_TRUE(all.reached(after));
}

TEST_F(UniformityTest, WhoReturnsEarlyIsMissingFromThenOn) {
  const StmtId wait = b.barrier();
  const StmtId all = b.branch(lessThanN(n), {b.ret()});
  const StmtId some = b.branch(b.less(b.get(n), b.thread()), {b.ret()});
  const StmtId later = b.barrier();
  const Uniformity uniformity = analyse({all, wait, some, later});
  EXPECT_TRUE(uniformity.reached(wait)) << "all threads of the block return together";
  EXPECT_FALSE(uniformity.reached(later));
}

TEST_F(UniformityTest, ResultsOfMeetingPoints) {
  const StmtId count = b.stmt({.kind = StmtKind::Collective,
                               .local = first,
                               .sync = SyncOp::BlockCount,
                               .args = {b.less(b.thread(), b.get(n))}});
  const StmtId old = b.stmt({.kind = StmtKind::Atomic,
                             .local = second,
                             .pointer = b.arrayAt(b.shared("cell", 1, ScalarType::I32), b.integer(0)),
                             .value = b.integer(1),
                             .sync = SyncOp::AtomicAdd});
  const Uniformity all = analyse({count, old});
  EXPECT_TRUE(all.local(first));
  EXPECT_FALSE(all.local(second));
}

TEST_F(UniformityTest, ADeviceFunctionIsWhatItsArgumentsAreUnlessItAsksWhoItIs) {
  Builder plain("plain", kI32);
  const int a = plain.parameter("a", kI32);
  Function plainFunction = finish(plain, {plain.ret(plain.add(plain.get(a), plain.integer(1)))});
  Builder asks("asks", kI32);
  asks.parameter("a", kI32);
  Function asksFunction = finish(asks, {asks.ret(asks.thread())});
  const ExprId same = b.call(1, kI32, {b.get(n)});
  const ExprId differs = b.call(1, kI32, {b.thread()});
  const ExprId knows = b.call(2, kI32, {b.get(n)});
  module.functions = {finish(b, {b.assign(first, same)}), plainFunction, asksFunction};
  module.kernels.push_back({"k", 0, 0, {}});
  ASSERT_TRUE(verify(module).empty()) << verify(module)[0];
  const Uniformity all = uniformityOf(module, module.functions[0]);
  EXPECT_TRUE(all.value(same));
  EXPECT_FALSE(all.value(differs));
  EXPECT_FALSE(all.value(knows));
}

TEST_F(UniformityTest, ContainsABarrierAtAnyDepth) {
  const StmtId wait = b.barrier();
  const StmtId deep = b.block({b.branch(lessThanN(n), {}, {b.loop(lessThanN(first), {}, {wait})})});
  const StmtId shallow = b.assign(first, b.integer(0));
  analyse({shallow, deep});
  EXPECT_TRUE(containsBlockBarrier(module.functions[0], wait));
  EXPECT_TRUE(containsBlockBarrier(module.functions[0], deep));
  EXPECT_FALSE(containsBlockBarrier(module.functions[0], shallow));
}

} // namespace
} // namespace plumbline::ir::test

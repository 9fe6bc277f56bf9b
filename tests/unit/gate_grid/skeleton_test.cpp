// Which stretches of code can lie in one barrier interval.
#include "core/gate/grid/skeleton.h"

#include <gtest/gtest.h>

namespace plumbline::gate::grid {
namespace {

/// A loop with a barrier in it: 0 code, 1 head, 2 code, 3 barrier, 4 code, back to 1; 5 exit, 6 code.
struct LoopWithBarrier {
  logic::TermStore store;
  SymbolTable symbols{store};
  Program program;
  int loop = symbols.addLoop({outside, Level::Block, {}});

  LoopWithBarrier() {
    using Kind = Segment::Kind;
    program.segments = {{Kind::Code, outside, {1}}, {Kind::LoopHead, loop, {2, 5}},
                        {Kind::Code, loop, {3}},    {Kind::BlockBarrier, loop, {4}},
                        {Kind::Code, loop, {1}},    {Kind::LoopExit, loop, {6}},
                        {Kind::Code, outside, {}}};
  }
  std::set<Steps> from(int a, int b) {
    Skeleton skeleton(program, symbols);
    const auto& all = skeleton.following(a, false);
    const auto found = all.find(b);
    return found == all.end() ? std::set<Steps>{} : found->second;
  }
};

TEST(Skeleton, TheEndOfAnIterationMeetsTheStartOfTheNext) {
  LoopWithBarrier p;
  EXPECT_EQ(p.from(4, 2), (std::set<Steps>{{{p.loop, Step::Next}}}));
}

TEST(Skeleton, ABarrierSeparates) {
  LoopWithBarrier p;
  EXPECT_TRUE(p.from(2, 4).empty());
  EXPECT_TRUE(p.from(4, 4).empty());
}

TEST(Skeleton, CodeBeforeTheLoopMeetsItsFirstIterationAndWhatFollows) {
  LoopWithBarrier p;
  EXPECT_EQ(p.from(0, 2), (std::set<Steps>{{{p.loop, Step::First}}}));
  EXPECT_EQ(p.from(0, 6), (std::set<Steps>{Steps{}}));
  EXPECT_EQ(p.from(4, 6), (std::set<Steps>{Steps{}}));
}

TEST(Skeleton, WithoutABarrierEveryIterationMeetsEveryOther) {
  LoopWithBarrier p;
  p.program.segments[3].kind = Segment::Kind::Code;
  EXPECT_TRUE(p.from(2, 4).contains({{p.loop, Step::Same}}));
  EXPECT_TRUE(p.from(2, 4).contains({{p.loop, Step::Any}}));
  EXPECT_TRUE(p.from(2, 2).contains({{p.loop, Step::Any}}));
}

} // namespace
} // namespace plumbline::gate::grid

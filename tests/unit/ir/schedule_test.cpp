#include "core/ir/schedule.h"

#include <gtest/gtest.h>
#include <set>

namespace plumbline::ir {
namespace {

using Dimensions = std::array<int64_t, 3>;

std::vector<ThreadId> all(const ThreadSequence& sequence) {
  std::vector<ThreadId> threads;
  for (uint32_t i = 0; i < sequence.size(); ++i)
    threads.push_back(sequence[i]);
  return threads;
}

TEST(Schedule, Parses) {
  EXPECT_EQ(parseSchedule("forward")->kind, Schedule::Kind::Forward);
  EXPECT_EQ(parseSchedule("backward")->kind, Schedule::Kind::Backward);
  EXPECT_EQ(parseSchedule("random:42")->seed, 42U);
  for (const char* text : {"", "random", "random:", "random:x", "random:1 ", "random:-1", "sideways"})
    EXPECT_EQ(parseSchedule(text).error().id, "schedule-syntax") << text;
}

TEST(Schedule, ForwardCountsXFirst) {
  Expected<ThreadSequence> sequence = ThreadSequence::wholeGrid({2, 2, 1}, {2, 1, 2}, {});
  ASSERT_TRUE(sequence);
  ASSERT_EQ(sequence->size(), 16U);
  EXPECT_EQ((*sequence)[1], (ThreadId{{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ((*sequence)[2], (ThreadId{{0, 0, 0}, {0, 0, 1}}));
  EXPECT_EQ((*sequence)[4], (ThreadId{{1, 0, 0}, {0, 0, 0}}));
  EXPECT_EQ((*sequence)[8], (ThreadId{{0, 1, 0}, {0, 0, 0}}));
}

TEST(Schedule, EveryOrderVisitsEveryThreadOnce) {
  const Dimensions grid = {3, 2, 2};
  const Dimensions block = {4, 3, 1};
  const std::vector<ThreadId> forward = all(*ThreadSequence::wholeGrid(grid, block, {}));
  std::vector<ThreadId> backward = all(*ThreadSequence::wholeGrid(grid, block, *parseSchedule("backward")));
  EXPECT_EQ(std::vector<ThreadId>(backward.rbegin(), backward.rend()), forward);
  const std::vector<ThreadId> random =
      all(*ThreadSequence::wholeGrid(grid, block, *parseSchedule("random:9")));
  EXPECT_NE(random, forward);
  std::set<std::pair<Dimensions, Dimensions>> seen;
  for (const ThreadId& id : random)
    EXPECT_TRUE(seen.emplace(id.block, id.thread).second);
  EXPECT_EQ(seen.size(), forward.size());
  EXPECT_EQ(random, all(*ThreadSequence::wholeGrid(grid, block, *parseSchedule("random:9"))));
  EXPECT_NE(random, all(*ThreadSequence::wholeGrid(grid, block, *parseSchedule("random:10"))));
}

TEST(Schedule, GivenThreads) {
  const ThreadId threads[] = {{{5, 0, 0}, {1, 0, 0}}, {{6, 0, 0}, {2, 0, 0}}};
  EXPECT_EQ(ThreadSequence::of(threads, {})[0], threads[0]);
  EXPECT_EQ(ThreadSequence::of(threads, *parseSchedule("backward"))[0], threads[1]);
}

TEST(Schedule, TooLargeGridsAreRefused) {
  EXPECT_EQ(ThreadSequence::wholeGrid({INT32_MAX, 65535, 65535}, {1024, 1, 1}, {}).error().id,
            "run-too-large");
  EXPECT_EQ(ThreadSequence::wholeGrid({1 << 22, 1, 1}, {1024, 1, 1}, {}).error().id, "run-too-large");
  EXPECT_EQ(ThreadSequence::wholeGrid({0, 1, 1}, {1, 1, 1}, {}).error().id, "run-too-large");
  EXPECT_EQ(ThreadSequence::wholeGrid({1 << 26, 1, 1}, {1, 1, 1}, *parseSchedule("random:1")).error().id,
            "run-too-large");
  EXPECT_TRUE(ThreadSequence::wholeGrid({(1 << 22) - 1, 1, 1}, {1024, 1, 1}, {}));
}

} // namespace
} // namespace plumbline::ir

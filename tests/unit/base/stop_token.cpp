#include "core/base/stop_token.h"

#include <gtest/gtest.h>

namespace plumbline {
namespace {

using namespace std::chrono_literals;

TEST(StopToken, CopiesShareTheFlag) {
  const StopToken first;
  const StopToken second = first.withTimeout(1h);
  EXPECT_FALSE(second.stopRequested());
  first.requestStop();
  EXPECT_TRUE(second.stopRequested());
  EXPECT_EQ(second.remaining(), 0ms);
}

TEST(StopToken, TheEarlierDeadlineHolds) {
  const auto now = StopToken::Clock::now();
  const StopToken token = StopToken().withDeadline(now + 10s).withDeadline(now + 60s);
  EXPECT_LE(token.remaining(), 10s);
  EXPECT_GT(token.remaining(), 5s);
  EXPECT_LE(StopToken().withDeadline(now + 60s).withDeadline(now + 10s).remaining(), 10s);
}

TEST(StopToken, ADeadlineStopsOnlyTheTokenThatHasIt) {
  const StopToken first;
  const StopToken late = first.withDeadline(StopToken::Clock::now() - 1ms);
  EXPECT_TRUE(late.stopRequested());
  EXPECT_EQ(late.remaining(), 0ms);
  EXPECT_FALSE(first.stopRequested());
}

TEST(StopToken, WithoutDeadlineThereIsMuchTime) {
  EXPECT_GT(StopToken().remaining(), 24h);
}

} // namespace
} // namespace plumbline

#include "core/base/child_process.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace plumbline {
namespace {

using namespace std::chrono_literals;

StopToken within(std::chrono::milliseconds limit) {
  return StopToken().withTimeout(limit);
}

ChildProcess shell(const std::string& script, const ChildProcess::Options& options = {}) {
  Expected<ChildProcess> child = ChildProcess::start({"/bin/sh", "-c", script}, options);
  EXPECT_TRUE(child.has_value());
  return *std::move(child);
}

bool alive(pid_t pid) {
  return ::kill(pid, 0) == 0 || errno != ESRCH;
}

/// True when the process is gone (or a zombie somebody else has to reap) within two seconds.
bool endsSoon(pid_t pid) {
  for (int i = 0; i < 200; ++i) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string id, name, state;
    stat >> id >> name >> state;
    if (!alive(pid) || state == "Z")
      return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST(ChildProcess, AnswersLines) {
  Expected<ChildProcess> child = ChildProcess::start({"cat"});
  ASSERT_TRUE(child.has_value());
  ASSERT_TRUE(child->write("one\ntwo\n", within(5s)).has_value());
  EXPECT_EQ(child->readLine(within(5s)).value(), "one");
  EXPECT_EQ(child->readLine(within(5s)).value(), "two");
  child->closeInput();
  EXPECT_EQ(child->wait(within(5s)).value(), 0);
}

TEST(ChildProcess, LongTextPassesWhole) {
  ChildProcess child = shell("read line; printf '%s\\n' \"$line\"");
  const std::string line(300000, 'x');
  ASSERT_TRUE(child.write(line + "\n", within(10s)).has_value());
  EXPECT_EQ(child.readLine(within(10s)).value(), line);
}

TEST(ChildProcess, MissingProgramHasAName) {
  Expected<ChildProcess> child = ChildProcess::start({"plumbline-no-such-program"});
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().id, "tool-missing");
  EXPECT_FALSE(child.error().next.empty());
}

TEST(ChildProcess, DeadChildIsAnErrorWithItsLastWords) {
  ChildProcess child = shell("echo 'out of luck' >&2; exit 3");
  Expected<std::string> line = child.readLine(within(5s));
  ASSERT_FALSE(line.has_value());
  EXPECT_EQ(line.error().id, "child-died");
  EXPECT_NE(line.error().message.find("out of luck"), std::string::npos);
  EXPECT_EQ(child.wait(within(5s)).value(), 3);
}

TEST(ChildProcess, WritingToADeadChildIsNoSignal) {
  ChildProcess child = shell("exit 0");
  std::this_thread::sleep_for(100ms);
  Expected<void> written = child.write(std::string(1 << 20, 'x'), within(5s));
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().id, "child-died");
}

TEST(ChildProcess, SilentChildTimesOut) {
  ChildProcess child = shell("sleep 30");
  const auto start = StopToken::Clock::now();
  Expected<std::string> line = child.readLine(within(100ms));
  ASSERT_FALSE(line.has_value());
  EXPECT_EQ(line.error().id, "timeout");
  EXPECT_LT(StopToken::Clock::now() - start, 2s);
}

TEST(ChildProcess, CancelFromAnotherThreadEndsTheWait) {
  ChildProcess child = shell("sleep 30");
  const StopToken stop;
  std::thread canceller([&] {
    std::this_thread::sleep_for(100ms);
    stop.requestStop();
  });
  EXPECT_EQ(child.readLine(stop).error().id, "timeout");
  canceller.join();
}

TEST(ChildProcess, SignalIsReportedAsStatus) {
  ChildProcess child = shell("kill -9 $$");
  EXPECT_EQ(child.wait(within(5s)).value(), 128 + SIGKILL);
}

TEST(ChildProcess, DestructorLeavesNoGrandchild) {
  pid_t grandchild = -1;
  {
    ChildProcess child = shell("sleep 60 & echo $!; wait");
    grandchild = std::stoi(child.readLine(within(5s)).value());
    ASSERT_TRUE(alive(grandchild));
  }
  EXPECT_TRUE(endsSoon(grandchild));
}

TEST(ChildProcess, MoveKeepsTheChild) {
  ChildProcess first = shell("read line; echo got $line");
  ChildProcess second = std::move(first);
  EXPECT_TRUE(second.running());
  ASSERT_TRUE(second.write("it\n", within(5s)).has_value());
  EXPECT_EQ(second.readLine(within(5s)).value(), "got it");
}

TEST(ChildProcess, EnvironmentAndFolder) {
  ChildProcess::Options options;
  options.environment = {"PLUMBLINE_PROBE=set here"};
  options.workingDirectory = "/";
  ChildProcess child = shell("echo \"$PLUMBLINE_PROBE\"; pwd", options);
  EXPECT_EQ(child.readLine(within(5s)).value(), "set here");
  EXPECT_EQ(child.readLine(within(5s)).value(), "/");
}

TEST(ChildProcess, LongErrorOutputDoesNotBlockAndIsBounded) {
  ChildProcess child = shell("head -c 1000000 /dev/zero | tr '\\0' e >&2; echo done");
  EXPECT_EQ(child.readLine(within(10s)).value(), "done");
  EXPECT_LE(child.errorText().size(), 64U * 1024U);
}

TEST(ChildProcess, StandardStreamsMayBeClosedInTheParent) {
  // A caller without standard input: the first pipe gets descriptor 0, and the child must still have its own.
  const int saved = ::dup(STDIN_FILENO);
  ::close(STDIN_FILENO);
  {
    Expected<ChildProcess> child = ChildProcess::start({"cat"});
    EXPECT_TRUE(child.has_value());
    EXPECT_TRUE(child->write("line\n", within(5s)).has_value());
    EXPECT_EQ(child->readLine(within(5s)).value_or("nothing"), "line");
  }
  if (saved >= 0) {
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
  }
}

TEST(FindProgram, LooksOnPathOnlyForBareNames) {
  EXPECT_FALSE(findProgram("sh").empty());
  EXPECT_EQ(findProgram("/bin/sh"), "/bin/sh");
  EXPECT_TRUE(findProgram("./sh").empty());
  EXPECT_TRUE(findProgram("plumbline-no-such-program").empty());
}

} // namespace
} // namespace plumbline

// A server that is killed at any moment: the text stays, and the server is back within a second.
#include "tests/lean-bridge/client/harness.h"

#include <QElapsedTimer>
#include <csignal>
#include <random>

namespace plumbline::lsp {
namespace {

using namespace std::chrono_literals;

/// The text as an editor would keep it by itself.
class Reference {
public:
  explicit Reference(std::string text) : m_document(std::move(text)) {}
  ContentChange randomChange(std::mt19937& random) {
    static const std::vector<std::string> pieces = {"x", "\n", "\U0001d49c", "\u2200 y, ", "", "abc\ndef"};
    const int line = static_cast<int>(random() % 5);
    const int from = static_cast<int>(random() % 9);
    const ContentChange change{Range{{line, from}, {line, from + static_cast<int>(random() % 3)}},
                               pieces[random() % pieces.size()]};
    m_document.apply(change);
    return change;
  }
  const std::string& text() const { return m_document.text(); }

private:
  TextDocument m_document;
};

TEST(Kill, AnyMomentLosesNoTextAndRecoversWithinASecond) {
  std::mt19937 random(17);
  Reference reference("def a := 1\n");
  Scripted scripted(following("", R"("mirror": true)"));
  LanguageClient& client = scripted.client();
  client.openDocument(fileUri, "lean4", reference.text());
  ASSERT_TRUE(scripted.run());
  const int points = killPoints(40);
  qint64 slowest = 0;
  for (int point = 0; point < points; ++point) {
    ASSERT_TRUE(spinUntil([&] { return client.processId() > 0; }));
    // Some moments lie before the handshake, some in the middle of edits, some long after them.
    for (auto edits = random() % 4; edits > 0; --edits)
      client.changeDocument(fileUri, {reference.randomChange(random)});
    spin(std::chrono::milliseconds(random() % 60));
    const qint64 pid = client.processId();
    QElapsedTimer spent;
    spent.start();
    if (pid > 0)
      ::kill(static_cast<pid_t>(pid), SIGKILL);
    client.changeDocument(fileUri, {reference.randomChange(random)});
    ASSERT_EQ(scripted.document().text(), reference.text()) << "at point " << point;
    ASSERT_TRUE(spinUntil([&] {
      return client.processId() != pid && client.state() == LanguageClient::State::Running &&
             scripted.document().progress() == Progress::Finished &&
             scripted.document().diagnosticsAreCurrent();
    })) << "at point "
        << point << ": " << toString(client.state());
    slowest = std::max(slowest, spent.elapsed());
    ASSERT_EQ(scripted.document().text(), reference.text());
    ASSERT_EQ(scripted.mirroredText(), reference.text()) << "at point " << point;
  }
  std::printf("%d kill points, slowest recovery %lld ms\n", points, static_cast<long long>(slowest));
  EXPECT_LT(slowest, 1000);
  const std::vector<qint64> pids = scripted.starts();
  EXPECT_GE(pids.size(), static_cast<size_t>(points));
  scripted.destroyClient();
  for (const qint64 pid : pids)
    EXPECT_FALSE(processExists(pid)) << "left over";
  EXPECT_TRUE(scripted.violations().empty());
}

} // namespace
} // namespace plumbline::lsp

// The client and Plumbline's own server.
#include "core/base/json.h"
#include "lean-bridge/client/goal_fetcher.h"
#include "tests/lean-bridge/client/harness.h"

#include <QElapsedTimer>
#include <csignal>
#include <random>

namespace plumbline::lsp {
namespace {

using namespace std::chrono_literals;
using State = LanguageClient::State;

std::unique_ptr<LanguageClient> ownClient() {
  LanguageClient::Options options;
  options.name = "plumbline-server";
  options.command = {PLUMBLINE_BUILD_DIR "/bin/plumbline-server", {}, {}, {}, {}};
  return std::make_unique<LanguageClient>(std::move(options));
}

std::string sampleDocument() {
  return *readFile(PLUMBLINE_SOURCE_DIR "/tests/method/golden/vector-add.lean");
}

/// True when the server has said what it finds in the present text.
bool answered(const LanguageClient& client) {
  const DocumentState* document = client.document(fileUri);
  return document && document->diagnosticsAreCurrent();
}

TEST(OwnServer, GetsThroughADocumentAndItsEdits) {
  const auto client = ownClient();
  client->openDocument(fileUri, "lean4", sampleDocument());
  client->start();
  ASSERT_TRUE(spinUntil([&] { return client->state() == State::Running; }));
  EXPECT_TRUE(client->capabilities().incrementalSync);
  ASSERT_TRUE(spinUntil([&] { return answered(*client); }, 60s));
  for (const Diagnostic& diagnostic : client->document(fileUri)->diagnostics())
    EXPECT_NE(diagnostic.severity, Severity::Error) << diagnostic.message;
  client->setText(fileUri, sampleDocument() + "\ntheorem (((\n");
  ASSERT_TRUE(spinUntil(
      [&] {
        const DocumentState& document = *client->document(fileUri);
        return document.diagnosticsAreCurrent() &&
               std::any_of(document.diagnostics().begin(), document.diagnostics().end(),
                           [](const Diagnostic& one) { return one.severity == Severity::Error; });
      },
      60s));
  client->stop();
  EXPECT_TRUE(spinUntil([&] { return client->state() == State::Stopped; }));
  EXPECT_FALSE(client->lastError()) << client->lastError()->message;
}

TEST(OwnServer, KillingItLosesNoTextAndItIsBackWithinASecond) {
  const auto client = ownClient();
  std::mt19937 random(23);
  std::string text = sampleDocument();
  client->openDocument(fileUri, "lean4", text);
  client->start();
  qint64 slowest = 0;
  const int points = killPoints(20);
  for (int point = 0; point < points; ++point) {
    ASSERT_TRUE(spinUntil([&] { return client->processId() > 0; }));
    spin(std::chrono::milliseconds(random() % 80));
    text += "-- " + std::to_string(point) + "\n";
    client->setText(fileUri, text);
    spin(std::chrono::milliseconds(random() % 20));
    const qint64 pid = client->processId();
    QElapsedTimer spent;
    spent.start();
    ::kill(static_cast<pid_t>(pid), SIGKILL);
    // Recovered: another process, which has the text and says something of it.
    ASSERT_TRUE(spinUntil([&] {
      return client->processId() != pid && client->state() == State::Running &&
             client->document(fileUri)->diagnosticsAreCurrent();
    })) << toString(client->state());
    slowest = std::max(slowest, spent.elapsed());
    EXPECT_EQ(client->document(fileUri)->text(), text);
    ASSERT_TRUE(spinUntil([&] { return answered(*client); }, 60s));
  }
  std::printf("%d kill points, slowest recovery %lld ms\n", points, static_cast<long long>(slowest));
  EXPECT_LT(slowest, 1000);
}

} // namespace
} // namespace plumbline::lsp

// The protocol cases about the connection: handshake, framing, ends of the server. Each is named after its
// number.
#include "tests/lean-bridge/client/harness.h"

#include <QElapsedTimer>
#include <algorithm>

namespace plumbline::lsp {
namespace {

using State = LanguageClient::State;
using namespace std::chrono_literals;

std::optional<Reply> ask(Scripted& scripted, const std::string& method) {
  std::optional<Reply> reply;
  scripted.client().request(method, Json::object(), [&](Reply&& r) { reply = std::move(r); });
  spinUntil([&] { return reply.has_value(); });
  return reply;
}

TEST(ProtocolCases, Case01HandshakeInOrder) {
  Scripted scripted(following(""));
  scripted.client().openDocument(fileUri, "lean4", "def a := 1\n");
  ASSERT_TRUE(scripted.run());
  ASSERT_TRUE(spinUntil([&] { return !scripted.received("textDocument/didOpen").empty(); }));
  const std::vector<Json> all = scripted.received();
  EXPECT_EQ(all[0]["method"], "initialize");
  EXPECT_EQ(all[1]["method"], "initialized");
  EXPECT_EQ(all[1]["params"], Json::object());
  EXPECT_EQ(all[2]["method"], "textDocument/didOpen");
  EXPECT_EQ(all[2]["params"]["dependencyBuildMode"], "never");
  const Json lean = all[0]["params"]["capabilities"]["lean"];
  EXPECT_EQ(lean, Json::parse(R"({"incrementalDiagnosticSupport": true, "silentDiagnosticSupport": true,
                                  "rpcWireFormat": "v1"})"));
  EXPECT_EQ(scripted.client().capabilities().name, "Lean 4 Server");
  EXPECT_TRUE(scripted.client().capabilities().incrementalSync);
  EXPECT_TRUE(scripted.violations().empty());
}

TEST(ProtocolCases, Case02SlowStartWithNoisyStandardError) {
  Scripted scripted(R"({"auto": {"shutdown": null}, "steps": [{"wait": "initialize"},
    {"repeat": 16, "steps": [{"stderr_bytes": 65536}, {"sleep": 0.1}]},
    {"answer": "initialize", "result": $INIT}]})");
  scripted.client().start();
  qint64 longest = 0;
  QElapsedTimer turn;
  turn.start();
  EXPECT_TRUE(spinUntil([&] {
    longest = std::max(longest, turn.restart());
    return scripted.client().state() == State::Running;
  }));
  EXPECT_LT(longest, 250) << "milliseconds that the thread of the client was held (a few on a quiet machine)";
  const std::string errors = scripted.client().standardError();
  EXPECT_GT(errors.size(), 1000U);
  EXPECT_LE(errors.size(), 4U * (256U << 10U)) << "bounded (a byte that is no text is shown as three)";
}

TEST(ProtocolCases, Case03RequestsOfTheServerAreTheirOwnNumbers) {
  Scripted scripted(following(R"({"wait": "own/request"},
    {"request": "client/registerCapability", "id": "register_lean_watcher", "params": {"registrations": []}},
    {"request": "workspace/semanticTokens/refresh", "id": 1}, {"sleep": 0.2},
    {"answer": "own/request", "result": "mine"})"));
  ASSERT_TRUE(scripted.run());
  std::optional<Reply> reply;
  const int64_t id = scripted.client().request("own/request", Json::object(), [&](Reply&& r) { reply = r; });
  EXPECT_EQ(id, 1) << "the number that the server uses too";
  ASSERT_TRUE(spinUntil([&] { return scripted.answers().size() == 2; }));
  EXPECT_FALSE(reply) << "an answer to the server is no answer to us";
  EXPECT_EQ(scripted.answers()[0],
            Json::parse(R"({"jsonrpc":"2.0","id":"register_lean_watcher","result":null})"));
  EXPECT_EQ(scripted.answers()[1], Json::parse(R"({"jsonrpc":"2.0","id":1,"result":null})"));
  ASSERT_TRUE(spinUntil([&] { return reply.has_value(); }));
  EXPECT_EQ(reply->result, "mine");
}

TEST(ProtocolCases, Case04UnknownRequestIsMethodNotFound) {
  Scripted scripted(following(R"({"wait": "initialized"}, {"request": "foo/bar", "id": 0, "params": {}})"));
  ASSERT_TRUE(scripted.run());
  ASSERT_TRUE(spinUntil([&] { return scripted.answers().size() == 1; }));
  EXPECT_EQ(scripted.answers()[0]["error"]["code"], -32601);
  EXPECT_TRUE(scripted.violations().empty());
}

TEST(ProtocolCases, Case05PiecesOfAnySize) {
  for (const char* size : {"1", "2", "7", "100000"}) {
    Scripted scripted(
        following(R"({"wait": "initialized"}, {"pieces": )" + std::string(size) + R"(, "messages": [
      {"jsonrpc": "2.0", "method": "test/one", "params": {"text": "∀ 𝒜 é"}},
      {"jsonrpc": "2.0", "method": "test/two", "params": {"text": "\r\nContent-Length: 3\r\n\r\n"}}]})"));
    std::vector<std::string> seen;
    QObject::connect(&scripted.client(), &LanguageClient::notificationReceived, &scripted.client(),
                     [&](const std::string& method, const Json& params) {
                       seen.push_back(method + stringAt(params, "text"));
                     });
    ASSERT_TRUE(scripted.run());
    EXPECT_TRUE(spinUntil([&] { return seen.size() == 2; }));
    EXPECT_EQ(seen, (std::vector<std::string>{"test/one\u2200 \U0001d49c \u00e9",
                                              "test/two\r\nContent-Length: 3\r\n\r\n"}));
  }
}

TEST(ProtocolCases, Case06MalformedHeaders) {
  const std::vector<std::pair<std::string, std::string>> headers = {
      {R"(Content-Length: abc\r\n\r\n{})", "content-length-invalid"},
      {R"(Content-Type: x\r\n\r\n{})", "content-length-missing"},
      {R"(Content-Length: 99999999999\r\n\r\n{})", "content-length-too-large"},
      {R"(uncaught exception\nContent-Length: 2\r\n\r\n{})", "header-garbage"}};
  for (const auto& [bytes, id] : headers) {
    Scripted scripted(following(R"({"wait": "own/request"}, {"bytes": ")" + bytes + R"("}, {"hang": true})"));
    scripted.client().openDocument(fileUri, "lean4", "kept");
    ASSERT_TRUE(scripted.run());
    const std::optional<Reply> reply = ask(scripted, "own/request");
    ASSERT_TRUE(reply) << id;
    EXPECT_EQ(reply->local, LocalFailure::ServerEnded) << id;
    EXPECT_EQ(scripted.client().state(), State::Failed) << "declared broken; the user may restart it";
    EXPECT_EQ(scripted.client().lastError()->id, id);
    EXPECT_EQ(scripted.document().text(), "kept");
    EXPECT_EQ(scripted.client().pendingRequests(), 0U);
    const qint64 pid = scripted.starts().at(0);
    EXPECT_TRUE(spinUntil([&] { return !processExists(pid); })) << "the broken server is ended";
    scripted.client().start();
    EXPECT_TRUE(spinUntil([&] { return scripted.client().state() == State::Running; }));
  }
}

TEST(ProtocolCases, Case07UnreadableBodies) {
  Scripted scripted(
      following(R"({"wait": "own/request"}, {"body": "{\"jsonrpc\": "}, {"body": "{\"method\":\"\u00ff\"}"},
    {"answer": "own/request", "result": 5}, {"wait": "next/request"},
    {"repeat": 8, "steps": [{"body": "nonsense"}]})"));
  ASSERT_TRUE(scripted.run());
  const std::optional<Reply> reply = ask(scripted, "own/request");
  ASSERT_TRUE(reply && reply->ok()) << "the framing is still good";
  EXPECT_EQ(reply->result, 5);
  EXPECT_TRUE(scripted.client().log().contains("unreadable"));
  EXPECT_EQ(ask(scripted, "next/request")->local, LocalFailure::ServerEnded);
  EXPECT_EQ(scripted.client().lastError()->id, "server-unreadable");
  EXPECT_TRUE(spinUntil([&] { return scripted.starts().size() == 2; })) << "after ten it is restarted";
}

TEST(ProtocolCases, Case07AnUnreadableAnswerFailsItsRequest) {
  Scripted scripted(
      following(R"({"wait": "own/request"}, {"body": "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[}"})"));
  ASSERT_TRUE(scripted.run());
  EXPECT_EQ(ask(scripted, "own/request")->local, LocalFailure::Unreadable);
  EXPECT_EQ(scripted.client().state(), State::Running);
}

TEST(ProtocolCases, Case08ServerDiesInsideAMessage) {
  Scripted scripted(following(R"({"wait": "own/request"}, {"bytes": "Content-Length: 5000\r\n\r\n)" +
                              std::string(100, 'x') + R"("}, {"exit": 3})"),
                    [](auto& options) { options.limits.restarts = 0; });
  scripted.client().openDocument(fileUri, "lean4", "kept");
  ASSERT_TRUE(scripted.run());
  int replies = 0;
  for (int i = 0; i < 5; ++i)
    scripted.client().request("own/request", Json::object(), [&](Reply&& reply) {
      EXPECT_EQ(reply.local, LocalFailure::ServerEnded);
      ++replies;
    });
  ASSERT_TRUE(spinUntil([&] { return scripted.client().state() == State::Failed; }));
  spin(50ms);
  EXPECT_EQ(replies, 5) << "each fails once";
  EXPECT_NE(scripted.client().lastError()->message.find("100 of 5000"), std::string::npos);
  EXPECT_EQ(scripted.document().text(), "kept");
}

TEST(ProtocolCases, Case09ServerThatNeverStays) {
  Scripted scripted(R"({"steps": [{"stderr": "Watchdog error: no such thing\n"}, {"exit": 1}]})",
                    [](auto& options) {
                      options.limits.firstRestart = 5ms;
                      options.limits.restarts = 3;
                    });
  QElapsedTimer spent;
  spent.start();
  scripted.client().start();
  ASSERT_TRUE(spinUntil([&] { return scripted.client().state() == State::Failed; }));
  EXPECT_EQ(scripted.starts().size(), 4U) << "the first start and three more";
  EXPECT_GE(spent.elapsed(), 5 + 20 + 80) << "each later than the one before";
  const std::string message = scripted.client().lastError()->message;
  EXPECT_NE(message.find("status 1"), std::string::npos) << message;
  EXPECT_NE(message.find("Watchdog error: no such thing"), std::string::npos) << message;
  spin(300ms);
  EXPECT_EQ(scripted.starts().size(), 4U) << "no endless loop";
}

TEST(ProtocolCases, Case10ProgramThatIsMissing) {
  Scripted scripted(following(""), [](auto& options) { options.command.program = "lake-that-is-nowhere"; });
  scripted.client().start();
  ASSERT_TRUE(spinUntil([&] { return scripted.client().state() == State::Failed; }));
  EXPECT_EQ(scripted.client().lastError()->id, "server-missing");
  EXPECT_NE(scripted.client().lastError()->message.find("lake-that-is-nowhere"), std::string::npos);
}

std::vector<std::string> methodsFrom(const Scripted& scripted, const std::string& first) {
  std::vector<std::string> names;
  for (const Json& message : scripted.received())
    if (!names.empty() || stringAt(message, "method") == first)
      names.push_back(stringAt(message, "method"));
  return names;
}

TEST(ProtocolCases, Case25CleanShutdown) {
  Scripted scripted(following(""));
  scripted.client().openDocument(fileUri, "lean4", "x");
  ASSERT_TRUE(scripted.run());
  std::optional<Reply> pending;
  scripted.client().request("never/answered", Json::object(),
                            [&](Reply&& reply) { pending = std::move(reply); });
  const qint64 pid = scripted.client().processId();
  scripted.client().stop();
  EXPECT_TRUE(pending && pending->local == LocalFailure::ServerEnded);
  ASSERT_TRUE(spinUntil([&] { return scripted.client().state() == State::Stopped; }));
  EXPECT_EQ(methodsFrom(scripted, "shutdown"), (std::vector<std::string>{"shutdown", "exit"}));
  EXPECT_FALSE(scripted.received("exit")[0].contains("params"));
  EXPECT_TRUE(scripted.violations().empty());
  EXPECT_FALSE(processExists(pid));
  EXPECT_EQ(scripted.document().text(), "x");
}

TEST(ProtocolCases, Case25ServerThatIgnoresShutdown) {
  Scripted scripted(R"({"auto": {"initialize": $INIT}})");
  ASSERT_TRUE(scripted.run());
  const qint64 pid = scripted.client().processId();
  QElapsedTimer spent;
  spent.start();
  scripted.client().stop();
  ASSERT_TRUE(spinUntil([&] { return scripted.client().state() == State::Stopped; }));
  EXPECT_GE(spent.elapsed(), 350) << "it had its time";
  EXPECT_TRUE(scripted.logHas("eof")) << "then its input was closed";
  EXPECT_TRUE(scripted.received("exit").empty());
  EXPECT_FALSE(processExists(pid));
}

TEST(ProtocolCases, Case25ServerThatIgnoresEverything) {
  Scripted scripted(R"({"auto": {"initialize": $INIT}, "on_eof": "ignore", "on_term": "ignore"})");
  ASSERT_TRUE(scripted.run());
  const qint64 pid = scripted.client().processId();
  QElapsedTimer spent;
  spent.start();
  scripted.client().stop();
  ASSERT_TRUE(spinUntil([&] { return scripted.client().state() == State::Stopped; }));
  EXPECT_LT(spent.elapsed(), 3000) << "within the limits of the three waits";
  EXPECT_FALSE(processExists(pid));
}

TEST(ProtocolCases, Case25NoChildOutlivesTheClient) {
  Scripted scripted(R"({"auto": {"initialize": $INIT}, "on_eof": "ignore", "on_term": "ignore"})");
  ASSERT_TRUE(scripted.run());
  const qint64 pid = scripted.client().processId();
  scripted.destroyClient();
  EXPECT_FALSE(processExists(pid));
}

TEST(ProtocolCases, RestartGoesThroughTheShutdown) {
  Scripted scripted(following(""));
  ASSERT_TRUE(scripted.run());
  scripted.client().restart();
  ASSERT_TRUE(spinUntil(
      [&] { return scripted.starts().size() == 2 && scripted.client().state() == State::Running; }));
  EXPECT_EQ(scripted.received("exit").size(), 1U);
}

TEST(ProtocolCases, ARequestEndsWithItsTime) {
  Scripted scripted(following(""));
  ASSERT_TRUE(scripted.run());
  std::optional<Reply> reply;
  scripted.client().request(
      "never/answered", Json::object(), [&](Reply&& r) { reply = std::move(r); }, 100ms);
  ASSERT_TRUE(spinUntil([&] { return reply.has_value(); }));
  EXPECT_EQ(reply->local, LocalFailure::TimedOut);
  EXPECT_TRUE(spinUntil([&] { return scripted.received("$/cancelRequest").size() == 1; }));
}

} // namespace
} // namespace plumbline::lsp

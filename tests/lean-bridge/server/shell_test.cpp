// The shell of the server: the life of a session, synchronisation, diagnostics, cancelling.
#include "tests/lean-bridge/server/session.h"

#include <random>

namespace plumbline::server_test {
namespace {

using lsp::ErrorCode;

const std::string uri = "file:///d.lean";
const std::string good = "import Velvet\n\ndef f (a : Nat) : Nat :=\n  a + 1\n";

int codeOf(const Json& answer) {
  return lsp::intAt(lsp::memberOf(answer, "error"), "code").value_or(0);
}

int code(ErrorCode code) {
  return static_cast<int>(code);
}

TEST(Life, BeginsWithInitializeAndEndsWithExit) {
  Session session;
  EXPECT_EQ(codeOf(session.request("textDocument/hover", Json::object())),
            code(ErrorCode::ServerNotInitialized));
  session.open(uri, good); // too early: ignored
  EXPECT_EQ(session.server().document(uri), nullptr);
  const Json answer = session.result("initialize", {{"capabilities", Json::object()}});
  EXPECT_EQ(answer["capabilities"]["textDocumentSync"]["change"], 2);
  EXPECT_EQ(answer["serverInfo"]["name"], "plumbline-server");
  EXPECT_EQ(codeOf(session.request("initialize", Json::object())), code(ErrorCode::InvalidRequest));
  session.notify("initialized", Json::object());
  EXPECT_EQ(codeOf(session.request("no/such", Json::object())), code(ErrorCode::MethodNotFound));
  session.notify("$/no/such", Json::object());
  EXPECT_FALSE(session.server().exitStatus());
  EXPECT_TRUE(session.result("shutdown", nullptr).is_null());
  EXPECT_EQ(codeOf(session.request("textDocument/hover", Json::object())), code(ErrorCode::InvalidRequest));
  session.notify("exit", nullptr);
  EXPECT_EQ(session.server().exitStatus(), 0);
}

TEST(Life, ExitWithoutShutdownIsAFailure) {
  Session session;
  session.start();
  session.notify("exit", nullptr);
  EXPECT_EQ(session.server().exitStatus(), 1);
}

TEST(Life, UnreadableMessagesAreAnswered) {
  Session session;
  session.start();
  session.received.clear();
  session.raw("{");
  session.raw(R"({"jsonrpc":"2.0","id":7,"method":5})");
  session.raw(R"({"jsonrpc":"2.0","id":8,"result":null})"); // an answer to nothing
  ASSERT_EQ(session.received.size(), 2U);
  EXPECT_EQ(codeOf(session.received[0]), code(ErrorCode::ParseError));
  EXPECT_EQ(codeOf(session.received[1]), code(ErrorCode::InvalidRequest));
  EXPECT_EQ(session.received[1]["id"], 7);
}

// --- Synchronisation ---

TEST(Sync, TakesFullAndIncrementalChanges) {
  Session session;
  session.start();
  session.open(uri, "a\r\nb𝒜c\r\n");
  EXPECT_EQ(session.server().document(uri)->text.text(), "a\nb𝒜c\n");
  session.change(
      uri, 2,
      {{{"range", {{"start", {{"line", 1}, {"character", 3}}}, {"end", {{"line", 1}, {"character", 4}}}}},
        {"text", "d"}},
       {{"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 1}}}}},
        {"text", "x\ny"}}});
  EXPECT_EQ(session.server().document(uri)->text.text(), "x\ny\nb𝒜d\n");
  EXPECT_EQ(session.server().document(uri)->version, 2);
  session.change(uri, 3, {{{"text", good}}});
  EXPECT_EQ(session.server().document(uri)->text.text(), good);
  session.change("file:///other.lean", 1, {{{"text", "x"}}});
  EXPECT_EQ(session.server().document("file:///other.lean"), nullptr);
  session.notify("textDocument/didClose", {{"textDocument", {{"uri", uri}}}});
  EXPECT_EQ(session.server().document(uri), nullptr);
}

/// The server's text is the client's after any edits.
TEST(Sync, RandomEditsKeepBothTextsEqual) {
  std::mt19937 random(17);
  Session session;
  session.start();
  lsp::TextDocument mine(good + "-- ∀ 𝒜\n");
  session.open(uri, mine.text());
  const char* pieces[] = {"x", "∀ k", "\n", "𝒜", "", "method m\n", "  ", ":= (", "-- c\n"};
  for (int version = 2; version < 500; ++version) {
    const auto place = [&] {
      return lsp::Position{static_cast<int>(random() % 8), static_cast<int>(random() % 12)};
    };
    lsp::Position start = place();
    lsp::Position end = place();
    if (end < start)
      std::swap(start, end);
    const lsp::ContentChange change{lsp::Range{start, end}, pieces[random() % std::size(pieces)]};
    mine.apply(change);
    session.change(uri, version, Json::array({lsp::toJson(change)}));
    ASSERT_EQ(session.server().document(uri)->text.text(), mine.text());
    // As if it had been opened so.
    const server::SnapshotPtr fresh = server::analyse(uri, version, mine);
    ASSERT_EQ(session.server().document(uri)->parsed.diagnostics, fresh->parsed.diagnostics);
  }
}

// --- Diagnostics ---

TEST(Diagnostics, FollowTheText) {
  Session session;
  session.start();
  session.open(uri, good);
  session.change(
      uri, 2,
      {{{"range", {{"start", {{"line", 3}, {"character", 2}}}, {"end", {{"line", 3}, {"character", 3}}}}},
        {"text", "b"}}});
  session.notify("textDocument/didClose", {{"textDocument", {{"uri", uri}}}});
  const std::vector<Json> published = session.notifications("textDocument/publishDiagnostics");
  ASSERT_EQ(published.size(), 3U);
  EXPECT_TRUE(published[0]["diagnostics"].empty());
  EXPECT_EQ(published[0]["version"], 1);
  ASSERT_EQ(published[1]["diagnostics"].size(), 1U);
  EXPECT_EQ(published[1]["version"], 2);
  EXPECT_EQ(published[1]["diagnostics"][0]["code"], "unknown-name");
  EXPECT_EQ(published[1]["diagnostics"][0]["range"]["start"], (Json{{"line", 3}, {"character", 2}}));
  EXPECT_EQ(published[1]["diagnostics"][0]["range"]["end"], (Json{{"line", 3}, {"character", 3}}));
  EXPECT_TRUE(published[2]["diagnostics"].empty());
}

lsp::Diagnostic remark(const std::string& message) {
  lsp::Diagnostic made;
  made.message = message;
  return made;
}

std::vector<Json> publishedBy(const Json& capabilities) {
  Session session;
  session.start(capabilities);
  session.open(uri, good);
  session.server().publish("part", uri, 1, {remark("a")});
  session.server().publish("part", uri, 1, {remark("a"), remark("b")});
  session.server().publish("part", uri, 1, {remark("a"), remark("b")}); // nothing new
  session.server().publish("part", uri, 1, {remark("b")});
  session.server().publish("part", uri, 0, {remark("old")}); // outdated
  return session.notifications("textDocument/publishDiagnostics");
}

TEST(Diagnostics, AreWholeListsUnlessTheClientTakesMore) {
  const std::vector<Json> published = publishedBy(Json::object());
  ASSERT_EQ(published.size(), 4U);
  EXPECT_EQ(published[2]["diagnostics"].size(), 2U);
  for (const Json& each : published)
    EXPECT_FALSE(lsp::boolAt(each, "isIncremental"));
}

TEST(Diagnostics, AreAddedForAClientThatTakesThem) {
  const std::vector<Json> published = publishedBy({{"lean", {{"incrementalDiagnosticSupport", true}}}});
  ASSERT_EQ(published.size(), 4U);
  EXPECT_FALSE(lsp::boolAt(published[0], "isIncremental")); // the first of a version replaces
  EXPECT_TRUE(lsp::boolAt(published[1], "isIncremental"));
  EXPECT_TRUE(lsp::boolAt(published[2], "isIncremental"));
  ASSERT_EQ(published[2]["diagnostics"].size(), 1U);
  EXPECT_EQ(published[2]["diagnostics"][0]["message"], "b");
  EXPECT_FALSE(lsp::boolAt(published[3], "isIncremental")); // something is gone: the list is whole
  EXPECT_EQ(published[3]["diagnostics"].size(), 1U);
}

// --- Requests that take time ---

TEST(Requests, CanBeCancelledAndAnsweredOnce) {
  std::optional<server::Reply> kept;
  Session session({[&](server::Server& server) {
    server.onRequest("slow", [&](const Json&, const server::Reply& reply) { kept = reply; });
  }});
  session.start();
  session.raw(lsp::requestText(lsp::RequestId{"a"}, "slow", Json::object()));
  session.raw(lsp::cancelText(lsp::RequestId{"a"}));
  const Json cancelled = session.received.back();
  EXPECT_EQ(cancelled["id"], "a");
  EXPECT_EQ(codeOf(cancelled), code(ErrorCode::RequestCancelled));
  const size_t count = session.received.size();
  EXPECT_TRUE(kept->answered());
  kept->result(1); // too late
  EXPECT_EQ(session.received.size(), count);
  session.raw(lsp::requestText(lsp::RequestId{"b"}, "slow", Json::object()));
  kept->result(2);
  EXPECT_EQ(session.received.back()["result"], 2);
  session.raw(lsp::cancelText(lsp::RequestId{"b"})); // answered already
  EXPECT_EQ(session.received.back()["result"], 2);
}

} // namespace
} // namespace plumbline::server_test

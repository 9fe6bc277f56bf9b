// The protocol cases about goals and sessions of remote calls.
#include "lean-bridge/client/goal_fetcher.h"
#include "tests/lean-bridge/client/harness.h"

#include <map>

namespace plumbline::lsp {
namespace {

using namespace std::chrono_literals;
using State = GoalsAnswer::State;

constexpr const char* session = R"("18446744073709551615")";

/// Steps for one round of the goal panel: the three calls, the first answered with `goals`.
std::string round(const std::string& goals) {
  return R"({"wait":"$/lean/rpc/call","as":"g"},{"wait":"$/lean/rpc/call","as":"t"},{"wait":"$/lean/rpc/call","as":"d"},
    {"answer":"t","result":null},{"answer":"d","result":[]},{"answer":"g",)" +
         goals + "}";
}

std::string connecting() {
  return std::string(
             R"({"wait":"$/lean/rpc/connect"},{"answer":"$/lean/rpc/connect","result":{"sessionId":)") +
         session + "}},";
}

std::string goal(const std::string& conclusion, const std::string& ref = "9") {
  return R"({"hyps":[{"names":["h"],"fvarIds":["1"],"type":{"text":"x = x"}}],"type":{"text":")" +
         conclusion + R"("},"ctx":{"__rpcref":")" + ref + R"("},"goalPrefix":"⊢ ","mvarId":"m"})";
}

struct Panel {
  explicit Panel(const std::string& steps, std::function<void(LanguageClient::Options&)> adjust = {},
                 const std::string& more = {})
      : scripted(following(steps, more), std::move(adjust)), fetcher(scripted.client()) {
    scripted.client().openDocument(fileUri, "lean4", "theorem a : x = x := by\n  rfl\n");
  }
  bool shows(State state) {
    return spinUntil([&] { return fetcher.answer().state == state && !fetcher.pending(); });
  }
  Scripted scripted;
  GoalFetcher fetcher;
};

TEST(ProtocolSessions, Case19PlainGoals) {
  const std::string refused = R"({"wait":"$/lean/rpc/connect"},
    {"answer":"$/lean/rpc/connect","error":{"code":-32601,"message":"no sessions"}},{"wait":"$/lean/plainGoal"},)";
  Panel panel(refused + R"({"answer":"$/lean/plainGoal","result":null},)" + refused +
              R"({"answer":"$/lean/plainGoal","result":{"goals":[],"rendered":"no goals"}},)" + refused +
              R"({"answer":"$/lean/plainGoal","result":{"goals":["⊢ a","⊢ b"],"rendered":"..."}})");
  ASSERT_TRUE(panel.scripted.run());
  panel.fetcher.setPlace(fileUri, {0, 0});
  EXPECT_TRUE(panel.shows(State::NoState)) << "no tactic state here";
  panel.fetcher.setPlace(fileUri, {1, 5});
  EXPECT_TRUE(panel.shows(State::Goals));
  EXPECT_TRUE(panel.fetcher.answer().goals.empty()) << "no goals: another thing than no state";
  panel.fetcher.setPlace(fileUri, {1, 2});
  ASSERT_TRUE(spinUntil([&] { return panel.fetcher.answer().goals.size() == 2; }));
  EXPECT_TRUE(panel.fetcher.answer().plain);
  EXPECT_EQ(panel.fetcher.answer().goals[1].type.text, "\u22a2 b");
}

TEST(ProtocolSessions, Case20AnswersOutOfOrder) {
  Panel panel(connecting() + R"({"wait":"$/lean/rpc/call","as":"g1"},{"wait":"$/lean/rpc/call","as":"t1"},
    {"wait":"$/lean/rpc/call","as":"d1"},{"wait":"$/cancelRequest"},{"wait":"$/cancelRequest"},{"wait":"$/cancelRequest"},
    )" + round(R"("result":{"goals":[)" + goal("second") + "]}") +
              R"(,
    {"answer":"g1","result":{"goals":[)" +
              goal("first") + R"(]}},{"answer":"g","result":null},
    {"answer":"g","id":4711,"result":null},{"answer":"g","id":"unheard of","result":null},{"notify":"test/done"})");
  bool done = false;
  QObject::connect(&panel.scripted.client(), &LanguageClient::notificationReceived, &panel.fetcher,
                   [&](const std::string& method, const Json&) { done = method == "test/done"; });
  ASSERT_TRUE(panel.scripted.run());
  panel.fetcher.setPlace(fileUri, {1, 2});
  ASSERT_TRUE(spinUntil([&] { return panel.scripted.received("$/lean/rpc/call").size() == 3; }));
  panel.fetcher.setPlace(fileUri, {1, 3});
  ASSERT_TRUE(spinUntil([&] { return done; }));
  ASSERT_EQ(panel.fetcher.answer().goals.size(), 1U);
  EXPECT_EQ(panel.fetcher.answer().goals[0].type.text, "second");
  EXPECT_EQ(panel.fetcher.answer().position, (Position{1, 3}));
  const int64_t first = panel.scripted.received("$/lean/rpc/call")[0]["id"];
  EXPECT_EQ(panel.scripted.received("$/cancelRequest")[0]["params"]["id"], first);
  EXPECT_TRUE(panel.scripted.client().log().contains("4711"));
  EXPECT_TRUE(panel.scripted.client().log().contains("unheard of"));
}

TEST(ProtocolSessions, Case21SessionsKeepStringsCountReferencesAndStayAlive) {
  Panel panel(connecting() + R"({"wait":"$/lean/rpc/call"},
    {"answer":"$/lean/rpc/call","result":{"a":{"__rpcref":"7"},"b":[{"__rpcref":"7"}],"user":{"p":"3","q":1}}})",
              [](auto& options) { options.limits.keepAlive = 30ms; });
  ASSERT_TRUE(panel.scripted.run());
  RpcSession rpc(panel.scripted.client(), fileUri);
  std::optional<RpcReply> reply;
  rpc.call({0, 0}, "My.method", Json{{"k", 1}}, [&](RpcReply&& r) { reply = std::move(r); });
  ASSERT_TRUE(spinUntil([&] { return reply.has_value(); }));
  const Json call = panel.scripted.received("$/lean/rpc/call")[0]["params"];
  EXPECT_EQ(call["sessionId"], "18446744073709551615") << "a string, digit for digit";
  EXPECT_EQ(call["method"], "My.method");
  EXPECT_EQ(call["position"], toJson(Position{0, 0}));
  ASSERT_TRUE(spinUntil([&] { return panel.scripted.received("$/lean/rpc/keepAlive").size() >= 3; }));
  EXPECT_EQ(panel.scripted.received("$/lean/rpc/keepAlive")[0]["params"]["sessionId"],
            "18446744073709551615");
  EXPECT_TRUE(panel.scripted.received("$/lean/rpc/release").empty()) << "still shown";
  reply.reset();
  ASSERT_TRUE(spinUntil([&] { return !panel.scripted.received("$/lean/rpc/release").empty(); }));
  const Json refs = panel.scripted.received("$/lean/rpc/release")[0]["params"]["refs"];
  EXPECT_EQ(refs, Json::parse(R"([{"__rpcref":"7"},{"__rpcref":"7"}])"))
      << "once for each time it was received";
}

TEST(ProtocolSessions, Case22AnExpiredSessionIsReplacedOnce) {
  const std::string outdated = R"("error":{"code":-32900,"message":"Outdated RPC session"})";
  Panel panel(connecting() + round(R"("result":{"goals":[)" + goal("first") + "]}") + R"(,
    {"wait":"$/lean/rpc/call","as":"g"},{"wait":"$/lean/rpc/call","as":"t"},{"wait":"$/lean/rpc/call","as":"d"},
    {"answer":"g",)" +
              outdated + R"(},{"answer":"t",)" + outdated + R"(},{"answer":"d",)" + outdated + R"(},
    {"wait":"$/lean/rpc/connect"},{"answer":"$/lean/rpc/connect","result":{"sessionId":"5"}},)" +
              round(R"("result":{"goals":[)" + goal("again") + "]}"));
  ASSERT_TRUE(panel.scripted.run());
  panel.fetcher.setPlace(fileUri, {1, 2});
  ASSERT_TRUE(panel.shows(State::Goals));
  panel.fetcher.setPlace(fileUri, {1, 3});
  ASSERT_TRUE(spinUntil([&] {
    return panel.fetcher.answer().goals.size() == 1 && panel.fetcher.answer().goals[0].type.text == "again";
  }));
  spin(200ms);
  EXPECT_EQ(panel.scripted.received("$/lean/rpc/connect").size(), 2U);
  for (const Json& release : panel.scripted.received("$/lean/rpc/release"))
    EXPECT_EQ(release["params"]["sessionId"], "5") << "nothing is released to the old session";
}

TEST(ProtocolSessions, Case22SessionsThatNeverLastFallBackToPlainGoals) {
  const std::string outdated = R"("error":{"code":-32900,"message":"Outdated RPC session"})";
  const std::string endless = R"({"repeat":1000,"steps":[{"wait":"$/lean/rpc/connect"},
    {"answer":"$/lean/rpc/connect","result":{"sessionId":"5"}},
    {"wait":"$/lean/rpc/call","as":"g"},{"answer":"g",)" +
                              outdated + R"(},{"wait":"$/lean/rpc/call","as":"g"},{"answer":"g",)" +
                              outdated + R"(},{"wait":"$/lean/rpc/call","as":"g"},{"answer":"g",)" +
                              outdated + "}]}";
  Panel panel(endless);
  ASSERT_TRUE(panel.scripted.run());
  panel.fetcher.setPlace(fileUri, {1, 2});
  ASSERT_TRUE(spinUntil([&] { return !panel.scripted.received("$/lean/plainGoal").empty(); }, 20s));
  const size_t connects = panel.scripted.received("$/lean/rpc/connect").size();
  EXPECT_LE(connects, 6U);
  spin(500ms);
  EXPECT_EQ(panel.scripted.received("$/lean/rpc/connect").size(), connects) << "no endless loop";
}

TEST(ProtocolSessions, Case23CrashIsShownInTheGoals) {
  Panel panel(
      R"({"wait":"textDocument/didOpen"},{"notify":"$/lean/fileProgress","params":{"textDocument":{"uri":"$URI",
    "version":1},"processing":[{"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},"kind":2}]}})",
      {}, reportsByScript);
  ASSERT_TRUE(panel.scripted.run());
  panel.fetcher.setPlace(fileUri, {1, 2});
  EXPECT_TRUE(panel.shows(State::Crashed));
  EXPECT_TRUE(panel.scripted.received("$/lean/rpc/call").empty());
}

TEST(ProtocolSessions, Case24HeaderEditGetsANewSession) {
  const std::string outdated = R"("error":{"code":-32900,"message":"Outdated RPC session"})";
  Panel panel(connecting() + round(R"("result":{"goals":[)" + goal("old", "1") + "]}") +
              R"(,{"wait":"textDocument/didChange"},
    {"wait":"$/lean/rpc/call","as":"g"},{"wait":"$/lean/rpc/call","as":"t"},{"wait":"$/lean/rpc/call","as":"d"},
    {"answer":"g",)" +
              outdated + R"(},{"answer":"t",)" + outdated + R"(},{"answer":"d",)" + outdated + R"(},
    {"wait":"$/lean/rpc/connect"},{"answer":"$/lean/rpc/connect","result":{"sessionId":"6"}},)" +
              round(R"("result":{"goals":[)" + goal("new", "1") + "]}"));
  ASSERT_TRUE(panel.scripted.run());
  panel.fetcher.setPlace(fileUri, {1, 2});
  ASSERT_TRUE(panel.shows(State::Goals));
  panel.scripted.client().changeDocument(fileUri, {{Range{{0, 0}, {0, 0}}, "import B\n"}});
  ASSERT_TRUE(spinUntil([&] {
    return panel.fetcher.answer().goals.size() == 1 && panel.fetcher.answer().goals[0].type.text == "new";
  }));
  EXPECT_EQ(panel.fetcher.answer().version, 2);
}

TEST(ProtocolSessions, ContentModifiedIsAskedAgain) {
  Panel panel(connecting() + round(R"("error":{"code":-32801,"message":"modified"})") + "," +
              round(R"("result":{"goals":[)" + goal("later") + "]}"));
  ASSERT_TRUE(panel.scripted.run());
  panel.fetcher.setPlace(fileUri, {1, 2});
  ASSERT_TRUE(spinUntil([&] { return panel.fetcher.answer().goals.size() == 1; }));
  EXPECT_TRUE(panel.scripted.received("$/lean/plainGoal").empty());
}

TEST(ProtocolSessions, WithoutAServerThereAreNoGoals) {
  Panel panel("");
  panel.fetcher.setPlace(fileUri, {1, 2});
  EXPECT_TRUE(panel.shows(State::NoServer));
}

TEST(ProtocolSessions, GoalsComeBackAfterTheServerDied) {
  const std::string steps = connecting() + round(R"("result":{"goals":[)" + goal("here") + "]}");
  Panel panel(steps);
  ASSERT_TRUE(panel.scripted.run());
  panel.fetcher.setPlace(fileUri, {1, 2});
  ASSERT_TRUE(panel.shows(State::Goals));
  ::kill(static_cast<pid_t>(panel.scripted.client().processId()), SIGKILL);
  ASSERT_TRUE(spinUntil([&] { return panel.fetcher.answer().state == State::NoServer; }));
  EXPECT_TRUE(panel.shows(State::Goals));
  EXPECT_EQ(panel.scripted.starts().size(), 2U);
}

} // namespace
} // namespace plumbline::lsp

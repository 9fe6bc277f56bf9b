// Answers of every shape that a server may send, seen through the client.
#include "lean-bridge/client/goal_fetcher.h"
#include "tests/lean-bridge/client/harness.h"

namespace plumbline::lsp {
namespace {

using namespace std::chrono_literals;

std::optional<Reply> answered(const std::string& answer, const std::string& method) {
  Scripted scripted(
      following(R"({"wait":")" + method + R"("},{"answer":")" + method + R"(",)" + answer + "}"));
  EXPECT_TRUE(scripted.run());
  std::optional<Reply> reply;
  scripted.client().request(method, Json::object(), [&](Reply&& r) { reply = std::move(r); });
  EXPECT_TRUE(spinUntil([&] { return reply.has_value(); }));
  return reply;
}

TEST(Shapes, DefinitionsInEveryForm) {
  const std::string range = R"({"start":{"line":1,"character":0},"end":{"line":1,"character":3}})";
  const std::vector<std::pair<std::string, size_t>> forms = {
      {"null", 0},
      {"[]", 0},
      {R"([{"uri":"file:///b","range":)" + range + "}]", 1},
      {R"([{"targetUri":"file:///b","targetRange":)" + range + R"(,"targetSelectionRange":)" + range + "}]",
       1}};
  for (const auto& [form, count] : forms) {
    const std::optional<Reply> reply = answered("\"result\":" + form, "textDocument/definition");
    ASSERT_TRUE(reply && reply->ok());
    EXPECT_EQ(locationsFromJson(reply->result).size(), count) << form;
  }
}

TEST(Shapes, AnAnswerThatIsTooDeepFailsItsRequestOnly) {
  std::string deep;
  for (int i = 0; i < 100000; ++i)
    deep += R"({\"append\":[)";
  Scripted scripted(
      following(R"({"wait":"deep/question"},{"body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":)" + deep +
                R"("},{"wait":"next/question"},{"answer":"next/question","result":1})"));
  ASSERT_TRUE(scripted.run());
  std::optional<Reply> first;
  std::optional<Reply> next;
  scripted.client().request("deep/question", Json::object(), [&](Reply&& r) { first = std::move(r); });
  ASSERT_TRUE(spinUntil([&] { return first.has_value(); }));
  EXPECT_EQ(first->local, LocalFailure::Unreadable);
  scripted.client().request("next/question", Json::object(), [&](Reply&& r) { next = std::move(r); });
  EXPECT_TRUE(spinUntil([&] { return next.has_value(); }));
  EXPECT_EQ(scripted.client().state(), LanguageClient::State::Running);
}

TEST(Shapes, CodeActionsAreResolvedAndOldEditsRefused) {
  Scripted scripted(
      following(R"({"wait":"textDocument/codeAction"},{"answer":"textDocument/codeAction","result":[
      {"title":"Try this: rfl","kind":"quickfix","data":{"providerName":"p","n":1}}]},
    {"wait":"codeAction/resolve"},{"answer":"codeAction/resolve","result":{"title":"Try this: rfl","edit":
      {"documentChanges":[{"textDocument":{"uri":"$URI","version":1},"edits":[{"range":
        {"start":{"line":0,"character":0},"end":{"line":0,"character":3}},"newText":"rfl"}]}]}}})"));
  scripted.client().openDocument(fileUri, "lean4", "abc\n");
  ASSERT_TRUE(scripted.run());
  std::optional<std::vector<CodeAction>> actions;
  scripted.client().codeActions(fileUri, Range{},
                                [&](std::vector<CodeAction>&& list) { actions = std::move(list); });
  ASSERT_TRUE(spinUntil([&] { return actions.has_value(); }));
  ASSERT_EQ(actions->size(), 1U);
  EXPECT_FALSE(actions->front().edit);
  std::optional<Expected<WorkspaceEdit>> edit;
  scripted.client().resolve(fileUri, actions->front(),
                            [&](Expected<WorkspaceEdit>&& e) { edit = std::move(e); });
  ASSERT_TRUE(spinUntil([&] { return edit.has_value(); }));
  ASSERT_TRUE(edit->has_value());
  EXPECT_EQ(scripted.received("codeAction/resolve")[0]["params"]["data"]["n"], 1) << "sent back unchanged";
  EXPECT_EQ(*scripted.client().edited(**edit, fileUri), "rfl\n");
  scripted.client().setText(fileUri, "other\n");
  EXPECT_EQ(scripted.client().edited(**edit, fileUri).error().id, "edit-outdated");
}

TEST(Shapes, EditsOfTheServerNeedAHandler) {
  const std::string request = R"({"request":"workspace/applyEdit","id":0,"params":{"edit":{"changes":{}}}})";
  Scripted scripted(following(R"({"wait":"initialized"},)" + request + R"(,{"wait":"go"},)" + request));
  ASSERT_TRUE(scripted.run());
  ASSERT_TRUE(spinUntil([&] { return scripted.answers().size() == 1; }));
  EXPECT_EQ(scripted.answers()[0]["result"]["applied"], false);
  scripted.client().setEditHandler([](const WorkspaceEdit&) { return true; });
  scripted.client().notify("go", Json::object());
  ASSERT_TRUE(spinUntil([&] { return scripted.answers().size() == 2; }));
  EXPECT_EQ(scripted.answers()[1]["result"]["applied"], true);
}

} // namespace
} // namespace plumbline::lsp

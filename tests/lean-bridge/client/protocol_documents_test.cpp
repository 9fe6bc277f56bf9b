// The protocol cases about documents: positions, versions, diagnostics, progress, crashed workers.
#include "tests/lean-bridge/client/harness.h"

#include <QElapsedTimer>
#include <algorithm>
#include <random>

namespace plumbline::lsp {
namespace {

using namespace std::chrono_literals;

ContentChange insertion(Position at, const std::string& text) {
  return {Range{at, at}, text};
}

std::string messages(const DocumentState& state) {
  std::string all;
  for (const Diagnostic& diagnostic : state.diagnostics())
    all += diagnostic.message;
  return all;
}

/// Opens the document with a first version, then edits it until its version is `version`.
void openAt(Scripted& scripted, int version, const std::string& text = "one\ntwo\nthree\n") {
  scripted.client().openDocument(fileUri, "lean4", text);
  ASSERT_TRUE(scripted.run());
  while (scripted.document().version() < version)
    scripted.client().changeDocument(fileUri, {insertion({0, 0}, "x")});
  ASSERT_EQ(scripted.document().version(), version);
}

/// A publish with messages of one letter each.
std::string publish(const std::string& version, const std::string& incremental, const std::string& letters) {
  std::string list;
  for (char letter : letters)
    list +=
        std::string(list.empty() ? "" : ",") +
        R"({"severity":1,"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":2}},"message":")" +
        letter + "\"}";
  return R"({"notify":"textDocument/publishDiagnostics","params":{"uri":"$URI")" +
         (version.empty() ? "" : ",\"version\":" + version) +
         (incremental.empty() ? "" : ",\"isIncremental\":" + incremental) + ",\"diagnostics\":[" + list +
         "]}}";
}

std::string progress(const std::string& version, const std::string& kind) {
  const std::string range =
      kind.empty()
          ? ""
          : R"({"range":{"start":{"line":0,"character":0},"end":{"line":99,"character":0}},"kind":)" + kind +
                "}";
  return R"({"notify":"$/lean/fileProgress","params":{"textDocument":{"uri":"$URI","version":)" + version +
         R"(},"processing":[)" + range + "]}}";
}

TEST(ProtocolDocuments, Case11ColumnsAreUtf16) {
  Scripted scripted(following(R"({"wait":"textDocument/didChange"},
    {"notify":"textDocument/publishDiagnostics","params":{"uri":"$URI","version":2,"diagnostics":[
      {"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":4}},"message":"m","severity":1}]}})"));
  scripted.client().openDocument(fileUri, "lean4", "a\U0001d49cb");
  ASSERT_TRUE(scripted.run());
  scripted.client().setText(fileUri, "a\U0001d49cbx");
  ASSERT_TRUE(spinUntil([&] { return !scripted.document().diagnostics().empty(); }));
  const Json change = scripted.received("textDocument/didChange")[0]["params"]["contentChanges"][0];
  EXPECT_EQ(change["range"]["start"]["character"], 4);
  EXPECT_EQ(change["text"], "x");
  const Diagnostic& diagnostic = scripted.document().diagnostics()[0];
  EXPECT_EQ(scripted.document().document().bytes(diagnostic.range).second, 6U) << "after b, in UTF-8";
}

TEST(ProtocolDocuments, Case12RapidEditsKeepBothTextsTheSame) {
  Scripted scripted(following("", R"("mirror": true)"));
  scripted.client().openDocument(fileUri, "lean4", "def a := 1\r\n\u2200 x, x = x\n");
  ASSERT_TRUE(scripted.run());
  std::mt19937 random(3);
  const std::vector<std::string> pieces = {"x", "\r\n", "\n", "\U0001d49c", "\u2200", "", "abc\r\ndef"};
  for (int version = 2; version <= 60; ++version) {
    const int line = static_cast<int>(random() % 4);
    const int from = static_cast<int>(random() % 8);
    const int to = from + static_cast<int>(random() % 3);
    scripted.client().changeDocument(
        fileUri, {{Range{{line, from}, {line, to}}, pieces[random() % pieces.size()]},
                  insertion({0, static_cast<int>(random() % 6)}, pieces[random() % pieces.size()])});
  }
  EXPECT_EQ(scripted.mirroredText(), scripted.document().text());
  EXPECT_EQ(scripted.document().text().find('\r'), std::string::npos);
  scripted.client().setText(fileUri, "pasted\r\ntext\r\n");
  EXPECT_EQ(scripted.mirroredText(), "pasted\ntext\n");
  int last = 0;
  for (const Json& message : scripted.received("textDocument/didChange")) {
    const int version = message["params"]["textDocument"]["version"];
    EXPECT_GT(version, last);
    last = version;
  }
  EXPECT_TRUE(scripted.violations().empty());
}

TEST(ProtocolDocuments, Case13AnswersForAnOldVersionAreIgnored) {
  Scripted scripted(following(R"({"wait":"go"},)" + publish("4", "", "A") + "," + progress("4", "1") + "," +
                              progress("4", "") + R"(,{"notify":"test/done"})"));
  bool done = false;
  QObject::connect(&scripted.client(), &LanguageClient::notificationReceived, &scripted.client(),
                   [&](const std::string& method, const Json&) { done = method == "test/done"; });
  openAt(scripted, 5);
  scripted.client().notify("go", Json::object());
  ASSERT_TRUE(spinUntil([&] { return done; }));
  EXPECT_TRUE(scripted.document().diagnostics().empty());
  EXPECT_EQ(scripted.document().progress(), Progress::Processing) << "of version 5 nothing has been said";
}

TEST(ProtocolDocuments, Case14IncrementalListsAreAppended) {
  Scripted scripted(following(R"({"wait":"go"},)" + publish("5", "false", "A") + "," +
                              publish("5", "true", "B") + "," + publish("5", "true", "") + "," +
                              publish("5", "true", "C")));
  openAt(scripted, 5);
  scripted.client().notify("go", Json::object());
  ASSERT_TRUE(spinUntil([&] { return scripted.document().diagnostics().size() >= 3; }));
  EXPECT_EQ(messages(scripted.document()), "ABC");
}

TEST(ProtocolDocuments, Case15ListsThatReplace) {
  Scripted scripted(following(R"({"wait":"go"},)" + publish("5", "false", "A") + "," +
                              publish("5", "true", "B") + "," + publish("5", "", "D") + R"(,{"wait":"go"},)" +
                              publish("6", "false", "E") + R"(,{"wait":"go"},)" + publish("7", "true", "F")));
  openAt(scripted, 5);
  scripted.client().notify("go", Json::object());
  ASSERT_TRUE(spinUntil([&] { return messages(scripted.document()) == "D"; }));
  for (const char* expected : {"E", "F"}) {
    scripted.client().changeDocument(fileUri, {insertion({0, 0}, "x")});
    EXPECT_FALSE(scripted.document().diagnosticsAreCurrent());
    scripted.client().notify("go", Json::object());
    ASSERT_TRUE(spinUntil([&] { return messages(scripted.document()) == expected; }))
        << messages(scripted.document());
    EXPECT_TRUE(scripted.document().diagnosticsAreCurrent());
  }
  EXPECT_TRUE(scripted.client().log().contains("without a list to append to"));
}

TEST(ProtocolDocuments, Case16HugeDiagnosticsLeaveTheWindowAlive) {
  Scripted scripted(following(R"({"wait":"go"},
    {"diagnostics":{"uri":"$URI","version":5,"count":50000}},
    {"diagnostics":{"uri":"$URI","version":5,"count":1,"bytes":20000000,"incremental":true}},
    {"repeat":1000,"steps":[{"diagnostics":{"uri":"$URI","version":5,"count":3,"incremental":true}}]},
    {"notify":"test/done"})"));
  bool done = false;
  int signalled = 0;
  QObject::connect(&scripted.client(), &LanguageClient::notificationReceived, &scripted.client(),
                   [&](const std::string& method, const Json&) { done = method == "test/done"; });
  QObject::connect(&scripted.client(), &LanguageClient::documentChanged, &scripted.client(),
                   [&](const std::string&) { ++signalled; });
  openAt(scripted, 5);
  spin(20ms);
  signalled = 0;
  scripted.client().notify("go", Json::object());
  qint64 longest = 0;
  QElapsedTimer turn;
  turn.start();
  EXPECT_TRUE(spinUntil(
      [&] {
        longest = std::max(longest, turn.restart());
        return done;
      },
      60s));
  RecordProperty("longest_turn_ms", static_cast<int>(longest));
  EXPECT_LT(longest, 250) << "milliseconds that the thread of the client was held (50 on a quiet machine)";
  EXPECT_EQ(scripted.document().diagnostics().size(), 53001U);
  EXPECT_EQ(scripted.document().diagnostics()[50000].message.size(), 20000000U);
  EXPECT_LT(signalled, 900) << "changes are put together";
}

TEST(ProtocolDocuments, Case17StrangeDiagnostics) {
  Scripted scripted(
      following(R"({"wait":"go"},{"notify":"textDocument/publishDiagnostics","params":{"uri":"$URI",
    "version":2,"diagnostics":[{"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},
      "fullRange":{"start":{"line":1,"character":0},"end":{"line":301,"character":0}},"message":"","isSilent":true,
      "leanTags":[2],"novelty":{"a":[1]}}]}})"));
  openAt(scripted, 2);
  scripted.client().notify("go", Json::object());
  ASSERT_TRUE(spinUntil([&] { return !scripted.document().diagnostics().empty(); }));
  EXPECT_TRUE(scripted.document().visibleDiagnostics().empty());
  EXPECT_EQ(scripted.document().accomplished().size(), 1U);
  EXPECT_EQ(scripted.document().messagesAtLine(250).size(), 1U);
  EXPECT_TRUE(scripted.document().messagesAtLine(301).empty()) << "the end is the start of that line";
  EXPECT_TRUE(scripted.document().messagesAtLine(0).empty());
}

TEST(ProtocolDocuments, Case18DisjointAndFatalProgress) {
  Scripted scripted(following(R"({"wait":"go"},{"notify":"$/lean/fileProgress","params":{"textDocument":
    {"uri":"$URI","version":2},"processing":[
      {"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}},"kind":1},
      {"range":{"start":{"line":5,"character":0},"end":{"line":9,"character":0}}}]}},
    {"wait":"go"},)" + progress("2", "2")));
  openAt(scripted, 2);
  scripted.client().notify("go", Json::object());
  ASSERT_TRUE(spinUntil([&] { return scripted.document().processing().size() == 2; }));
  EXPECT_EQ(scripted.document().progress(), Progress::Processing);
  scripted.client().notify("go", Json::object());
  EXPECT_TRUE(spinUntil([&] { return scripted.document().progress() == Progress::Failed; }));
}

TEST(ProtocolDocuments, Case23WorkerCrash) {
  Scripted scripted(following(R"({"wait":"slow/question"},)" + publish("1", "", "A") + "," +
                                  progress("1", "2") +
                                  R"(,{"answer":"slow/question","error":{"code":-32902,"message":"crashed"}},
    {"wait":"textDocument/didChange"},)" +
                                  progress("2", "1") + "," + publish("2", "", "B") + "," + progress("2", ""),
                              reportsByScript));
  openAt(scripted, 1);
  std::optional<Reply> reply;
  bool lost = false;
  QObject::connect(&scripted.client(), &LanguageClient::sessionsLost, &scripted.client(),
                   [&](const std::string&) { lost = true; });
  scripted.client().documentRequest(fileUri, "slow/question", Json::object(),
                                    [&](Reply&& r) { reply = std::move(r); });
  ASSERT_TRUE(spinUntil([&] { return reply.has_value(); }));
  EXPECT_TRUE(reply->is(ErrorCode::WorkerCrashed));
  EXPECT_TRUE(scripted.document().crashed());
  EXPECT_TRUE(lost);
  EXPECT_FALSE(scripted.document().diagnosticsAreCurrent()) << "they are shown greyed";
  EXPECT_EQ(messages(scripted.document()), "A");

  std::optional<Reply> hover;
  scripted.client().documentRequest(fileUri, "textDocument/hover", Json::object(),
                                    [&](Reply&& r) { hover = std::move(r); });
  ASSERT_TRUE(spinUntil([&] { return hover.has_value(); }));
  EXPECT_EQ(hover->local, LocalFailure::WorkerDown);
  EXPECT_TRUE(scripted.received("textDocument/hover").empty()) << "the server would never answer";

  scripted.client().changeDocument(fileUri, {insertion({0, 0}, "y")});
  ASSERT_TRUE(spinUntil([&] { return scripted.document().progress() == Progress::Finished; }));
  EXPECT_FALSE(scripted.document().crashed());
  EXPECT_EQ(messages(scripted.document()), "B");

  scripted.client().restartFile(fileUri);
  ASSERT_TRUE(spinUntil([&] { return scripted.received("textDocument/didOpen").size() == 2; }));
  EXPECT_EQ(scripted.received("textDocument/didClose").size(), 1U);
  const Json params = scripted.received("textDocument/didOpen")[1]["params"];
  EXPECT_EQ(params["dependencyBuildMode"], "once");
  EXPECT_EQ(params["textDocument"]["version"], 3);
  EXPECT_EQ(params["textDocument"]["text"], "yone\ntwo\nthree\n");
}

/// A header that cannot be elaborated, as Lean says it when that took less than its delay for reports: first
/// that it is fatal, then why.
TEST(ProtocolDocuments, AQuickHeaderErrorIsNoCrash) {
  Scripted scripted(following(R"({"wait":"textDocument/didOpen"},)" + progress("1", "1") + "," +
                                  publish("1", "", "") + "," + progress("1", "2") +
                                  R"(,{"wait":"textDocument/waitForDiagnostics"},)" + publish("1", "", "H") +
                                  R"(,{"answer":"textDocument/waitForDiagnostics","result":{}})",
                              reportsByScript));
  openAt(scripted, 1);
  ASSERT_TRUE(spinUntil([&] { return scripted.document().allReported(); }));
  EXPECT_EQ(scripted.document().progress(), Progress::Failed);
  EXPECT_FALSE(scripted.document().crashed());
  EXPECT_TRUE(scripted.document().diagnosticsAreCurrent());
  EXPECT_EQ(messages(scripted.document()), "H");
  const Json question = scripted.received("textDocument/waitForDiagnostics").at(0)["params"];
  EXPECT_EQ(question, (Json{{"uri", fileUri}, {"version", 1}}));
}

/// A worker that ends with status 1 first publishes its error, which looks like one about the header. It is
/// dead all the same: what is asked then waits for the next edit.
TEST(ProtocolDocuments, AWorkerThatExplainsItsDeathIsDead) {
  Scripted scripted(
      following(R"({"wait":"textDocument/didOpen"},)" + progress("1", "1") +
                    R"(,{"notify":"textDocument/publishDiagnostics","params":{"uri":"$URI","version":1,
      "diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}},
      "fullRange":{"start":{"line":0,"character":0},"end":{"line":3,"character":0}},"severity":1,
      "message":"Got param with wrong structure"}]}},)" +
                    progress("1", "2") + R"(,{"wait":"textDocument/didChange"},)" + progress("2", "1") + "," +
                    publish("2", "", "B") + "," + progress("2", ""),
                reportsByScript));
  openAt(scripted, 1);
  ASSERT_TRUE(spinUntil([&] { return scripted.document().crashed(); }));
  EXPECT_FALSE(scripted.document().diagnosticsAreCurrent());
  scripted.client().changeDocument(fileUri, {insertion({0, 0}, "y")});
  ASSERT_TRUE(spinUntil([&] { return scripted.document().progress() == Progress::Finished; }));
  EXPECT_FALSE(scripted.document().crashed());
  spin(400ms);
  EXPECT_FALSE(scripted.document().crashed()) << "the time was that of the other version";
}

TEST(ProtocolDocuments, Case24HeaderEdit) {
  Scripted scripted(following(R"({"wait":"textDocument/didChange"},)" + progress("2", "1") + "," +
                              publish("2", "false", "") +
                              R"(,{"notify":"textDocument/publishDiagnostics","params":
    {"uri":"$URI","version":2,"isIncremental":true,"diagnostics":[{"severity":3,
     "range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}},
     "message":"Imports are out of date and should be rebuilt; use the 'Restart File' command in your editor."}]}})"));
  openAt(scripted, 1, "import A\n");
  scripted.client().setText(fileUri, "import B\n");
  ASSERT_TRUE(spinUntil([&] { return scripted.document().imports() == Imports::ShouldBeRebuilt; }));
  EXPECT_EQ(scripted.document().progress(), Progress::Processing);
  spin(50ms);
  EXPECT_EQ(scripted.received("textDocument/didOpen").size(), 1U) << "nothing is restarted by itself";
  EXPECT_EQ(scripted.starts().size(), 1U);
}

TEST(ProtocolDocuments, VersionsGoOnAfterClosing) {
  Scripted scripted(following("", R"("mirror": true)"));
  openAt(scripted, 4);
  scripted.client().closeDocument(fileUri);
  scripted.client().openDocument(fileUri, "lean4", "again");
  EXPECT_EQ(scripted.mirroredText(), "again");
  EXPECT_GT(scripted.document().version(), 4);
  EXPECT_TRUE(scripted.violations().empty()) << "the mirror refuses a version that is not higher";
}

TEST(ProtocolDocuments, OnlyTheLastUsedDocumentsAreOpen) {
  Scripted scripted(following("", R"("mirror": true)"),
                    [](auto& options) { options.limits.openDocuments = 2; });
  ASSERT_TRUE(scripted.run());
  for (const char* uri : {"file:///a", "file:///b", "file:///c"})
    scripted.client().openDocument(uri, "lean4", uri);
  EXPECT_EQ(scripted.mirroredText("file:///c"), "file:///c");
  ASSERT_EQ(scripted.received("textDocument/didClose").size(), 1U);
  EXPECT_EQ(scripted.received("textDocument/didClose")[0]["params"]["textDocument"]["uri"], "file:///a");
  scripted.client().setText("file:///a", "changed while parked");
  EXPECT_EQ(scripted.mirroredText("file:///a"), "changed while parked");
  EXPECT_TRUE(scripted.violations().empty());
}

TEST(ProtocolDocuments, AServerWithFullSyncGetsWholeTexts) {
  Scripted scripted(R"({"auto": {"initialize": {"capabilities": {"textDocumentSync": 1}}}, "mirror": true})");
  openAt(scripted, 3);
  EXPECT_EQ(scripted.mirroredText(), scripted.document().text());
  EXPECT_FALSE(
      scripted.received("textDocument/didChange")[0]["params"]["contentChanges"][0].contains("range"));
}

TEST(ProtocolDocuments, GoalsOfOurOwnServer) {
  Scripted scripted(
      following(R"({"wait":"textDocument/didOpen"},{"notify":"$/plumbline/goals","params":{"textDocument":
    {"uri":"$URI","version":1},"complete":false,"goals":[{"goal":"inv","state":"closed","engines":["z3"],"kind":"k",
    "text":"t","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}]}})"));
  openAt(scripted, 1);
  ASSERT_TRUE(spinUntil([&] { return scripted.document().goals().size() == 1; }));
  EXPECT_TRUE(scripted.document().goalsAreCurrent());
  EXPECT_FALSE(scripted.document().goalsAreComplete());
  EXPECT_EQ(scripted.document().goals()[0].vouching.engines, (std::vector<std::string>{"z3"}));
}

} // namespace
} // namespace plumbline::lsp

// One document and two servers, each scripted.
#include "lean-bridge/client/proof_document.h"
#include "tests/lean-bridge/client/harness.h"

#include <csignal>

namespace plumbline::lsp {
namespace {

using namespace std::chrono_literals;

constexpr const char* text = "import Plumbline.Lemmas.AddComm\ntheorem t : True := trivial\n";

std::string ours(int version, const std::string& state) {
  return R"({"notify":"$/plumbline/goals","params":{"textDocument":{"uri":"$URI","version":)" +
         std::to_string(version) + R"(},"complete":true,"goals":[{"goal":"inv","state":")" + state +
         R"(","engines":["z3"],"kind":"k","text":"t",
         "range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},
         "proof":{"start":{"line":1,"character":0},"end":{"line":1,"character":9}}}]}},)" +
         R"({"notify":"textDocument/publishDiagnostics","params":{"uri":"$URI","version":)" +
         std::to_string(version) + R"(,"diagnostics":[]}})";
}

std::string leans(int version, const std::string& diagnostics) {
  const std::string where = R"({"uri":"$URI","version":)" + std::to_string(version);
  return R"({"notify":"textDocument/publishDiagnostics","params":)" + where + ",\"diagnostics\":[" +
         diagnostics + R"(]}},{"notify":"$/lean/fileProgress","params":{"textDocument":)" + where +
         R"(},"processing":[]}})";
}

constexpr const char* failing = R"({"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":4}},
  "severity":1,"message":"`grind` failed"})";

struct Pair {
  Pair(const std::string& ourSteps, const std::string& leanSteps)
      : plumbline(following(R"({"wait":"textDocument/didOpen"},)" + ourSteps)),
        lean(following(R"({"wait":"textDocument/didOpen"},)" + leanSteps)),
        document(plumbline.takeClient(), lean.takeClient()) {
    document.setHints({{"Plumbline.Lemmas.AddComm", "Plumbline.f32_add_comm"},
                       {"Plumbline.Lemmas.Other", "Plumbline.other"}});
    document.startServers();
    document.open(fileUri, text);
  }
  bool agrees(Agreement agreement) {
    return spinUntil(
        [&] { return document.goals().size() == 1 && document.goals()[0].agreement == agreement; });
  }
  Scripted plumbline;
  Scripted lean;
  ProofDocument document;
};

TEST(ProofDocumentTest, EnginesCloseAndLeanDoesNotAndTheOtherWayRound) {
  Pair pair(ours(1, "closed") + R"(,{"wait":"textDocument/didChange"},)" + ours(2, "open"),
            leans(1, failing) + R"(,{"wait":"textDocument/didChange"},)" + leans(2, ""));
  EXPECT_TRUE(pair.agrees(Agreement::EnginesOnly));
  EXPECT_EQ(inWords(pair.document.goals()[0]), "true (z3), but open in Lean: `grind` failed");
  EXPECT_EQ(pair.document.diagnostics().size(), 1U);
  EXPECT_EQ(pair.document.axioms(), std::vector<std::string>{"not checked by Lean"});
  pair.document.setText(std::string(text) + "-- edited\n");
  EXPECT_TRUE(pair.document.goals().empty()) << "no old answer stays for a moment";
  EXPECT_TRUE(pair.agrees(Agreement::LeanOnly));
}

/// What Lean's server may send when it is almost through: nothing is in progress any more, the list is still
/// empty, and yet an error is on its way.
void expectPatience(const std::string& early, const std::string& late) {
  Scripted plumbline(following(R"({"wait":"textDocument/didOpen"},)" + ours(1, "closed")));
  Scripted lean(following(R"({"wait":"textDocument/didOpen"},)" + early +
                              R"(,{"wait":"textDocument/waitForDiagnostics"},{"wait":"go"},)" + late +
                              R"(,{"answer":"textDocument/waitForDiagnostics","result":{}})",
                          reportsByScript));
  ProofDocument document(plumbline.takeClient(), lean.takeClient());
  document.startServers();
  document.open(fileUri, text);
  bool accepted = false;
  QObject::connect(&document, &ProofDocument::changed, &document, [&] {
    const std::vector<CheckedGoal> goals = document.goals();
    accepted = accepted || (!goals.empty() && goals[0].lean == LeanAnswer::Accepted) ||
               document.axioms()[0] != "not checked by Lean";
  });
  ASSERT_TRUE(spinUntil([&] {
    return document.goals().size() == 1 && !lean.received("textDocument/waitForDiagnostics").empty();
  }));
  spin(50ms);
  EXPECT_EQ(document.goals()[0].agreement, Agreement::Pending);
  document.lean().client->notify("go", Json::object());
  EXPECT_TRUE(spinUntil([&] { return document.goals()[0].agreement == Agreement::EnginesOnly; }));
  EXPECT_FALSE(accepted) << "not for a moment";
  EXPECT_EQ(lean.received("textDocument/didOpen").size(), 1U) << "no axioms are asked for";
  EXPECT_EQ(lean.received("textDocument/waitForDiagnostics").size(), 1U);
}

std::string leansList(const std::string& members, const std::string& diagnostics) {
  return R"({"notify":"textDocument/publishDiagnostics","params":{"uri":"$URI","version":1)" + members +
         ",\"diagnostics\":[" + diagnostics + "]}}";
}

constexpr const char* nothingInProgress =
    R"({"notify":"$/lean/fileProgress","params":{"textDocument":{"uri":"$URI","version":1},"processing":[]}})";

/// A text that takes Lean less than its delay for reports: Lake's messages are cleared, then it is through,
/// and only then come the diagnostics.
TEST(ProofDocumentTest, ThroughIsNotAcceptedBeforeTheLastDiagnostics) {
  expectPatience(leansList("", "") + "," + nothingInProgress,
                 leansList(R"(,"isIncremental":false)", failing));
}

/// The kernel checks in the background, in a task that has no range to show: no range is in progress, and
/// then the kernel refuses.
TEST(ProofDocumentTest, NoRangeInProgressIsNotThrough) {
  expectPatience(leansList(R"(,"isIncremental":false)", "") + "," + nothingInProgress,
                 std::string(nothingInProgress) + "," + leansList(R"(,"isIncremental":true)", failing) + "," +
                     nothingInProgress);
}

TEST(ProofDocumentTest, AxiomsAreAskedOnceLeanHasAccepted) {
  const std::string audit =
      R"({"wait":"textDocument/didOpen"},{"notify":"textDocument/publishDiagnostics","params":{
    "uri":"file:///project/a_axioms.lean","version":1,"diagnostics":[
    {"range":{"start":{"line":3,"character":0},"end":{"line":3,"character":6}},"severity":3,
     "message":"'t' depends on axioms: [sorryAx]"},
    {"range":{"start":{"line":4,"character":0},"end":{"line":4,"character":6}},"severity":3,
     "message":"'Plumbline.f32_add_comm' depends on axioms: [propext]"}]}},
    {"notify":"$/lean/fileProgress","params":{"textDocument":{"uri":"file:///project/a_axioms.lean","version":1},
     "processing":[]}})";
  Pair pair(ours(1, "closed"), leans(1, "") + "," + audit);
  EXPECT_TRUE(pair.agrees(Agreement::BothClosed));
  ASSERT_TRUE(spinUntil([&] { return pair.document.axioms()[0].starts_with("t rests on"); }));
  EXPECT_EQ(pair.document.axioms(), std::vector<std::string>{"t rests on sorryAx: a proof was left out"});
  pair.document.setText(std::string(text) + "-- edited\n");
  EXPECT_EQ(pair.document.axioms(), std::vector<std::string>{"not checked by Lean"});
}

TEST(ProofDocumentTest, WithoutServersTheTextIsThere) {
  ProofDocument document(nullptr, nullptr);
  document.setAbsence("not installed", "no lake");
  document.startServers();
  document.open(fileUri, "a\r\nb");
  document.setText("a\nbc");
  document.setPlace({1, 1});
  EXPECT_EQ(document.text(), "a\nbc");
  EXPECT_TRUE(document.goals().empty());
  EXPECT_TRUE(document.diagnostics().empty());
  EXPECT_TRUE(document.progress().empty());
  EXPECT_EQ(document.axioms(), std::vector<std::string>{"not checked by Lean"});
  EXPECT_EQ(document.statusOf(document.lean()), "no lake");
  EXPECT_TRUE(document.stopped());
}

TEST(ProofDocumentTest, LeanAloneAndOursAlone) {
  Scripted lean(following(R"({"wait":"textDocument/didOpen"},)" + leans(1, failing)));
  ProofDocument onlyLean(nullptr, lean.takeClient());
  onlyLean.startServers();
  onlyLean.open(fileUri, text);
  EXPECT_TRUE(spinUntil([&] { return onlyLean.diagnostics().size() == 1; }));
  Scripted plumbline(following(R"({"wait":"textDocument/didOpen"},)" + ours(1, "closed")));
  ProofDocument onlyOurs(plumbline.takeClient(), nullptr);
  onlyOurs.startServers();
  onlyOurs.open(fileUri, text);
  ASSERT_TRUE(spinUntil([&] { return onlyOurs.goals().size() == 1; }));
  EXPECT_EQ(inWords(onlyOurs.goals()[0]), "true (z3), not checked by Lean");
}

TEST(ProofDocumentTest, KillingLeanLeavesTheTextAndOurAnswer) {
  Pair pair(ours(1, "closed"), leans(1, "") + R"(,{"hang":true})");
  EXPECT_TRUE(pair.agrees(Agreement::BothClosed));
  ::kill(static_cast<pid_t>(pair.document.lean().client->processId()), SIGKILL);
  EXPECT_TRUE(pair.agrees(Agreement::NotChecked));
  EXPECT_EQ(pair.document.text(), text);
  EXPECT_TRUE(
      spinUntil([&] { return pair.document.lean().client->state() == LanguageClient::State::Running; }, 1s));
  pair.document.stopServers();
  EXPECT_TRUE(spinUntil([&] { return pair.document.stopped(); }));
}

TEST(ProofDocumentTest, AnotherLeanGetsThePresentTextAndTheOldOneEnds) {
  Pair pair(R"({"wait":"textDocument/didClose"})", R"({"wait":"textDocument/didClose"})");
  ASSERT_TRUE(spinUntil([&] { return !pair.lean.received("textDocument/didOpen").empty(); }));
  const qint64 pid = pair.document.lean().client->processId();
  pair.document.setText(std::string(text) + "-- edited\n");
  Scripted other(following(R"({"wait":"textDocument/didOpen"},)" + leans(1, failing)));
  pair.document.setLean(other.takeClient(), "");
  ASSERT_TRUE(spinUntil([&] { return !other.received("textDocument/didOpen").empty(); }));
  EXPECT_EQ(other.received("textDocument/didOpen")[0]["params"]["textDocument"]["text"],
            std::string(text) + "-- edited\n");
  EXPECT_TRUE(spinUntil([&] { return pair.document.diagnostics().size() == 1; }));
  EXPECT_TRUE(spinUntil([&] { return !processExists(pid); }));
  EXPECT_FALSE(pair.lean.received("shutdown").empty());
  EXPECT_TRUE(pair.lean.violations().empty());
  // And none at all.
  const qint64 otherPid = pair.document.lean().client->processId();
  pair.document.setLean(nullptr, "no project");
  EXPECT_EQ(pair.document.statusOf(pair.document.lean()), "no project");
  EXPECT_TRUE(pair.document.diagnostics().empty());
  EXPECT_TRUE(spinUntil([&] { return !processExists(otherPid); }));
}

TEST(ProofDocumentTest, RestartingGivesBothServersTheTextAgain) {
  Pair pair(R"({"wait":"textDocument/didClose"})", R"({"wait":"textDocument/didClose"})");
  const auto opened = [](const Scripted& server) { return server.received("textDocument/didOpen").size(); };
  ASSERT_TRUE(spinUntil([&] { return opened(pair.plumbline) == 1 && opened(pair.lean) == 1; }));
  const qint64 pid = pair.document.plumbline().client->processId();
  pair.document.restartServers();
  EXPECT_TRUE(spinUntil([&] { return opened(pair.plumbline) == 2 && opened(pair.lean) == 2; }));
  EXPECT_NE(pair.document.plumbline().client->processId(), pid);
  EXPECT_FALSE(processExists(pid));
}

} // namespace
} // namespace plumbline::lsp

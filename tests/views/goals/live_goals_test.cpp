// Goals at the cursor and who vouches for each goal, with scripted servers and with none.
#include "lean-bridge/client/proof_document.h"
#include "tests/lean-bridge/client/harness.h"
#include "views/goals/live_goals.h"

#include <QTest>
#include <QTreeWidget>

using namespace plumbline;
using namespace plumbline::views;

class LiveGoalsTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void bothAnswersStandSideBySide();
  void withoutServersItSaysSo();
  void emptyIsNotSolved();
};

void LiveGoalsTest::bothAnswersStandSideBySide() {
  lsp::Scripted plumbline(
      R"({"auto": {"initialize": $INIT, "$/lean/rpc/connect": {"sessionId": "1"}, "$/lean/rpc/call": {"goals": [{"hyps": [{"names": ["h"], "type": {"text": "x = y"}, "isInserted": true}],
      "type": {"text": "y = x"}, "goalPrefix": "⊢ ", "mvarId": "1",
      "plumbline": {"goal": "value", "state": "closed", "engines": ["z3"], "remark": "tactic not checked by Lean"}}]}},
    "steps": [{"wait": "textDocument/didOpen", "as": "open"},
    {"notify_for": "open", "method": "$/plumbline/goals", "params": {"complete": true, "goals": [
      {"goal": "value", "state": "closed", "engines": ["z3", "cvc5"], "kind": "k", "text": "t",
       "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}},
       "proof": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 4}}}]}}]})");
  lsp::Scripted lean(
      R"({"auto": {"initialize": $INIT, "textDocument/waitForDiagnostics": {}}, "steps": [{"wait": "textDocument/didOpen", "as": "open"},
    {"notify_for": "open", "method": "textDocument/publishDiagnostics", "params": {"diagnostics": [
      {"range": {"start": {"line": 1, "character": 1}, "end": {"line": 1, "character": 3}}, "severity": 1,
       "message": "`grind` failed"}]}},
    {"notify_for": "open", "method": "$/lean/fileProgress", "params": {"processing": []}}]})");
  lsp::ProofDocument document(plumbline.takeClient(), lean.takeClient());
  LiveGoals goals;
  goals.setProof(&document);
  goals.show();
  document.open(lsp::fileUri, "method m\n  grind\n");
  QTRY_COMPARE(goals.list().topLevelItemCount(), 1);
  const QString expected = QStringLiteral("true (z3 cvc5), but open in Lean: `grind` failed");
  QTRY_COMPARE(goals.list().topLevelItem(0)->text(1), expected);
  QVERIFY(goals.list().topLevelItem(0)->text(0).contains(QLatin1String("value")));
  const QString shown = QStringLiteral("[closed: z3; tactic not checked by Lean]\n+ h : x = y\n⊢ y = x");
  QTRY_VERIFY2(goals.placeText().contains(shown), qPrintable(goals.placeText()));
  // An edit takes every old answer away at once.
  document.setText("method m\n  grind \n");
  QTRY_COMPARE(goals.list().topLevelItemCount(), 0);
}

void LiveGoalsTest::withoutServersItSaysSo() {
  lsp::ProofDocument document(nullptr, nullptr);
  document.setAbsence("not installed", "no lake here");
  LiveGoals goals;
  goals.setProof(&document);
  goals.show();
  document.open(lsp::fileUri, "method m\n");
  QTRY_VERIFY(goals.stateText().contains(QLatin1String("no lake here")));
  QVERIFY(goals.stateText().contains(QLatin1String("not installed")));
  QCOMPARE(goals.list().topLevelItemCount(), 0);
}

void LiveGoalsTest::emptyIsNotSolved() {
  lsp::GoalsAnswer answer;
  answer.state = lsp::GoalsAnswer::State::NoState;
  QCOMPARE(answerText(answer), QStringLiteral("no proof at the cursor"));
  answer.state = lsp::GoalsAnswer::State::Goals;
  QCOMPARE(answerText(answer), QStringLiteral("no goals"));
  answer.state = lsp::GoalsAnswer::State::Crashed;
  QVERIFY(answerText(answer) != QStringLiteral("no goals"));
}

QTEST_MAIN(LiveGoalsTest)
#include "live_goals_test.moc"

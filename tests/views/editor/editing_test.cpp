// Editing the method: what may change, what survives another check, and what servers say about it.
#include "lean-bridge/client/proof_document.h"
#include "tests/lean-bridge/client/harness.h"
#include "tests/views/support/fake_bench.h"
#include "tests/views/support/sample_snapshot.h"
#include "views/editor/code_editor.h"
#include "views/editor/editor_look.h"
#include "views/editor/method_panel.h"

#include <QAction>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QStandardPaths>
#include <QTest>
#include <QToolTip>

using namespace plumbline;
using namespace plumbline::views;
using namespace plumbline::workbench;
using Sci = QsciScintillaBase;

namespace {

constexpr int openLine = 8; ///< the one line of the sample's method that is not locked

SnapshotPtr share(Snapshot snapshot) {
  return std::make_shared<const Snapshot>(std::move(snapshot));
}

QString lineOf(const CodeEditor& editor, int line) {
  return editor.text(line - 1).remove(QLatin1Char('\n'));
}

bool marked(const CodeEditor& editor, int marker, int line) {
  return (editor.SendScintilla(Sci::SCI_MARKERGET, static_cast<unsigned long>(line - 1)) >> marker & 1) != 0;
}

/// Files with rescued edits.
QStringList rescued() {
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                    QStringLiteral("/method-edits"));
  return folder.entryList(QDir::Files);
}

} // namespace

class EditingTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void init();
  void cleanup();
  void lockedLinesStay();
  void openLinesChange();
  void undoBelongsToTheText();
  void editsSurviveAnotherCheck();
  void editsThatGiveWayAreInAFile();
  void placesFollowTheEdits();
  void withoutADocumentNothingChanges();
  void serversSpeakInTheText();
  void anOfferedActionIsOneEdit();
  void offersDoNotChangeLockedLines();
  void outdatedOffersAreRefused();
  void withoutAServerItSaysSo();
  void changesKeepLocks();
  void wordsAfterABackslashBecomeSymbols();
  void thePointerAsksTheServer();

private:
  void showOffers(const char* edits, int version = 1);
  QAction* offered(const QString& title);
  QString lastRemark() const { return m_around->journal.entries().back().text; }
  std::unique_ptr<lsp::Scripted> m_scripted;
  void show(std::unique_ptr<lsp::ProofDocument> document);
  CodeEditor& editor() { return m_panel->editor(); }
  std::unique_ptr<test::Surroundings> m_around;
  std::unique_ptr<lsp::ProofDocument> m_document;
  std::unique_ptr<MethodPanel> m_panel;
};

void EditingTest::init() {
  QStandardPaths::setTestModeEnabled(true);
  for (const QString& file : rescued())
    QFile::remove(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                  QStringLiteral("/method-edits/") + file);
  m_around = std::make_unique<test::Surroundings>();
  show(std::make_unique<lsp::ProofDocument>(nullptr, nullptr));
}

void EditingTest::show(std::unique_ptr<lsp::ProofDocument> document) {
  m_panel.reset();
  m_document = std::move(document);
  m_panel = std::make_unique<MethodPanel>(m_around->context());
  m_panel->setProof(m_document.get());
  m_panel->resize(700, 400);
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  m_panel->setSnapshot(share(test::reluSnapshot()));
  editor().setFocus();
}

void EditingTest::cleanup() {
  m_panel.reset();
  m_document.reset();
  m_around.reset();
}

void EditingTest::lockedLinesStay() {
  const std::string before = editor().source();
  QCOMPARE(m_document->text(), before);
  for (const int line : {1, 5, 7, 9}) {
    editor().placeCaret(line, 3);
    for (const Qt::Key key : {Qt::Key_X, Qt::Key_Backspace, Qt::Key_Delete, Qt::Key_Return})
      QTest::keyClick(&editor(), key);
    QTest::keyClick(&editor(), Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(editor().source(), before);
  }
  // Joining an open line with a locked one would change the locked one.
  editor().placeCaret(openLine, 1);
  QTest::keyClick(&editor(), Qt::Key_Backspace);
  editor().placeCaret(openLine, 999);
  QTest::keyClick(&editor(), Qt::Key_Delete);
  QCOMPARE(editor().source(), before);
  // So would typing over a selection that reaches into it.
  editor().setSelection(openLine - 1, 2, openLine, 3);
  QTest::keyClicks(&editor(), QStringLiteral("x"));
  QTest::keyClick(&editor(), Qt::Key_Delete);
  QCOMPARE(editor().source(), before);
  QVERIFY(!m_panel->isEdited());
}

void EditingTest::openLinesChange() {
  editor().placeCaret(openLine, 999);
  QTest::keyClick(&editor(), Qt::Key_Return);
  QTest::keyClicks(&editor(), QStringLiteral("  grind"));
  QCOMPARE(lineOf(editor(), openLine + 1), QStringLiteral("  grind"));
  QVERIFY(m_panel->isEdited());
  QCOMPARE(m_document->text(), editor().source());
  QVERIFY(marked(editor(), LockedMarker, openLine + 2));
  QVERIFY(!marked(editor(), LockedMarker, openLine + 1));
  QTest::keyClick(&editor(), Qt::Key_Backspace);
  QCOMPARE(lineOf(editor(), openLine + 1), QStringLiteral("  grin"));
  QCOMPARE(m_document->text(), editor().source());
}

void EditingTest::undoBelongsToTheText() {
  const std::string before = editor().source();
  editor().placeCaret(openLine, 999);
  QTest::keyClicks(&editor(), QStringLiteral("abc"));
  QVERIFY(editor().source() != before);
  editor().placeCaret(1, 1); // in a locked line
  QTest::keyClick(&editor(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(editor().source(), before);
  QCOMPARE(m_document->text(), before);
  QVERIFY(!m_panel->isEdited());
}

void EditingTest::editsSurviveAnotherCheck() {
  editor().placeCaret(openLine, 999);
  QTest::keyClicks(&editor(), QStringLiteral("!!"));
  const std::string edited = editor().source();
  Snapshot again = test::reluSnapshot();
  again.revision += 1;
  m_panel->setSnapshot(share(again));
  QCOMPARE(editor().source(), edited);
  again.method.text += "-- another line\n";
  again.method.lines.resize(again.method.lines.size() + 1);
  m_panel->setSnapshot(share(again));
  QCOMPARE(editor().source(), edited);
  QCOMPARE(m_document->text(), edited);
  bool said = false;
  for (const QLabel* label : m_panel->findChildren<QLabel*>())
    said = said || label->text().contains(QLatin1String("Take Generated Method"));
  QVERIFY(said);
  m_around->actions.find(QStringLiteral("method-take-generated"))->trigger();
  QCOMPARE(editor().source(), again.method.text);
  QCOMPARE(m_document->text(), again.method.text);
  QCOMPARE(rescued().size(), 1);
}

void EditingTest::editsThatGiveWayAreInAFile() {
  editor().placeCaret(openLine, 999);
  QTest::keyClicks(&editor(), QStringLiteral("mine"));
  const std::string edited = editor().source();
  Snapshot other = test::reluSnapshot();
  other.request.kernel = "another/kernel.cu";
  other.method.text = "-- another method\n";
  other.method.lines.assign(1, MethodLine{});
  m_panel->setSnapshot(share(other));
  QCOMPARE(editor().source(), other.method.text);
  QCOMPARE(rescued().size(), 1);
  QFile file(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
             QStringLiteral("/method-edits/") + rescued().front());
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll().toStdString(), edited);
  QVERIFY(m_around->journal.entries().back().text.contains(file.fileName()));
}

void EditingTest::placesFollowTheEdits() {
  QList<int> selected;
  connect(m_panel.get(), &Panel::selected, this, [&](const Anchor& anchor) { selected << anchor.index; });
  editor().placeCaret(openLine, 999);
  QTest::keyClick(&editor(), Qt::Key_Return);
  QTest::keyClicks(&editor(), QStringLiteral("x"));
  selected.clear();
  QTest::keyClick(&editor(), Qt::Key_Down);
  QCOMPARE(selected.back(), openLine + 1); // "return y" is line 9 of the generated text, line 10 here
  QTest::keyClick(&editor(), Qt::Key_Up);
  QCOMPARE(selected.back(), 0); // a line that the user has added stems from nothing
  Highlight highlight;
  highlight.methodLines = {5, openLine + 1};
  m_panel->setHighlight(highlight, {});
  QVERIFY(marked(editor(), LinkedMarker, 5));
  QVERIFY(marked(editor(), LinkedMarker, openLine + 2));
  QVERIFY(!marked(editor(), LinkedMarker, openLine + 1));
}

void EditingTest::withoutADocumentNothingChanges() {
  MethodPanel panel(m_around->context());
  panel.resize(700, 400);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  panel.setSnapshot(share(test::reluSnapshot()));
  panel.editor().placeCaret(openLine, 999);
  QTest::keyClicks(&panel.editor(), QStringLiteral("x"));
  QCOMPARE(panel.editor().source(), test::reluSnapshot().method.text);
}

void EditingTest::serversSpeakInTheText() {
  // The server complains about the quantifier of line 5 (columns in UTF-16), and is at lines 7 to 9.
  lsp::Scripted scripted(
      R"({"auto": {"initialize": $INIT}, "steps": [{"wait": "textDocument/didOpen", "as": "open"},
    {"notify_for": "open", "method": "textDocument/publishDiagnostics", "params": {"diagnostics": [
      {"range": {"start": {"line": 4, "character": 18}, "end": {"line": 4, "character": 19}}, "severity": 1,
       "message": "no such thing"}]}},
    {"notify_for": "open", "method": "$/lean/fileProgress", "params": {"processing": [
      {"range": {"start": {"line": 6, "character": 0}, "end": {"line": 8, "character": 0}}, "kind": 1}]}}]})");
  show(std::make_unique<lsp::ProofDocument>(scripted.takeClient(), nullptr));
  QTRY_VERIFY(marked(editor(), ErrorMarker, 5));
  const long line = editor().SendScintilla(Sci::SCI_POSITIONFROMLINE, 4UL);
  const auto squiggled = [&](long column) {
    return editor().SendScintilla(Sci::SCI_INDICATORVALUEAT, static_cast<unsigned long>(ErrorIndicator),
                                  line + column) != 0;
  };
  QVERIFY(!squiggled(17));
  QVERIFY(squiggled(18) && squiggled(20)); // three bytes
  QVERIFY(!squiggled(21));
  QTRY_VERIFY(marked(editor(), ProgressMarker, 7));
  QVERIFY(!marked(editor(), ProgressMarker, 6));
  QVERIFY(editor().marginWidth(ProgressColumn) > 0);
}

/// A server that offers one action, "Do & it", with these edits, once it is asked.
void EditingTest::showOffers(const char* edits, int version) {
  std::string script = R"({"auto": {"initialize": $INIT}, "steps": [{"wait": "textDocument/didOpen"},
    {"wait": "textDocument/codeAction"}, {"answer": "textDocument/codeAction", "result": [{"title": "Do & it",
      "kind": "quickfix", "edit": {"documentChanges": [{"textDocument": {"uri": "URI", "version": VERSION},
      "edits": EDITS}]}}]}]})";
  const auto put = [&script](const std::string& name, const std::string& value) {
    script.replace(script.find(name), name.size(), value);
  };
  put("VERSION", std::to_string(version));
  put("EDITS", edits);
  put("URI", m_document->uri());
  m_scripted = std::make_unique<lsp::Scripted>(script);
  show(std::make_unique<lsp::ProofDocument>(m_scripted->takeClient(), nullptr));
  QTRY_COMPARE(m_document->plumbline().client->state(), lsp::LanguageClient::State::Running);
}

/// The entry of the menu of offers, once it is there.
QAction* EditingTest::offered(const QString& title) {
  QAction* found = nullptr;
  lsp::spinUntil([&] {
    if (auto* menu = editor().findChild<QMenu*>(QStringLiteral("method-code-actions")))
      for (QAction* action : menu->actions())
        if (action->text() == title)
          found = action;
    return found != nullptr;
  });
  return found;
}

void EditingTest::anOfferedActionIsOneEdit() {
  // Two places of the open line, and a line of its own after it.
  showOffers(
      R"([{"range": {"start": {"line": 7, "character": 0}, "end": {"line": 7, "character": 0}}, "newText": "AB"},
    {"range": {"start": {"line": 7, "character": 1}, "end": {"line": 7, "character": 1}}, "newText": "∀"},
    {"range": {"start": {"line": 8, "character": 0}, "end": {"line": 8, "character": 0}}, "newText": "  grind\n"}])");
  const std::string before = editor().source();
  const QString line = lineOf(editor(), openLine);
  editor().placeCaret(openLine, 2);
  QTest::keyClick(&editor(), Qt::Key_Period, Qt::ControlModifier);
  QAction* action = offered(QStringLiteral("Do && it"));
  QVERIFY(action);
  QCOMPARE(editor().source(), before); // nothing happens before it is chosen
  action->trigger();
  QTRY_VERIFY(editor().source() != before);
  QCOMPARE(lineOf(editor(), openLine), QStringLiteral("AB") + line.left(1) + QChar(0x2200) + line.mid(1));
  QCOMPARE(lineOf(editor(), openLine + 1), QStringLiteral("  grind"));
  QCOMPARE(m_document->text(), editor().source());
  QVERIFY(m_panel->isEdited());
  QCOMPARE(editor().caret().line, openLine);
  QVERIFY(!marked(editor(), LockedMarker, openLine + 1));
  QVERIFY(marked(editor(), LockedMarker, openLine + 2));
  QVERIFY(lastRemark().contains(QLatin1String("Do & it")));
  QTest::keyClick(&editor(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(editor().source(), before);
  QCOMPARE(m_document->text(), before);
  // It was asked about the caret.
  const std::vector<Json> asked = m_scripted->received("textDocument/codeAction");
  QCOMPARE(asked.size(), size_t{1});
  QCOMPARE(asked.front().at("params").at("range").at("start").at("line").get<int>(), openLine - 1);
  QCOMPARE(asked.front().at("params").at("range").at("start").at("character").get<int>(), 1);
}

void EditingTest::offersDoNotChangeLockedLines() {
  showOffers(
      R"([{"range": {"start": {"line": 7, "character": 0}, "end": {"line": 7, "character": 0}}, "newText": "x"},
    {"range": {"start": {"line": 4, "character": 2}, "end": {"line": 4, "character": 3}}, "newText": "y"}])");
  const std::string before = editor().source();
  m_around->actions.find(QStringLiteral("method-code-actions"))->trigger(); // as the palette does
  QAction* action = offered(QStringLiteral("Do && it"));
  QVERIFY(action);
  action->trigger();
  QTRY_VERIFY(!m_around->journal.entries().empty());
  QVERIFY2(lastRemark().contains(QLatin1String("locked lines")), qPrintable(lastRemark()));
  QCOMPARE(editor().source(), before);
  QVERIFY(!m_panel->isEdited());
}

void EditingTest::outdatedOffersAreRefused() {
  showOffers(
      R"([{"range": {"start": {"line": 7, "character": 0}, "end": {"line": 7, "character": 0}}, "newText": "x"}])",
      77);
  const std::string before = editor().source();
  m_around->actions.find(QStringLiteral("method-code-actions"))->trigger();
  QAction* action = offered(QStringLiteral("Do && it"));
  QVERIFY(action);
  action->trigger();
  QTRY_VERIFY(!m_around->journal.entries().empty());
  QVERIFY2(lastRemark().contains(QLatin1String("older text")), qPrintable(lastRemark()));
  QCOMPARE(editor().source(), before);
}

void EditingTest::withoutAServerItSaysSo() {
  m_around->actions.find(QStringLiteral("method-code-actions"))->trigger();
  QVERIFY(lastRemark().contains(QLatin1String("No server")));
  QVERIFY(!editor().findChild<QMenu*>(QStringLiteral("method-code-actions")));
}

void EditingTest::changesKeepLocks() {
  const std::string before = editor().source();
  const auto startOf = [&](int line) {
    return static_cast<size_t>(
        editor().SendScintilla(Sci::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line - 1)));
  };
  const QString next = lineOf(editor(), openLine + 1);
  // Between two locked lines nothing may come, not even a line of its own.
  QVERIFY(!editor().applyChanges({{startOf(5), startOf(5), "-- x\n"}}));
  QVERIFY(!editor().applyChanges({{startOf(5) - 1, startOf(5) - 1, "\n-- x"}}));
  QVERIFY(!editor().applyChanges({{startOf(5), startOf(6), ""}}));
  QVERIFY(!editor().applyChanges({{startOf(openLine), startOf(openLine + 1), "joined"}}));
  QCOMPARE(editor().source(), before);
  // The open line can go as a whole; the locked one after it stays locked, also once it is back.
  QVERIFY(editor().applyChanges({{startOf(openLine), startOf(openLine + 1), ""}}));
  QCOMPARE(lineOf(editor(), openLine), next);
  QVERIFY(marked(editor(), LockedMarker, openLine));
  // An empty line under the user's part is locked, but does not end it: theorems go before the method.
  editor().setSource("-- lemmas\n\nmethod\n", false);
  editor().setLocked({false, true, true});
  QVERIFY(editor().applyChanges({{startOf(3), startOf(3), "theorem t : True := trivial\n\n"}}));
  QCOMPARE(editor().source(), std::string("-- lemmas\n\ntheorem t : True := trivial\n\nmethod\n"));
  QVERIFY(!marked(editor(), LockedMarker, 3));
  QVERIFY(!marked(editor(), LockedMarker, 4));
  QVERIFY(marked(editor(), LockedMarker, 5));
}

void EditingTest::wordsAfterABackslashBecomeSymbols() {
  const QList<std::pair<QString, QString>> rows = {
      {QStringLiteral("forall"), QStringLiteral("∀")}, {QStringLiteral("exists"), QStringLiteral("∃")},
      {QStringLiteral("and"), QStringLiteral("∧")},    {QStringLiteral("or"), QStringLiteral("∨")},
      {QStringLiteral("not"), QStringLiteral("¬")},    {QStringLiteral("to"), QStringLiteral("→")},
      {QStringLiteral("le"), QStringLiteral("≤")},     {QStringLiteral("ge"), QStringLiteral("≥")},
      {QStringLiteral("ne"), QStringLiteral("≠")},     {QStringLiteral("times"), QStringLiteral("×")},
      {QStringLiteral("N"), QStringLiteral("ℕ")},      {QStringLiteral("Z"), QStringLiteral("ℤ")}};
  const QString line = lineOf(editor(), openLine);
  QString typed = line;
  editor().placeCaret(openLine, 999);
  for (const auto& [word, symbol] : rows) {
    QTest::keyClicks(&editor(), QLatin1Char('\\') + word);
    QTest::keyClick(&editor(), Qt::Key_Space);
    QTest::keyClicks(&editor(), QLatin1Char('\\') + word);
    QTest::keyClick(&editor(), Qt::Key_Tab);
    typed += symbol + QLatin1Char(' ') + symbol;
    QCOMPARE(lineOf(editor(), openLine), typed);
  }
  QCOMPARE(m_document->text(), editor().source());
  // Other words stay, and so does a tab's way out of the text.
  QTest::keyClicks(&editor(), QStringLiteral(" \\nosuch "));
  QCOMPARE(lineOf(editor(), openLine), typed + QStringLiteral(" \\nosuch "));
  // One undo brings back the word.
  QTest::keyClicks(&editor(), QStringLiteral("\\le"));
  QTest::keyClick(&editor(), Qt::Key_Tab);
  QVERIFY(lineOf(editor(), openLine).endsWith(QChar(0x2264)));
  QTest::keyClick(&editor(), Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(lineOf(editor(), openLine).endsWith(QLatin1String("\\le")));
}

void EditingTest::thePointerAsksTheServer() {
  lsp::Scripted scripted(R"({"auto": {"initialize": $INIT}, "steps": [{"wait": "textDocument/didOpen"},
    {"wait": "textDocument/hover"}, {"answer": "textDocument/hover", "result": {"contents": {"kind": "markdown",
      "value": "**x** : `Array Float32`"}}}]})");
  show(std::make_unique<lsp::ProofDocument>(scripted.takeClient(), nullptr));
  QTRY_COMPARE(m_document->plumbline().client->state(), lsp::LanguageClient::State::Running);
  const long place = editor().SendScintilla(Sci::SCI_POSITIONFROMLINE, 2UL) + 7;
  Q_EMIT editor().SCN_DWELLSTART(static_cast<int>(place), 60, 40);
  QTRY_COMPARE(QToolTip::text(), QStringLiteral("x : Array Float32"));
  const std::vector<Json> asked = scripted.received("textDocument/hover");
  QCOMPARE(asked.size(), size_t{1});
  QCOMPARE(asked.front().at("params").at("position").at("line").get<int>(), 2);
  QCOMPARE(asked.front().at("params").at("position").at("character").get<int>(), 7);
  Q_EMIT editor().SCN_DWELLEND(0, 0, 0);
  QTRY_VERIFY(!QToolTip::isVisible());
  editor().showHover(1, QStringLiteral("late")); // the pointer has gone on
  QVERIFY(!QToolTip::isVisible());
}

QTEST_MAIN(EditingTest)
#include "editing_test.moc"

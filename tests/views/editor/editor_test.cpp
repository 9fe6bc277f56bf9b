// The CUDA and the method panel: text, styles, caret, marks, highlights, search.
#include "tests/views/support/fake_bench.h"
#include "tests/views/support/sample_snapshot.h"
#include "views/editor/code_editor.h"
#include "views/editor/cuda_panel.h"
#include "views/editor/editor_look.h"
#include "views/editor/method_panel.h"
#include "views/editor/source_marks.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace plumbline;
using namespace plumbline::views;
using namespace plumbline::workbench;
using Style = KSyntaxHighlighting::Theme::TextStyle;
using Sci = QsciScintillaBase;

namespace {

SnapshotPtr share(Snapshot snapshot) {
  return std::make_shared<const Snapshot>(std::move(snapshot));
}

long positionOf(const CodeEditor& editor, int line, int column) {
  return editor.SendScintilla(Sci::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line - 1)) + column - 1;
}

int styleAt(const CodeEditor& editor, int line, int column) {
  return static_cast<int>(editor.SendScintilla(Sci::SCI_GETSTYLEAT,
                                               static_cast<unsigned long>(positionOf(editor, line, column))));
}

bool indicated(const CodeEditor& editor, int indicator, int line, int column) {
  return editor.SendScintilla(Sci::SCI_INDICATORVALUEAT, static_cast<unsigned long>(indicator),
                              positionOf(editor, line, column)) != 0;
}

QString annotationAt(const CodeEditor& editor, int line) {
  const auto row = static_cast<unsigned long>(line - 1);
  QByteArray bytes(editor.SendScintilla(Sci::SCI_ANNOTATIONGETTEXT, row, static_cast<void*>(nullptr)), 0);
  editor.SendScintilla(Sci::SCI_ANNOTATIONGETTEXT, row, static_cast<void*>(bytes.data()));
  return QString::fromUtf8(bytes);
}

bool marked(const CodeEditor& editor, int marker, int line) {
  return (editor.SendScintilla(Sci::SCI_MARKERGET, static_cast<unsigned long>(line - 1)) >> marker & 1) != 0;
}

} // namespace

class EditorTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void init();
  void cleanup();
  void emptyPanelSaysWhatToDo();
  void wordsAreStyledBehindOtherAlphabets();
  void caretEmitsARange();
  void highlightsAreNotEchoed();
  void marksStandAtTheirLines();
  void aSentenceSaidTwiceAboutALineStandsOnce();
  void marksWithoutALineAreNotices();
  void textOfAnOlderFileSaysSo();
  void hiddenPanelCatchesUp();
  void methodShadesGeneratedLines();
  void methodSaysWhyThereIsNone();
  void searchGoesAround();
  void foldsFunctions();
  void tabMovesOn();

private:
  std::unique_ptr<test::Surroundings> m_around;
  std::unique_ptr<CudaPanel> m_cuda;
  std::unique_ptr<MethodPanel> m_method;
};

void EditorTest::init() {
  m_around = std::make_unique<test::Surroundings>();
  m_cuda = std::make_unique<CudaPanel>(m_around->context());
  m_method = std::make_unique<MethodPanel>(m_around->context());
  for (QWidget* panel : {static_cast<QWidget*>(m_cuda.get()), static_cast<QWidget*>(m_method.get())}) {
    panel->resize(700, 400);
    panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(panel));
  }
}

void EditorTest::cleanup() {
  m_cuda.reset();
  m_method.reset();
  QVERIFY2(m_around->actions.entries().empty(), "actions leave the list with their panels");
  m_around.reset();
}

void EditorTest::emptyPanelSaysWhatToDo() {
  QVERIFY(!m_cuda->editor().isVisible());
  QVERIFY(m_cuda->emptyText().contains(QLatin1String("Ctrl+O")));
  QVERIFY(!m_method->editor().isVisible());
}

void EditorTest::wordsAreStyledBehindOtherAlphabets() {
  m_cuda->setSnapshot(share(test::reluSnapshot()));
  CodeEditor& editor = m_cuda->editor();
  editor.SendScintilla(Sci::SCI_COLOURISE, 0UL, -1L);
  QCOMPARE(editor.text(), QString::fromStdString(test::reluSnapshot().cuda.text));
  QCOMPARE(styleAt(editor, 1, 32), int{Style::Comment}); // behind the two bytes of an umlaut
  QCOMPARE(styleAt(editor, 2, 1), int{Style::Attribute});
  QCOMPARE(styleAt(editor, 3, 9), int{Style::DataType});
  QCOMPARE(styleAt(editor, 4, 3), int{Style::ControlFlow});
  m_method->setSnapshot(share(test::reluSnapshot()));
  m_method->editor().SendScintilla(Sci::SCI_COLOURISE, 0UL, -1L);
  // "  ensures value: (∀ k : Nat": the quantifier has three bytes, Nat comes after it.
  QCOMPARE(styleAt(m_method->editor(), 5, 3), int{Style::Keyword});
  QCOMPARE(styleAt(m_method->editor(), 5, 27), int{Style::DataType});
  QCOMPARE(styleAt(m_method->editor(), 5, 29), int{Style::DataType});
}

void EditorTest::caretEmitsARange() {
  m_cuda->setSnapshot(share(test::reluSnapshot()));
  QList<Anchor> anchors;
  connect(m_cuda.get(), &Panel::selected, this, [&](const Anchor& anchor) { anchors << anchor; });
  CodeEditor& editor = m_cuda->editor();
  editor.setFocus();
  QTest::keyClick(&editor, Qt::Key_Down);
  QTest::keyClick(&editor, Qt::Key_Right);
  QCOMPARE(anchors.size(), 2);
  QVERIFY(anchors.back().kind == Anchor::Kind::Cuda);
  QVERIFY((anchors.back().range == SourceRange{"relu/kernel.cu", 2, 2, 2, 2}));
  QTest::keyClick(&editor, Qt::Key_Right, Qt::ShiftModifier);
  QVERIFY((anchors.back().range == SourceRange{"relu/kernel.cu", 2, 2, 2, 3}));
}

void EditorTest::highlightsAreNotEchoed() {
  const Snapshot snapshot = test::reluSnapshot();
  m_cuda->setSnapshot(share(snapshot));
  QSignalSpy selected(m_cuda.get(), &Panel::selected);
  Anchor anchor;
  anchor.kind = Anchor::Kind::Node;
  anchor.index = 1;
  m_cuda->setHighlight(counterparts(snapshot, anchor), anchor);
  QVERIFY(indicated(m_cuda->editor(), LinkedIndicator, 6, 12));
  QVERIFY(indicated(m_cuda->editor(), LinkedIndicator, 6, 30));
  QVERIFY(!indicated(m_cuda->editor(), LinkedIndicator, 6, 31));
  QVERIFY(!indicated(m_cuda->editor(), LinkedIndicator, 5, 21));
  QCOMPARE(selected.count(), 0);
  m_cuda->setHighlight({}, {});
  QVERIFY(!indicated(m_cuda->editor(), LinkedIndicator, 6, 12));
}

void EditorTest::marksStandAtTheirLines() {
  m_cuda->setSnapshot(share(test::rejectedSnapshot()));
  const CodeEditor& editor = m_cuda->editor();
  QVERIFY(indicated(editor, ErrorIndicator, 5, 5));
  QVERIFY(!indicated(editor, ErrorIndicator, 5, 4));
  QVERIFY(marked(editor, ErrorMarker, 5));
  QVERIFY(!marked(editor, ErrorMarker, 4));
  QCOMPARE(annotationAt(editor, 5), QStringLiteral("error: inline assembly has no translation (inline-asm)"));
  m_cuda->setSnapshot(share(test::reluSnapshot()));
  QVERIFY(!indicated(editor, ErrorIndicator, 5, 5));
  QVERIFY(annotationAt(editor, 5).isEmpty());
}

void EditorTest::aSentenceSaidTwiceAboutALineStandsOnce() {
  const Mark mark{MarkKind::Note, "bounds", "an index", {"kernel.cu", 5, 5, 5, 8}};
  CodeEditor& editor = m_cuda->editor();
  m_cuda->setSnapshot(share(test::reluSnapshot()));
  Mark other = mark;
  other.message = "a size";
  showMarks(editor, {mark, other, mark, mark});
  QCOMPARE(annotationAt(editor, 5),
           QStringLiteral("note: an index (bounds) (3 times)\nnote: a size (bounds)"));
}

void EditorTest::marksWithoutALineAreNotices() {
  m_cuda->setSnapshot(share(test::rejectedSnapshot()));
  QStringList shown;
  for (const QLabel* label : m_cuda->findChildren<QLabel*>())
    if (label->isVisible())
      shown << label->text();
  QVERIFY2(shown.contains(QStringLiteral("note: no launch was found (no-launch)")),
           qPrintable(shown.join(u'|')));
}

void EditorTest::textOfAnOlderFileSaysSo() {
  m_cuda->setSnapshot(share(test::reluSnapshot()));
  const auto headings = [this] {
    QString all;
    for (const QLabel* label : m_cuda->findChildren<QLabel*>())
      if (label->isVisible())
        all += label->text();
    return all;
  };
  QVERIFY(!headings().contains(QLatin1String("changed on disk")));
  m_cuda->setStale(true);
  QVERIFY(headings().contains(QLatin1String("changed on disk")));
  m_cuda->setStale(false);
  QVERIFY(!headings().contains(QLatin1String("changed on disk")));
}

void EditorTest::hiddenPanelCatchesUp() {
  m_cuda->hide();
  m_cuda->setSnapshot(share(test::reluSnapshot()));
  QVERIFY(m_cuda->editor().text().isEmpty());
  m_cuda->show();
  QVERIFY(m_cuda->editor().text().contains(QLatin1String("relu_kernel")));
}

void EditorTest::methodShadesGeneratedLines() {
  const Snapshot snapshot = test::reluSnapshot();
  m_method->setSnapshot(share(snapshot));
  QVERIFY(marked(m_method->editor(), LockedMarker, 5));
  QVERIFY(!marked(m_method->editor(), LockedMarker, 8));
  QList<Anchor> anchors;
  connect(m_method.get(), &Panel::selected, this, [&](const Anchor& anchor) { anchors << anchor; });
  m_method->editor().setFocus();
  QTest::keyClick(&m_method->editor(), Qt::Key_Down);
  QCOMPARE(anchors.size(), 1);
  QVERIFY(anchors[0].kind == Anchor::Kind::MethodLine);
  QCOMPARE(anchors[0].index, 2);
  Anchor node;
  node.kind = Anchor::Kind::Node;
  node.index = 1;
  m_method->setHighlight(counterparts(snapshot, node), node);
  QVERIFY(marked(m_method->editor(), LinkedMarker, 5));
  QVERIFY(!marked(m_method->editor(), LinkedMarker, 4));
}

void EditorTest::methodSaysWhyThereIsNone() {
  m_method->setSnapshot(share(test::rejectedSnapshot()));
  QStringList shown;
  for (const QLabel* label : m_method->findChildren<QLabel*>())
    if (label->isVisible())
      shown << label->text();
  QVERIFY(shown.contains(QStringLiteral("There is no method: the kernel was rejected.")));
}

void EditorTest::searchGoesAround() {
  m_cuda->setSnapshot(share(test::reluSnapshot()));
  m_cuda->editor().setFocus();
  m_around->actions.find(QStringLiteral("cuda-find"))->trigger();
  auto* line = m_cuda->findChild<QLineEdit*>();
  QVERIFY(line != nullptr && line->isVisible());
  QTest::keyClicks(line, QStringLiteral("float v"));
  QVERIFY((m_cuda->editor().caret() == SourceRange{"", 5, 11, 5, 18}));
  line->setText(QString());
  QTest::keyClicks(line, QStringLiteral("x["));
  QCOMPARE(m_cuda->editor().caret().line, 5);
  QTest::keyClick(line, Qt::Key_Return); // the only one: around the end to itself
  QVERIFY((m_cuda->editor().caret() == SourceRange{"", 5, 21, 5, 23}));
  QVERIFY(indicated(m_cuda->editor(), MatchIndicator, 5, 21));
  QTest::keyClick(line, Qt::Key_Escape);
  QVERIFY(!line->isVisible());
  QVERIFY(!indicated(m_cuda->editor(), MatchIndicator, 5, 21));
}

void EditorTest::foldsFunctions() {
  m_cuda->setSnapshot(share(test::reluSnapshot()));
  CodeEditor& editor = m_cuda->editor();
  editor.SendScintilla(Sci::SCI_COLOURISE, 0UL, -1L);
  editor.SendScintilla(Sci::SCI_FOLDLINE, 1UL, long{Sci::SC_FOLDACTION_CONTRACT});
  QCOMPARE(editor.SendScintilla(Sci::SCI_GETLINEVISIBLE, 5UL), 0L);
  QCOMPARE(editor.SendScintilla(Sci::SCI_GETLINEVISIBLE, 1UL), 1L);
  editor.reveal(6);
  QCOMPARE(editor.SendScintilla(Sci::SCI_GETLINEVISIBLE, 5UL), 1L);
}

void EditorTest::tabMovesOn() {
  m_cuda->setSnapshot(share(test::reluSnapshot()));
  const QString before = m_cuda->editor().text();
  m_cuda->editor().setFocus();
  QTest::keyClick(&m_cuda->editor(), Qt::Key_Tab);
  QTest::keyClicks(&m_cuda->editor(), QStringLiteral("abc"));
  QCOMPARE(m_cuda->editor().text(), before);
}

QTEST_MAIN(EditorTest)
#include "editor_test.moc"

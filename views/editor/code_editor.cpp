#include "views/editor/code_editor.h"

#include "views/editor/editor_look.h"
#include "views/editor/source_marks.h"
#include "views/editor/syntax_lexer.h"
#include "views/style/style.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QToolTip>

#include <algorithm>

namespace plumbline::views {

CodeEditor::CodeEditor(Language language, QWidget* parent)
    : QsciScintilla(parent), m_lexer(new SyntaxLexer(this)) {
  setUpEditor(*this);
  m_lexer->setLanguage(language);
  m_lexer->applyLook(fixedFont());
  setLexer(m_lexer);
  applyLook();
  connect(this, &QsciScintilla::cursorPositionChanged, this, &CodeEditor::onCaret);
  connect(this, &QsciScintilla::selectionChanged, this, &CodeEditor::onCaret);
  connect(this, &QsciScintilla::textChanged, this, [this] {
    if (m_quiet)
      return;
    followLocks();
    updateNumberWidth();
    Q_EMIT edited();
  });
  connect(this, &QsciScintillaBase::SCN_DWELLSTART, this, &CodeEditor::onDwell);
  connect(this, &QsciScintillaBase::SCN_DWELLEND, this, [this](int, int, int) {
    m_dwell.rests = false;
    QToolTip::hideText();
  });
}

void CodeEditor::setSource(const std::string& utf8, bool keepPlace) {
  const QScopedValueRollback quiet(m_quiet, true);
  const SourceRange place = caret();
  const int top = firstVisibleLine();
  m_lexer->forgetLines();
  setReadOnly(false);
  SendScintilla(SCI_CLEARALL);
  SendScintilla(SCI_ADDTEXT, static_cast<unsigned long>(utf8.size()), utf8.data());
  SendScintilla(SCI_EMPTYUNDOBUFFER);
  setReadOnly(true);
  m_marks.clear();
  markerDeleteAll();
  SendScintilla(SCI_ANNOTATIONCLEARALL);
  SendScintilla(SCI_SETSCROLLWIDTH, 1L);
  updateNumberWidth();
  placeCaret(keepPlace ? place.line : 1, keepPlace ? place.column : 1);
  setFirstVisibleLine(keepPlace ? top : 0);
  followLocks();
}

void CodeEditor::setLinked(const std::vector<SourceRange>& ranges, const std::set<int>& lines) {
  showLinked(*this, ranges, lines);
}

void CodeEditor::setMarks(const std::vector<workbench::Mark>& marks) {
  m_marks = marks;
  showMarks(*this, m_marks);
}

void CodeEditor::setLocked(const std::vector<bool>& locked) {
  showLocked(*this, locked);
  followLocks();
}

void CodeEditor::setProgress(const std::vector<LineProgress>& progress) {
  showProgress(*this, progress);
}

void CodeEditor::applyLook() {
  m_lexer->applyLook(fixedFont());
  applyEditorLook(*this);
  updateNumberWidth();
  showMarks(*this, m_marks);
}

void CodeEditor::updateNumberWidth() {
  const auto digits = QString::number(std::max(lines(), 10)).size();
  const QFontMetrics metrics(fixedFont());
  setMarginWidth(NumberColumn, metrics.horizontalAdvance(QLatin1Char('9')) * static_cast<int>(digits + 1));
}

void CodeEditor::reveal(int line) {
  if (line < 1)
    return;
  const auto row = static_cast<unsigned long>(line - 1);
  SendScintilla(SCI_ENSUREVISIBLE, row);
  const auto shown = static_cast<int>(SendScintilla(SCI_VISIBLEFROMDOCLINE, row));
  const int top = firstVisibleLine();
  const auto height = static_cast<int>(SendScintilla(SCI_LINESONSCREEN));
  if (shown < top + 1 || shown > top + height - 2)
    setFirstVisibleLine(std::max(0, shown - height / 3));
}

void CodeEditor::placeCaret(int line, int column) {
  const QScopedValueRollback quiet(m_quiet, true);
  const auto row = static_cast<unsigned long>(std::clamp(line - 1, 0, std::max(lines() - 1, 0)));
  const long start = SendScintilla(SCI_POSITIONFROMLINE, row);
  const long end = SendScintilla(SCI_GETLINEENDPOSITION, row);
  const long position = std::clamp<long>(start + column - 1, start, std::max(start, end));
  SendScintilla(SCI_SETSEL, static_cast<unsigned long>(position), position);
  m_reported = caret();
}

SourceRange CodeEditor::caret() const {
  const long from = SendScintilla(SCI_GETSELECTIONSTART);
  const long to = SendScintilla(SCI_GETSELECTIONEND);
  const auto place = [this](long position) {
    const long row = SendScintilla(SCI_LINEFROMPOSITION, position);
    const long start = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(row));
    return std::pair<int, int>(static_cast<int>(row) + 1, static_cast<int>(position - start) + 1);
  };
  const auto [line, column] = place(from);
  const auto [endLine, endColumn] = place(to);
  return {"", line, column, endLine, endColumn};
}

void CodeEditor::onCaret() {
  followLocks();
  if (m_quiet)
    return;
  const SourceRange now = caret();
  if (now == m_reported)
    return;
  m_reported = now;
  Q_EMIT caretMoved(now);
}

void CodeEditor::onDwell(int position, int x, int y) {
  if (position < 0)
    return;
  const int line = static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, position)) + 1;
  m_dwell.sentences.clear();
  for (const workbench::Mark& mark : m_marks)
    if (mark.where.line <= line && line <= std::max(mark.where.line, mark.where.endLine))
      m_dwell.sentences << markText(mark);
  m_dwell.place = viewport()->mapToGlobal(QPoint(x, y));
  m_dwell.rests = true;
  ++m_dwell.number;
  showDwell({});
  Q_EMIT dwelled(m_dwell.number, position);
}

void CodeEditor::showHover(int number, const QString& text) {
  if (number == m_dwell.number && m_dwell.rests)
    showDwell(text);
}

void CodeEditor::showDwell(const QString& more) {
  QStringList sentences = m_dwell.sentences;
  if (!more.isEmpty())
    sentences << more;
  if (!sentences.isEmpty())
    QToolTip::showText(m_dwell.place, sentences.join(QLatin1Char('\n')), viewport());
}

bool CodeEditor::find(const QString& text, bool caseSensitive, bool forward, bool fromHere) {
  const QByteArray pattern = text.toUtf8();
  if (pattern.isEmpty())
    return false;
  const long length = SendScintilla(SCI_GETLENGTH);
  const long from = SendScintilla(SCI_GETSELECTIONSTART);
  const long to = fromHere ? from : SendScintilla(SCI_GETSELECTIONEND);
  SendScintilla(SCI_SETSEARCHFLAGS, caseSensitive ? long{SCFIND_MATCHCASE} : 0L);
  const auto search = [&](long start, long end) {
    SendScintilla(SCI_SETTARGETSTART, start);
    SendScintilla(SCI_SETTARGETEND, end);
    return SendScintilla(SCI_SEARCHINTARGET, static_cast<unsigned long>(pattern.size()), pattern.constData());
  };
  long found = forward ? search(to, length) : search(from, 0);
  if (found < 0)
    found = forward ? search(0, length) : search(length, 0);
  if (found < 0)
    return false;
  const long start = SendScintilla(SCI_GETTARGETSTART);
  const long end = SendScintilla(SCI_GETTARGETEND);
  SendScintilla(SCI_SETSEL, static_cast<unsigned long>(start), end);
  reveal(static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, start)) + 1);
  return true;
}

void CodeEditor::keyPressEvent(QKeyEvent* event) {
  if (m_editable && editByKey(event))
    return;
  // Tab moves on to the next widget, also where the text can be edited: the keyboard must get out again.
  if (event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab) {
    focusNextPrevChild(event->key() == Qt::Key_Tab);
    return;
  }
  QsciScintilla::keyPressEvent(event);
}

void CodeEditor::resizeEvent(QResizeEvent* event) {
  QsciScintilla::resizeEvent(event);
  if (!m_marks.empty())
    showMarks(*this, m_marks);
}

void CodeEditor::contextMenuEvent(QContextMenuEvent* event) {
  // In a text that can be edited the menu is about the place that was clicked.
  if (m_editable && event->reason() == QContextMenuEvent::Mouse && !hasSelectedText())
    SendScintilla(SCI_GOTOPOS,
                  static_cast<unsigned long>(SendScintilla(
                      SCI_POSITIONFROMPOINT, static_cast<unsigned long>(event->x()), event->y())));
  QMenu menu(this);
  QAction* copyText = menu.addAction(tr("&Copy"));
  copyText->setEnabled(hasSelectedText());
  connect(copyText, &QAction::triggered, this, &QsciScintilla::copy);
  connect(menu.addAction(tr("Select &All")), &QAction::triggered, this, [this] { selectAll(); });
  connect(menu.addAction(tr("&Unfold All")), &QAction::triggered, this,
          [this] { SendScintilla(SCI_FOLDALL, long{SC_FOLDACTION_EXPAND}); });
  if (!actions().isEmpty())
    menu.addSeparator();
  menu.addActions(actions());
  menu.exec(event->globalPos());
}

} // namespace plumbline::views

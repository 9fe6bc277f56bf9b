// Editing in a CodeEditor: which lines may change, and the keys that change them.
#include "views/editor/code_editor.h"

#include "views/editor/abbreviations.h"
#include "views/editor/editor_look.h"
#include "views/editor/source_marks.h"

#include <QKeyEvent>
#include <QScopedValueRollback>

#include <algorithm>
#include <array>

namespace plumbline::views {

namespace {

struct EditKey {
  QKeySequence::StandardKey key;
  unsigned int command;
};
constexpr std::array editKeys = {EditKey{QKeySequence::Undo, QsciScintillaBase::SCI_UNDO},
                                 EditKey{QKeySequence::Redo, QsciScintillaBase::SCI_REDO},
                                 EditKey{QKeySequence::Cut, QsciScintillaBase::SCI_CUT},
                                 EditKey{QKeySequence::Paste, QsciScintillaBase::SCI_PASTE}};

/// The command of a key that every editor has, or 0.
unsigned int commandOf(QKeyEvent* event) {
  for (const EditKey& row : editKeys)
    if (event->matches(row.key))
      return row.command;
  return 0;
}

} // namespace

void CodeEditor::setEditable(bool editable) {
  m_editable = editable;
  setEolMode(EolUnix);
  setAcceptDrops(!editable); // a drop would not ask whether its line is locked
  viewport()->setAcceptDrops(!editable);
  followLocks();
}

std::string CodeEditor::source() const {
  const long length = SendScintilla(SCI_GETLENGTH);
  std::string text(static_cast<size_t>(length) + 1, '\0');
  SendScintilla(SCI_GETTEXT, static_cast<unsigned long>(length) + 1, static_cast<void*>(text.data()));
  text.resize(static_cast<size_t>(length));
  return text;
}

bool CodeEditor::isLocked(long line) const {
  return (SendScintilla(SCI_MARKERGET, static_cast<unsigned long>(line)) >> LockedMarker & 1) != 0;
}

bool CodeEditor::mayEdit(int before, int after) const {
  if (!m_editable)
    return false;
  const long length = SendScintilla(SCI_GETLENGTH);
  const long from = std::max(0L, SendScintilla(SCI_GETSELECTIONSTART) - before);
  const long to = std::min(length, SendScintilla(SCI_GETSELECTIONEND) + after);
  const long last = SendScintilla(SCI_LINEFROMPOSITION, to);
  for (long line = SendScintilla(SCI_LINEFROMPOSITION, from); line <= last; ++line)
    if (isLocked(line))
      return false;
  return true;
}

/// Whether the user's part reaches down to this line, but for lines without text.
bool CodeEditor::isOpenAbove(long line) const {
  while (--line >= 0) {
    if (!isLocked(line))
      return true;
    if (!text(static_cast<int>(line)).trimmed().isEmpty())
      return false;
  }
  return false;
}

/// Whole lines may go or come next to locked ones, as long as at least one neighbour is the user's: between
/// two locked lines there is no place of theirs.
bool CodeEditor::mayChange(const TextChange& change) const {
  const long length = SendScintilla(SCI_GETLENGTH);
  const auto begin = static_cast<long>(change.begin);
  const auto end = static_cast<long>(change.end);
  if (!m_editable || begin > end || end > length)
    return false;
  const long first = SendScintilla(SCI_LINEFROMPOSITION, begin);
  long last = SendScintilla(SCI_LINEFROMPOSITION, end);
  const auto startOf = [this](long line) {
    return SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
  };
  const bool isInsertion = begin == end;
  if (isInsertion && begin == startOf(first) && change.text.ends_with('\n'))
    return !isLocked(first) || isOpenAbove(first);
  if (isInsertion && change.text.starts_with('\n') &&
      begin == SendScintilla(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(first)))
    return !isLocked(first) || (first + 1 < lines() && !isLocked(first + 1));
  const bool wholeLines = !isInsertion && begin == startOf(first) && end == startOf(last) &&
                          (change.text.empty() || change.text.ends_with('\n'));
  if (wholeLines)
    --last;
  for (long line = first; line <= last; ++line)
    if (isLocked(line))
      return false;
  return true;
}

bool CodeEditor::applyChanges(std::vector<TextChange> changes) {
  const bool allowed =
      std::ranges::all_of(changes, [this](const TextChange& change) { return mayChange(change); });
  if (!allowed)
    return false;
  if (changes.empty())
    return true;
  std::ranges::stable_sort(changes, {}, &TextChange::begin);
  {
    const QScopedValueRollback quiet(m_quiet, true);
    setReadOnly(false);
    SendScintilla(SCI_BEGINUNDOACTION);
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
      SendScintilla(SCI_SETTARGETRANGE, static_cast<unsigned long>(change->begin),
                    static_cast<long>(change->end));
      SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(change->text.size()), change->text.data());
    }
    SendScintilla(SCI_ENDUNDOACTION);
    const auto after = static_cast<unsigned long>(changes.front().begin + changes.front().text.size());
    SendScintilla(SCI_SETSEL, after, static_cast<long>(after));
    updateNumberWidth();
    reveal(static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, after)) + 1);
  }
  followLocks();
  Q_EMIT edited();
  onCaret();
  return true;
}

std::pair<size_t, size_t> CodeEditor::selectedBytes() const {
  return {static_cast<size_t>(SendScintilla(SCI_GETSELECTIONSTART)),
          static_cast<size_t>(SendScintilla(SCI_GETSELECTIONEND))};
}

QPoint CodeEditor::caretPoint() const {
  const long caret = SendScintilla(SCI_GETCURRENTPOS);
  const auto x = static_cast<int>(SendScintilla(SCI_POINTXFROMPOSITION, 0UL, caret));
  const auto y = static_cast<int>(SendScintilla(SCI_POINTYFROMPOSITION, 0UL, caret));
  const auto height = static_cast<int>(SendScintilla(SCI_TEXTHEIGHT, 0UL));
  return viewport()->mapToGlobal(QPoint(x, y + height));
}

/// A word with its backslash before the caret becomes its symbol; undo brings the word back.
bool CodeEditor::expandAbbreviation() {
  if (hasSelectedText())
    return false;
  const size_t caretAt = selectedBytes().first;
  const std::string text = source().substr(0, caretAt);
  const size_t slash = text.find_last_of("\\\n ");
  if (slash == std::string::npos || text[slash] != '\\')
    return false;
  const std::string_view symbol = symbolFor(std::string_view(text).substr(slash + 1));
  return !symbol.empty() && applyChanges({{slash, caretAt, std::string(symbol)}});
}

/// Typing is refused by the editor itself as long as the caret or the selection is in a locked line.
void CodeEditor::followLocks() {
  setReadOnly(!mayEdit());
}

void CodeEditor::change(unsigned int command) {
  setReadOnly(false);
  SendScintilla(command);
  followLocks();
}

bool CodeEditor::event(QEvent* event) {
  // The window has Undo too; in a text that can be edited the keys belong to the text.
  if (event->type() == QEvent::ShortcutOverride && m_editable &&
      commandOf(static_cast<QKeyEvent*>(event)) !=
          0) { // NOLINT(cppcoreguidelines-pro-type-static-cast-downcast)
    event->accept();
    return true;
  }
  return QsciScintilla::event(event);
}

bool CodeEditor::editByKey(QKeyEvent* event) {
  if (const unsigned int command = commandOf(event); command != 0) {
    const bool history = command == SCI_UNDO || command == SCI_REDO;
    if (history || mayEdit())
      change(command);
    return true;
  }
  const bool selected = hasSelectedText();
  switch (event->key()) {
  case Qt::Key_Tab: return event->modifiers() == Qt::NoModifier && expandAbbreviation();
  case Qt::Key_Space: expandAbbreviation(); return false; // and the space follows
  case Qt::Key_Backspace:
    if (mayEdit(selected ? 0 : 1, 0))
      change(SCI_DELETEBACK);
    return true;
  case Qt::Key_Delete:
    if (mayEdit(0, selected ? 0 : 1))
      change(SCI_CLEAR);
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (mayEdit())
      change(SCI_NEWLINE);
    return true;
  default: return false;
  }
}

} // namespace plumbline::views

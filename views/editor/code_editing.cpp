// Editing in a CodeEditor: which lines may change, and the keys that change them.
#include "views/editor/code_editor.h"
#include "views/editor/editor_look.h"
#include "views/editor/source_marks.h"

#include <QKeyEvent>

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

// A view of a source text: numbers, folding, highlighting, marks, and a caret that selects. Read-only unless
// made editable; even then locked lines stay as they are.
#pragma once

#include "core/workbench/snapshot.h"
#include "views/editor/syntax.h"

#include <Qsci/qsciscintilla.h>

#include <set>

namespace plumbline::views {

class SyntaxLexer;

/// Lines `first` to `last` that are being worked on, or at which the work has failed.
struct LineProgress {
  int first = 1;
  int last = 1;
  bool failed = false;
};

/// Bytes of the text that are replaced.
struct TextChange {
  size_t begin = 0;
  size_t end = 0;
  std::string text;
};

/// GUI thread only. Columns of ranges count bytes of UTF-8 from 1, as Clang's do.
class CodeEditor : public QsciScintilla {
  Q_OBJECT
public:
  explicit CodeEditor(Language language, QWidget* parent = nullptr);

  /// Replaces the text and forgets all marks. The caret stays at its line and column when `keepPlace`.
  void setSource(const std::string& utf8, bool keepPlace);
  void setLinked(const std::vector<SourceRange>& ranges, const std::set<int>& lines);
  void setMarks(const std::vector<workbench::Mark>& marks);
  void setLocked(const std::vector<bool>& locked);
  /// Lets the user edit the lines that are not locked; each change comes as `edited`.
  void setEditable(bool editable);
  /// The text as it stands, in UTF-8.
  std::string source() const;
  /// Makes changes that all refer to the present text, as one step of undo, and goes there. False when one of
  /// them would change a locked line: then nothing changes.
  bool applyChanges(std::vector<TextChange> changes);
  /// First and last byte of the selection; both are the caret's when nothing is selected.
  std::pair<size_t, size_t> selectedBytes() const;
  /// Below the caret, on the screen.
  QPoint caretPoint() const;
  /// More about the word that `dwelled` has told of, unless the pointer has left it.
  void showHover(int number, const QString& text);
  /// Lines, counted from 1, that a server is at or has failed in.
  void setProgress(const std::vector<LineProgress>& progress);
  /// Font and colours of the application have changed.
  void applyLook();

  /// Scrolls so that the line, counted from 1, is comfortably visible, and unfolds it.
  void reveal(int line);
  /// Puts the caret there without `caretMoved`.
  void placeCaret(int line, int column);
  /// The caret as an empty range, or what is selected; `file` is left empty.
  SourceRange caret() const;

  /// Selects the next or previous occurrence, around the ends; false: there is none.
  bool find(const QString& text, bool caseSensitive, bool forward, bool fromHere);

Q_SIGNALS:
  /// The user moved the caret or selected text.
  void caretMoved(const plumbline::SourceRange& place);
  /// The user changed the text.
  void edited();
  /// The pointer rests on the byte; each rest has its own number.
  void dwelled(int number, long position);

protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

private:
  bool isLocked(long line) const;
  /// Whether the selection, grown by `before` and `after` characters, touches unlocked lines only.
  bool mayEdit(int before = 0, int after = 0) const;
  bool isOpenAbove(long line) const;
  bool mayChange(const TextChange& change) const;
  bool editByKey(QKeyEvent* event);
  bool expandAbbreviation();
  void change(unsigned int command);
  void followLocks();
  void onCaret();
  void onDwell(int position, int x, int y);
  void showDwell(const QString& more);
  void updateNumberWidth();

  SyntaxLexer* m_lexer;
  std::vector<workbench::Mark> m_marks;
  SourceRange m_reported;
  struct {
    int number = 0;
    bool rests = false;
    QPoint place;
    QStringList sentences; ///< of marks there
  } m_dwell;
  bool m_editable = false;
  bool m_quiet = false; ///< caret moves are the program's own
};

} // namespace plumbline::views

// A read-only view of a source text: numbers, folding, highlighting, marks, and a caret that selects.
#pragma once

#include "core/workbench/snapshot.h"
#include "views/editor/syntax.h"

#include <Qsci/qsciscintilla.h>

#include <set>

namespace plumbline::views {

class SyntaxLexer;

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

protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

private:
  void onCaret();
  void onDwell(int position, int x, int y);
  void updateNumberWidth();

  SyntaxLexer* m_lexer;
  std::vector<workbench::Mark> m_marks;
  SourceRange m_reported;
  bool m_quiet = false; ///< caret moves are the program's own
};

} // namespace plumbline::views

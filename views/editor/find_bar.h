// Search in a source text.
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace plumbline::views {

class CodeEditor;

/// A line under the editor, hidden until asked for. Enter and Shift+Enter go on and back, Escape closes.
class FindBar : public QWidget {
  Q_OBJECT
public:
  explicit FindBar(CodeEditor& editor, QWidget* parent = nullptr);

  /// Shows the bar with the selected text, ready to type.
  void open();
  void findNext(bool forward);
  void shut();
  /// The text was replaced: counts again.
  void refresh();

protected:
  void keyPressEvent(QKeyEvent* event) override;

private:
  void search(bool forward, bool fromHere);

  CodeEditor& m_editor;
  QLineEdit* m_text;
  QCheckBox* m_caseSensitive;
  QLabel* m_count;
};

} // namespace plumbline::views

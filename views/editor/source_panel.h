// What the CUDA and the method panel have in common: a heading, notices without a line, the text, search.
#pragma once

#include "views/editor/syntax.h"
#include "views/shell/panel.h"

class QLabel;

namespace plumbline::views {

class CodeEditor;
class EmptyState;
class FindBar;

/// GUI thread only. Subclasses say what text is shown and what a caret in it selects.
class SourcePanel : public Panel {
  Q_OBJECT
public:
  CodeEditor& editor() { return *m_editor; }
  const CodeEditor& editor() const { return *m_editor; }

protected:
  /// What a subclass shows of a snapshot.
  struct Content {
    std::string text;
    QString heading;     ///< file and remarks, above the text
    QStringList notices; ///< sentences that belong to no line
    QString reason;      ///< why there is no text
  };

  /// `id` starts the ids of the panel's actions, `category` is their heading.
  SourcePanel(const PanelContext& context, Language language, const QString& id, const QString& category,
              QWidget* parent);

  virtual Content content() const = 0;
  virtual workbench::Anchor anchorAt(const SourceRange& place) const = 0;
  /// The text is in the editor; the subclass adds marks.
  virtual void decorate() {}

  void onSnapshot() override;
  void onStatus() override;
  void onAppearance() override;

private:
  void addActions(const QString& id, const QString& category);
  void updateHeading();
  void updateHint();

  QLabel* m_heading;
  QLabel* m_notices;
  CodeEditor* m_editor;
  FindBar* m_find;
  EmptyState* m_pages;
  std::string m_shown;
  QString m_headingText;
  QString m_reason; ///< why the snapshot has no text
};

} // namespace plumbline::views

// Panel Goals: every obligation of the check with who vouches for it.
#pragma once

#include "views/shell/panel.h"

#include <map>

class QAction;
class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QTreeView;

namespace plumbline::lsp {
class ProofDocument;
}

namespace plumbline::views {

class EmptyState;
class EvidenceModel;
class LiveGoals;
class GoalsModel;
class RowFilter;

/// List by obligation with a filter; below, statement and evidence of the selected goal.
class GoalsPanel : public Panel {
  Q_OBJECT
public:
  explicit GoalsPanel(const PanelContext& context, QWidget* parent = nullptr);

  QString emptyText() const override;

  /// Shows the goals of this document beside those of the check, live at the cursor. It outlives the panel.
  void setProof(lsp::ProofDocument* proof);
  LiveGoals* liveGoals() const { return m_live; } ///< nullptr before `setProof`

protected:
  void onSnapshot() override;
  void onHighlight() override;
  void onStatus() override;
  void onAppearance() override;
  void resizeEvent(QResizeEvent* event) override;

private:
  QWidget* makeFilter();
  QWidget* makeDetail();
  void makeTree();
  /// Where the goals' names would have no room, their time and then their evidence are not shown: the detail
  /// below has both.
  void fitColumns();
  void makeActions();
  void filter();
  void showCurrent(bool byUser);
  int currentGoal() const;
  void selectFirst();
  void copyQuery();

  LiveGoals* m_live = nullptr;
  EmptyState* m_pages;
  GoalsModel* m_goals;
  RowFilter* m_rows;
  EvidenceModel* m_evidence;
  QTreeView* m_tree;
  std::map<int, int> m_widths; ///< of all columns but the goal's, which has the rest
  QTreeView* m_evidenceView;
  QLineEdit* m_words;
  QCheckBox* m_onlyOpen;
  QLabel* m_count;
  QPlainTextEdit* m_statement;
  QAction* m_copyQuery = nullptr;
  QAction* m_copyStatement = nullptr;
  bool m_quiet = false; ///< the current row moves, but not by the user
  bool m_fresh = true;  ///< nothing was shown yet
};

} // namespace plumbline::views

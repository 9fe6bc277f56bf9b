// Panel Cases: how goals are split, and what is known of every part.
#pragma once

#include "views/models/case_address.h"
#include "views/shell/panel.h"

#include <QTimer>

class QAction;
class QLabel;
class QMenu;
class QSplitter;
class QToolButton;
class QTreeView;

namespace plumbline::views {

class CasesModel;
class CaseSession;
class EmptyState;
class MatrixPane;

/// Tree and matrix. Cuts are steps of the window's undo stack; requests go to the bench.
class CasesPanel : public Panel {
  Q_OBJECT
public:
  explicit CasesPanel(const PanelContext& context, QWidget* parent = nullptr);

  QString emptyText() const override;

  /// Whether the matrix of a new snapshot is computed without being asked for.
  void setFillsMatrix(bool fills) { m_fillsMatrix = fills; }

protected:
  void onSnapshot() override;
  void onHighlight() override;
  void onStatus() override;
  void onAppearance() override;
  void resizeEvent(QResizeEvent* event) override;

private:
  QWidget* makeTreeSide();
  QWidget* makeBar();
  void makeTree();
  void makeActions();
  void makeTreeActions();
  QToolButton* buttonFor(const char* action) const;

  int currentNode() const; ///< -1: none
  void setCurrentNode(int node);
  void showCurrent(bool byUser);
  void enableActions();
  void onChanged();
  void tellForest();
  void fillUnknownMatrix();
  void arrangeSides();

  void fillSplitMenu();
  void openSplitMenu();
  void splitOn(const workbench::SplitOn& on);
  void splitNext(bool guard);
  void joinCurrent();
  void settleCurrent();
  void showWitness();
  void openCell(const workbench::CasePath& conditions, const workbench::MatrixCell* cell);
  int reach(int goal, const workbench::CasePath& conditions);
  void say(const QString& message);

  CasesModel* m_cases;
  CaseSession* m_session;
  EmptyState* m_pages;
  QSplitter* m_sides;
  QTreeView* m_tree;
  MatrixPane* m_matrix = nullptr;
  QLabel* m_detail;
  QLabel* m_work;
  QMenu* m_splitMenu;
  QTimer m_tell; ///< gathers changes of the forest before the window is told
  bool m_untold = false;
  bool m_quiet = false;
  CaseAddress m_last; ///< the case shown last, in case it goes
  bool m_fillsMatrix = false;
};

} // namespace plumbline::views

// The tree of cases under work.
#pragma once

#include "core/workbench/snapshot.h"

#include <QAbstractItemModel>

#include <set>
#include <vector>

namespace plumbline::views {

/// Owns the forest that is shown; every change goes through it, so that views follow. One root a case goal.
/// Texts are made when they are asked for. Selection and expansion stay with the cases of the same goal and
/// conditions. GUI thread only.
class CasesModel : public QAbstractItemModel {
  Q_OBJECT
public:
  enum Column : int { Case, Status, Engine, Time, ColumnCount };

  using QAbstractItemModel::QAbstractItemModel;

  void reset(std::vector<workbench::CaseGoal> goals, workbench::CaseForest forest);
  /// False, and nothing changed, when the case is cut already or cannot be cut so.
  bool split(int node, workbench::SplitOn on);
  bool join(int node);
  void setResult(int node, const workbench::CaseResult& result);
  /// The forest's matrices; the tree does not show them.
  workbench::CaseMatrix& matrix(int goal, int variable);

  /// Cases that are being settled.
  void setWorking(std::set<int> nodes);
  /// Whether the results belong to the present files; if not, no result looks like one.
  void setCurrent(bool current);

  const std::vector<workbench::CaseGoal>& goals() const { return m_goals; }
  const workbench::CaseForest& forest() const { return m_forest; }
  const workbench::CaseNode& node(int index) const { return m_forest.nodes[static_cast<size_t>(index)]; }
  QModelIndex indexOf(int node, int column = 0) const;
  int nodeAt(const QModelIndex& index) const; ///< -1 for an invalid one

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  const std::vector<int>& childrenOf(const QModelIndex& parent) const;
  int rowOf(int node) const;
  QString display(int node, int column) const;
  QString caseText(int node) const;
  QString statusText(int node) const;
  QString spoken(int node) const;
  QString toolTip(int node) const;
  void touch(int node);
  /// Runs `change` and sends every persistent index to the case it named before.
  template <class Change> void rearrange(const Change& change);

  std::vector<workbench::CaseGoal> m_goals;
  workbench::CaseForest m_forest;
  std::vector<int> m_roots;
  std::set<int> m_working;
  bool m_current = true;
};

} // namespace plumbline::views

// Guard decisions by float classes of one free value.
#pragma once

#include "core/workbench/case_forest.h"

#include <QAbstractTableModel>

namespace plumbline::views {

/// What a class is called in a narrow column, e.g. "+sub"; its full name is workbench::name.
QString shortName(workbench::FloatClass floatClass);

/// Rows are CaseGoal::rows, columns the float classes. GUI thread only.
class MatrixModel : public QAbstractTableModel {
  Q_OBJECT
public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Cells that the matrix lacks count as not computed.
  void setMatrix(const workbench::CaseGoal& goal, int variable, const workbench::CaseMatrix* matrix);
  void clear();
  void setCell(const workbench::MatrixCell& cell);
  void setCurrent(bool current); ///< false: no result looks like one
  void setWorking(bool working); ///< cells are being computed

  /// All conditions of a cell: its row's guards and its class.
  workbench::CasePath conditions(const QModelIndex& index) const;
  const workbench::MatrixCell* cellAt(const QModelIndex& index) const; ///< nullptr: not computed
  int variable() const { return m_variable; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QString rowText(int row) const;
  QString spoken(const QModelIndex& index) const;
  QString status(const QModelIndex& index) const;

  workbench::CaseGoal m_goal;
  int m_variable = -1;
  std::vector<workbench::MatrixCell> m_cells;
  bool m_current = true;
  bool m_working = false;
};

} // namespace plumbline::views

// The steps of one side with their values for the input under view.
#pragma once

#include "core/workbench/snapshot.h"

#include <QAbstractTableModel>

#include <memory>
#include <set>

namespace plumbline::views {

/// One row a step, in evaluation order. GUI thread only.
class StepsModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column : int { Mark, Step, Value, ColumnCount };

  explicit StepsModel(workbench::Side side, QObject* parent = nullptr);

  /// Another program; nullptr: none. No value is known until `setTrace`.
  void setProgram(std::shared_ptr<const workbench::StepProgram> program);
  /// Values of the program's steps; only rows that changed are repainted.
  void setTrace(std::vector<workbench::StepValue> values);
  void setHighlight(const std::set<int>& steps);

  /// Row of the first difference, or -1.
  int divergingRow() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QString display(int row, int column) const;
  QString spoken(int row) const;
  void touch(int row);

  workbench::Side m_side;
  std::shared_ptr<const workbench::StepProgram> m_program;
  std::vector<workbench::StepValue> m_values;
  std::set<int> m_highlight;
};

} // namespace plumbline::views

// The matrix side of the cases panel.
#pragma once

#include "core/workbench/case_forest.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;

namespace plumbline::views {

class CasesModel;
class MatrixModel;

/// Variable chooser, table and legend. Reads the matrices of a CasesModel, and changes nothing.
class MatrixPane : public QWidget {
  Q_OBJECT
public:
  /// `cases` must outlive the pane; `fill` is put beside the chooser.
  MatrixPane(const CasesModel& cases, QWidget* fill, QWidget* parent = nullptr);

  /// Shows the matrix of the chosen variable of a goal; -1: none. Keeps the chosen variable and the current
  /// cell when it is the same goal.
  void setGoal(int goal);
  void setCell(int goal, int variable, const workbench::MatrixCell& cell);
  void setCurrent(bool current);
  void setWorking(bool working);
  void restyle();

  int goal() const { return m_goal; }
  int variable() const;
  QTableView* table() const { return m_table; }

Q_SIGNALS:
  void variableChanged();
  /// A cell was clicked, or Return pressed on it.
  void cellChosen(const plumbline::workbench::CasePath& conditions,
                  const plumbline::workbench::MatrixCell* cell);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void showMatrix();
  void choose(const QModelIndex& index);

  MatrixModel* m_model;
  QComboBox* m_variables;
  QTableView* m_table;
  QLabel* m_note;
  QLabel* m_legend;
  const CasesModel& m_cases;
  int m_goal = -1;
  std::string m_name; ///< of the goal
};

} // namespace plumbline::views

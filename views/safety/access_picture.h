// Who touches what: threads against the elements of one array.
#pragma once

#include "core/workbench/snapshot.h"

#include <QWidget>

namespace plumbline::views {

/// A table with a row for each thread and a column for each element around the one of a finding; a cell says
/// whether the thread reads (R), writes (W) or does both, or changes it atomically (A). GUI thread only.
class AccessPicture : public QWidget {
  Q_OBJECT
public:
  explicit AccessPicture(QWidget* parent = nullptr);

  /// A finding without an array shows nothing.
  void setFinding(const workbench::FindingView& finding);
  bool isEmpty() const { return m_rows.empty(); }
  /// "R", "W", "RW", "A" or empty: what the cell of a row and an element says.
  QString cellText(int row, int64_t element) const;
  const QStringList& rows() const { return m_rows; }
  const std::vector<int64_t>& columns() const { return m_columns; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
  /// A cell was clicked: where the access stands in the source.
  void placeChosen(const plumbline::SourceRange& place);

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Cell {
    bool read = false;
    bool write = false;
    bool atomic = false;
    std::vector<SourceRange> where;
  };
  const Cell* cellAt(QPoint position) const;
  QRect cellRect(int row, int column) const;
  bool outside(int64_t element) const;
  void describe();
  void paintHeader(QPainter& painter) const;
  void paintRow(QPainter& painter, int row) const;
  static QString textOf(const Cell& cell);
  int labelWidth() const;
  int cellWidth() const;
  int rowHeight() const;

  workbench::FindingView m_finding;
  QStringList m_rows;
  std::vector<int64_t> m_columns;
  std::map<std::pair<int, int64_t>, Cell> m_cells; ///< by row and element
};

} // namespace plumbline::views

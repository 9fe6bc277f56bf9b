// The journal as a list.
#pragma once

#include "views/shell/journal.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <deque>

namespace plumbline::views {

/// Follows a journal, bounded like it. New lines are gathered for a moment, so that a flood of them costs the
/// views little. GUI thread only.
class LogModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column : int { Time, Level, Text, ColumnCount };

  /// `journal` must outlive the model.
  explicit LogModel(const Journal& journal, QObject* parent = nullptr);

  /// Takes in what has been gathered.
  void flush();

  /// "12:30:01.250  error  text", as copied.
  QString line(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  void drop(size_t count);

  std::deque<JournalEntry> m_gathered;
  QTimer m_timer;
  std::deque<JournalEntry> m_entries; ///< a copy, so that rows change only between Qt's own signals
};

} // namespace plumbline::views

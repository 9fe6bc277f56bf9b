// The journal as a list.
#pragma once

#include "views/shell/journal.h"

#include <QAbstractTableModel>

#include <deque>

namespace plumbline::views {

/// Follows a journal, bounded like it. GUI thread only.
class LogModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column : int { Time, Level, Text, ColumnCount };

  /// `journal` must outlive the model.
  explicit LogModel(const Journal& journal, QObject* parent = nullptr);

  /// "12:30:01.250  error  text", as copied.
  QString line(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  void append(const JournalEntry& entry, bool dropped);

  std::deque<JournalEntry> m_entries; ///< a copy, so that rows change only between Qt's own signals
};

} // namespace plumbline::views

#include "views/models/log_model.h"

#include "views/models/roles.h"
#include "views/style/style.h"

#include <QBrush>

namespace plumbline::views {

using Level = JournalEntry::Level;

namespace {

QString levelWord(Level level) {
  switch (level) {
  case Level::Detail: return LogModel::tr("detail");
  case Level::Info: return LogModel::tr("info");
  case Level::Warning: return LogModel::tr("warning");
  case Level::Error: return LogModel::tr("error");
  }
  return {};
}

QString levelSymbol(Level level) {
  switch (level) {
  case Level::Warning: return QStringLiteral("⚠ ");
  case Level::Error: return QStringLiteral("✘ ");
  default: return {};
  }
}

QVariant levelColor(Level level) {
  switch (level) {
  case Level::Detail: return QBrush(faintText());
  case Level::Warning: return QBrush(toneColor(workbench::Tone::Weak));
  case Level::Error: return QBrush(problemText());
  default: return {};
  }
}

QString stamp(const JournalEntry& entry) {
  return entry.time.toString(QStringLiteral("HH:mm:ss.zzz"));
}

} // namespace

LogModel::LogModel(const Journal& journal, QObject* parent)
    : QAbstractTableModel(parent), m_entries(journal.entries()) {
  connect(&journal, &Journal::added, this, &LogModel::append);
  connect(&journal, &Journal::cleared, this, [this] {
    beginResetModel();
    m_entries.clear();
    endResetModel();
  });
}

void LogModel::append(const JournalEntry& entry, bool dropped) {
  if (dropped && !m_entries.empty()) {
    beginRemoveRows({}, 0, 0);
    m_entries.pop_front();
    endRemoveRows();
  }
  const auto row = static_cast<int>(m_entries.size());
  beginInsertRows({}, row, row);
  m_entries.push_back(entry);
  endInsertRows();
}

QString LogModel::line(int row) const {
  const JournalEntry& entry = m_entries[static_cast<size_t>(row)];
  return stamp(entry) + QStringLiteral("  ") + levelWord(entry.level) + QStringLiteral("  ") + entry.text;
}

int LogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int LogModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid())
    return {};
  const JournalEntry& entry = m_entries[static_cast<size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole:
    if (index.column() == Time)
      return stamp(entry);
    return index.column() == Level ? levelSymbol(entry.level) + levelWord(entry.level) : entry.text;
  case Qt::AccessibleTextRole: return index.column() == Text ? line(index.row()) : QVariant();
  case Qt::ToolTipRole: return entry.text;
  case Qt::ForegroundRole: return levelColor(entry.level);
  case FilterRole: return line(index.row());
  default: return {};
  }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
  case Time: return tr("Time");
  case Level: return tr("Level");
  case Text: return tr("Text");
  default: return {};
  }
}

} // namespace plumbline::views

#include "views/models/log_model.h"

#include "views/models/roles.h"
#include "views/style/style.h"

#include <QBrush>

#include <algorithm>

namespace plumbline::views {

using Level = JournalEntry::Level;

namespace {

constexpr int gatherMs = 20;

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
  m_timer.setSingleShot(true);
  m_timer.setInterval(gatherMs);
  connect(&m_timer, &QTimer::timeout, this, &LogModel::flush);
  connect(&journal, &Journal::added, this, [this](const JournalEntry& entry) {
    m_gathered.push_back(entry);
    if (m_gathered.size() > static_cast<size_t>(Journal::maximumEntries))
      m_gathered.pop_front();
    if (!m_timer.isActive())
      m_timer.start();
  });
  connect(&journal, &Journal::cleared, this, [this] {
    m_gathered.clear();
    drop(m_entries.size());
  });
}

void LogModel::flush() {
  if (m_gathered.empty())
    return;
  const size_t total = m_entries.size() + m_gathered.size();
  const auto most = static_cast<size_t>(Journal::maximumEntries);
  drop(total > most ? std::min(total - most, m_entries.size()) : 0);
  const auto first = static_cast<int>(m_entries.size());
  beginInsertRows({}, first, first + static_cast<int>(m_gathered.size()) - 1);
  m_entries.insert(m_entries.end(), m_gathered.begin(), m_gathered.end());
  m_gathered.clear();
  endInsertRows();
}

void LogModel::drop(size_t count) {
  if (count == 0)
    return;
  beginRemoveRows({}, 0, static_cast<int>(count) - 1);
  m_entries.erase(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(count));
  endRemoveRows();
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

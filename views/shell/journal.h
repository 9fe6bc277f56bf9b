// What happened in this session, line by line: the content of the log panel.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>

#include <deque>

namespace plumbline::views {

/// One line of the log.
struct JournalEntry {
  enum class Level : uint8_t { Detail, Info, Warning, Error };
  QDateTime time;
  Level level = Level::Info;
  QString text;
};

/// Bounded list of log lines. GUI thread only.
class Journal : public QObject {
  Q_OBJECT
public:
  static constexpr int maximumEntries = 10000;

  explicit Journal(QObject* parent = nullptr) : QObject(parent) {}

  /// Appends a line; the oldest goes when there are more than `maximumEntries`.
  void add(JournalEntry::Level level, const QString& text);
  void clear();
  const std::deque<JournalEntry>& entries() const { return m_entries; }

Q_SIGNALS:
  /// One entry was appended; `dropped` says that the first one went.
  void added(const plumbline::views::JournalEntry& entry, bool dropped);
  void cleared();

private:
  std::deque<JournalEntry> m_entries;
};

} // namespace plumbline::views

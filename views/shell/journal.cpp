#include "views/shell/journal.h"

namespace plumbline::views {

void Journal::add(JournalEntry::Level level, const QString& text) {
  const bool full = m_entries.size() >= static_cast<size_t>(maximumEntries);
  if (full)
    m_entries.pop_front();
  m_entries.push_back({QDateTime::currentDateTime(), level, text});
  Q_EMIT added(m_entries.back(), full);
}

void Journal::clear() {
  m_entries.clear();
  Q_EMIT cleared();
}

} // namespace plumbline::views

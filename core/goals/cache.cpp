#include "core/goals/cache.h"

namespace plumbline::goals {

std::shared_ptr<const Settled> SettledCache::find(const Key& key) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_index.find(key);
  if (found == m_index.end())
    return nullptr;
  m_entries.splice(m_entries.begin(), m_entries, found->second);
  return found->second->settled;
}

void SettledCache::put(const Key& key, Settled settled) {
  auto shared = std::make_shared<const Settled>(std::move(settled));
  const std::lock_guard lock(m_mutex);
  if (const auto found = m_index.find(key); found != m_index.end()) {
    found->second->settled = std::move(shared);
    m_entries.splice(m_entries.begin(), m_entries, found->second);
    return;
  }
  m_entries.push_front({key, std::move(shared)});
  m_index[key] = m_entries.begin();
  if (m_entries.size() <= m_capacity)
    return;
  m_index.erase(m_entries.back().key);
  m_entries.pop_back();
}

size_t SettledCache::size() const {
  const std::lock_guard lock(m_mutex);
  return m_entries.size();
}

} // namespace plumbline::goals

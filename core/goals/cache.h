// Answers about goals by what was asked, so that an edit elsewhere keeps them.
#pragma once

#include "core/goals/settle.h"

#include <list>
#include <mutex>

namespace plumbline::goals {

/// The answers used least recently are dropped first. May be used from several threads.
class SettledCache {
public:
  explicit SettledCache(size_t capacity = 4096) : m_capacity(capacity) {}

  /// Null: nothing is known.
  std::shared_ptr<const Settled> find(const Key& key);
  /// Keeps an answer that another attempt would not improve by itself: a stopped one is for the caller to
  /// leave out.
  void put(const Key& key, Settled settled);
  size_t size() const;

private:
  struct Entry {
    Key key;
    std::shared_ptr<const Settled> settled;
  };
  size_t m_capacity;
  mutable std::mutex m_mutex;
  std::list<Entry> m_entries; ///< most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> m_index;
};

} // namespace plumbline::goals

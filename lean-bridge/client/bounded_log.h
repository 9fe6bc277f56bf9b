// A log that keeps its last part only.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <string_view>

namespace plumbline::lsp {

/// The last bytes of a stream that may be endless and need not be text. Any thread.
class BoundedBytes {
public:
  explicit BoundedBytes(size_t limit) : m_limit(limit) {}

  void append(std::string_view bytes) {
    const std::lock_guard lock(m_mutex);
    m_bytes.append(bytes.substr(bytes.size() - std::min(bytes.size(), m_limit)));
    if (m_bytes.size() > m_limit)
      m_bytes.erase(0, m_bytes.size() - m_limit);
  }
  std::string content() const {
    const std::lock_guard lock(m_mutex);
    return m_bytes;
  }
  void clear() {
    const std::lock_guard lock(m_mutex);
    m_bytes.clear();
  }

private:
  mutable std::mutex m_mutex;
  size_t m_limit;
  std::string m_bytes;
};

/// The last lines of what happened. One thread.
class BoundedLines {
public:
  static constexpr size_t maximalLines = 2000;
  static constexpr size_t maximalBytes = 400; ///< of a line

  void add(std::string line) {
    if (line.size() > maximalBytes)
      line.resize(maximalBytes);
    m_lines.push_back(std::move(line));
    if (m_lines.size() > maximalLines)
      m_lines.pop_front();
  }
  const std::deque<std::string>& lines() const { return m_lines; }
  bool contains(std::string_view part) const {
    for (const std::string& line : m_lines)
      if (line.find(part) != std::string::npos)
        return true;
    return false;
  }

private:
  std::deque<std::string> m_lines;
};

} // namespace plumbline::lsp

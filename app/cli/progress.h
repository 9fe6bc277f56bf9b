// Progress of a command that reads many files.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace plumbline::cli {

/// A line on standard error every half second: "LABEL: 3 of 200, FILE".
class Progress {
public:
  explicit Progress(std::string label) : m_label(std::move(label)) {}

  void operator()(size_t done, size_t total, const std::string& file) {
    const auto now = std::chrono::steady_clock::now();
    if (now - m_last < std::chrono::milliseconds(500))
      return;
    m_last = now;
    std::fprintf(stderr, "%s: %zu of %zu, %s\n", m_label.c_str(), done, total, file.c_str());
  }

private:
  std::string m_label;
  std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

} // namespace plumbline::cli

// The line of a definition's comment that names the nodes of the module's graph behind it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace plumbline::velvet {

/// What the line begins with, behind "-- ".
inline constexpr std::string_view graphMark = "graph: ";

/// The nodes that a definition's comment names ("x, relu"); empty: none.
inline std::string graphNodesOf(std::string_view doc) {
  for (size_t start = 0; start <= doc.size();) {
    const size_t end = std::min(doc.find('\n', start), doc.size());
    const std::string_view line = doc.substr(start, end - start);
    if (line.starts_with(graphMark))
      return std::string(line.substr(graphMark.size()));
    start = end + 1;
  }
  return {};
}

/// The comment without that line.
inline std::string withoutGraphLine(std::string_view doc) {
  std::string rest;
  for (size_t start = 0; start <= doc.size();) {
    const size_t end = std::min(doc.find('\n', start), doc.size());
    const std::string_view line = doc.substr(start, end - start);
    if (!line.starts_with(graphMark))
      rest.append(rest.empty() ? "" : "\n").append(line);
    start = end + 1;
  }
  return rest;
}

} // namespace plumbline::velvet

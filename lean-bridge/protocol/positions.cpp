#include "lean-bridge/protocol/positions.h"

#include <algorithm>

namespace plumbline::lsp {
namespace {

unsigned char byteAt(std::string_view text, size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool isContinuation(std::string_view text, size_t at) {
  return at < text.size() && (byteAt(text, at) & 0xC0U) == 0x80U;
}

/// Appends the starts of the lines that begin in (from, to]: after each line end in [from, to).
void appendStarts(std::string_view text, size_t from, size_t to, std::vector<size_t>& starts) {
  for (size_t i = from; i < to; ++i) {
    const bool crOfPair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if ((text[i] == '\n' || text[i] == '\r') && !crOfPair)
      starts.push_back(i + 1);
  }
}

} // namespace

size_t characterBytes(std::string_view text, size_t at) {
  const unsigned char first = byteAt(text, at);
  if (first < 0xC2U || first > 0xF4U)
    return 1;
  const size_t length = first < 0xE0U ? 2 : first < 0xF0U ? 3 : 4;
  for (size_t i = 1; i < length; ++i)
    if (!isContinuation(text, at + i))
      return 1;
  const unsigned char second = byteAt(text, at + 1);
  const bool outside = (first == 0xE0U && second < 0xA0U) || (first == 0xEDU && second > 0x9FU) ||
                       (first == 0xF0U && second < 0x90U) || (first == 0xF4U && second > 0x8FU);
  return outside ? 1 : length;
}

size_t utf16Length(std::string_view text) {
  size_t units = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = characterBytes(text, at);
    units += bytes == 4 ? 2 : 1;
    at += bytes;
  }
  return units;
}

size_t byteOfColumn(std::string_view line, int column) {
  size_t at = 0;
  int units = 0;
  while (at < line.size() && units < column) {
    const size_t bytes = characterBytes(line, at);
    units += bytes == 4 ? 2 : 1;
    if (units > column)
      break;
    at += bytes;
  }
  return at;
}

LineIndex::LineIndex(std::string_view text) {
  appendStarts(text, 0, text.size(), m_starts);
}

std::string_view LineIndex::line(std::string_view text, int line) const {
  const auto index = static_cast<size_t>(line);
  const size_t begin = m_starts[index];
  size_t end = index + 1 < m_starts.size() ? m_starts[index + 1] : text.size();
  while (end > begin && (text[end - 1] == '\n' || text[end - 1] == '\r'))
    --end;
  return text.substr(begin, end - begin);
}

int LineIndex::lineOf(size_t offset) const {
  return static_cast<int>(std::upper_bound(m_starts.begin(), m_starts.end(), offset) - m_starts.begin()) - 1;
}

size_t LineIndex::offset(std::string_view text, Position position) const {
  if (position.line < 0)
    return 0;
  if (position.line >= lineCount())
    return text.size();
  return lineStart(position.line) + byteOfColumn(line(text, position.line), position.character);
}

Position LineIndex::position(std::string_view text, size_t offset) const {
  const int at = lineOf(std::min(offset, text.size()));
  const std::string_view content = line(text, at);
  const size_t column = std::min(offset - std::min(offset, lineStart(at)), content.size());
  return {at, static_cast<int>(utf16Length(content.substr(0, column)))};
}

void LineIndex::replaced(std::string_view text, size_t begin, size_t oldEnd, size_t newEnd) {
  // The byte before may become or cease to be half of a CRLF, and so may the byte after.
  const size_t from = begin > 0 ? begin - 1 : 0;
  const size_t oldTo = oldEnd + 1;
  const size_t newTo = std::min(newEnd + 1, text.size());
  const auto first = std::upper_bound(m_starts.begin(), m_starts.end(), from);
  const auto last = std::upper_bound(first, m_starts.end(), oldTo);
  std::vector<size_t> fresh;
  appendStarts(text, from, newTo, fresh);
  for (auto later = last; later != m_starts.end(); ++later)
    *later = *later - oldEnd + newEnd;
  const auto at = m_starts.erase(first, last);
  m_starts.insert(at, fresh.begin(), fresh.end());
}

Position PositionWalk::position(size_t offset) {
  const int at = m_lines.lineOf(std::min(offset, m_text.size()));
  if (at != m_position.line || offset < m_offset) {
    m_position = {at, 0};
    m_offset = m_lines.lineStart(at);
  }
  const std::string_view content = m_lines.line(m_text, at);
  const size_t from = std::min(m_offset - m_lines.lineStart(at), content.size());
  const size_t to = std::min(offset - std::min(offset, m_lines.lineStart(at)), content.size());
  m_position.character += static_cast<int>(utf16Length(content.substr(from, to - from)));
  m_offset = m_lines.lineStart(at) + to;
  return m_position;
}

} // namespace plumbline::lsp

// Positions of the Language Server Protocol (lines and UTF-16 units, from 0) in UTF-8 text.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::lsp {

struct Position {
  int line = 0;
  int character = 0; ///< UTF-16 units from the start of the line

  auto operator<=>(const Position&) const = default;
};

/// `end` is one past the last position.
struct Range {
  Position start;
  Position end;

  bool operator==(const Range&) const = default;
  bool contains(Position position) const { return start <= position && position < end; }
};

/// Bytes of the character at `at`, at least 1. A byte that begins no valid character counts as one character.
size_t characterBytes(std::string_view text, size_t at);
/// UTF-16 units of the characters of `text`; an invalid byte counts 1, as the replacement character does.
size_t utf16Length(std::string_view text);
/// The byte offset in `line` (no line end in it) of a UTF-16 column. Columns beyond the end are the end; one
/// in the middle of a pair is the start of its character.
size_t byteOfColumn(std::string_view line, int column);

/// Where the lines of a text begin. A line ends with LF, CRLF or CR.
class LineIndex {
public:
  LineIndex() = default;
  explicit LineIndex(std::string_view text);

  int lineCount() const { return static_cast<int>(m_starts.size()); }
  size_t lineStart(int line) const { return m_starts[static_cast<size_t>(line)]; }
  /// The line without its end.
  std::string_view line(std::string_view text, int line) const;
  /// The line that holds a byte offset.
  int lineOf(size_t offset) const;
  /// Clamped: a line before the first is the start, one after the last the end of the text.
  size_t offset(std::string_view text, Position position) const;
  Position position(std::string_view text, size_t offset) const;
  /// Brings the index up to date: `text` is the text after bytes [begin, oldEnd) became [begin, newEnd).
  void replaced(std::string_view text, size_t begin, size_t oldEnd, size_t newEnd);

private:
  std::vector<size_t> m_starts{0};
};

/// Positions of offsets at which characters begin. Asked for in rising order, each costs only what lies
/// between it and the one before, so that a line of any length is walked once.
class PositionWalk {
public:
  /// Both must outlive it.
  PositionWalk(std::string_view text, const LineIndex& lines) : m_text(text), m_lines(lines) {}

  Position position(size_t offset);
  Range range(size_t begin, size_t end) {
    const Position start = position(begin);
    return {start, position(end)};
  }

private:
  std::string_view m_text;
  const LineIndex& m_lines;
  size_t m_offset = 0;
  Position m_position;
};

} // namespace plumbline::lsp

// A text that is kept the same on both sides of the protocol.
#pragma once

#include "core/base/json.h"
#include "lean-bridge/protocol/positions.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::lsp {

/// One element of `contentChanges`: the text of a range, or without a range the whole text.
struct ContentChange {
  std::optional<Range> range;
  std::string text;

  bool operator==(const ContentChange&) const = default;
};

Json toJson(const ContentChange& change);
/// Error: "content-change" when it has no text or a range that is none.
Expected<ContentChange> contentChangeFromJson(const Json& json);

/// What a change did to the bytes of the text: [begin, oldEnd) became [begin, newEnd).
struct ByteEdit {
  size_t begin = 0;
  size_t oldEnd = 0;
  size_t newEnd = 0;

  bool operator==(const ByteEdit&) const = default;
};

/// Text with the index of its lines. Ranges are clamped as the protocol says: a column after the end of a
/// line is that end, a line after the last is the end of the text. A range whose end comes before its start
/// is taken as empty.
class TextDocument {
public:
  TextDocument() = default;
  explicit TextDocument(std::string text) : m_text(std::move(text)), m_lines(m_text) {}

  const std::string& text() const { return m_text; }
  const LineIndex& lines() const { return m_lines; }
  int lineCount() const { return m_lines.lineCount(); }
  std::string_view line(int line) const { return m_lines.line(m_text, line); }
  size_t offset(Position position) const { return m_lines.offset(m_text, position); }
  Position position(size_t offset) const { return m_lines.position(m_text, offset); }
  /// The bytes of a range, clamped.
  std::pair<size_t, size_t> bytes(const Range& range) const;
  Range range(size_t begin, size_t end) const { return {position(begin), position(end)}; }

  /// Applies one change. Changes of one message are applied in order, each to the result of the one before.
  ByteEdit apply(const ContentChange& change);

private:
  std::string m_text;
  LineIndex m_lines;
};

/// The text with LF as the only line end, as a Lean server keeps it.
std::string withLineFeeds(std::string_view text);

/// The smallest single change that makes `before` to `after`, by whole characters; nothing when they are
/// equal. Both must have LF line ends only.
std::optional<ContentChange> changeBetween(const TextDocument& before, std::string_view after);

} // namespace plumbline::lsp

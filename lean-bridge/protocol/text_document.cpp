#include "lean-bridge/protocol/text_document.h"

#include "lean-bridge/protocol/structures.h"

#include <algorithm>

namespace plumbline::lsp {

Json toJson(const ContentChange& change) {
  Json json = Json::object();
  if (change.range)
    json["range"] = toJson(*change.range);
  json["text"] = change.text;
  return json;
}

Expected<ContentChange> contentChangeFromJson(const Json& json) {
  const auto bad = [](const char* what) {
    return fail(ErrorKind::Tool, "content-change", std::string("a change of a document ") + what,
                "send the whole text");
  };
  if (!json.is_object() || !json.contains("text") || !json["text"].is_string())
    return bad("has no text");
  ContentChange change{std::nullopt, json["text"].get<std::string>()};
  if (const auto range = json.find("range"); range != json.end() && !range->is_null()) {
    change.range = rangeFromJson(*range);
    if (!change.range)
      return bad("has a range that is none");
  }
  return change;
}

std::pair<size_t, size_t> TextDocument::bytes(const Range& range) const {
  const size_t begin = offset(range.start);
  return {begin, std::max(begin, offset(range.end))};
}

ByteEdit TextDocument::apply(const ContentChange& change) {
  if (!change.range) {
    const ByteEdit edit{0, m_text.size(), change.text.size()};
    m_text = change.text;
    m_lines = LineIndex(m_text);
    return edit;
  }
  const auto [begin, end] = bytes(*change.range);
  m_text.replace(begin, end - begin, change.text);
  const ByteEdit edit{begin, end, begin + change.text.size()};
  m_lines.replaced(m_text, edit.begin, edit.oldEnd, edit.newEnd);
  return edit;
}

std::string withLineFeeds(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      out.push_back(text[i]);
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      out.push_back('\n');
  }
  return out;
}

std::optional<ContentChange> changeBetween(const TextDocument& before, std::string_view after) {
  const std::string_view old = before.text();
  if (old == after)
    return std::nullopt;
  const auto isInside = [](std::string_view text, size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  const size_t shorter = std::min(old.size(), after.size());
  size_t begin = 0;
  while (begin < shorter && old[begin] == after[begin])
    ++begin;
  while (begin > 0 && (isInside(old, begin) || isInside(after, begin)))
    --begin;
  size_t same = 0;
  while (same < shorter - begin && old[old.size() - 1 - same] == after[after.size() - 1 - same])
    ++same;
  while (same > 0 && (isInside(old, old.size() - same) || isInside(after, after.size() - same)))
    --same;
  const size_t end = old.size() - same;
  return ContentChange{before.range(begin, end),
                       std::string(after.substr(begin, after.size() - same - begin))};
}

} // namespace plumbline::lsp

#include "lean-bridge/protocol/framing.h"

#include <algorithm>
#include <charconv>

namespace plumbline::lsp {
namespace {

constexpr std::string_view lengthName = "content-length";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool startsWithName(std::string_view line, std::string_view name) {
  return line.size() >= name.size() &&
         std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) { return a == lower(b); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

/// The characters of a header's name: letters, digits and hyphens.
bool isHeaderName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    const char l = lower(c);
    return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// A piece of what was read, for a message: short, and without control characters.
std::string shown(std::string_view text) {
  std::string out;
  for (char c : text.substr(0, 60))
    out.push_back(c >= ' ' && c < 127 ? c : '?');
  return text.size() > 60 ? out + "..." : out;
}

} // namespace

std::string frame(std::string_view body) {
  std::string out = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  return out.append(body);
}

void FrameReader::feed(std::string_view bytes) {
  if (!m_broken)
    m_buffer.append(bytes);
}

void FrameReader::drop(size_t bytes) {
  m_begin += bytes;
  m_searched = 0;
  // Moving what is left costs as much as it frees, so wait until most of the buffer is used up.
  if (m_begin == m_buffer.size() || m_begin > m_buffer.size() / 2) {
    m_buffer.erase(0, m_begin);
    m_begin = 0;
  }
}

FrameReader::Item FrameReader::broke(std::string id, std::string message) {
  if (m_limits.recover) {
    m_skipping = true;
  } else {
    m_broken = true;
    std::string().swap(m_buffer);
    m_begin = 0;
  }
  m_hasLength = false;
  m_sawHeader = false;
  m_headerBytes = 0;
  m_searched = 0;
  return Error{ErrorKind::Tool, std::move(id), std::move(message),
               "the other side does not speak the protocol; restart it"};
}

/// Drops bytes up to the next name of a length. It may stand anywhere: bodies do not end with a line end.
/// False when more bytes are needed.
bool FrameReader::skipToHeader() {
  static constexpr std::string_view wanted = "content-length:";
  const std::string_view text = rest();
  const auto found = std::search(text.begin(), text.end(), wanted.begin(), wanted.end(),
                                 [](char a, char b) { return lower(a) == b; });
  if (found != text.end()) {
    drop(static_cast<size_t>(found - text.begin()));
    m_skipping = false;
    return true;
  }
  drop(text.size() - std::min(text.size(), wanted.size() - 1));
  return false;
}

/// Reads lines of the header. Nothing: more bytes are needed, or (m_inBody) the header is complete.
std::optional<FrameReader::Item> FrameReader::header() {
  for (;;) {
    const std::string_view text = rest();
    const size_t end = text.find('\n', m_searched);
    if (end == std::string_view::npos) {
      m_searched = text.size();
      if (m_headerBytes + text.size() > m_limits.header) {
        const std::string start = shown(text);
        drop(text.size());
        return broke("header-too-long", "a header has no end: " + start);
      }
      return std::nullopt;
    }
    std::string line(text.substr(0, end));
    m_headerBytes += end + 1;
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    const size_t colon = line.find(':');
    if (line.empty() && !m_sawHeader) {
      drop(end + 1); // an empty line between messages does no harm
      m_headerBytes = 0;
      continue;
    }
    if (line.empty()) {
      drop(end + 1);
      if (!m_hasLength)
        return broke("content-length-missing", "a header names no Content-Length");
      m_inBody = true;
      m_sawHeader = false;
      m_headerBytes = 0;
      return std::nullopt;
    }
    if (m_headerBytes > m_limits.header) {
      drop(end + 1);
      return broke("header-too-long",
                   "a header is longer than " + std::to_string(m_limits.header) + " bytes");
    }
    drop(end + 1);
    if (colon == std::string::npos || !isHeaderName(trimmed(std::string_view(line).substr(0, colon))))
      return broke("header-garbage", "this is no header: " + shown(line));
    m_sawHeader = true;
    const std::string_view name = trimmed(std::string_view(line).substr(0, colon));
    if (name.size() != lengthName.size() || !startsWithName(name, lengthName))
      continue;
    const std::string_view value = trimmed(std::string_view(line).substr(colon + 1));
    uint64_t length = 0;
    const auto [last, code] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (code == std::errc::result_out_of_range || (code == std::errc() && length > m_limits.body))
      return broke("content-length-too-large", "a message is said to have " + shown(value) + " bytes");
    if (code != std::errc() || last != value.data() + value.size())
      return broke("content-length-invalid", "this is no length: " + shown(value));
    m_length = static_cast<size_t>(length);
    m_hasLength = true;
  }
}

std::optional<FrameReader::Item> FrameReader::next() {
  if (m_broken || (m_skipping && !skipToHeader()))
    return std::nullopt;
  if (!m_inBody) {
    if (std::optional<Item> error = header())
      return error;
    if (!m_inBody)
      return std::nullopt;
  }
  if (rest().size() < m_length)
    return std::nullopt;
  Frame found{std::string(rest().substr(0, m_length))};
  drop(m_length);
  m_hasLength = false;
  m_inBody = false;
  return found;
}

std::optional<Error> FrameReader::end() const {
  if (m_broken || m_skipping || (!m_inBody && !m_sawHeader && rest().empty()))
    return std::nullopt;
  std::string message = "the stream ended inside a header";
  if (m_inBody)
    message = "the stream ended after " + std::to_string(rest().size()) + " of " + std::to_string(m_length) +
              " bytes of a message";
  return Error{ErrorKind::Tool, "message-cut", std::move(message), "restart the server"};
}

} // namespace plumbline::lsp

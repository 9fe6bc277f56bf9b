#include "core/velvet/cursor.h"

#include <algorithm>

namespace plumbline::velvet {

Cursor::Cursor(std::string_view text, const Lexed& lexed, Dialect dialect,
               std::vector<Diagnostic>& diagnostics)
    : m_text(text), m_dialect(dialect), m_diagnostics(diagnostics) {
  uint32_t commentsBegin = 0;
  m_tokens.reserve(lexed.tokens.size());
  for (const Token& token : lexed.tokens) {
    if (token.kind == TokenKind::Comment)
      m_comments.push_back(token);
    if (isTrivia(token))
      continue;
    const auto commentsEnd = static_cast<uint32_t>(m_comments.size());
    m_tokens.push_back({token, commentsBegin, commentsEnd});
    commentsBegin = commentsEnd;
  }
  m_limit = m_tokens.size();
}

bool Cursor::atEnd(size_t ahead) const {
  if (m_next + ahead >= m_limit)
    return true;
  // A token behind one that ends the extent is behind the end too.
  for (size_t i = m_next; i <= m_next + ahead; ++i) {
    const Token& each = m_tokens[i].token;
    if (each.firstOnLine && static_cast<int64_t>(each.column) <= m_column && i != m_free)
      return true;
  }
  return false;
}

const Token& Cursor::token(size_t ahead) const {
  return atEnd(ahead) ? m_behind : m_tokens[m_next + ahead].token;
}

const Token& Cursor::raw() const {
  return m_next < m_limit ? m_tokens[m_next].token : m_behind;
}

bool Cursor::atAny(std::initializer_list<std::string_view> words) const {
  const std::string_view here = peek();
  return !here.empty() && std::ranges::find(words, here) != words.end();
}

void Cursor::advance() {
  if (m_next < m_limit)
    ++m_next;
}

bool Cursor::accept(std::string_view word) {
  if (!at(word))
    return false;
  advance();
  return true;
}

std::string_view closerOf(std::string_view open) {
  return open == "("                                   ? ")"
         : open == "[" || open == "#[" || open == "@[" ? "]"
         : open == "{"                                 ? "}"
         : open == "⟨"                                 ? "⟩"
         : open == "⦃"                                 ? "⦄"
                                                       : "";
}

std::string_view closerIn(std::string_view token) {
  if (token == "]!" || token == "]?")
    return "]";
  return token == ")" || token == "]" || token == "}" || token == "⟩" || token == "⦄" ? token : "";
}

void Cursor::skipTo(std::initializer_list<std::string_view> stops) {
  int depth = 0;
  while (!atEnd()) {
    const std::string_view here = peek();
    if (depth == 0 && std::ranges::find(stops, here) != stops.end())
      return;
    if (!closerOf(here).empty())
      ++depth;
    if (!closerIn(here).empty() && depth > 0)
      --depth;
    advance();
  }
}

std::optional<TextRange> Cursor::unmatchedBracket(size_t position) const {
  std::vector<TextRange> open;
  for (size_t i = position; i < m_next; ++i) {
    const TextRange range = m_tokens[i].token.range;
    const std::string_view token = slice(m_text, range);
    if (!closerOf(token).empty()) {
      open.push_back(range);
    } else if (const std::string_view closed = closerIn(token); !closed.empty()) {
      if (open.empty() || closerOf(slice(m_text, open.back())) != closed)
        return range;
      open.pop_back();
    }
  }
  return open.empty() ? std::nullopt : std::optional(open.back());
}

std::vector<Token> Cursor::takeComments(uint32_t column) {
  const bool isLast = m_next >= m_tokens.size();
  const uint32_t last = m_tokens.empty() ? 0 : m_tokens.back().commentsEnd;
  const uint32_t begin = isLast ? last : m_tokens[m_next].commentsBegin;
  const uint32_t end = isLast ? static_cast<uint32_t>(m_comments.size()) : m_tokens[m_next].commentsEnd;
  std::vector<Token> taken;
  for (uint32_t i = std::max(begin, m_commentsTaken); i < end && m_comments[i].column >= column; ++i) {
    taken.push_back(m_comments[i]);
    m_commentsTaken = i + 1;
  }
  return taken;
}

std::string Cursor::takeCommentText() {
  std::string result;
  bool isFirst = true;
  for (const Token& token : takeComments()) {
    result += (isFirst ? "" : "\n") + commentText(slice(m_text, token.range), token.column);
    isFirst = false;
  }
  return result;
}

TextRange Cursor::rangeFrom(size_t position) const {
  if (position >= m_next) {
    const TextRange next = here();
    return {next.begin, next.begin};
  }
  return {m_tokens[position].token.range.begin, m_tokens[m_next - 1].token.range.end};
}

std::string Cursor::joined(TextRange range) const {
  std::string result;
  for (const Token& token : lex(slice(m_text, range)).tokens) {
    if (!isTrivia(token))
      result += slice(m_text.substr(range.begin), token.range);
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (result.ends_with(' '))
    result.pop_back();
  return result;
}

namespace {

/// Without up to `column` spaces at the beginning of each line but the first.
std::string dedentedBy(std::string result, size_t column) {
  for (size_t end = result.find('\n'); end != std::string::npos; end = result.find('\n', end + 1)) {
    const size_t deep = std::min(result.find_first_not_of(' ', end + 1), result.size()) - end - 1;
    result.erase(end + 1, std::min(deep, column));
  }
  return result;
}

} // namespace

std::string Cursor::dedented(TextRange range) const {
  return dedentedBy(std::string(slice(m_text, range)), static_cast<size_t>(std::max<int64_t>(m_column, 0)));
}

TextRange Cursor::here() const {
  if (!atEnd())
    return token().range;
  if (m_next > 0 && m_next <= m_tokens.size())
    return m_tokens[m_next - 1].token.range;
  return {};
}

void Cursor::report(TextRange range, std::string id, std::string message, Severity severity) {
  m_diagnostics.push_back({range, severity, std::move(id), std::move(message)});
}

std::string commentText(std::string_view token, uint32_t column) {
  if (token.starts_with("/-"))
    return dedentedBy(std::string(token), column);
  token.remove_prefix(2);
  if (token.starts_with(' '))
    token.remove_prefix(1);
  // What begins with "/-" is a block comment to whoever prints it.
  return (token.starts_with("/-") ? " " : "") + std::string(token);
}

std::string unquotedName(std::string_view token) {
  std::string result(token);
  for (const std::string_view mark : {"«", "»"})
    for (size_t at = result.find(mark); at != std::string::npos; at = result.find(mark))
      result.erase(at, mark.size());
  return result;
}

bool fitsTree(std::string_view token) {
  bool isQuoted = false;
  for (size_t i = 0; i < token.size(); ++i) {
    if (token.substr(i).starts_with("«"))
      isQuoted = true;
    if (token.substr(i).starts_with("»"))
      isQuoted = false;
    if (isQuoted && token[i] == '.')
      return false;
  }
  return true;
}

} // namespace plumbline::velvet

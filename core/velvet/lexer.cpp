#include "core/velvet/lexer.h"

#include <algorithm>
#include <array>

namespace plumbline::velvet {
namespace {

/// Longest first.
constexpr auto symbols = std::to_array<std::string_view>({
    "<;>", "/\\", "\\/", "<->", "|>.", "*:=", ":=", "=>", "<=", ">=", "!=", "==", "&&", "||", "++", "->",
    "<-",  "|>",  "<|",  "#[",  "@[",  "]!",  "]?", ":|", "..", "←",  "→",  "↔",  "∀",  "∃",  "∧",  "∨",
    "¬",   "≠",   "≤",   "≥",   "×",   "∑",   "∈",  "⟨",  "⟩",  "·",  "λ",  "↦",  "⊢",  "▸",  "∘",  "∣",
    "⦃",   "⦄",   "+",   "-",   "*",   "/",   "%",  "^",  "=",  "<",  ">",  "(",  ")",  "[",  "]",  "{",
    "}",   ":",   ",",   ";",   ".",   "|",   "!",  "?",  "@",  "#",  "$",  "&",  "~",  "'",  "`",  "\\",
});

/// Symbols by their first byte, the longest first: the text is compared with few of them.
class SymbolTable {
public:
  SymbolTable() : m_sorted(symbols) {
    std::ranges::stable_sort(m_sorted, {}, &firstByte);
    for (const std::string_view symbol : m_sorted)
      ++m_ends[firstByte(symbol)];
    for (size_t i = 1; i < m_ends.size(); ++i)
      m_ends[i] += m_ends[i - 1];
  }

  /// The longest symbol that `text`, which is not empty, begins with; "": none.
  std::string_view longestAt(std::string_view text) const {
    const size_t first = firstByte(text);
    for (size_t i = first == 0 ? 0 : m_ends[first - 1]; i < m_ends[first]; ++i)
      if (text.starts_with(m_sorted[i]))
        return m_sorted[i];
    return {};
  }

private:
  static size_t firstByte(std::string_view text) { return static_cast<unsigned char>(text.front()); }

  std::array<std::string_view, symbols.size()> m_sorted;
  std::array<size_t, 256> m_ends{}; ///< behind the symbols that begin with each byte
};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool isHexDigit(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool isAsciiLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct Character {
  uint32_t code = 0;
  uint32_t length = 0; ///< in bytes; 0: no UTF-8 begins there
};

Character characterAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80)
    return {first, 1};
  const uint32_t length = first >= 0xF0 && first < 0xF5   ? 4
                          : first >= 0xE0 && first < 0xF0 ? 3
                          : first >= 0xC2 && first < 0xE0 ? 2
                                                          : 0;
  if (length == 0 || at + length > text.size())
    return {};
  uint32_t code = first & (0x7FU >> length);
  for (uint32_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80)
      return {};
    code = (code << 6) | (byte(at + i) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF ? Character{} : Character{code, length};
}

/// Lean's letters beyond ASCII: Greek without λ Π Σ, letter-like symbols, script letters.
bool isLetterLike(uint32_t code) {
  const bool greek = (code >= 0x3B1 && code <= 0x3C9 && code != 0x3BB) ||
                     (code >= 0x391 && code <= 0x3A9 && code != 0x3A0 && code != 0x3A3) ||
                     (code >= 0x3CA && code <= 0x3FB);
  return greek || (code >= 0x1F00 && code <= 0x1FFE) || (code >= 0x2100 && code <= 0x214F) ||
         (code >= 0x1D49C && code <= 0x1D59F);
}

bool isSubscript(uint32_t code) {
  return (code >= 0x2080 && code <= 0x2089) || (code >= 0x2090 && code <= 0x209C) ||
         (code >= 0x1D62 && code <= 0x1D6A);
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : m_text(text) {}

  /// Whether the text is one part of a name.
  bool isPart() {
    if (!wordStartsAt(0) || startsWith("«"))
      return false;
    wordPart();
    return m_at == m_text.size();
  }

  Lexed run() {
    m_result.tokens.reserve(m_text.size() / 4 + 8);
    while (m_at < m_text.size())
      next();
    return std::move(m_result);
  }

private:
  char at(size_t i) const { return i < m_text.size() ? m_text[i] : '\0'; }
  bool startsWith(std::string_view part) const { return m_text.substr(m_at).starts_with(part); }

  void next() {
    const size_t begin = m_at;
    const TokenKind kind = scan();
    Token token{kind, rangeFrom(begin), m_column, false, m_spaceBefore};
    token.firstOnLine = m_freshLine;
    advance(begin, kind);
    m_result.tokens.push_back(token);
  }

  TextRange rangeFrom(size_t begin) const {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(m_at)};
  }

  void report(TextRange range, const char* id, const char* message) {
    m_result.diagnostics.push_back({range, Severity::Error, id, message});
  }

  /// Line and column behind the token that was read from `begin` on.
  void advance(size_t begin, TokenKind kind) {
    if (kind != TokenKind::Space)
      m_freshLine = false;
    for (size_t i = begin; i < m_at; ++i) {
      if (m_text[i] == '\n') {
        m_column = 0;
        m_freshLine = true;
      } else if ((static_cast<unsigned char>(m_text[i]) & 0xC0) != 0x80) {
        ++m_column;
      }
    }
    m_spaceBefore = kind == TokenKind::Space || kind == TokenKind::Comment;
  }

  TokenKind scan() {
    const char c = m_text[m_at];
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
      return space();
    if (startsWith("--"))
      return lineComment();
    if (startsWith("/-"))
      return blockComment();
    if (isDigit(c))
      return number();
    if (c == '"')
      return string();
    if (wordStartsAt(m_at))
      return word();
    return symbol();
  }

  TokenKind space() {
    const size_t begin = m_at;
    m_at = std::min(m_text.find_first_not_of(" \n\r\t", m_at), m_text.size());
    if (const size_t tab = m_text.substr(0, m_at).find('\t', begin); tab != std::string_view::npos)
      report({static_cast<uint32_t>(tab), static_cast<uint32_t>(tab + 1)}, "tab",
             "Lean accepts no tabs: use spaces");
    return TokenKind::Space;
  }

  TokenKind lineComment() {
    m_at = std::min(m_text.find('\n', m_at), m_text.size());
    while (m_text[m_at - 1] == '\r')
      --m_at;
    return TokenKind::Comment;
  }

  /// As Lean reads it: the character after the opening belongs to the comment whatever it is, so that "/-/"
  /// has not ended and "/--/" has not either.
  TokenKind blockComment() {
    const size_t begin = m_at;
    int depth = 1;
    m_at = std::min(m_at + 3, m_text.size());
    while (m_at < m_text.size()) {
      if (startsWith("/-")) {
        ++depth;
        m_at += 2;
      } else if (startsWith("-/")) {
        m_at += 2;
        if (--depth == 0)
          return TokenKind::Comment;
      } else {
        ++m_at;
      }
    }
    report({static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + 2)}, "unterminated",
           "this comment has no -/");
    return TokenKind::Comment;
  }

  void digits() {
    while (isDigit(at(m_at)))
      ++m_at;
  }

  TokenKind number() {
    // "x.2.1" has two projections, not a fraction.
    const bool isProjection = m_at > 0 && m_text[m_at - 1] == '.';
    if (m_text[m_at] == '0' && (at(m_at + 1) == 'x' || at(m_at + 1) == 'X') && isHexDigit(at(m_at + 2))) {
      m_at += 2;
      while (isHexDigit(at(m_at)))
        ++m_at;
      return TokenKind::Number;
    }
    digits();
    if (isProjection)
      return TokenKind::Number;
    if (at(m_at) == '.' && isDigit(at(m_at + 1))) {
      ++m_at;
      digits();
    }
    if (at(m_at) == 'e' || at(m_at) == 'E') {
      const size_t sign = at(m_at + 1) == '-' || at(m_at + 1) == '+' ? 1 : 0;
      if (isDigit(at(m_at + 1 + sign))) {
        m_at += 1 + sign;
        digits();
      }
    }
    return TokenKind::Number;
  }

  TokenKind string() {
    const size_t begin = m_at++;
    while (m_at < m_text.size() && m_text[m_at] != '"' && m_text[m_at] != '\n')
      m_at += m_text[m_at] == '\\' && at(m_at + 1) != '\n' && m_at + 1 < m_text.size() ? 2 : 1;
    if (at(m_at) == '"')
      ++m_at;
    else
      report(rangeFrom(begin), "unterminated", "this string does not end on its line");
    return TokenKind::String;
  }

  bool wordStartsAt(size_t i) const {
    if (i >= m_text.size())
      return false;
    if (isAsciiLetter(m_text[i]) || m_text[i] == '_')
      return true;
    if (m_text.substr(i).starts_with("«"))
      return closingQuote(i) != std::string_view::npos;
    const Character c = characterAt(m_text, i);
    return c.length > 1 && isLetterLike(c.code);
  }

  /// Of the « at i: on the same line, behind at least one character and no other «.
  size_t closingQuote(size_t i) const {
    const size_t close = m_text.find("»", i);
    const size_t stop = std::min(m_text.find('\n', i), m_text.find("«", i + 1));
    return close != std::string_view::npos && close < stop && close > i + 2 ? close : std::string_view::npos;
  }

  void wordPart() {
    if (startsWith("«")) {
      m_at = closingQuote(m_at) + std::string_view("»").size();
      return;
    }
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      const bool isMark = (c == '!' || c == '?') && at(m_at + 1) != '=';
      const Character wide = characterAt(m_text, m_at);
      if (isAsciiLetter(c) || isDigit(c) || c == '_' || c == '\'' || isMark)
        ++m_at;
      else if (wide.length > 1 && (isLetterLike(wide.code) || isSubscript(wide.code)))
        m_at += wide.length;
      else
        return;
    }
  }

  TokenKind word() {
    wordPart();
    while (at(m_at) == '.' && wordStartsAt(m_at + 1)) {
      ++m_at;
      wordPart();
    }
    return TokenKind::Word;
  }

  TokenKind symbol() {
    static const SymbolTable table;
    const std::string_view found = table.longestAt(m_text.substr(m_at));
    if (!found.empty()) {
      m_at += found.size();
      return TokenKind::Symbol;
    }
    const size_t begin = m_at;
    m_at += std::max<uint32_t>(characterAt(m_text, m_at).length, 1);
    report(rangeFrom(begin), "character", "no word or symbol begins with this character");
    return TokenKind::Unknown;
  }

  std::string_view m_text;
  size_t m_at = 0;
  uint32_t m_column = 0;
  bool m_freshLine = true;
  bool m_spaceBefore = false;
  Lexed m_result;
};

} // namespace

Lexed lex(std::string_view text) {
  return Lexer(text).run();
}

bool isUnquotedPart(std::string_view text) {
  return Lexer(text).isPart();
}

} // namespace plumbline::velvet

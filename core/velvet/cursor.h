// The parser's place in a document: tokens without trivia, bounded by layout.
#pragma once

#include "core/velvet/dialect.h"
#include "core/velvet/expr.h"
#include "core/velvet/lexer.h"

#include <optional>

namespace plumbline::velvet {

/// Reads tokens up to the end of an extent: the tokens of an item, and within it those that stand deeper than
/// the column of the construct being read.
class Cursor {
public:
  Cursor(std::string_view text, const Lexed& lexed, Dialect dialect, std::vector<Diagnostic>& diagnostics);

  std::string_view text() const { return m_text; }
  Dialect dialect() const { return m_dialect; }

  // --- Looking ---

  bool atEnd(size_t ahead = 0) const;         ///< of the extent
  const Token& token(size_t ahead = 0) const; ///< behind the end: a token without text
  std::string_view peek(size_t ahead = 0) const {
    return slice(m_text, token(ahead).range);
  } ///< "" behind the end
  bool at(std::string_view word) const { return peek() == word; }
  bool atAny(std::initializer_list<std::string_view> words) const;
  bool atWord() const { return token().kind == TokenKind::Word; }

  // --- Moving ---

  void advance();
  bool accept(std::string_view word);
  size_t position() const { return m_next; }
  void moveTo(size_t position) { m_next = position; }
  /// Moves to the end of the extent, or to the first of `stops` outside brackets.
  void skipTo(std::initializer_list<std::string_view> stops);

  // --- Text and places ---

  /// The first bracket that matches no other one, from the token at `position` to the last one read.
  std::optional<TextRange> unmatchedBracket(size_t position) const;

  /// From the token at `position` to the last token read.
  TextRange rangeFrom(size_t position) const;
  /// The text there with runs of space and comments as one space.
  std::string joined(TextRange range) const;
  /// The text there; its lines but the first lose the spaces up to the column of the extent.
  std::string dedented(TextRange range) const;
  /// What to underline for something missing here: the next token, or the last one read at the end.
  TextRange here() const;
  void report(TextRange range, std::string id, std::string message, Severity severity = Severity::Error);

  // --- Comments ---

  /// The comments before the next token that were not taken yet, up to the first that stands before `column`.
  std::vector<Token> takeComments(uint32_t column = 0);
  /// All of them as one text, lines separated by line ends; empty: none.
  std::string takeCommentText();

  // --- Extents ---

  const Token& tokenAt(size_t position) const { return m_tokens[position].token; }
  size_t size() const { return m_tokens.size(); }
  size_t limit() const { return m_limit; }
  void setLimit(size_t limit) { m_limit = limit; }
  /// The next token whatever its column; behind the item: a token without text.
  const Token& raw() const;
  std::string_view rawText() const { return slice(m_text, raw().range); }

  /// While it lives, tokens that begin a line at or before `column` are behind the end, except the one that
  /// stands here now.
  class Extent {
  public:
    Extent(Cursor& cursor, uint32_t column)
        : m_cursor(cursor), m_column(cursor.m_column), m_free(cursor.m_free) {
      cursor.m_column = static_cast<int64_t>(column);
      cursor.m_free = cursor.m_next;
    }
    ~Extent() {
      m_cursor.m_column = m_column;
      m_cursor.m_free = m_free;
    }
    Extent(const Extent&) = delete;
    Extent& operator=(const Extent&) = delete;

  private:
    Cursor& m_cursor;
    int64_t m_column;
    size_t m_free;
  };

  /// Counts how deep constructs nest; false behind the limit, which keeps every later pass off the stack's
  /// end.
  class Depth {
  public:
    explicit Depth(Cursor& cursor) : m_cursor(cursor) { ++m_cursor.m_depth; }
    ~Depth() { --m_cursor.m_depth; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    explicit operator bool() const { return m_cursor.m_depth <= maxDepth; }

  private:
    Cursor& m_cursor;
  };
  static constexpr int maxDepth = 200;

  // --- Scope: what a dotted name's first part may be ---

  std::vector<std::string> scope;

private:
  /// A token that carries meaning, and the comments between the one before and it: indices into m_comments.
  struct Significant {
    Token token;
    uint32_t commentsBegin = 0;
    uint32_t commentsEnd = 0;
  };

  std::string_view m_text;
  Dialect m_dialect;
  std::vector<Diagnostic>& m_diagnostics;
  std::vector<Significant> m_tokens;
  std::vector<Token> m_comments;
  uint32_t m_commentsTaken = 0;
  size_t m_next = 0;
  size_t m_limit = 0;
  int64_t m_column = -1;
  size_t m_free = 0;
  int m_depth = 0;
  Token m_behind;
};

/// What closes an opening bracket; "": it is none.
std::string_view closerOf(std::string_view open);
/// What a token closes: "]" for "]!" too; "": nothing.
std::string_view closerIn(std::string_view token);

/// The text of a comment as the tree holds it: without "-- "; a block comment with its further lines relative
/// to `column`, where it begins.
std::string commentText(std::string_view token, uint32_t column);

/// A name as the tree holds it: without « ».
std::string unquotedName(std::string_view token);

/// A list of names without dots fits the tree; a quoted name with a dot inside does not.
bool fitsTree(std::string_view token);

} // namespace plumbline::velvet

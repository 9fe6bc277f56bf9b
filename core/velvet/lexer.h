// A method document as tokens: every byte belongs to exactly one of them.
#pragma once

#include "core/velvet/text_range.h"

#include <string_view>
#include <vector>

namespace plumbline::velvet {

enum class TokenKind : uint8_t {
  Space,   ///< spaces and line ends
  Comment, ///< "-- ..." without its line end, or "/- ... -/"
  Word,    ///< a name with its dots, or a word of the syntax
  Number,
  String,
  Symbol,
  Unknown, ///< a character that begins no token
};

struct Token {
  TokenKind kind = TokenKind::Space;
  TextRange range;
  uint32_t column = 0;      ///< from 0, in characters
  bool firstOnLine = false; ///< nothing but space before it on its line
  bool spaceBefore = false; ///< space or a comment before it
};

struct Lexed {
  std::vector<Token> tokens; ///< in order, without gaps
  std::vector<Diagnostic> diagnostics;
};

/// Any text has tokens, also one that is no UTF-8. Ids of diagnostics: "unterminated", "tab", "character".
Lexed lex(std::string_view text);

/// Whether the text is one part of a name, between dots, that stands without « »: "x", "x'", "set!", "α₁".
/// Words of the syntax are such names, too.
bool isUnquotedPart(std::string_view text);

/// The bytes of `text` in a range.
inline std::string_view slice(std::string_view text, TextRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

/// Space and comments.
inline bool isTrivia(const Token& token) {
  return token.kind == TokenKind::Space || token.kind == TokenKind::Comment;
}

} // namespace plumbline::velvet

#include "core/velvet/lean_type.h"

#include "core/velvet/cursor.h"

#include <algorithm>

namespace plumbline::velvet {

LeanType arrow(LeanType from, LeanType to) {
  return {"→", {std::move(from), std::move(to)}};
}

LeanType arrayOfType(LeanType element) {
  return {"Array", {std::move(element)}};
}

namespace {

/// Function types bind to the right, products more tightly, applications most.
class TypeReader {
public:
  explicit TypeReader(std::string_view text) : m_text(text), m_lexed(lex(text)) {
    for (const Token& token : m_lexed.tokens)
      if (!isTrivia(token)) {
        m_tokens.push_back(slice(m_text, token.range));
        m_kinds.push_back(token.kind);
      }
  }

  LeanType run() {
    LeanType type = function(0);
    return m_failed || m_next < m_tokens.size() ? LeanType{} : type;
  }

private:
  std::string_view peek() const { return m_next < m_tokens.size() ? m_tokens[m_next] : std::string_view(); }

  LeanType fail() {
    m_failed = true;
    return {};
  }

  LeanType function(int depth) {
    if (depth > 50)
      return fail();
    LeanType left = product(depth);
    if (peek() != "→" && peek() != "->")
      return left;
    ++m_next;
    return arrow(std::move(left), function(depth + 1));
  }

  LeanType product(int depth) {
    LeanType left = application(depth);
    if (peek() != "×")
      return left;
    ++m_next;
    if (depth > 50)
      return fail();
    LeanType right = product(depth + 1);
    return {"×", {std::move(left), std::move(right)}};
  }

  bool startsAtom() const {
    return peek() == "(" || (m_next < m_kinds.size() &&
                             (m_kinds[m_next] == TokenKind::Word || m_kinds[m_next] == TokenKind::Number));
  }

  LeanType application(int depth) {
    LeanType head = atom(depth);
    while (!m_failed && startsAtom())
      head.args.push_back(atom(depth));
    return head;
  }

  LeanType atom(int depth) {
    if (!startsAtom())
      return fail();
    if (peek() != "(")
      return {unquotedName(m_tokens[m_next++])};
    ++m_next;
    LeanType inner = function(depth + 1);
    if (peek() != ")")
      return fail();
    ++m_next;
    return inner;
  }

  std::string_view m_text;
  Lexed m_lexed;
  std::vector<std::string_view> m_tokens;
  std::vector<TokenKind> m_kinds; ///< of m_tokens
  size_t m_next = 0;
  bool m_failed = false;
};

std::string printAt(const LeanType& type, int level) {
  std::string text;
  int own = 3;
  if (!type.known() || type.head.starts_with('?'))
    return "_";
  if (type.is("→") && type.args.size() == 2) {
    own = 0;
    text = printAt(type.args[0], 1) + " → " + printAt(type.args[1], 0);
  } else if (type.is("×") && type.args.size() == 2) {
    own = 1;
    text = printAt(type.args[0], 2) + " × " + printAt(type.args[1], 1);
  } else {
    text = type.head;
    own = type.args.empty() ? 3 : 2;
    for (const LeanType& arg : type.args)
      text += " " + printAt(arg, 3);
  }
  return own < level ? "(" + text + ")" : text;
}

} // namespace

LeanType readType(std::string_view text) {
  return TypeReader(text).run();
}

std::string print(const LeanType& type) {
  return printAt(type, 0);
}

} // namespace plumbline::velvet

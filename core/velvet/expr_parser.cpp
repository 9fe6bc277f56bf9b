#include "core/velvet/expr_parser.h"

#include "core/velvet/names.h"
#include "core/velvet/operators.h"

#include <algorithm>
#include <optional>

namespace plumbline::velvet {
namespace {

/// An expression and how tightly it binds; null: it could not be read.
struct Read {
  ExprPtr expr = nullptr;
  int level = 0;
  int depth = 0; ///< of the tree
};

constexpr int maxTreeDepth = 1000;

struct Spelling {
  std::string_view text;
  BinaryOp op;
};

/// Spellings besides those of the table.
constexpr Spelling asciiSpellings[] = {{"<=", BinaryOp::LessEqual}, {">=", BinaryOp::GreaterEqual},
                                       {"->", BinaryOp::Implies},   {"<->", BinaryOp::Iff},
                                       {"/\\", BinaryOp::And},      {"\\/", BinaryOp::Or}};

std::optional<BinaryOp> operatorOf(std::string_view token) {
  for (size_t i = 0; i < infixTable.size(); ++i)
    if (token == infixTable[i].text)
      return static_cast<BinaryOp>(i);
  for (const Spelling& each : asciiSpellings)
    if (token == each.text)
      return each.op;
  return std::nullopt;
}

/// Words of the syntax that are terms all the same; the tree keeps them as they stand.
bool isTermWord(std::string_view word) {
  return word == "sorry" || word == "this" || word == "_";
}

bool isTypeWord(std::string_view word) {
  return word == "Prop" || word == "Type" || word == "Sort";
}

class ExprParser {
public:
  explicit ExprParser(Cursor& cursor) : m_cursor(cursor) {}

  /// What stopped the reading, where it failed.
  const std::string& problem() const { return m_problem; }
  TextRange problemRange() const { return m_problemRange; }
  void failHere(const std::string& problem) { fail(problem); }

  Read expression(int least) {
    const Cursor::Depth depth(m_cursor);
    if (!depth)
      return fail("this expression is nested too deeply");
    const size_t begin = m_cursor.position();
    Read left = prefix(least);
    while (left.expr) {
      const auto op = operatorOf(m_cursor.peek());
      if (!op)
        return left;
      const Infix& row = infix(*op);
      if (row.level < least)
        return left;
      if (left.level < row.left)
        return nonAssociative(row);
      m_cursor.advance();
      Read right = expression(row.right);
      if (!right.expr)
        return right;
      Expr made{.form = Form::Binary, .binary = *op, .args = {left.expr, right.expr}};
      left = finish(std::move(made), begin, row.level, std::max(left.depth, right.depth));
    }
    return left;
  }

private:
  Read fail(const std::string& problem) {
    if (m_problem.empty()) {
      m_problem = problem;
      m_problemRange = m_cursor.here();
    }
    return {};
  }

  Read nonAssociative(const Infix& row) {
    return fail(std::string("a comparison cannot be compared again: put parentheses before ") + row.text);
  }

  Read finish(Expr expr, size_t begin, int level, int depth) {
    if (depth + 1 > maxTreeDepth)
      return fail("this expression is too large");
    expr.range = m_cursor.rangeFrom(begin);
    return {std::make_shared<const Expr>(std::move(expr)), level, depth + 1};
  }

  Read prefix(int least) {
    const std::string_view token = m_cursor.peek();
    if (least < maxLevel) {
      if (token == "∀" || token == "forall")
        return quantifier(Form::Forall);
      if (token == "∃" || token == "exists")
        return quantifier(Form::Exists);
      if (token == "fun" || token == "λ")
        return lambda();
      if (token == "∑")
        return sum();
      if (token == "if")
        return conditional();
      if (token == "-")
        return unary(UnaryOp::Negate, negateLevel, negateLevel);
    }
    if (token == "¬")
      return unary(UnaryOp::Not, notLevel, maxLevel);
    if (token == "!")
      return unary(UnaryOp::BoolNot, notLevel, maxLevel);
    return least >= maxLevel ? postfix() : application();
  }

  Read unary(UnaryOp op, int operandLevel, int level) {
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    Read operand = expression(operandLevel);
    if (!operand.expr)
      return operand;
    return finish({.form = Form::Unary, .unary = op, .args = {operand.expr}}, begin, level, operand.depth);
  }

  // --- Forms that take everything to their right ---

  struct Bound {
    std::string name;
    std::string type;
    TextRange nameRange;
    TextRange typeRange;
    size_t begin = 0;
  };

  bool boundName(std::vector<Bound>& names) {
    if (!m_cursor.atWord() || (isReserved(m_cursor.peek()) && !m_cursor.at("_")) ||
        m_cursor.peek().find('.') != std::string_view::npos) {
      fail("a name is expected here");
      return false;
    }
    names.push_back({unquotedName(m_cursor.peek()), {}, m_cursor.token().range, {}, m_cursor.position()});
    m_cursor.advance();
    return true;
  }

  /// x y, x y : T, or (x y : T) (z : U). Empty: failed.
  std::vector<Bound> boundNames(std::string_view closing) {
    std::vector<Bound> names;
    if (m_cursor.at("(")) {
      while (m_cursor.accept("(")) {
        const size_t first = names.size();
        while (!m_cursor.at(":"))
          if (!boundName(names))
            return {};
        m_cursor.advance();
        setType(names, first, parseType(m_cursor, {")"}));
        if (!m_cursor.accept(")")) {
          fail("a ) is missing here");
          return {};
        }
      }
      return names;
    }
    while (!m_cursor.at(":") && !m_cursor.at(closing) && !relation())
      if (!boundName(names))
        return {};
    if (m_cursor.accept(":"))
      setType(names, 0, parseType(m_cursor, {closing}));
    return names;
  }

  bool relation() const { return m_cursor.atAny({"<", "≤", ">", "≥", "<=", ">=", "≠", "=", "∈"}); }

  void setType(std::vector<Bound>& names, size_t first, const TypeText& type) {
    if (type.text.empty())
      fail("a type is expected here");
    for (size_t i = first; i < names.size(); ++i) {
      names[i].type = type.text;
      names[i].typeRange = type.range;
    }
  }

  Read quantifier(Form form) {
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    const std::vector<Bound> names = boundNames(",");
    if (names.empty() || !m_problem.empty())
      return fail("a name is expected here");
    const size_t outer = bind(names);
    Read guard;
    if (names.size() == 1 && relation()) {
      guard = bound(names[0]);
      if (!guard.expr)
        return guard;
    }
    Read body = m_cursor.accept(",") ? expression(0) : fail("a , is missing before the body");
    m_cursor.scope.resize(outer);
    if (!body.expr)
      return body;
    if (guard.expr) // ∀ k < n, P is ∀ k, k < n → P
      body = finish({.form = Form::Binary,
                     .binary = form == Form::Forall ? BinaryOp::Implies : BinaryOp::And,
                     .args = {guard.expr, body.expr}},
                    begin, 0, std::max(guard.depth, body.depth));
    return binders(form, names, body, begin);
  }

  /// `k < n` of ∀ k < n.
  Read bound(const Bound& variable) {
    const auto op = operatorOf(m_cursor.peek());
    if (!op)
      return fail("this form of a quantifier is not known");
    m_cursor.advance();
    Read limit = expression(infix(*op).right);
    if (!limit.expr)
      return limit;
    const auto name = std::make_shared<const Expr>(
        Expr{.form = Form::Name, .text = variable.name, .range = variable.nameRange});
    return finish({.form = Form::Binary, .binary = *op, .args = {name, limit.expr}}, variable.begin,
                  infix(*op).level, limit.depth);
  }

  size_t bind(const std::vector<Bound>& names) {
    const size_t outer = m_cursor.scope.size();
    for (const Bound& each : names)
      m_cursor.scope.push_back(each.name);
    return outer;
  }

  /// One node a variable.
  Read binders(Form form, const std::vector<Bound>& names, Read body, size_t begin) {
    for (size_t i = names.size(); i-- > 0 && body.expr;) {
      Expr made{.form = form, .text = names[i].name, .type = names[i].type, .args = {body.expr}};
      made.nameRange = names[i].nameRange;
      made.typeRange = names[i].typeRange;
      body = finish(std::move(made), i == 0 ? begin : names[i].begin, 0, body.depth);
    }
    return body;
  }

  Read lambda() {
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    const std::vector<Bound> names = boundNames(m_cursor.peek(1) == "↦" ? "↦" : "=>");
    if (names.empty() || !m_problem.empty())
      return fail("a name is expected here");
    if (!m_cursor.accept("=>") && !m_cursor.accept("↦"))
      return fail("a => is missing here");
    const size_t outer = bind(names);
    Read body = expression(0);
    m_cursor.scope.resize(outer);
    return body.expr ? binders(Form::Lambda, names, body, begin) : body;
  }

  Read sum() {
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    std::vector<Bound> names;
    if (!boundName(names))
      return {};
    if (!m_cursor.accept("∈"))
      return fail("a ∈ is missing here");
    Read domain = expression(51);
    if (!domain.expr)
      return domain;
    if (!m_cursor.accept(","))
      return fail("a , is missing before the body");
    const size_t outer = bind(names);
    Read body = expression(67);
    m_cursor.scope.resize(outer);
    if (!body.expr)
      return body;
    Expr made{.form = Form::Sum, .text = names[0].name, .args = {domain.expr, body.expr}};
    made.nameRange = names[0].nameRange;
    return finish(std::move(made), begin, 67, std::max(domain.depth, body.depth));
  }

  Read conditional() {
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    std::vector<ExprPtr> parts;
    int depth = 0;
    for (const char* next : {"then", "else", ""}) {
      Read part = expression(0);
      if (!part.expr)
        return part;
      parts.push_back(part.expr);
      depth = std::max(depth, part.depth);
      if (*next != '\0' && !m_cursor.accept(next))
        return fail(std::string("the word ") + next + " is missing here");
    }
    return finish({.form = Form::If, .args = std::move(parts)}, begin, 0, depth);
  }

  // --- Application ---

  bool startsAtom() const {
    if (m_cursor.atEnd())
      return false;
    const Token& token = m_cursor.token();
    if (token.kind == TokenKind::Number || token.kind == TokenKind::String)
      return true;
    const std::string_view text = m_cursor.peek();
    if (token.kind == TokenKind::Word)
      return !isReserved(text) || isTermWord(text) || isTypeWord(text);
    return text == "(" || text == "#[" || text == "⟨";
  }

  Read application() {
    const size_t begin = m_cursor.position();
    Read head = postfix();
    if (!head.expr)
      return head;
    std::vector<ExprPtr> parts{head.expr};
    int depth = head.depth;
    while (startsAtom() && m_cursor.token().spaceBefore) {
      Read arg = postfix();
      if (!arg.expr)
        return arg;
      parts.push_back(arg.expr);
      depth = std::max(depth, arg.depth);
    }
    if (parts.size() == 1)
      return {head.expr, head.level, head.depth};
    return finish({.form = Form::Apply, .args = std::move(parts)}, begin, applicationLevel, depth);
  }

  Read postfix() {
    const size_t begin = m_cursor.position();
    Read result = atom();
    while (result.expr && !m_cursor.atEnd() && !m_cursor.token().spaceBefore) {
      if (m_cursor.at("["))
        result = element(result, begin);
      else if (m_cursor.at("."))
        result = projection(result, begin);
      else
        break;
    }
    return result;
  }

  Read element(const Read& array, size_t begin) {
    m_cursor.advance();
    Read index = expression(0);
    if (!index.expr)
      return index;
    if (m_cursor.at("]"))
      return fail("only a[i]! is known: write ]! here");
    if (!m_cursor.accept("]!"))
      return fail("a ]! is missing here");
    return finish({.form = Form::Element, .args = {array.expr, index.expr}}, begin, maxLevel,
                  std::max(array.depth, index.depth));
  }

  Read projection(const Read& of, size_t begin) {
    m_cursor.advance();
    const Token& token = m_cursor.token();
    const std::string names(m_cursor.peek());
    const bool isName = token.kind == TokenKind::Word && fitsTree(names);
    if ((!isName && token.kind != TokenKind::Number) || token.spaceBefore)
      return fail("the name of a field is expected here");
    const uint32_t offset = token.range.begin;
    m_cursor.advance();
    return fields(of, names, offset, begin);
  }

  /// of.a.b: the text a.b stands at `offset`.
  Read fields(Read of, std::string_view names, uint32_t offset, size_t begin) {
    size_t start = 0;
    while (of.expr) {
      const size_t end = std::min(names.find('.', start), names.size());
      const std::string_view part = names.substr(start, end - start);
      Expr made{.form = Form::Field, .text = unquotedName(part), .args = {of.expr}};
      if (made.text != part && made.text[0] >= '0' && made.text[0] <= '9')
        return fail("the name of a field is expected here"); // "p.«1»" is not the position p.1
      made.nameRange = {offset + static_cast<uint32_t>(start), offset + static_cast<uint32_t>(end)};
      of = finish(std::move(made), begin, maxLevel, of.depth);
      if (of.expr && end < names.size()) {
        // An inner field ends before the next dot.
        auto inner = std::make_shared<Expr>(*of.expr);
        inner->range.end = offset + static_cast<uint32_t>(end);
        of.expr = std::move(inner);
      }
      if (end == names.size())
        break;
      start = end + 1;
    }
    return of;
  }

  Read leaf(Form form) {
    const size_t begin = m_cursor.position();
    const std::string text(m_cursor.peek());
    m_cursor.advance();
    return finish({.form = form, .text = text}, begin, maxLevel, 0);
  }

  Read atom() {
    if (m_cursor.atEnd())
      return fail("an expression is expected here");
    const Token& token = m_cursor.token();
    const std::string_view text = m_cursor.peek();
    if (token.kind == TokenKind::Number)
      return leaf(isNatural(text) ? Form::Number : Form::Scientific);
    if (token.kind == TokenKind::String)
      return leaf(Form::String);
    if (text == "(")
      return parenthesised();
    if (text == "#[")
      return arrayLiteral();
    if (text == "⟨")
      return anonymous();
    if (token.kind == TokenKind::Word)
      return word(text);
    return fail("an expression is expected here");
  }

  static bool isNatural(std::string_view text) {
    return text.starts_with("0x") || std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  }

  Read word(std::string_view text) {
    if (isTermWord(text))
      return leaf(Form::Opaque);
    if (isReserved(text) && !isTypeWord(text))
      return fail("an expression is expected here, not the word " + std::string(text));
    if (!fitsTree(text))
      return leaf(Form::Opaque);
    return dotted(text);
  }

  /// "x.size" is a field of a variable, "Plumbline.cDiv" a name.
  Read dotted(std::string_view text) {
    const size_t begin = m_cursor.position();
    const uint32_t offset = m_cursor.token().range.begin;
    const size_t dot = firstDot(text);
    const std::string first = unquotedName(text.substr(0, dot));
    m_cursor.advance();
    const bool isVariable = dot != std::string_view::npos && (isBound(first) || looksLikeField(text));
    if (!isVariable)
      return finish({.form = Form::Name, .text = unquotedName(text)}, begin, maxLevel, 0);
    Read variable = finish({.form = Form::Name, .text = first}, begin, maxLevel, 0);
    auto inner = std::make_shared<Expr>(*variable.expr);
    inner->range.end = offset + static_cast<uint32_t>(dot);
    variable.expr = std::move(inner);
    return fields(variable, text.substr(dot + 1), offset + static_cast<uint32_t>(dot) + 1, begin);
  }

  /// Outside « ».
  static size_t firstDot(std::string_view text) {
    const size_t from = text.starts_with("«") ? text.find("»") : 0;
    return text.find('.', from);
  }

  bool isBound(const std::string& name) const {
    return std::ranges::find(m_cursor.scope, name) != m_cursor.scope.end();
  }

  /// Of a name that nothing binds, by its spelling.
  static bool looksLikeField(std::string_view text) {
    const bool isUpper = text[0] >= 'A' && text[0] <= 'Z';
    return !isUpper && (text.ends_with(".size") || text.ends_with(".toNat") || text.ends_with(".set!"));
  }

  Read parenthesised() {
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    if (m_cursor.accept(")"))
      return finish({.form = Form::Unit}, begin, maxLevel, 0);
    Read inner = expression(0);
    if (!inner.expr)
      return inner;
    if (m_cursor.accept(")"))
      return {inner.expr, maxLevel, inner.depth};
    if (m_cursor.accept(":"))
      return ascription(inner, begin);
    if (m_cursor.at(","))
      return pair(inner, begin);
    return fail("a ) is missing here");
  }

  Read ascription(const Read& inner, size_t begin) {
    const TypeText type = parseType(m_cursor, {")"});
    if (type.text.empty())
      return fail("a type is expected here");
    if (!m_cursor.accept(")"))
      return fail("a ) is missing here");
    Expr made{.form = Form::Ascribe, .text = type.text, .args = {inner.expr}};
    made.typeRange = type.range;
    return finish(std::move(made), begin, maxLevel, inner.depth);
  }

  Read pair(const Read& first, size_t begin) {
    std::vector<Read> parts{first};
    std::vector<size_t> begins{begin};
    while (m_cursor.accept(",")) {
      begins.push_back(m_cursor.position());
      parts.push_back(expression(0));
      if (!parts.back().expr)
        return parts.back();
    }
    if (!m_cursor.accept(")"))
      return fail("a ) is missing here");
    Read rest = parts.back();
    for (size_t i = parts.size() - 1; i-- > 0 && rest.expr;)
      rest = finish({.form = Form::Pair, .args = {parts[i].expr, rest.expr}}, begins[i], maxLevel,
                    std::max(parts[i].depth, rest.depth));
    return rest;
  }

  Read arrayLiteral() {
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    std::vector<ExprPtr> elements;
    int depth = 0;
    while (!m_cursor.accept("]")) {
      if (!elements.empty() && !m_cursor.accept(","))
        return fail("a ] is missing here");
      Read element = expression(0);
      if (!element.expr)
        return element;
      elements.push_back(element.expr);
      depth = std::max(depth, element.depth);
    }
    return finish({.form = Form::Array, .args = std::move(elements)}, begin, maxLevel, depth);
  }

  /// ⟨a, b⟩: kept as it stands.
  Read anonymous() {
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    m_cursor.skipTo({"⟩"});
    if (!m_cursor.accept("⟩"))
      return fail("a ⟩ is missing here");
    const TextRange range = m_cursor.rangeFrom(begin);
    return finish({.form = Form::Opaque, .text = std::string(slice(m_cursor.text(), range))}, begin, maxLevel,
                  0);
  }

  Cursor& m_cursor;
  std::string m_problem;
  TextRange m_problemRange;
};

bool isStop(const Cursor& cursor, std::initializer_list<std::string_view> stops) {
  return cursor.atEnd() || std::ranges::find(stops, cursor.peek()) != stops.end();
}

} // namespace

ExprPtr tryExpression(Cursor& cursor, std::initializer_list<std::string_view> stops) {
  const size_t scope = cursor.scope.size();
  ExprParser parser(cursor);
  Read read = parser.expression(0);
  cursor.scope.resize(scope);
  if (read.expr && isStop(cursor, stops))
    return read.expr;
  cursor.skipTo(stops);
  return nullptr;
}

ExprPtr parseExpression(Cursor& cursor, std::initializer_list<std::string_view> stops) {
  const size_t begin = cursor.position();
  const size_t scope = cursor.scope.size();
  ExprParser parser(cursor);
  Read read = parser.expression(0);
  cursor.scope.resize(scope);
  if (read.expr && isStop(cursor, stops))
    return read.expr;
  parser.failHere("this does not go on an expression");
  cursor.report(parser.problemRange(), "syntax", parser.problem());
  cursor.moveTo(begin);
  cursor.skipTo(stops);
  Expr made{.form = Form::Opaque};
  made.range = cursor.rangeFrom(begin);
  made.text = cursor.dedented(made.range);
  return std::make_shared<const Expr>(std::move(made));
}

TypeText parseType(Cursor& cursor, std::initializer_list<std::string_view> stops) {
  const size_t begin = cursor.position();
  cursor.skipTo(stops);
  if (cursor.position() == begin || cursor.unmatchedBracket(begin))
    return {};
  const TextRange range = cursor.rangeFrom(begin);
  return {cursor.joined(range), range};
}

} // namespace plumbline::velvet

#include "core/ir/size_expr.h"

#include <limits>

namespace plumbline::ir {
namespace {

using Kind = SizeExpr::Kind;

constexpr size_t kLongestText = 4096; // also bounds the depth of the tree
constexpr int kDeepest = 200;         // nesting of parentheses and signs

bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Recursive descent. After the first error `m_error` is set and every step returns null.
class Parser {
public:
  explicit Parser(const std::string& text) : m_text(text) {}

  Expected<SizeExprPtr> run() {
    if (m_text.size() > kLongestText)
      return problem("the expression is longer than 4096 characters");
    SizeExprPtr made = conjunction();
    skipSpace();
    if (made && m_at != m_text.size())
      wrong("unexpected '" + std::string(1, m_text[m_at]) + "'");
    return m_error ? Expected<SizeExprPtr>(problem(*m_error)) : made;
  }

private:
  tl::unexpected<Error> problem(const std::string& what) const {
    return fail(ErrorKind::Usage, "size-expression",
                "column " + std::to_string(m_at + 1) + " of '" + m_text.substr(0, 200) + "': " + what,
                "use + - * / %, max, min, ceil(a / b), comparisons and && over integers and size names");
  }

  SizeExprPtr wrong(const std::string& what) {
    if (!m_error)
      m_error = what;
    return nullptr;
  }

  void skipSpace() {
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\n'))
      ++m_at;
  }

  bool take(std::string_view token) {
    skipSpace();
    if (m_error || m_text.compare(m_at, token.size(), token) != 0)
      return false;
    m_at += token.size();
    return true;
  }

  SizeExprPtr conjunction() {
    SizeExprPtr left = comparison();
    while (left && take("&&")) {
      if (!isCondition(*left))
        return wrong("a number stands where a condition is needed");
      SizeExprPtr right = comparison();
      if (right && !isCondition(*right))
        return wrong("a number stands where a condition is needed");
      left = right ? sizeBinary(Kind::And, left, right) : nullptr;
    }
    return m_error ? nullptr : left;
  }

  std::optional<Kind> comparisonOperator() {
    static constexpr std::pair<std::string_view, Kind> operators[] = {{"<=", Kind::Le}, {">=", Kind::Ge},
                                                                      {"==", Kind::Eq}, {"!=", Kind::Ne},
                                                                      {"<", Kind::Lt},  {">", Kind::Gt}};
    for (const auto& [token, kind] : operators)
      if (take(token))
        return kind;
    return std::nullopt;
  }

  SizeExprPtr comparison() {
    SizeExprPtr left = sum();
    if (!left)
      return nullptr;
    std::optional<Kind> kind = comparisonOperator();
    if (!kind)
      return left;
    SizeExprPtr right = sum();
    SizeExprPtr made = number(left) && number(right) ? sizeBinary(*kind, left, right) : nullptr;
    return made && comparisonOperator() ? wrong("comparisons do not chain; join them with &&") : made;
  }

  bool number(const SizeExprPtr& expr) {
    if (expr && isCondition(*expr))
      wrong("a condition stands where a number is needed");
    return expr && !m_error;
  }

  SizeExprPtr sum() {
    SizeExprPtr left = product();
    while (left) {
      const bool add = take("+");
      if (!add && !take("-"))
        break;
      SizeExprPtr right = product();
      left = number(left) && number(right) ? sizeBinary(add ? Kind::Add : Kind::Sub, left, right) : nullptr;
    }
    return m_error ? nullptr : left;
  }

  SizeExprPtr product() {
    SizeExprPtr left = unary();
    while (left) {
      Kind kind = Kind::Mul;
      if (take("/"))
        kind = Kind::Div;
      else if (take("%"))
        kind = Kind::Rem;
      else if (!take("*"))
        break;
      SizeExprPtr right = unary();
      left = number(left) && number(right) ? sizeBinary(kind, left, right) : nullptr;
    }
    return m_error ? nullptr : left;
  }

  SizeExprPtr unary() {
    if (!take("-"))
      return primary();
    skipSpace();
    if (m_at < m_text.size() && isDigit(m_text[m_at]))
      return constant(true);
    if (++m_depth > kDeepest)
      return wrong("nested too deeply");
    SizeExprPtr operand = unary();
    --m_depth;
    return number(operand) ? sizeBinary(Kind::Sub, sizeConstant(0), operand) : nullptr;
  }

  SizeExprPtr constant(bool negative) {
    const uint64_t largest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) + (negative ? 1 : 0);
    uint64_t value = 0;
    for (; m_at < m_text.size() && isDigit(m_text[m_at]); ++m_at) {
      const auto digit = static_cast<uint64_t>(m_text[m_at] - '0');
      if (value > (largest - digit) / 10)
        return wrong("a constant outside the 64-bit range");
      value = value * 10 + digit;
    }
    if (m_at < m_text.size() && (isNameStart(m_text[m_at]) || m_text[m_at] == '.'))
      return wrong("not an integer");
    return sizeConstant(static_cast<int64_t>(negative ? 0 - value : value));
  }

  SizeExprPtr primary() {
    skipSpace();
    if (m_error || m_at == m_text.size())
      return wrong("the expression ends too early");
    if (isDigit(m_text[m_at]))
      return constant(false);
    if (isNameStart(m_text[m_at]))
      return named();
    if (!take("("))
      return wrong("unexpected '" + std::string(1, m_text[m_at]) + "'");
    return closed(nested());
  }

  SizeExprPtr nested() {
    if (++m_depth > kDeepest)
      return wrong("nested too deeply");
    SizeExprPtr made = conjunction();
    --m_depth;
    return made;
  }

  SizeExprPtr closed(SizeExprPtr inner) {
    if (inner && !take(")"))
      return wrong("a closing parenthesis is missing");
    return inner;
  }

  std::string takeName() {
    const size_t begin = m_at;
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      const bool dot = c == '.' && m_at + 1 < m_text.size() &&
                       (isNameStart(m_text[m_at + 1]) || isDigit(m_text[m_at + 1]));
      if (!isNameStart(c) && !isDigit(c) && !dot)
        break;
      ++m_at;
    }
    return m_text.substr(begin, m_at - begin);
  }

  SizeExprPtr named() {
    std::string name = takeName();
    if (!take("("))
      return sizeSymbol(std::move(name));
    if (name == "max" || name == "min")
      return extreme(name == "max" ? Kind::Max : Kind::Min);
    if (name == "ceil")
      return ceiling();
    return wrong("unknown function '" + name + "'");
  }

  SizeExprPtr extreme(Kind kind) {
    SizeExprPtr made = nested();
    if (!number(made))
      return nullptr;
    if (!take(","))
      return wrong("max and min take two or more numbers");
    do {
      SizeExprPtr next = nested();
      made = number(next) ? sizeBinary(kind, made, next) : nullptr;
    } while (made && take(","));
    return closed(made);
  }

  SizeExprPtr ceiling() {
    SizeExprPtr inner = closed(nested());
    if (inner && inner->kind != Kind::Div)
      return wrong("ceil takes one division: ceil(a / b)");
    return inner ? sizeBinary(Kind::CeilDiv, inner->args[0], inner->args[1]) : nullptr;
  }

  const std::string& m_text;
  size_t m_at = 0;
  int m_depth = 0;
  std::optional<std::string> m_error;
};

} // namespace

Expected<SizeExprPtr> parseSizeExpr(const std::string& text) {
  return Parser(text).run();
}

} // namespace plumbline::ir

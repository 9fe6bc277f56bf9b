#include "core/torch/sym_expr.h"

#include <cctype>
#include <charconv>

namespace plumbline::torch {
namespace {

using ir::SizeExpr;
using ir::SizeExprPtr;
using Kind = ir::SizeExpr::Kind;

/// The value is at least `low` (0 or 1) whatever the sizes are.
bool isAtLeast(const SizeExpr& expr, int64_t low) {
  switch (expr.kind) {
  case Kind::Constant: return expr.value >= low;
  case Kind::Symbol: return true;
  case Kind::Add:
    return (isAtLeast(*expr.args[0], low) && isAtLeast(*expr.args[1], 0)) ||
           (isAtLeast(*expr.args[0], 0) && isAtLeast(*expr.args[1], low));
  case Kind::Mul: return isAtLeast(*expr.args[0], low) && isAtLeast(*expr.args[1], low);
  case Kind::Div: return low == 0 && isAtLeast(*expr.args[0], 0) && isAtLeast(*expr.args[1], 1);
  default: return false;
  }
}

/// Constants are combined only where the result stays inside int64.
SizeExprPtr combine(Kind kind, SizeExprPtr a, SizeExprPtr b) {
  if (a->kind != Kind::Constant || b->kind != Kind::Constant)
    return ir::sizeBinary(kind, std::move(a), std::move(b));
  auto value = ir::evaluate(*ir::sizeBinary(kind, a, b), [](const std::string&) { return std::nullopt; });
  return value ? ir::sizeConstant(*value) : ir::sizeBinary(kind, std::move(a), std::move(b));
}

/// a mod b for b > 0, in [0, b).
SizeExprPtr floorMod(const SizeExprPtr& a, const SizeExprPtr& b) {
  auto remainder = combine(Kind::Rem, a, b);
  if (isAtLeast(*a, 0))
    return remainder;
  return combine(Kind::Rem, combine(Kind::Add, remainder, b), b);
}

/// floor(a / b) for b > 0: subtracting the remainder first makes the division exact.
SizeExprPtr floorDiv(const SizeExprPtr& a, const SizeExprPtr& b) {
  if (isAtLeast(*a, 0))
    return combine(Kind::Div, a, b);
  return combine(Kind::Div, combine(Kind::Sub, a, floorMod(a, b)), b);
}

/// Whether the tree has at most `budget` nodes; counts down. Shared parts count each time, as they are
/// printed.
bool fits(const SizeExpr& expr, int& budget) {
  if (--budget < 0)
    return false;
  for (const auto& arg : expr.args)
    if (!fits(*arg, budget))
      return false;
  return true;
}

/// Recursive descent over both spellings. The first error sticks and empties the rest of the input.
class Parser {
public:
  explicit Parser(const std::string& text) : m_text(text), m_rest(text) {}

  Expected<SizeExprPtr> parse() {
    auto result = m_text.size() > maxText ? stop("is too long") : sum();
    skipSpace();
    if (!m_rest.empty())
      stop("is not understood at '" + std::string(m_rest.substr(0, 20)) + "'");
    if (!m_error.empty())
      return fail(ErrorKind::File, "symbolic-size", "the symbolic size " + m_text + " " + m_error,
                  "capture the module with fixed sizes for this dimension");
    return result;
  }

private:
  static constexpr int maxDepth = 200;
  static constexpr size_t maxText = 4000;
  static constexpr int maxNodes = 150; // PyTorch's own stay below 40

  /// Powers and divisions repeat their operands: without a limit nesting them grows without bound.
  SizeExprPtr bounded(SizeExprPtr expr) {
    int budget = maxNodes;
    return fits(*expr, budget) ? expr : stop("is too long");
  }

  SizeExprPtr stop(const std::string& why) {
    if (m_error.empty())
      m_error = why;
    m_rest = {};
    return ir::sizeConstant(1);
  }

  void skipSpace() {
    while (!m_rest.empty() && m_rest.front() == ' ')
      m_rest.remove_prefix(1);
  }

  bool take(std::string_view token) {
    skipSpace();
    if (!m_rest.starts_with(token))
      return false;
    m_rest.remove_prefix(token.size());
    return true;
  }

  SizeExprPtr sum() {
    if (++m_depth > maxDepth)
      return stop("is nested too deeply");
    auto result = product();
    while (m_error.empty()) {
      if (take("+"))
        result = combine(Kind::Add, result, product());
      else if (take("-"))
        result = combine(Kind::Sub, result, product());
      else
        break;
    }
    --m_depth;
    return bounded(result);
  }

  SizeExprPtr product() {
    auto result = factor();
    while (m_error.empty()) {
      if (take("//"))
        result = divide(result, factor());
      else if (take("*"))
        result = combine(Kind::Mul, result, factor());
      else
        break;
    }
    return result;
  }

  SizeExprPtr factor() {
    if (take("-")) {
      if (++m_depth > maxDepth)
        return stop("is nested too deeply");
      auto negated = combine(Kind::Sub, ir::sizeConstant(0), factor());
      --m_depth;
      return negated;
    }
    auto base = atom();
    return take("**") ? power(base, atom()) : base;
  }

  SizeExprPtr atom() {
    skipSpace();
    if (take("(")) {
      auto inner = sum();
      return take(")") ? inner : stop("lacks a closing parenthesis");
    }
    if (!m_rest.empty() && std::isdigit(static_cast<unsigned char>(m_rest.front())))
      return number();
    std::string word = name();
    if (word.empty())
      return stop("is not understood");
    return take("(") ? call(word) : symbol(word);
  }

  SizeExprPtr number() {
    int64_t value = 0;
    auto [end, code] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
    if (code != std::errc())
      return stop("has a number that does not fit");
    m_rest.remove_prefix(static_cast<size_t>(end - m_rest.data()));
    return ir::sizeConstant(value);
  }

  std::string name() {
    skipSpace();
    size_t length = 0;
    while (length < m_rest.size() &&
           (std::isalnum(static_cast<unsigned char>(m_rest[length])) || m_rest[length] == '_'))
      ++length;
    std::string word(m_rest.substr(0, length));
    m_rest.remove_prefix(length);
    return word;
  }

  /// Backed size symbols are named s0, s1, ...; u0, ... stand for values that depend on the data.
  SizeExprPtr symbol(const std::string& word) {
    bool sized =
        word.size() > 1 && word[0] == 's' && word.find_first_not_of("0123456789", 1) == std::string::npos;
    return sized ? ir::sizeSymbol(word) : stop("uses '" + word + "', which is not the size of an input");
  }

  SizeExprPtr symbolCall() {
    if (!take("'"))
      return stop("has a symbol without a name");
    std::string word = name();
    if (!take("'"))
      return stop("has a symbol without a name");
    while (take(",")) { // assumptions such as positive=True
      name();
      if (take("="))
        name();
    }
    return take(")") ? symbol(word) : stop("lacks a closing parenthesis");
  }

  SizeExprPtr call(const std::string& function) {
    if (function == "Symbol")
      return symbolCall();
    std::vector<SizeExprPtr> args;
    do {
      args.push_back(sum());
    } while (m_error.empty() && take(","));
    if (!take(")"))
      return stop("lacks a closing parenthesis");
    return apply(function, args);
  }

  SizeExprPtr apply(const std::string& function, const std::vector<SizeExprPtr>& args) {
    if (function == "Integer" && args.size() == 1)
      return args[0];
    if (function == "Add" || function == "Mul" || function == "Max" || function == "Min")
      return fold(function, args);
    if (args.size() != 2)
      return stop("uses " + function + ", which has no meaning here");
    if (function == "Pow")
      return power(args[0], args[1]);
    if (function == "FloorDiv" || function == "CleanDiv")
      return divide(args[0], args[1]);
    if (function == "CeilDiv" && isAtLeast(*args[0], 0) && isAtLeast(*args[1], 1))
      return combine(Kind::CeilDiv, args[0], args[1]);
    if ((function == "Mod" || function == "PythonMod") && isAtLeast(*args[1], 1))
      return bounded(floorMod(args[0], args[1]));
    return compare(function, args);
  }

  SizeExprPtr compare(const std::string& function, const std::vector<SizeExprPtr>& args) {
    static const std::pair<std::string_view, Kind> kinds[] = {
        {"GreaterThan", Kind::Ge},    {"LessThan", Kind::Le}, {"StrictGreaterThan", Kind::Gt},
        {"StrictLessThan", Kind::Lt}, {"Equality", Kind::Eq}, {"Unequality", Kind::Ne}};
    for (const auto& [spelling, kind] : kinds)
      if (spelling == function)
        return ir::sizeBinary(kind, args[0], args[1]);
    return stop("uses " + function + ", which has no meaning here");
  }

  SizeExprPtr fold(const std::string& function, const std::vector<SizeExprPtr>& args) {
    Kind kind = function == "Add"   ? Kind::Add
                : function == "Mul" ? Kind::Mul
                : function == "Max" ? Kind::Max
                                    : Kind::Min;
    SizeExprPtr result = args[0];
    for (size_t i = 1; i < args.size(); ++i)
      result = combine(kind, result, args[i]);
    return result;
  }

  SizeExprPtr divide(const SizeExprPtr& a, const SizeExprPtr& b) {
    return isAtLeast(*b, 1) ? bounded(floorDiv(a, b)) : stop("divides by something that may not be positive");
  }

  SizeExprPtr power(const SizeExprPtr& base, const SizeExprPtr& exponent) {
    if (exponent->kind != Kind::Constant || exponent->value < 1 || exponent->value > 8)
      return stop("has an exponent that is not a small positive integer");
    SizeExprPtr result = base;
    for (int64_t i = 1; i < exponent->value; ++i)
      result = combine(Kind::Mul, result, base);
    return bounded(result);
  }

  const std::string& m_text;
  std::string_view m_rest;
  std::string m_error;
  int m_depth = 0;
};

} // namespace

Expected<SizeExprPtr> parseSymbolicSize(const std::string& text) {
  return Parser(text).parse();
}

} // namespace plumbline::torch

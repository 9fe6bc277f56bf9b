#include "core/ir/size_expr.h"

#include <limits>
#include <set>

namespace plumbline::ir {
namespace {

using Kind = SizeExpr::Kind;
__extension__ typedef __int128
    Wide; // intermediate values are unbounded in principle; leaving 128 bits is an error
using Lookup = std::function<std::optional<int64_t>(const std::string&)>;

/// Binding strength for printing: 0 `&&`, 1 comparison, 2 additive, 3 multiplicative, 4 primary.
int strength(const SizeExpr& expr) {
  switch (expr.kind) {
  case Kind::And: return 0;
  case Kind::Lt:
  case Kind::Le:
  case Kind::Gt:
  case Kind::Ge:
  case Kind::Eq:
  case Kind::Ne: return 1;
  case Kind::Add:
  case Kind::Sub: return 2;
  case Kind::Mul:
  case Kind::Div:
  case Kind::Rem: return 3;
  default: return 4;
  }
}

std::string_view symbolOf(Kind kind) {
  switch (kind) {
  case Kind::And: return "&&";
  case Kind::Lt: return "<";
  case Kind::Le: return "<=";
  case Kind::Gt: return ">";
  case Kind::Ge: return ">=";
  case Kind::Eq: return "==";
  case Kind::Ne: return "!=";
  case Kind::Add: return "+";
  case Kind::Sub: return "-";
  case Kind::Mul: return "*";
  case Kind::Rem: return "%";
  default: return "/"; // Div, and CeilDiv inside ceil()
  }
}

std::string printAt(const SizeExpr& expr, int weakest);

std::string infix(const SizeExpr& expr, int own) {
  // All operators associate to the left, except that comparisons do not chain.
  const int left = own == 1 ? 2 : own;
  return printAt(*expr.args[0], left) + " " + std::string(symbolOf(expr.kind)) + " " +
         printAt(*expr.args[1], own + 1);
}

std::string printAt(const SizeExpr& expr, int weakest) {
  switch (expr.kind) {
  case Kind::Constant: return std::to_string(expr.value);
  case Kind::Symbol: return expr.symbol;
  case Kind::Max:
  case Kind::Min:
    return (expr.kind == Kind::Max ? "max(" : "min(") + printAt(*expr.args[0], 0) + ", " +
           printAt(*expr.args[1], 0) + ")";
  case Kind::CeilDiv: return "ceil(" + infix(expr, 3) + ")";
  default: break;
  }
  const int own = strength(expr);
  return own < weakest ? "(" + infix(expr, own) + ")" : infix(expr, own);
}

void collect(const SizeExpr& expr, std::set<std::string>& names) {
  if (expr.kind == Kind::Symbol)
    names.insert(expr.symbol);
  for (const SizeExprPtr& arg : expr.args)
    collect(*arg, names);
}

tl::unexpected<Error> overflow() {
  return fail(ErrorKind::Usage, "size-overflow", "a size leaves the 64-bit range", "use smaller sizes");
}

Expected<Wide> divide(Kind kind, Wide a, Wide b) {
  if (b == 0)
    return fail(ErrorKind::Usage, "size-division", "division by zero in a size expression",
                "exclude that size");
  if (b == -1) { // the quotient may not exist in 128 bits
    Wide negated = 0;
    if (__builtin_sub_overflow(Wide{0}, a, &negated))
      return overflow();
    return kind == Kind::Rem ? Wide{0} : negated;
  }
  if (kind == Kind::Rem)
    return a % b;
  const bool roundUp = kind == Kind::CeilDiv && a % b != 0 && (a < 0) == (b < 0);
  return a / b + (roundUp ? 1 : 0);
}

Expected<Wide> apply(Kind kind, Wide a, Wide b) {
  Wide result = 0;
  switch (kind) {
  case Kind::Add: return __builtin_add_overflow(a, b, &result) ? Expected<Wide>(overflow()) : result;
  case Kind::Sub: return __builtin_sub_overflow(a, b, &result) ? Expected<Wide>(overflow()) : result;
  case Kind::Mul: return __builtin_mul_overflow(a, b, &result) ? Expected<Wide>(overflow()) : result;
  case Kind::Div:
  case Kind::Rem:
  case Kind::CeilDiv: return divide(kind, a, b);
  case Kind::Max: return a < b ? b : a;
  case Kind::Min: return b < a ? b : a;
  case Kind::Lt: return a < b;
  case Kind::Le: return a <= b;
  case Kind::Gt: return a > b;
  case Kind::Ge: return a >= b;
  case Kind::Eq: return a == b;
  case Kind::Ne: return a != b;
  default: return a != 0 && b != 0; // And
  }
}

Expected<Wide> evaluateWide(const SizeExpr& expr, const Lookup& value) {
  if (expr.kind == Kind::Constant)
    return Wide{expr.value};
  if (expr.kind == Kind::Symbol) {
    std::optional<int64_t> found = value(expr.symbol);
    if (!found)
      return fail(ErrorKind::Usage, "size-unbound", "the size '" + expr.symbol + "' has no value",
                  "give a value for it");
    return Wide{*found};
  }
  Expected<Wide> left = evaluateWide(*expr.args[0], value);
  if (!left || (expr.kind == Kind::And && *left == 0))
    return left;
  Expected<Wide> right = evaluateWide(*expr.args[1], value);
  return right ? apply(expr.kind, *left, *right) : right;
}

} // namespace

SizeExprPtr sizeConstant(int64_t value) {
  auto made = std::make_shared<SizeExpr>();
  made->value = value;
  return made;
}

SizeExprPtr sizeSymbol(std::string name) {
  auto made = std::make_shared<SizeExpr>();
  made->kind = Kind::Symbol;
  made->symbol = std::move(name);
  return made;
}

SizeExprPtr sizeBinary(SizeExpr::Kind kind, SizeExprPtr a, SizeExprPtr b) {
  auto made = std::make_shared<SizeExpr>();
  made->kind = kind;
  made->args = {std::move(a), std::move(b)};
  return made;
}

bool isCondition(const SizeExpr& expr) {
  return expr.kind >= Kind::Lt;
}

std::string print(const SizeExpr& expr) {
  return printAt(expr, 0);
}

std::vector<std::string> symbolsOf(const SizeExpr& expr) {
  std::set<std::string> names;
  collect(expr, names);
  return {names.begin(), names.end()};
}

Expected<int64_t> evaluate(const SizeExpr& expr, const Lookup& value) {
  Expected<Wide> wide = evaluateWide(expr, value);
  if (!wide)
    return fail(wide.error());
  if (*wide < std::numeric_limits<int64_t>::min() || *wide > std::numeric_limits<int64_t>::max())
    return overflow();
  return static_cast<int64_t>(*wide);
}

} // namespace plumbline::ir

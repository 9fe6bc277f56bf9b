#include "core/velvet/abstract_scalar.h"

#include "core/velvet/cursor.h"
#include "core/velvet/signatures.h"

#include <algorithm>
#include <array>

namespace plumbline::velvet {
namespace {

struct Member {
  std::string_view function;
  const char* member;
};

/// Functions of Float32 that the class has too. Those of ATen have their own name there.
constexpr auto members = std::to_array<Member>({
    {"Float32.isNaN", "isNaN"},
    {"Float32.abs", "abs"},
    {"Float32.sqrt", "sqrt"},
    {"Float32.ofInt", "ofInt"},
    {"Plumbline.fma", "fma"},
});

std::string memberOf(std::string_view function) {
  const auto* found = std::ranges::find(members, function, &Member::function);
  if (found != members.end())
    return found->member;
  constexpr std::string_view aten = "Plumbline.aten_";
  return function.starts_with(aten) ? std::string(function.substr(aten.size() - 5)) : std::string();
}

bool mentions(const LeanType& type, std::string_view head) {
  return type.is(head) ||
         std::ranges::any_of(type.args, [&](const LeanType& arg) { return mentions(arg, head); });
}

} // namespace

std::string AbstractScalar::headOf(const Expr& expr) const {
  const auto found = m_typing.types.find(&expr);
  return found == m_typing.types.end() ? std::string() : found->second.head;
}

ExprPtr AbstractScalar::scalar(const std::string& member, std::vector<ExprPtr> args) {
  m_used = true;
  const std::string function = "Plumbline.Scalar." + member;
  return args.empty() ? name(function) : apply(function, std::move(args));
}

std::string AbstractScalar::type(const std::string& text) {
  std::string result;
  for (const Token& token : lex(text).tokens) {
    const std::string_view word = slice(text, token.range);
    if (word == "Float")
      m_inexpressible.insert("binary64");
    m_used |= word == "Float32" || word == "S";
    result += word == "Float32" ? "S" : word;
  }
  return result;
}

/// Float32.ofBits 0x3F000000 as the literal 1/2 with these bits.
ExprPtr AbstractScalar::literal(const Expr& bits) {
  if (bits.form != Form::Number || bits.text.size() > 10) {
    m_inexpressible.insert("Float32.ofBits of something other than 32 bits");
    return name("Float32.ofBits");
  }
  const bool isHex = bits.text.starts_with("0x");
  const uint64_t value = std::stoull(bits.text.substr(isHex ? 2 : 0), nullptr, isHex ? 16 : 10);
  if (value > 0xFFFFFFFF) {
    m_inexpressible.insert("Float32.ofBits of something other than 32 bits");
    return name("Float32.ofBits");
  }
  const auto exponent = static_cast<int>((value >> 23) & 0xFF);
  const auto fraction = static_cast<int64_t>(value & 0x7FFFFF);
  const bool isNegative = ((value >> 31) & 1) != 0;
  if (exponent == 0xFF)
    return scalar(fraction != 0 ? "nan" : isNegative ? "bottom" : "top", {});
  int64_t numerator = exponent == 0 ? fraction : fraction | 0x800000;
  int power = std::max(exponent, 1) - 150; // numerator * 2^power
  while (numerator != 0 && numerator % 2 == 0 && power < 0) {
    numerator /= 2;
    ++power;
  }
  if (numerator == 0)
    power = 0;
  if (power > 38 || power < -62) {
    m_inexpressible.insert("a literal as large or small as Float32.ofBits " + bits.text);
    return name("Float32.ofBits");
  }
  const int64_t scaled = power > 0 ? numerator << power : numerator;
  const int64_t denominator = power < 0 ? int64_t{1} << -power : 1;
  return scalar("lit", {hexNumber(value, 8), number(isNegative ? -scaled : scaled), number(denominator)});
}

ExprPtr AbstractScalar::rebuilt(const Expr& expr, std::vector<ExprPtr> args) {
  Expr made = expr;
  made.args = std::move(args);
  if (made.form == Form::Ascribe)
    made.text = type(made.text);
  made.type = made.type.empty() ? "" : type(made.type);
  return std::make_shared<const Expr>(std::move(made));
}

/// A name on its own or as a function.
ExprPtr AbstractScalar::named(const Expr& expr) {
  if (const std::string member = memberOf(expr.text); !member.empty())
    return scalar(member, {});
  const auto known = signatures().find(expr.text);
  const bool isOfDocument = known == signatures().end() || expr.text.starts_with("Plumbline.Scalar.");
  if (!isOfDocument && (mentions(known->second.type, "Float32") || mentions(known->second.type, "Float")))
    m_inexpressible.insert(expr.text);
  if (expr.text.starts_with("Float32.") || expr.text.starts_with("Float."))
    m_inexpressible.insert(expr.text);
  return rebuilt(expr, {});
}

ExprPtr AbstractScalar::binaryExpression(const Expr& expr, std::vector<ExprPtr> args) {
  if (headOf(*expr.args[0]) != "Float32" && headOf(*expr.args[1]) != "Float32")
    return rebuilt(expr, std::move(args));
  const auto holds = [](ExprPtr value) { return binary(BinaryOp::Equal, std::move(value), name("true")); };
  switch (expr.binary) {
  case BinaryOp::Add: return scalar("add", std::move(args));
  case BinaryOp::Subtract: return scalar("sub", std::move(args));
  case BinaryOp::Multiply: return scalar("mul", std::move(args));
  case BinaryOp::Divide: return scalar("div", std::move(args));
  case BinaryOp::Less: return holds(scalar("lt", std::move(args)));
  case BinaryOp::LessEqual: return holds(scalar("le", std::move(args)));
  case BinaryOp::Greater: return holds(scalar("lt", {args[1], args[0]}));
  case BinaryOp::GreaterEqual: return holds(scalar("le", {args[1], args[0]}));
  case BinaryOp::BoolEqual: return scalar("eq", std::move(args));
  case BinaryOp::BoolNotEqual: return unary(UnaryOp::BoolNot, scalar("eq", std::move(args)));
  case BinaryOp::Equal:
  case BinaryOp::NotEqual: return rebuilt(expr, std::move(args));
  default: m_inexpressible.insert("this operator on Float32"); return rebuilt(expr, std::move(args));
  }
}

ExprPtr AbstractScalar::expression(const ExprPtr& expr) {
  if (expr->form == Form::Apply && expr->args[0]->form == Form::Name &&
      expr->args[0]->text == "Float32.ofBits" && expr->args.size() == 2)
    return literal(*expr->args[1]);
  std::vector<ExprPtr> args;
  for (const ExprPtr& arg : expr->args)
    args.push_back(expression(arg));
  switch (expr->form) {
  case Form::Name: return named(*expr);
  case Form::Number:
  case Form::Scientific:
    if (headOf(*expr) == "Float32")
      m_inexpressible.insert("the numeral " + expr->text + " as a Float32");
    return expr;
  case Form::Opaque: m_inexpressible.insert("'" + expr->text + "', text of unknown structure"); return expr;
  case Form::Unary:
    return expr->unary == UnaryOp::Negate && headOf(*expr) == "Float32" ? scalar("neg", std::move(args))
                                                                        : rebuilt(*expr, std::move(args));
  case Form::Binary: return binaryExpression(*expr, std::move(args));
  case Form::Field: {
    const std::string member =
        headOf(*expr->args[0]) == "Float32" ? memberOf("Float32." + expr->text) : std::string();
    return member.empty() ? rebuilt(*expr, std::move(args)) : scalar(member, std::move(args));
  }
  default: return rebuilt(*expr, std::move(args));
  }
}

} // namespace plumbline::velvet

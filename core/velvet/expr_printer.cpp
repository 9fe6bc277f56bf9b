#include "core/velvet/names.h"
#include "core/velvet/operators.h"
#include "core/velvet/printer.h"

namespace plumbline::velvet {
namespace {

std::string printAt(const Expr& expr, int least);

std::string quantified(const Expr& expr, const char* symbol) {
  const std::string type = expr.type.empty() ? "" : " : " + expr.type;
  return symbol + (" " + quoted(expr.text)) + type + ", " + printAt(*expr.args[0], 0);
}

std::string printLambda(const Expr& expr) {
  const std::string variable =
      expr.type.empty() ? quoted(expr.text) : "(" + quoted(expr.text) + " : " + expr.type + ")";
  return "fun " + variable + " => " + printAt(*expr.args[0], 0);
}

std::string printUnary(const Expr& expr) {
  switch (expr.unary) {
  case UnaryOp::Not: return "¬ " + printAt(*expr.args[0], maxLevel);
  case UnaryOp::BoolNot: return "!" + printAt(*expr.args[0], maxLevel);
  case UnaryOp::Negate: return "-" + printAt(*expr.args[0], maxLevel);
  }
  return {};
}

std::string printApply(const Expr& expr) {
  std::string text = printAt(*expr.args[0], maxLevel);
  for (size_t i = 1; i < expr.args.size(); ++i)
    text += " " + printAt(*expr.args[i], maxLevel);
  return text;
}

std::string printIf(const Expr& expr) {
  return "if " + printAt(*expr.args[0], 1) + " then " + printAt(*expr.args[1], 1) + " else " +
         printAt(*expr.args[2], 1);
}

std::string printBinary(const Expr& expr) {
  const Infix row = infix(expr.binary);
  // "a ∨ b || c" would be read as "a ∨ (b || c)": ∨ takes what follows on its own level.
  const Expr& first = *expr.args[0];
  const Infix inner = infix(first.binary);
  const bool greedy = first.form == Form::Binary && inner.level == row.level && inner.right == inner.level;
  return printAt(first, greedy ? row.level + 1 : row.left) + " " + row.text + " " +
         printAt(*expr.args[1], row.right);
}

std::string printArray(const Expr& expr) {
  std::string text;
  for (const ExprPtr& element : expr.args)
    text += (text.empty() ? "" : ", ") + printAt(*element, 0);
  return "#[" + text + "]";
}

/// "x.size", "p.1". A number is put in parentheses: "3.1" is a fraction.
std::string printField(const Expr& expr) {
  const Expr& of = *expr.args[0];
  const bool isNumber = of.form == Form::Number || of.form == Form::Scientific;
  const std::string object = isNumber ? "(" + of.text + ")" : printAt(of, maxLevel);
  const bool isPosition = expr.text[0] >= '0' && expr.text[0] <= '9';
  return object + "." + (isPosition ? expr.text : quoted(expr.text));
}

/// The level at which an expression binds. Quantifiers and `if` take everything to their right.
int levelOf(const Expr& expr) {
  switch (expr.form) {
  case Form::Forall:
  case Form::Exists:
  case Form::Lambda:
  case Form::Sum:
  case Form::If:
  case Form::Opaque: return 0;
  case Form::Binary: return infix(expr.binary).level;
  case Form::Unary: return expr.unary == UnaryOp::Negate ? 75 : 40;
  case Form::Apply: return applicationLevel;
  default: return maxLevel;
  }
}

std::string printForm(const Expr& expr) {
  switch (expr.form) {
  case Form::Name: return quoted(expr.text);
  case Form::Number:
  case Form::Scientific:
  case Form::String:
  case Form::Opaque: return expr.text;
  case Form::Unit: return "()";
  case Form::Apply: return printApply(expr);
  case Form::Field: return printField(expr);
  case Form::Element: return printAt(*expr.args[0], maxLevel) + "[" + printAt(*expr.args[1], 0) + "]!";
  case Form::Ascribe: return "(" + printAt(*expr.args[0], 0) + " : " + expr.text + ")";
  case Form::Unary: return printUnary(expr);
  case Form::Binary: return printBinary(expr);
  case Form::If: return printIf(expr);
  case Form::Forall: return quantified(expr, "∀");
  case Form::Exists: return quantified(expr, "∃");
  case Form::Lambda: return printLambda(expr);
  case Form::Sum:
    return "∑ " + quoted(expr.text) + " ∈ " + printAt(*expr.args[0], 51) + ", " + printAt(*expr.args[1], 67);
  case Form::Pair: return "(" + printAt(*expr.args[0], 0) + ", " + printAt(*expr.args[1], 0) + ")";
  case Form::Array: return printArray(expr);
  }
  return {};
}

std::string printAt(const Expr& expr, int least) {
  const std::string text = printForm(expr);
  return levelOf(expr) < least ? "(" + text + ")" : text;
}

} // namespace

std::string print(const Expr& expr) {
  return printAt(expr, 0);
}

} // namespace plumbline::velvet

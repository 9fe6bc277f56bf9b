#include "core/velvet/syntax.h"

#include <algorithm>
#include <string_view>

namespace plumbline::velvet {
namespace {

ExprPtr make(Expr expr) {
  return std::make_shared<const Expr>(std::move(expr));
}

} // namespace

ExprPtr name(std::string text) {
  return make({.form = Form::Name, .text = std::move(text)});
}

ExprPtr number(int64_t value) {
  const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  ExprPtr digits = make({.form = Form::Number, .text = std::to_string(magnitude)});
  return value < 0 ? unary(UnaryOp::Negate, std::move(digits)) : digits;
}

ExprPtr hexNumber(uint64_t value, int digits) {
  std::string text(static_cast<size_t>(digits), '0');
  for (size_t i = text.size(); i-- > 0; value >>= 4)
    text[i] = "0123456789ABCDEF"[value & 15];
  return make({.form = Form::Number, .text = "0x" + text});
}

ExprPtr apply(std::string function, std::vector<ExprPtr> args) {
  return applyTo(name(std::move(function)), std::move(args));
}

ExprPtr applyTo(ExprPtr function, std::vector<ExprPtr> args) {
  args.insert(args.begin(), std::move(function));
  return make({.form = Form::Apply, .args = std::move(args)});
}

ExprPtr field(ExprPtr of, std::string text) {
  return make({.form = Form::Field, .text = std::move(text), .args = {std::move(of)}});
}

ExprPtr element(ExprPtr array, ExprPtr index) {
  return make({.form = Form::Element, .args = {std::move(array), std::move(index)}});
}

ExprPtr ascribe(ExprPtr value, std::string type) {
  return make({.form = Form::Ascribe, .text = std::move(type), .args = {std::move(value)}});
}

ExprPtr unary(UnaryOp op, ExprPtr a) {
  return make({.form = Form::Unary, .unary = op, .args = {std::move(a)}});
}

ExprPtr binary(BinaryOp op, ExprPtr a, ExprPtr b) {
  return make({.form = Form::Binary, .binary = op, .args = {std::move(a), std::move(b)}});
}

ExprPtr ifThenElse(ExprPtr condition, ExprPtr a, ExprPtr b) {
  return make({.form = Form::If, .args = {std::move(condition), std::move(a), std::move(b)}});
}

ExprPtr forall(std::string variable, std::string type, ExprPtr body) {
  return make({.form = Form::Forall,
               .text = std::move(variable),
               .type = std::move(type),
               .args = {std::move(body)}});
}

ExprPtr exists(std::string variable, std::string type, ExprPtr body) {
  return make({.form = Form::Exists,
               .text = std::move(variable),
               .type = std::move(type),
               .args = {std::move(body)}});
}

ExprPtr lambda(std::string variable, std::string type, ExprPtr body) {
  return make({.form = Form::Lambda,
               .text = std::move(variable),
               .type = std::move(type),
               .args = {std::move(body)}});
}

ExprPtr opaque(std::string text) {
  return make({.form = Form::Opaque, .text = std::move(text)});
}

ExprPtr pair(ExprPtr a, ExprPtr b) {
  return make({.form = Form::Pair, .args = {std::move(a), std::move(b)}});
}

ExprPtr arrayOf(std::vector<ExprPtr> elements) {
  return make({.form = Form::Array, .args = std::move(elements)});
}

bool equal(const Expr& a, const Expr& b) {
  if (a.form != b.form || a.text != b.text || a.type != b.type || a.args.size() != b.args.size())
    return false;
  if ((a.form == Form::Unary && a.unary != b.unary) || (a.form == Form::Binary && a.binary != b.binary))
    return false;
  for (size_t i = 0; i < a.args.size(); ++i)
    if (!equal(*a.args[i], *b.args[i]))
      return false;
  return true;
}

namespace {

bool equal(const Tactic& a, const Tactic& b) {
  const bool sameList = std::ranges::equal(a.list, b.list, {}, &TacticTerm::text, &TacticTerm::text);
  return a.kind == b.kind && a.word == b.word && a.text == b.text && a.label == b.label &&
         a.names == b.names && sameList && a.with == b.with && equal(a.body, b.body);
}

} // namespace

bool equal(const std::vector<Tactic>& a, const std::vector<Tactic>& b) {
  return std::ranges::equal(a, b, [](const Tactic& x, const Tactic& y) { return equal(x, y); });
}

bool isSolveCommand(const Tactic& tactic) {
  constexpr std::string_view words[] = {"velvet_vcgen", "loom_solve", "loom_solve!"};
  return tactic.kind == TacticKind::Command && std::ranges::find(words, tactic.word) != std::end(words);
}

TextRange rangeOf(const Item& item) {
  return std::visit([](const auto& each) { return each.range; }, item);
}

Stmt letStmt(std::string name, std::string type, ExprPtr value, LineOrigin origin, bool isMutable) {
  Stmt stmt{.kind = StmtKind::Let, .origin = std::move(origin)};
  stmt.name = std::move(name);
  stmt.type = std::move(type);
  stmt.value = std::move(value);
  stmt.isMutable = isMutable;
  return stmt;
}

Stmt setStmt(std::string name, ExprPtr value, LineOrigin origin) {
  Stmt stmt{.kind = StmtKind::Set, .origin = std::move(origin)};
  stmt.name = std::move(name);
  stmt.value = std::move(value);
  return stmt;
}

Stmt ifStmt(ExprPtr condition, std::vector<Stmt> body, std::vector<Stmt> otherwise, LineOrigin origin) {
  Stmt stmt{.kind = StmtKind::If, .origin = std::move(origin)};
  stmt.value = std::move(condition);
  stmt.body = std::move(body);
  stmt.otherwise = std::move(otherwise);
  return stmt;
}

Stmt assertStmt(Clause clause) {
  Stmt stmt{.kind = StmtKind::Assert, .origin = clause.origin};
  stmt.clause = std::move(clause);
  return stmt;
}

Stmt returnStmt(ExprPtr value, LineOrigin origin) {
  Stmt stmt{.kind = StmtKind::Return, .origin = std::move(origin)};
  stmt.value = std::move(value);
  return stmt;
}

Stmt commentStmt(std::string text, LineOrigin origin) {
  Stmt stmt{.kind = StmtKind::Comment, .origin = std::move(origin)};
  stmt.name = std::move(text);
  return stmt;
}

} // namespace plumbline::velvet

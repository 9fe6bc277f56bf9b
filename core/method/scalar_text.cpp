#include "core/method/scalar_text.h"

#include "core/f32/rational.h"
#include "core/f32/soft_float.h"
#include "core/method/lean_names.h"
#include "core/method/refusal.h"

#include <algorithm>

namespace plumbline::method {

using logic::Op;
using logic::Sort;
using logic::TermId;
using velvet::BinaryOp;
using velvet::ExprPtr;

namespace {

/// The number that a literal denotes over the reals: its text, or its bits where it has none.
f32::Rational exactValue(const std::string& text, uint32_t bits) {
  if (!text.empty())
    if (Expected<f32::Rational> value = f32::parseExact(text))
      return *value;
  return f32::toRational<f32::Binary32>(bits).value_or(f32::Rational(0));
}

ExprPtr digits(const mpz_class& number) {
  velvet::Expr expr{.form = velvet::Form::Number, .text = number.get_str()};
  return std::make_shared<const velvet::Expr>(std::move(expr));
}

/// A literal keeps its bits and, for the reals, the number that was written.
ExprPtr literal(uint32_t bits, const std::string& text) {
  using Soft = f32::Soft<f32::Binary32>;
  if (Soft::isNan(bits))
    return velvet::name("Plumbline.Scalar.nan");
  if (Soft::isInf(bits))
    return velvet::name(Soft::isNegative(bits) ? "Plumbline.Scalar.bottom" : "Plumbline.Scalar.top");
  const f32::Rational exact = exactValue(text, bits);
  ExprPtr over = digits(mpz_class(abs(exact.get_num())));
  if (exact < 0)
    over = velvet::unary(velvet::UnaryOp::Negate, over);
  return velvet::apply("Plumbline.Scalar.lit",
                       {velvet::hexNumber(bits, 8), over, digits(mpz_class(exact.get_den()))});
}

} // namespace

ExprPtr ScalarText::value(TermId id) const {
  if (const auto found = m_names.find(id); found != m_names.end())
    return velvet::name(found->second);
  const logic::Term& term = m_store[id];
  if (term.op == Op::Var)
    return variable(id);
  if (term.op == Op::Load)
    return load(id);
  switch (term.sort) {
  case Sort::Int: return integer(id);
  case Sort::Bool: return boolean(id);
  case Sort::F32: return scalar(id);
  case Sort::F64: break;
  }
  refuse("method-spec", "binary64 arithmetic of the module");
}

ExprPtr ScalarText::integer(TermId id) const {
  const logic::Term& term = m_store[id];
  auto arg = [&](size_t i) { return value(term.args[i]); };
  switch (term.op) {
  case Op::IntConst: return velvet::number(static_cast<int64_t>(term.payload));
  case Op::IAdd: return velvet::binary(BinaryOp::Add, arg(0), arg(1));
  case Op::ISub: return velvet::binary(BinaryOp::Subtract, arg(0), arg(1));
  case Op::IMul: return velvet::binary(BinaryOp::Multiply, arg(0), arg(1));
  case Op::IDiv: return velvet::apply("Plumbline.cDiv", {arg(0), arg(1)});
  case Op::IRem: return velvet::apply("Plumbline.cMod", {arg(0), arg(1)});
  case Op::Ite: return choose(term);
  default: refuse("method-spec", "the integer operator '" + std::string(jsonName(term.op)) + "'");
  }
}

ExprPtr ScalarText::boolean(TermId id) const {
  const logic::Term& term = m_store[id];
  auto decided = [&](BinaryOp op) {
    return velvet::apply("decide", {velvet::binary(op, value(term.args[0]), value(term.args[1]))});
  };
  switch (term.op) {
  case Op::BoolConst: return velvet::name(term.payload != 0 ? "true" : "false");
  case Op::Not: return velvet::unary(velvet::UnaryOp::BoolNot, value(term.args[0]));
  case Op::And: return velvet::binary(BinaryOp::BoolAnd, value(term.args[0]), value(term.args[1]));
  case Op::Or: return velvet::binary(BinaryOp::BoolOr, value(term.args[0]), value(term.args[1]));
  case Op::Ite: return choose(term);
  case Op::ILt: return decided(BinaryOp::Less);
  case Op::ILe: return decided(BinaryOp::LessEqual);
  case Op::IEq: return decided(BinaryOp::Equal);
  default: return operation(term);
  }
}

ExprPtr ScalarText::scalar(TermId id) const {
  const logic::Term& term = m_store[id];
  switch (term.op) {
  case Op::FloatConst: return literal(static_cast<uint32_t>(term.payload), m_store.symbolText(term.symbol));
  case Op::Ite: return choose(term);
  case Op::Opaque: return opaque(id);
  case Op::FConvert:
    if (const std::optional<ExprPtr> root = inverseRoot(term))
      return *root;
    return operation(term);
  default: return operation(term);
  }
}

ExprPtr ScalarText::choose(const logic::Term& term) const {
  return velvet::ifThenElse(value(term.args[0]), value(term.args[1]), value(term.args[2]));
}

ExprPtr ScalarText::operation(const logic::Term& term) const {
  const std::optional<std::string> function = scalarOperation(term.op);
  const bool narrow = std::ranges::all_of(term.args, [this](TermId arg) {
    return m_store[arg].sort == Sort::F32 || m_store[arg].sort == Sort::Int;
  });
  if (!function || !narrow)
    refuse("method-spec", "the operator '" + std::string(jsonName(term.op)) + "' of the module");
  return velvet::apply(*function, values(term.args));
}

/// 1 / sqrt(n) of an integer in binary64, rounded to binary32 at the end: attention's scale.
std::optional<ExprPtr> ScalarText::inverseRoot(const logic::Term& term) const {
  const logic::Term& quotient = m_store[term.args[0]];
  if (quotient.op != Op::FDiv || quotient.sort != Sort::F64 ||
      m_store[quotient.args[0]].op != Op::FloatConst ||
      m_store[quotient.args[0]].payload != 0x3FF0000000000000)
    return std::nullopt;
  const logic::Term& root = m_store[quotient.args[1]];
  if (root.op != Op::FSqrt || m_store[root.args[0]].op != Op::IntToFloat)
    return std::nullopt;
  return velvet::apply("Plumbline.Scalar.inverseRoot", {value(m_store[root.args[0]].args[0])});
}

ExprPtr ScalarText::opaque(TermId id) const {
  const std::optional<std::string> function = scalarOpaque(m_store.symbolText(id));
  if (!function)
    refuse("method-opaque", "the function '" + m_store.symbolText(id) + "' of the module");
  return velvet::apply(*function, values(m_store[id].args));
}

std::vector<ExprPtr> ScalarText::values(const std::vector<TermId>& terms) const {
  std::vector<ExprPtr> result;
  result.reserve(terms.size());
  for (TermId term : terms)
    result.push_back(value(term));
  return result;
}

} // namespace plumbline::method

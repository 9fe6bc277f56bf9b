#include "core/method/size_text.h"

#include "core/method/refusal.h"

namespace plumbline::method {

using logic::Op;
using logic::TermId;
using logic::TermStore;
using velvet::BinaryOp;
using velvet::ExprPtr;

ExprPtr negation(const ExprPtr& a, bool overIntegers) {
  if (overIntegers && a->form == velvet::Form::Binary) {
    switch (a->binary) {
    case BinaryOp::Less: return velvet::binary(BinaryOp::LessEqual, a->args[1], a->args[0]);
    case BinaryOp::LessEqual: return velvet::binary(BinaryOp::Less, a->args[1], a->args[0]);
    case BinaryOp::Equal: return velvet::binary(BinaryOp::NotEqual, a->args[0], a->args[1]);
    case BinaryOp::NotEqual: return velvet::binary(BinaryOp::Equal, a->args[0], a->args[1]);
    default: break;
    }
  }
  if (a->form == velvet::Form::Unary && a->unary == velvet::UnaryOp::Not)
    return a->args[0];
  return velvet::unary(velvet::UnaryOp::Not, a);
}

ExprPtr asIndex(const ExprPtr& value) {
  return value->form == velvet::Form::Number ? value : velvet::field(value, "toNat");
}

std::vector<TermId> conjuncts(const TermStore& store, TermId term) {
  if (store[term].op != Op::And)
    return {term};
  std::vector<TermId> result = conjuncts(store, store[term].args[0]);
  for (TermId part : conjuncts(store, store[term].args[1]))
    result.push_back(part);
  return result;
}

ExprPtr intText(const TermStore& store, TermId id, const VariableText& variable) {
  const logic::Term& term = store[id];
  auto arg = [&](size_t i) { return intText(store, term.args[i], variable); };
  switch (term.op) {
  case Op::IntConst: return velvet::number(static_cast<int64_t>(term.payload));
  case Op::Var: return variable(store.symbolText(id));
  case Op::IAdd: return velvet::binary(BinaryOp::Add, arg(0), arg(1));
  case Op::ISub: return velvet::binary(BinaryOp::Subtract, arg(0), arg(1));
  case Op::IMul: return velvet::binary(BinaryOp::Multiply, arg(0), arg(1));
  case Op::IDiv: return velvet::apply("Plumbline.cDiv", {arg(0), arg(1)});
  case Op::IRem: return velvet::apply("Plumbline.cMod", {arg(0), arg(1)});
  case Op::Ite: return velvet::ifThenElse(propText(store, term.args[0], variable), arg(1), arg(2));
  default: refuse("method-spec", "the integer operator '" + std::string(jsonName(term.op)) + "'");
  }
}

ExprPtr propText(const TermStore& store, TermId id, const VariableText& variable) {
  const logic::Term& term = store[id];
  auto number = [&](size_t i) { return intText(store, term.args[i], variable); };
  auto prop = [&](size_t i) { return propText(store, term.args[i], variable); };
  switch (term.op) {
  case Op::BoolConst: return velvet::name(term.payload != 0 ? "True" : "False");
  case Op::Var: return velvet::binary(BinaryOp::Equal, variable(store.symbolText(id)), velvet::name("true"));
  case Op::Not: return negation(prop(0), true);
  case Op::And: return velvet::binary(BinaryOp::And, prop(0), prop(1));
  case Op::Or: return velvet::binary(BinaryOp::Or, prop(0), prop(1));
  case Op::ILt: return velvet::binary(BinaryOp::Less, number(0), number(1));
  case Op::ILe: return velvet::binary(BinaryOp::LessEqual, number(0), number(1));
  case Op::IEq: return velvet::binary(BinaryOp::Equal, number(0), number(1));
  case Op::Ite:
    return velvet::binary(BinaryOp::And, velvet::binary(BinaryOp::Implies, prop(0), prop(1)),
                          velvet::binary(BinaryOp::Implies, negation(prop(0), true), prop(2)));
  default: refuse("method-spec", "the condition '" + std::string(jsonName(term.op)) + "'");
  }
}

} // namespace plumbline::method

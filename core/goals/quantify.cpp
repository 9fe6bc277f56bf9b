// Quantifiers over concrete values: the range that their premises give, tried value by value.
#include "core/goals/lowering.h"
#include "core/goals/renaming.h"

namespace plumbline::goals {

using logic::TermId;
using velvet::BinaryOp;
using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;

namespace {

constexpr int64_t maxRange = 4096;
constexpr size_t maxExpanded = 400000;

[[noreturn]] void unsupported(std::string what) {
  throw Unsupported{std::move(what)};
}

struct Range {
  std::optional<int64_t> low;
  std::optional<int64_t> high;

  void atLeast(int64_t value) { low = low ? std::max(*low, value) : value; }
  void atMost(int64_t value) { high = high ? std::min(*high, value) : value; }
};

/// The variable itself, or lifted to Int.
bool isVariable(const Expr& expr, const std::string& name) {
  if (expr.form == Form::Ascribe)
    return expr.text == "Int" && isVariable(*expr.args[0], name);
  return expr.form == Form::Name && expr.text == name;
}

bool mentions(const Expr& expr, const std::string& name) {
  std::set<std::string> names;
  collectNames(expr, names);
  return names.contains(name);
}

/// Conditions under which the body counts: premises of a `∀`, conjuncts of an `∃`.
void conditions(const Expr& body, bool isForall, std::vector<const Expr*>& into) {
  if (body.form != Form::Binary)
    return;
  if (body.binary == BinaryOp::And) {
    if (isForall)
      return;
    for (const ExprPtr& arg : body.args) {
      into.push_back(arg.get());
      conditions(*arg, isForall, into);
    }
  }
  if (isForall && body.binary == BinaryOp::Implies) {
    into.push_back(body.args[0].get());
    conditions(*body.args[0], false, into); // each conjunct of a premise is one
    conditions(*body.args[1], true, into);
  }
}

/// The relation with its operands turned around.
std::optional<BinaryOp> turned(BinaryOp op) {
  switch (op) {
  case BinaryOp::Less: return BinaryOp::Greater;
  case BinaryOp::LessEqual: return BinaryOp::GreaterEqual;
  case BinaryOp::Greater: return BinaryOp::Less;
  case BinaryOp::GreaterEqual: return BinaryOp::LessEqual;
  case BinaryOp::Equal: return BinaryOp::Equal;
  default: return std::nullopt;
  }
}

void narrow(Range& range, BinaryOp op, int64_t bound) {
  switch (op) {
  case BinaryOp::Less: range.atMost(bound - 1); return;
  case BinaryOp::LessEqual: range.atMost(bound); return;
  case BinaryOp::Greater: range.atLeast(bound + 1); return;
  case BinaryOp::GreaterEqual: range.atLeast(bound); return;
  case BinaryOp::Equal:
    range.atMost(bound);
    range.atLeast(bound);
    return;
  default: return;
  }
}

} // namespace

TermId Lowering::expanded(const Expr& expr, const ScopePtr& scope, const Type& type) {
  const bool isForall = expr.form == Form::Forall;
  TermId result = m_store.boolean(isForall);
  const auto add = [&](TermId value) {
    if (++m_expanded > maxExpanded)
      unsupported("too many values to try");
    const auto inside =
        std::make_shared<const Scope>(Scope{expr.text, {.kind = type.kind, .term = value}, scope});
    const TermId one = prop(*expr.args[0], inside, Polarity::Both);
    result = isForall ? m_store.land(result, one) : m_store.lor(result, one);
    return m_store.boolValue(result) != !isForall;
  };
  if (type.kind == Kind::Bool) {
    if (add(m_store.boolean(false)))
      add(m_store.boolean(true));
    return result;
  }
  if (type.kind != Kind::Nat && type.kind != Kind::Int)
    unsupported("a quantifier over all floats");
  Range range;
  if (type.kind == Kind::Nat)
    range.low = 0;
  std::vector<const Expr*> found;
  conditions(*expr.args[0], isForall, found);
  for (const Expr* condition : found) {
    if (condition->form != Form::Binary || !turned(condition->binary))
      continue;
    for (const bool first : {true, false}) {
      const Expr& variable = *condition->args[first ? 0 : 1];
      const Expr& bound = *condition->args[first ? 1 : 0];
      if (!isVariable(variable, expr.text) || mentions(bound, expr.text))
        continue;
      try {
        if (const auto at = m_store.intValue(value(bound, scope, Kind::Int).term))
          narrow(range, first ? condition->binary : *turned(condition->binary), *at);
      } catch (const Unsupported&) {
        continue; // such as one that mentions a variable bound in between
      }
    }
  }
  if (range.low && range.high && *range.high < *range.low)
    return result;
  if (!range.low || !range.high || *range.high - *range.low > maxRange)
    unsupported("a quantifier without bounds");
  for (int64_t at = *range.low; at <= *range.high; ++at)
    if (!add(m_store.integer(at)))
      break;
  return result;
}

} // namespace plumbline::goals

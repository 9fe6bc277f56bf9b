#include "core/gate/arithmetic/formula.h"

#include <algorithm>
#include <unordered_set>

namespace plumbline::gate {

namespace {

int64_t floorDivided(int64_t a, int64_t b) { // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

/// The polynomial over its content, the constant rounded down.
Polynomial reduced(const Polynomial& p, int64_t divisor) {
  Polynomial result;
  for (const auto& [monomial, coefficient] : p.terms) {
    const int64_t value = monomial.empty() ? floorDivided(coefficient, divisor) : coefficient / divisor;
    if (value != 0)
      result.terms[monomial] = value;
  }
  return result;
}

} // namespace

Formulas::Formulas() {
  m_nodes.push_back({Kind::False, {}, {}});
  m_nodes.push_back({Kind::True, {}, {}});
}

FormulaId Formulas::add(Node node) {
  m_nodes.push_back(std::move(node));
  return FormulaId(static_cast<uint32_t>(m_nodes.size() - 1));
}

FormulaId Formulas::literal(Literal literal) {
  if (literal.kind == Literal::Kind::Variable)
    return add({Kind::Literal, std::move(literal), {}});
  const bool equation = literal.kind != Literal::Kind::AtLeastZero;
  const bool wantsZero = literal.kind == Literal::Kind::Zero;
  const int64_t constant = constantTerm(literal.polynomial);
  if (isConstant(literal.polynomial))
    return truth(equation ? (constant == 0) == wantsZero : constant >= 0);
  const uint64_t divisor = content(literal.polynomial);
  if (divisor > 1 && divisor <= INT64_MAX) {
    const auto whole = static_cast<int64_t>(divisor);
    if (equation && constant % whole != 0)
      return truth(!wantsZero);
    literal.polynomial = reduced(literal.polynomial, whole);
  }
  return add({Kind::Literal, std::move(literal), {}});
}

FormulaId Formulas::join(Kind kind, const std::vector<FormulaId>& parts) {
  const FormulaId deciding = truth(kind == Kind::Any);
  const FormulaId neutral = truth(kind == Kind::All);
  std::vector<FormulaId> flat;
  for (const FormulaId part : parts) {
    if (part == deciding)
      return deciding;
    if (part == neutral)
      continue;
    const Node& node = (*this)[part];
    if (node.kind == kind)
      flat.insert(flat.end(), node.parts.begin(), node.parts.end());
    else
      flat.push_back(part);
  }
  // The same part once: shared parts would otherwise double with every level.
  std::unordered_set<FormulaId> seen;
  std::erase_if(flat, [&](FormulaId part) { return !seen.insert(part).second; });
  if (flat.empty())
    return neutral;
  return flat.size() == 1 ? flat[0] : add({kind, {}, std::move(flat)});
}

std::optional<Literal> negated(const Literal& literal) {
  Literal result = literal;
  switch (literal.kind) {
  case Literal::Kind::Variable: result.positive = !literal.positive; return result;
  case Literal::Kind::Zero: result.kind = Literal::Kind::NotZero; return result;
  case Literal::Kind::NotZero: result.kind = Literal::Kind::Zero; return result;
  case Literal::Kind::AtLeastZero: break;
  }
  const auto opposite = scaled(literal.polynomial, -1);
  const auto strict = opposite ? plusConstant(*opposite, -1) : std::nullopt;
  if (!strict)
    return std::nullopt;
  result.polynomial = *strict;
  return result;
}

} // namespace plumbline::gate

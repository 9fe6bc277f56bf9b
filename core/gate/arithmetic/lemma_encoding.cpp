#include "core/gate/arithmetic/lemma_encoding.h"

#include "core/gate/arithmetic/lemmas.h"

#include <algorithm>

namespace plumbline::gate {

using logic::Sort;
using logic::TermId;

namespace {

constexpr size_t maxProducts = 150;
constexpr size_t maxSplits = 60;
constexpr int64_t maxBitOperand = int64_t{1} << 20;

bool isNonNegative(const Monomial& factor, const AtomBounds& bounds) {
  return boundsOf(factor, bounds).low.value_or(-1) >= 0;
}

size_t bitCount(int64_t value) {
  size_t count = 0;
  for (; value > 0; value /= 2)
    ++count;
  return count;
}

} // namespace

TermId LemmaEncoding::unknown(const Monomial& monomial) {
  if (monomial.size() == 1)
    return monomial[0];
  const auto [entry, added] = m_unknowns.try_emplace(monomial, TermId());
  if (added)
    entry->second = freshVariable(m_store, Sort::Int, "product");
  return entry->second;
}

TermId LemmaEncoding::sum(const Polynomial& p) {
  TermId result = m_store.integer(constantTerm(p));
  for (const auto& [monomial, coefficient] : p.terms)
    if (!monomial.empty())
      result = m_store.iadd(result, m_store.imul(m_store.integer(coefficient), unknown(monomial)));
  return result;
}

TermId LemmaEncoding::atLeastZero(const Polynomial& p) {
  return m_store.ile(m_store.integer(0), sum(p));
}

TermId LemmaEncoding::literal(const Literal& literal) {
  switch (literal.kind) {
  case Literal::Kind::AtLeastZero: return atLeastZero(literal.polynomial);
  case Literal::Kind::Zero: return m_store.ieq(sum(literal.polynomial), m_store.integer(0));
  case Literal::Kind::NotZero: return m_store.lnot(m_store.ieq(sum(literal.polynomial), m_store.integer(0)));
  case Literal::Kind::Variable: break;
  }
  return literal.positive ? literal.variable : m_store.lnot(literal.variable);
}

TermId LemmaEncoding::formula(const Formulas& formulas, FormulaId id) {
  const auto known = m_terms.find(id);
  if (known != m_terms.end())
    return known->second;
  const Formulas::Node& node = formulas[id];
  if (node.kind == Formulas::Kind::Literal)
    return literal(node.literal);
  const bool conjunction = node.kind == Formulas::Kind::All || node.kind == Formulas::Kind::True;
  TermId result = m_store.boolean(conjunction);
  for (const FormulaId part : node.parts) {
    const TermId term = formula(formulas, part);
    result = conjunction ? m_store.land(result, term) : m_store.lor(result, term);
  }
  m_terms.emplace(id, result);
  return result;
}

void LemmaEncoding::collectLiterals(const Formulas& formulas, FormulaId id) {
  if (!m_collected.insert(id).second)
    return;
  const Formulas::Node& node = formulas[id];
  if (node.kind == Formulas::Kind::Literal && node.literal.kind != Literal::Kind::Variable)
    m_conditional.push_back(node.literal);
  for (const FormulaId part : node.parts)
    collectLiterals(formulas, part);
}

std::vector<TermId> LemmaEncoding::assertions(const ArithmeticQuery& query) {
  m_assertions.clear();
  m_conditional.clear();
  m_terms.clear();
  m_collected.clear();
  m_bits.clear();
  m_usedBits = 0;
  for (const Literal& fact : query.facts)
    m_assertions.push_back(literal(fact));
  for (const FormulaId clause : query.clauses) {
    m_assertions.push_back(formula(query.formulas, clause));
    collectLiterals(query.formulas, clause);
  }
  if (query.contradictory)
    m_assertions.push_back(m_store.boolean(false));
  addProducts(query);
  addSplits(query);
  addBits(query);
  return std::move(m_assertions);
}

/// Bounds of products, and facts times factors.
void LemmaEncoding::addProducts(const ArithmeticQuery& query) {
  std::set<Monomial> known;
  for (const Literal& fact : query.facts)
    collectMonomials(fact.polynomial, known);
  for (const Literal& condition : m_conditional)
    collectMonomials(condition.polynomial, known);
  size_t count = 0;
  std::set<Monomial> added;
  const auto multiply = [&](const Literal& fact, bool holds) {
    if (fact.kind == Literal::Kind::Variable || fact.kind == Literal::Kind::NotZero)
      return;
    for (const Monomial& factor : usefulFactors(fact.polynomial, known)) {
      const bool usable = fact.kind == Literal::Kind::Zero || isNonNegative(factor, query.bounds);
      const auto product = usable && count < maxProducts ? productWith(fact, factor) : std::nullopt;
      if (!product)
        continue;
      ++count;
      added.insert(factor);
      const TermId lemma = literal(*product);
      m_assertions.push_back(holds ? lemma : m_store.lor(m_store.lnot(literal(fact)), lemma));
    }
  };
  for (const Literal& fact : query.facts)
    multiply(fact, true);
  for (const Literal& condition : m_conditional)
    multiply(condition, false);
  known.insert(added.begin(), added.end());
  for (const Monomial& monomial : known) {
    const Bounds range = monomial.size() > 1 ? boundsOf(monomial, query.bounds) : Bounds{};
    if (range.low)
      m_assertions.push_back(m_store.ile(m_store.integer(*range.low), unknown(monomial)));
    if (range.high)
      m_assertions.push_back(m_store.ile(unknown(monomial), m_store.integer(*range.high)));
  }
}

/// The three cases of each suggested split; the quotients suggest further ones.
void LemmaEncoding::addSplits(const ArithmeticQuery& query) {
  std::set<SignSplit> seen;
  std::vector<Literal> pending = query.facts;
  pending.insert(pending.end(), m_conditional.begin(), m_conditional.end());
  for (size_t i = 0; i < pending.size() && seen.size() < maxSplits; ++i) {
    if (pending[i].kind == Literal::Kind::Variable)
      continue;
    const bool equation = pending[i].kind != Literal::Kind::AtLeastZero;
    for (const SignSplit& split : signSplits(pending[i].polynomial, equation)) {
      const auto product = times(split.quotient, split.factor);
      // Solvers of integer arithmetic need no lemma for constant factors.
      if (split.factor.empty() || !product || !isNonNegative(split.factor, query.bounds) ||
          !seen.insert(split).second || seen.size() > maxSplits)
        continue;
      const TermId zero = m_store.integer(0);
      const TermId one = m_store.integer(1);
      const TermId quotient = sum(split.quotient);
      const TermId whole = sum(*product);
      const TermId factor = unknown(split.factor);
      const TermId below = m_store.land(m_store.ile(quotient, m_store.integer(-1)),
                                        m_store.ile(m_store.iadd(whole, factor), zero));
      const TermId none = m_store.land(m_store.ieq(quotient, zero), m_store.ieq(whole, zero));
      const TermId above = m_store.land(m_store.ile(one, quotient), m_store.ile(factor, whole));
      m_assertions.push_back(m_store.lor(below, m_store.lor(none, above)));
      pending.push_back({Literal::Kind::Zero, split.quotient, {}, true});
    }
  }
}

TermId LemmaEncoding::number(const std::vector<TermId>& bits) {
  TermId result = m_store.integer(0);
  for (size_t i = 0; i < bits.size(); ++i)
    result = m_store.iadd(result, m_store.ite(bits[i], m_store.integer(int64_t{1} << i), m_store.integer(0)));
  return result;
}

/// Bool variables whose number is p; p is at most 2^count - 1.
std::vector<TermId> LemmaEncoding::bitsOf(const Polynomial& p, size_t count) {
  std::vector<TermId>& bits = m_bits[p.terms];
  if (!bits.empty() || count == 0)
    return bits;
  for (; bits.size() < count; ++m_usedBits) {
    if (m_usedBits == m_bitPool.size())
      m_bitPool.push_back(freshVariable(m_store, Sort::Bool, "bit"));
    bits.push_back(m_bitPool[m_usedBits]);
  }
  m_assertions.push_back(m_store.ieq(sum(p), number(bits)));
  return bits;
}

void LemmaEncoding::addBits(const ArithmeticQuery& query) {
  for (const auto& [value, operation, left, right] : query.bits) {
    if (!left || !right || *left >= maxBitOperand || *right >= maxBitOperand)
      continue;
    std::vector<TermId> a = bitsOf(operation.left, bitCount(*left));
    std::vector<TermId> b = bitsOf(operation.right, bitCount(*right));
    a.resize(std::max(a.size(), b.size()), m_store.boolean(false));
    b.resize(a.size(), m_store.boolean(false));
    std::vector<TermId> result;
    for (size_t i = 0; i < a.size(); ++i)
      switch (operation.operation) {
      case BitOperation::And: result.push_back(m_store.land(a[i], b[i])); break;
      case BitOperation::Or: result.push_back(m_store.lor(a[i], b[i])); break;
      default: result.push_back(m_store.ite(a[i], m_store.lnot(b[i]), b[i])); break;
      }
    m_assertions.push_back(m_store.ieq(sum(value), number(result)));
  }
}

} // namespace plumbline::gate

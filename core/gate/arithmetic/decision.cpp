#include "core/gate/arithmetic/decision.h"

#include <algorithm>

namespace plumbline::gate {

namespace {

constexpr size_t maxCombinations = 24;
constexpr size_t maxDivisors = 48;

} // namespace

bool Decision::refutes() {
  if (m_query.contradictory)
    return true;
  std::vector<Clause> clauses;
  for (const Literal& fact : m_query.facts)
    if (!require(fact, clauses))
      return true;
  for (const FormulaId clause : m_query.clauses)
    clauses.push_back(m_query.formulas[clause].parts);
  return refute(std::move(clauses), true);
}

Decision::Mark Decision::push() {
  m_simplex.push();
  return {m_facts.size(), m_chosen.size()};
}

void Decision::pop(const Mark& mark) {
  m_simplex.pop();
  m_facts.resize(mark.facts);
  for (; m_chosen.size() > mark.choices; m_chosen.pop_back())
    m_values.erase(m_chosen.back());
}

/// False only when the linear facts exclude each other.
bool Decision::consistent() {
  ++m_checks;
  return m_simplex.check();
}

bool Decision::require(FormulaId id, std::vector<Clause>& clauses) {
  const Formulas::Node& node = m_query.formulas[id];
  switch (node.kind) {
  case Formulas::Kind::False: return false;
  case Formulas::Kind::True: return true;
  case Formulas::Kind::Literal: return require(node.literal, clauses);
  case Formulas::Kind::Any: clauses.push_back(node.parts); return true;
  case Formulas::Kind::All: break;
  }
  return std::all_of(node.parts.begin(), node.parts.end(),
                     [&](FormulaId part) { return require(part, clauses); });
}

bool Decision::require(const Literal& literal, std::vector<Clause>& clauses) {
  switch (literal.kind) {
  case Literal::Kind::Variable: {
    const auto [entry, added] = m_values.emplace(literal.variable, literal.positive);
    if (added)
      m_chosen.push_back(literal.variable);
    return entry->second == literal.positive;
  }
  case Literal::Kind::NotZero: {
    const auto above = plusConstant(literal.polynomial, -1);
    const auto opposite = scaled(literal.polynomial, -1);
    const auto below = opposite ? plusConstant(*opposite, -1) : std::nullopt;
    if (above && below)
      clauses.push_back({m_query.formulas.atLeastZero(*above), m_query.formulas.atLeastZero(*below)});
    return true;
  }
  case Literal::Kind::AtLeastZero:
    m_facts.push_back(literal);
    return m_simplex.assertAtLeastZero(literal.polynomial);
  case Literal::Kind::Zero: break;
  }
  m_facts.push_back(literal);
  return m_simplex.assertZero(literal.polynomial);
}

/// Whether this part of a clause fits the facts, as far as linear arithmetic sees.
bool Decision::possible(FormulaId part) {
  const Mark mark = push();
  std::vector<Clause> unused;
  const bool result = require(part, unused) && consistent();
  pop(mark);
  return result;
}

/// Drops impossible parts; a clause with one part left becomes a fact. Returns whether a fact was added.
bool Decision::narrow(std::vector<Clause>& clauses, bool& contradiction) {
  bool added = false;
  for (size_t i = 0; i < clauses.size() && !contradiction && m_checks < m_limits.checks;) {
    std::erase_if(clauses[i], [&](FormulaId part) { return !possible(part); });
    if (clauses[i].size() > 1) {
      ++i;
      continue;
    }
    contradiction = clauses[i].empty();
    if (!contradiction) {
      const FormulaId only = clauses[i][0];
      clauses.erase(clauses.begin() + static_cast<std::ptrdiff_t>(i));
      contradiction = !require(only, clauses) || !consistent();
      added = true;
    }
  }
  return added;
}

bool Decision::refute(std::vector<Clause> clauses, bool root) {
  if (!consistent())
    return true;
  bool contradiction = false;
  const auto narrowAll = [&] {
    while (narrow(clauses, contradiction) && !contradiction)
      continue;
    return contradiction;
  };
  if (narrowAll())
    return true;
  if (m_checks >= m_limits.checks || m_simplex.gaveUp())
    return false;
  if (m_limits.lemmas && (root || clauses.empty())) {
    startLemmas();
    bool learned = true;
    for (size_t round = 0; learned && round < m_limits.rounds; ++round)
      if (!addLemmas(learned) || narrowAll())
        return true;
  }
  if (clauses.empty()) {
    keepCandidate();
    return false;
  }
  const auto smallest = std::min_element(
      clauses.begin(), clauses.end(), [](const Clause& a, const Clause& b) { return a.size() < b.size(); });
  const Clause parts = std::move(*smallest);
  clauses.erase(smallest);
  for (const FormulaId part : parts) {
    const Mark mark = push();
    std::vector<Clause> rest = clauses;
    const bool refuted = !require(part, rest) || refute(std::move(rest), false);
    pop(mark);
    if (!refuted)
      return false;
  }
  return true;
}

/// The rational solution at hand, rounded: often a counterexample, never trusted.
void Decision::keepCandidate() {
  VariableValues values;
  for (const auto& [atom, range] : m_query.bounds)
    if (const auto value = m_simplex.roundedValue({atom}))
      values[atom] = *value;
  for (const auto& [variable, value] : m_values)
    values[variable] = value ? 1 : 0;
  m_candidates.push_back(std::move(values));
}

AtomBounds Decision::atomBounds() const {
  AtomBounds result = m_query.bounds;
  for (const Monomial& monomial : m_known) {
    if (monomial.size() != 1)
      continue;
    const Bounds path = m_simplex.bounds(monomial);
    Bounds& bounds = result[monomial[0]];
    if (path.low && (!bounds.low || *path.low > *bounds.low))
      bounds.low = path.low;
    if (path.high && (!bounds.high || *path.high < *bounds.high))
      bounds.high = path.high;
  }
  return result;
}

void Decision::startLemmas() {
  m_known.clear();
  m_divisors.clear();
  m_products = 0;
  for (const Literal& fact : m_facts)
    collectMonomials(fact.polynomial, m_known);
}

/// One round of consequences of the facts about products. False when they contradict.
bool Decision::addLemmas(bool& learned) {
  m_bounds = atomBounds();
  addDivisors();
  addMonomialBounds();
  learned = addProducts();
  if (!consistent())
    return false;
  const size_t before = m_facts.size();
  if (!applySplits())
    return false;
  learned = (learned || m_facts.size() != before) && m_checks < m_limits.checks && !m_simplex.gaveUp();
  return true;
}

/// A product is at least what is left of it without a factor that is at least 1: sizes whose product with
/// others is small have a small product themselves.
void Decision::addDivisors() {
  std::vector<Monomial> pending;
  for (const Monomial& monomial : m_known)
    if (monomial.size() >= 2)
      pending.push_back(monomial);
  for (size_t i = 0; i < pending.size(); ++i) {
    const Monomial whole = pending[i];
    for (size_t at = 0; at < whole.size() && m_divisors.size() < maxDivisors; ++at) {
      const auto range = m_bounds.find(whole[at]);
      Monomial rest = whole;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
      if (range == m_bounds.end() || range->second.low.value_or(0) < 1 ||
          boundsOf(rest, m_bounds).low.value_or(-1) < 0 || !m_divisors.emplace(whole, rest).second)
        continue;
      Polynomial p;
      p.terms[whole] = 1;
      p.terms[rest] = -1;
      if (rest.size() >= 2 && m_known.insert(rest).second)
        pending.push_back(rest);
      learnOne(Literal::Kind::AtLeastZero, p);
    }
  }
}

void Decision::addMonomialBounds() {
  for (const Monomial& monomial : m_known) {
    const Bounds range = boundsOf(monomial, m_bounds);
    Polynomial p;
    p.terms[monomial] = 1;
    m_usedLemmas = m_usedLemmas || monomial.size() > 1;
    if (const auto low = range.low ? vc::add(p, constantPolynomial(*range.low), -1) : std::nullopt)
      m_simplex.assertAtLeastZero(*low);
    if (const auto high = range.high ? vc::add(constantPolynomial(*range.high), p, -1) : std::nullopt)
      m_simplex.assertAtLeastZero(*high);
  }
}

namespace {

/// A multiple of such a fact (a number fits 32 bits, a size is below 2^30) says no more than the bounds of
/// its products do, and brings numbers that linear arithmetic cannot work with.
bool hasLargeNumbers(const Polynomial& p) {
  constexpr int64_t most = int64_t{1} << 24;
  return std::ranges::any_of(p.terms,
                             [](const auto& term) { return term.second > most || term.second < -most; });
}

/// Whether p is about a single monomial.
bool isBound(const Polynomial& p) {
  return p.terms.size() == 1 || (p.terms.size() == 2 && p.terms.begin()->first.empty());
}

} // namespace

/// Multiplies facts with non-negative factors where that gives no new products. Returns whether it added any.
bool Decision::addProducts() {
  std::set<std::map<Monomial, int64_t>> seen;
  for (const Literal& fact : m_facts)
    seen.insert(fact.polynomial.terms);
  bool added = false;
  const std::vector<Literal> facts = m_facts;
  for (const Literal& fact : facts) {
    if (hasLargeNumbers(fact.polynomial))
      continue;
    for (const Monomial& factor : usefulFactors(fact.polynomial, m_known)) {
      if (m_products >= m_limits.products)
        return added;
      if (fact.kind != Literal::Kind::Zero && boundsOf(factor, m_bounds).low.value_or(-1) < 0)
        continue;
      if (isBound(fact.polynomial) && !m_known.contains(factor))
        continue; // a new product for a constant's sake helps nothing
      const auto product = productWith(fact, factor);
      if (!product || !seen.insert(product->polynomial.terms).second || implied(*product))
        continue;
      ++m_products;
      added = true;
      learnOne(product->kind, product->polynomial);
    }
  }
  return added;
}

/// Whether the facts imply p >= 0 already, so that it would only be ballast.
bool Decision::implied(const Literal& fact) {
  if (fact.kind != Literal::Kind::AtLeastZero)
    return false;
  if (boundsOf(fact.polynomial, m_bounds).low.value_or(-1) >= 0)
    return true;
  const auto opposite = negated(fact);
  return opposite && impossible(Literal::Kind::AtLeastZero, opposite->polynomial, {});
}

void Decision::learnOne(Literal::Kind kind, const Polynomial& p) {
  m_usedLemmas = true;
  std::vector<Clause> none;
  collectMonomials(p, m_known);
  (void)require(Literal{kind, p, {}, true}, none); // a contradiction stays visible in the simplex
}

/// Sums and differences of equations in which a product cancels: they lead to further splits.
std::vector<Literal> Decision::combinedEquations() const {
  std::vector<Polynomial> equations;
  for (const Literal& fact : m_facts)
    if (fact.kind == Literal::Kind::Zero && fact.polynomial.terms.size() > 2)
      equations.push_back(fact.polynomial);
  std::vector<Literal> result;
  for (size_t i = 0; i < equations.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      for (const auto& [monomial, coefficient] : equations[i].terms) {
        const auto other = equations[j].terms.find(monomial);
        if (monomial.size() < 2 || other == equations[j].terms.end() || result.size() >= maxCombinations ||
            (coefficient != other->second && coefficient != -other->second))
          continue;
        if (auto sum = vc::add(equations[i], equations[j], coefficient == other->second ? -1 : 1))
          result.push_back({Literal::Kind::Zero, *std::move(sum), {}, true});
        break;
      }
  return result;
}

bool Decision::applySplits() {
  m_tried.clear();
  for (const Literal& combination : combinedEquations())
    if (!applySplitsOf(combination))
      return false;
  for (size_t i = 0; i < m_facts.size(); ++i) // facts that are learned here join
    if (!applySplitsOf(Literal(m_facts[i])))
      return false;
  return true;
}

bool Decision::applySplitsOf(const Literal& fact) {
  Monomial successful;
  for (const SignSplit& split : signSplits(fact.polynomial, fact.kind == Literal::Kind::Zero)) {
    if (m_checks >= m_limits.checks || m_simplex.gaveUp())
      return true;
    // What a part of the factor tells follows from what the factor told.
    const bool part = !split.factor.empty() && dividedBy(successful, split.factor).has_value();
    if (part || boundsOf(split.factor, m_bounds).low.value_or(-1) < 0 || !m_tried.insert(split).second)
      continue;
    const size_t before = m_facts.size();
    if (!applySplit(split))
      return false;
    if (m_facts.size() > before && successful.empty())
      successful = split.factor;
  }
  return true;
}

/// Whether p >= 0 (or p = 0), with the same of p times the factor, contradicts the facts.
bool Decision::impossible(Literal::Kind kind, const std::optional<Polynomial>& p, const Monomial& factor) {
  if (!p)
    return false;
  const auto state = [&](const Polynomial& fact) {
    return kind == Literal::Kind::Zero ? m_simplex.assertZero(fact) : m_simplex.assertAtLeastZero(fact);
  };
  m_simplex.push();
  bool possible = state(*p);
  if (possible && !factor.empty())
    if (const auto product = times(*p, factor))
      possible = state(*product);
  possible = possible && consistent();
  m_simplex.pop();
  return !possible;
}

/// Tries the cases and keeps what is left. False when the facts contradict.
bool Decision::applySplit(const SignSplit& split) {
  const auto negative = scaled(split.quotient, -1);
  const auto above = plusConstant(split.quotient, -1);
  const auto below = negative ? plusConstant(*negative, -1) : std::nullopt;
  if (!above || !below)
    return true;
  const bool notBelow = impossible(Literal::Kind::AtLeastZero, below, split.factor);
  const bool notAbove = impossible(Literal::Kind::AtLeastZero, above, split.factor);
  if (!notBelow && !notAbove)
    return true;
  if (impossible(Literal::Kind::Zero, split.quotient, split.factor)) {
    if (notBelow && notAbove)
      return false;
    learn(Literal::Kind::AtLeastZero, notBelow ? above : below, split.factor);
  } else if (notBelow && notAbove) {
    learn(Literal::Kind::Zero, split.quotient, split.factor);
  } else {
    learn(Literal::Kind::AtLeastZero, notBelow ? split.quotient : *negative, split.factor);
  }
  return consistent();
}

/// Adds p and its product with the factor, unless they are there.
void Decision::learn(Literal::Kind kind, const std::optional<Polynomial>& p, const Monomial& factor) {
  const auto add = [&](const Polynomial& fact) {
    const bool there = std::any_of(m_facts.begin(), m_facts.end(), [&](const Literal& known) {
      return known.kind == kind && known.polynomial == fact;
    });
    if (!there && !isConstant(fact) && !implied({kind, fact, {}, true}))
      learnOne(kind, fact);
  };
  if (!p)
    return;
  add(*p);
  if (const auto product = factor.empty() ? std::nullopt : times(*p, factor))
    add(*product);
}

} // namespace plumbline::gate

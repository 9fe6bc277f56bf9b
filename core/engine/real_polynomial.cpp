#include "core/engine/real_polynomial.h"

#include <algorithm>

namespace plumbline::engine {

uint32_t Monomial::degree() const {
  uint32_t sum = 0;
  for (const auto& [atom, exponent] : powers)
    sum += exponent;
  return sum;
}

uint32_t Monomial::exponentOf(AtomId atom) const {
  for (const auto& [other, exponent] : powers)
    if (other == atom)
      return exponent;
  return 0;
}

Monomial Monomial::operator*(const Monomial& other) const {
  Monomial result;
  auto a = powers.begin();
  auto b = other.powers.begin();
  while (a != powers.end() || b != other.powers.end()) {
    if (b == other.powers.end() || (a != powers.end() && a->first < b->first))
      result.powers.push_back(*a++);
    else if (a == powers.end() || b->first < a->first)
      result.powers.push_back(*b++);
    else {
      result.powers.emplace_back(a->first, a->second + b->second);
      ++a;
      ++b;
    }
  }
  return result;
}

std::optional<Monomial> Monomial::dividedBy(const Monomial& divisor) const {
  Monomial result;
  for (const auto& [atom, exponent] : divisor.powers)
    if (exponentOf(atom) < exponent)
      return std::nullopt;
  for (const auto& [atom, exponent] : powers)
    if (uint32_t rest = exponent - divisor.exponentOf(atom); rest > 0)
      result.powers.emplace_back(atom, rest);
  return result;
}

bool Monomial::operator<(const Monomial& other) const {
  if (degree() != other.degree())
    return degree() < other.degree();
  for (size_t i = 0; i < std::min(powers.size(), other.powers.size()); ++i) {
    if (powers[i].first != other.powers[i].first)
      return powers[i].first > other.powers[i].first;
    if (powers[i].second != other.powers[i].second)
      return powers[i].second < other.powers[i].second;
  }
  return powers.size() < other.powers.size();
}

Polynomial::Polynomial(const Rational& constant) {
  add(Monomial{}, constant);
}

Polynomial Polynomial::atom(AtomId atom) {
  Polynomial result;
  result.add(Monomial{{{atom, 1}}}, 1);
  return result;
}

void Polynomial::add(const Monomial& monomial, const Rational& coefficient) {
  if (coefficient == 0)
    return;
  auto [entry, inserted] = m_terms.try_emplace(monomial, coefficient);
  if (inserted)
    return;
  entry->second += coefficient;
  if (entry->second == 0)
    m_terms.erase(entry);
}

bool Polynomial::isConstant() const {
  return m_terms.empty() || (m_terms.size() == 1 && m_terms.begin()->first.powers.empty());
}

Rational Polynomial::constantTerm() const {
  auto found = m_terms.find(Monomial{});
  return found == m_terms.end() ? Rational(0) : found->second;
}

Rational Polynomial::leadingCoefficient() const {
  return m_terms.empty() ? Rational(0) : m_terms.rbegin()->second;
}

bool Polynomial::contains(AtomId atom) const {
  return std::any_of(m_terms.begin(), m_terms.end(),
                     [&](const auto& term) { return term.first.exponentOf(atom) > 0; });
}

Polynomial Polynomial::operator+(const Polynomial& other) const {
  Polynomial result = *this;
  for (const auto& [monomial, coefficient] : other.m_terms)
    result.add(monomial, coefficient);
  return result;
}

Polynomial Polynomial::operator-(const Polynomial& other) const {
  return *this + other.scaled(-1);
}

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : m_terms)
    for (const auto& [otherMonomial, otherCoefficient] : other.m_terms)
      result.add(monomial * otherMonomial, coefficient * otherCoefficient);
  return result;
}

Polynomial Polynomial::scaled(const Rational& factor) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : m_terms)
    result.add(monomial, coefficient * factor);
  return result;
}

Polynomial Polynomial::power(uint32_t exponent) const {
  Polynomial result(Rational(1));
  for (uint32_t i = 0; i < exponent; ++i)
    result = result * *this;
  return result;
}

Polynomial Polynomial::substitute(AtomId atom, const Polynomial& value) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : m_terms) {
    uint32_t exponent = monomial.exponentOf(atom);
    Polynomial rest;
    rest.add(exponent == 0 ? monomial : monomial.dividedBy(Monomial{{{atom, exponent}}}).value_or(Monomial{}),
             coefficient);
    result = result + (exponent == 0 ? rest : rest * value.power(exponent));
  }
  return result;
}

bool Polynomial::divisibleBy(const Polynomial& divisor) const {
  const auto& [leading, leadingFactor] = *divisor.m_terms.rbegin();
  Polynomial rest = *this;
  while (!rest.isZero()) {
    const auto& [top, factor] = *rest.m_terms.rbegin();
    auto quotient = top.dividedBy(leading);
    if (!quotient)
      return false;
    Polynomial step;
    step.add(*quotient, factor / leadingFactor);
    rest = rest - step * divisor;
  }
  return true;
}

Fraction::Fraction(Polynomial over, Polynomial under)
    : numerator(std::move(over)), denominator(std::move(under)) {
  if (denominator.isConstant() && !denominator.isZero()) {
    numerator = numerator.scaled(1 / denominator.constantTerm());
    denominator = Polynomial(Rational(1));
  }
}

Fraction Fraction::operator+(const Fraction& other) const {
  if (denominator == other.denominator)
    return {numerator + other.numerator, denominator};
  return {numerator * other.denominator + other.numerator * denominator, denominator * other.denominator};
}

Fraction Fraction::operator-(const Fraction& other) const {
  return *this + Fraction(other.numerator.scaled(-1), other.denominator);
}

Fraction Fraction::operator*(const Fraction& other) const {
  return {numerator * other.numerator, denominator * other.denominator};
}

Fraction Fraction::operator/(const Fraction& other) const {
  return {numerator * other.denominator, denominator * other.numerator};
}

std::optional<Rational> Fraction::constant() const {
  if (numerator.isConstant() && denominator.isConstant() && !denominator.isZero())
    return Rational(numerator.constantTerm() / denominator.constantTerm());
  return std::nullopt;
}

bool sameFraction(const Fraction& a, const Fraction& b) {
  if (a.denominator == b.denominator)
    return a.numerator == b.numerator;
  return a.numerator * b.denominator == b.numerator * a.denominator;
}

} // namespace plumbline::engine

// Multivariate polynomials with rational coefficients, and fractions of them: the normal form of the `real`
// reading.
#pragma once

#include "core/f32/rational.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace plumbline::engine {

using f32::Rational;

/// An unknown real number: a free variable, a load, a function's value. Numbered by RealAtoms.
using AtomId = uint32_t;

/// A product of powers of atoms, atoms ascending. The order is by total degree, then lexicographic with the
/// lowest atom most significant: a monomial order, so division by leading terms ends.
struct Monomial {
  std::vector<std::pair<AtomId, uint32_t>> powers;

  uint32_t degree() const;
  uint32_t exponentOf(AtomId atom) const;
  Monomial operator*(const Monomial& other) const;
  /// The quotient, when `divisor` divides this.
  std::optional<Monomial> dividedBy(const Monomial& divisor) const;
  bool operator==(const Monomial&) const = default;
  bool operator<(const Monomial& other) const;
};

/// Immutable in use; no zero coefficients are stored.
class Polynomial {
public:
  using Terms = std::map<Monomial, Rational>;

  Polynomial() = default;
  explicit Polynomial(const Rational& constant);
  static Polynomial atom(AtomId atom);

  const Terms& terms() const { return m_terms; }
  bool isZero() const { return m_terms.empty(); }
  bool isConstant() const;
  Rational constantTerm() const;
  /// Coefficient of the largest monomial; 0 for the zero polynomial.
  Rational leadingCoefficient() const;
  bool contains(AtomId atom) const;

  Polynomial operator+(const Polynomial& other) const;
  Polynomial operator-(const Polynomial& other) const;
  Polynomial operator*(const Polynomial& other) const;
  Polynomial scaled(const Rational& factor) const;
  Polynomial power(uint32_t exponent) const;
  /// This polynomial with `value` in place of an atom.
  Polynomial substitute(AtomId atom, const Polynomial& value) const;
  /// `divisor` is not zero and divides this without remainder.
  bool divisibleBy(const Polynomial& divisor) const;

  bool operator==(const Polynomial&) const = default;
  bool operator<(const Polynomial& other) const { return m_terms < other.m_terms; }

private:
  void add(const Monomial& monomial, const Rational& coefficient);

  Terms m_terms;
};

/// numerator / denominator. The denominator is not zero where the value is used, which the maker has to know.
/// Not reduced: compare with sameFraction.
struct Fraction {
  Polynomial numerator;
  Polynomial denominator = Polynomial(Rational(1));

  Fraction() = default;
  explicit Fraction(Polynomial polynomial) : numerator(std::move(polynomial)) {}
  /// A constant denominator is divided out.
  Fraction(Polynomial over, Polynomial under);

  Fraction operator+(const Fraction& other) const;
  Fraction operator-(const Fraction& other) const;
  Fraction operator*(const Fraction& other) const;
  Fraction operator/(const Fraction& other) const;
  /// The value, when no atom occurs.
  std::optional<Rational> constant() const;
  size_t size() const { return numerator.terms().size() + denominator.terms().size(); }
};

/// Equal wherever both are defined.
bool sameFraction(const Fraction& a, const Fraction& b);

} // namespace plumbline::engine

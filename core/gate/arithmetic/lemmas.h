// Instances of facts that hold for all integers, which make products linear.
#pragma once

#include "core/gate/arithmetic/formula.h"

namespace plumbline::gate {

/// For an integer Q and a factor f >= 0, one of three cases:
///   Q <= -1 and f*Q <= -f;   Q = 0 and f*Q = 0;   Q >= 1 and f*Q >= f.
/// With a constant factor (the empty monomial) the product says nothing new. This contains the linearisation
/// of an index: from q*n + r = q'*n + r' with 0 <= r, r' < n it leaves q = q' only.
struct SignSplit {
  Monomial factor;
  Polynomial quotient; ///< without common factor; the first coefficient is positive

  auto operator<=>(const SignSplit& other) const {
    return std::tie(factor, quotient.terms) <=> std::tie(other.factor, other.quotient.terms);
  }
  bool operator==(const SignSplit&) const = default;
};

/// The splits that p = f*Q + R suggests, for factors f of its products and divisors of its coefficients.
/// Single unknowns with a constant factor are of use in equations only.
std::vector<SignSplit> signSplits(const Polynomial& p, bool equation);

/// The factors f for which p*f has, up to the multiple of f itself, only monomials in `known`.
std::vector<Monomial> usefulFactors(const Polynomial& p, const std::set<Monomial>& known);

/// A product of p >= 0 with f >= 0, or of p = 0 with any f.
std::optional<Literal> productWith(const Literal& fact, const Monomial& factor);

void collectMonomials(const Polynomial& p, std::set<Monomial>& into);

} // namespace plumbline::gate

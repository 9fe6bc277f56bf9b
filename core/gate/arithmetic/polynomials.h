// Small tools over vc::Polynomial for the arithmetic prover.
#pragma once

#include "core/vc/int_normal.h"

#include <set>

namespace plumbline::gate {

using vc::Bounds;
using vc::Polynomial;
/// Sorted atoms; empty is the constant 1. An atom is an Int variable of the term store.
using Monomial = std::vector<logic::TermId>;
using AtomBounds = std::unordered_map<logic::TermId, Bounds>;

Polynomial constantPolynomial(int64_t value);
Polynomial atomPolynomial(logic::TermId atom);
bool isConstant(const Polynomial& p);
int64_t constantTerm(const Polynomial& p);
/// The greatest common divisor of the coefficients of the non-constant monomials; 0 when there is none.
uint64_t content(const Polynomial& p);
std::optional<Polynomial> scaled(const Polynomial& p, int64_t factor);
std::optional<Polynomial> plusConstant(const Polynomial& p, int64_t constant);
void collectAtoms(const Polynomial& p, std::set<logic::TermId>& into);

std::optional<Monomial> dividedBy(const Monomial& monomial, const Monomial& factor);
Monomial product(const Monomial& a, const Monomial& b);
Monomial commonFactor(const Monomial& a, const Monomial& b);
std::optional<Polynomial> times(const Polynomial& p, const Monomial& factor);

/// `p` with the atom replaced by a polynomial. nullopt when it becomes too large.
std::optional<Polynomial> substituted(const Polynomial& p, logic::TermId atom, const Polynomial& replacement);

/// Sound bounds; absent where int64 is left.
Bounds boundsOf(const Monomial& monomial, const AtomBounds& atoms);
Bounds boundsOf(const Polynomial& p, const AtomBounds& atoms);

} // namespace plumbline::gate

// Canonical form of integer terms: polynomials over atoms, and interval bounds.
#pragma once

#include "core/logic/term.h"

#include <map>

namespace plumbline::vc {

/// A polynomial with int64 coefficients. A monomial is a sorted list of atoms (Int terms that are no sum or
/// product); the empty list is the constant.
struct Polynomial {
  std::map<std::vector<logic::TermId>, int64_t> terms; ///< no zero coefficients

  bool operator==(const Polynomial&) const = default;
};

/// The polynomial of an Int term. Sums and products are expanded; everything else is an atom. nullopt when a
/// coefficient leaves int64 or the expansion is too large.
std::optional<Polynomial> polynomialOf(const logic::TermStore& store, logic::TermId term);
std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b,
                              int64_t factor = 1); ///< a + factor * b
std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b);
/// The term with canonical order of monomials.
logic::TermId toTerm(logic::TermStore& store, const Polynomial& polynomial);

/// Rewrites every Int subterm of `root` (of any sort) to canonical form, with m*(x/m) + x%m = x (which holds
/// for truncating division and every non-zero m; the divisions' own obligations exclude zero).
logic::TermId normaliseIntegers(logic::TermStore& store, logic::TermId root);

/// Inclusive bounds; absent means unbounded.
struct Bounds {
  std::optional<int64_t> low;
  std::optional<int64_t> high;
};

/// Sound bounds of an Int term from bounds of its variables (by interval arithmetic; unknown where int64 is
/// left).
Bounds boundsOf(const logic::TermStore& store, logic::TermId term,
                const std::map<std::string, Bounds>& variables);

} // namespace plumbline::vc

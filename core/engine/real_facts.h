// What is known about the signs of polynomials in one case of a proof over the reals.
#pragma once

#include "core/engine/real_polynomial.h"

#include <map>
#include <vector>

namespace plumbline::engine {

/// A set of signs that a number may have.
enum SignSet : uint8_t {
  kNoSign = 0,
  kNegative = 1,
  kZero = 2,
  kPositive = 4,
  kNonZero = kNegative | kPositive,
  kAnySign = 7
};

/// Bounds on polynomials, each kept as an interval for its part without constant, scaled to leading
/// coefficient 1; so x - 3 > 0 also answers about 2x - 1. Sound, not complete: `sign` may list signs that
/// cannot occur.
class RealFacts {
public:
  /// The signs that `p` may have.
  SignSet sign(const Polynomial& p) const;

  /// Adds "the sign of p is one of `signs`". False when that contradicts what is known; the facts are then
  /// useless.
  bool assume(const Polynomial& p, SignSet signs);

  /// Replaces an atom everywhere by a polynomial known to equal it. False on a contradiction.
  bool substitute(AtomId atom, const Polynomial& value);

  /// `p` is zero: identically, by its bounds, or as a multiple of a polynomial known to be zero.
  bool isZero(const Polynomial& p) const;

private:
  struct Bounds {
    std::optional<Rational> low;
    std::optional<Rational> high;
    bool lowOpen = false;
    bool highOpen = false;
  };
  /// p = factor * (core + offset), core monic without constant. p is not constant.
  struct Shape {
    Polynomial core;
    Rational factor;
    Rational offset;
  };
  static Shape shapeOf(const Polynomial& p);
  static bool intersect(Bounds& bounds, const Bounds& other);
  static SignSet signWithin(const Bounds& bounds, const Rational& offset);
  SignSet signByBounds(const Polynomial& p) const;
  SignSet signByMonomials(const Polynomial& p) const;

  std::map<Polynomial, Bounds> m_bounds;
  std::vector<Polynomial> m_zeros;
};

} // namespace plumbline::engine

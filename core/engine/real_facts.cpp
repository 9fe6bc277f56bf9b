#include "core/engine/real_facts.h"

#include <algorithm>

namespace plumbline::engine {

namespace {

SignSet operator|(SignSet a, SignSet b) {
  return static_cast<SignSet>(static_cast<int>(a) | static_cast<int>(b));
}
SignSet operator&(SignSet a, SignSet b) {
  return static_cast<SignSet>(static_cast<int>(a) & static_cast<int>(b));
}

constexpr SignSet kSigns[] = {kNegative, kZero, kPositive};

SignSet signOf(const Rational& value) {
  return value < 0 ? kNegative : value > 0 ? kPositive : kZero;
}

SignSet negated(SignSet signs) {
  SignSet result = signs & kZero;
  if ((signs & kNegative) != 0)
    result = result | kPositive;
  if ((signs & kPositive) != 0)
    result = result | kNegative;
  return result;
}

/// Every sign that combine(a, b) can have for a in `first` and b in `second`.
template <class Combine> SignSet combined(SignSet first, SignSet second, Combine combine) {
  SignSet result = kNoSign;
  for (SignSet a : kSigns)
    for (SignSet b : kSigns)
      if ((first & a) != 0 && (second & b) != 0)
        result = result | combine(a, b);
  return result;
}

SignSet product(SignSet first, SignSet second) {
  return combined(first, second, [](SignSet a, SignSet b) {
    if (a == kZero || b == kZero)
      return kZero;
    return a == b ? kPositive : kNegative;
  });
}

SignSet sum(SignSet first, SignSet second) {
  return combined(first, second, [](SignSet a, SignSet b) {
    if (a == kZero || a == b)
      return b;
    return b == kZero ? a : kAnySign;
  });
}

SignSet power(SignSet base, uint32_t exponent) {
  if (exponent % 2 != 0)
    return base;
  SignSet result = base & kZero;
  return (base & kNonZero) != 0 ? result | kPositive : result;
}

} // namespace

RealFacts::Shape RealFacts::shapeOf(const Polynomial& p) {
  Rational factor = p.leadingCoefficient();
  Polynomial monic = p.scaled(1 / factor);
  Rational offset = monic.constantTerm();
  return {monic - Polynomial(offset), factor, offset};
}

SignSet RealFacts::signWithin(const Bounds& bounds, const Rational& offset) {
  Rational zeroAt = -offset;
  bool mayBeNegative = !bounds.low || *bounds.low < zeroAt;
  bool mayBePositive = !bounds.high || *bounds.high > zeroAt;
  bool aboveLow = !bounds.low || *bounds.low < zeroAt || (*bounds.low == zeroAt && !bounds.lowOpen);
  bool belowHigh = !bounds.high || *bounds.high > zeroAt || (*bounds.high == zeroAt && !bounds.highOpen);
  SignSet result = kNoSign;
  if (mayBeNegative)
    result = result | kNegative;
  if (mayBePositive)
    result = result | kPositive;
  return aboveLow && belowHigh ? result | kZero : result;
}

SignSet RealFacts::signByBounds(const Polynomial& p) const {
  if (p.isConstant())
    return signOf(p.constantTerm());
  Shape shape = shapeOf(p);
  auto found = m_bounds.find(shape.core);
  SignSet signs = found == m_bounds.end() ? kAnySign : signWithin(found->second, shape.offset);
  return shape.factor < 0 ? negated(signs) : signs;
}

/// Adds up what is known about the sign of each term.
SignSet RealFacts::signByMonomials(const Polynomial& p) const {
  SignSet result = kZero;
  for (const auto& [monomial, coefficient] : p.terms()) {
    SignSet term = signOf(coefficient);
    for (const auto& [atom, exponent] : monomial.powers)
      term = product(term, power(signByBounds(Polynomial::atom(atom)), exponent));
    result = sum(result, term);
  }
  return result;
}

SignSet RealFacts::sign(const Polynomial& p) const {
  return signByBounds(p) & signByMonomials(p);
}

bool RealFacts::intersect(Bounds& bounds, const Bounds& other) {
  if (other.low && (!bounds.low || *other.low > *bounds.low)) {
    bounds.low = other.low;
    bounds.lowOpen = other.lowOpen;
  } else if (other.low && *other.low == *bounds.low)
    bounds.lowOpen = bounds.lowOpen || other.lowOpen;
  if (other.high && (!bounds.high || *other.high < *bounds.high)) {
    bounds.high = other.high;
    bounds.highOpen = other.highOpen;
  } else if (other.high && *other.high == *bounds.high)
    bounds.highOpen = bounds.highOpen || other.highOpen;
  if (!bounds.low || !bounds.high || *bounds.low < *bounds.high)
    return true;
  return *bounds.low == *bounds.high && !bounds.lowOpen && !bounds.highOpen;
}

bool RealFacts::assume(const Polynomial& p, SignSet signs) {
  SignSet left = sign(p) & signs;
  if (left == kNoSign)
    return false;
  if (p.isConstant())
    return true;
  if (left == kZero)
    m_zeros.push_back(p);
  Shape shape = shapeOf(p);
  if (shape.factor < 0)
    left = negated(left);
  Bounds bounds;
  if ((left & kNegative) == 0) {
    bounds.low = -shape.offset;
    bounds.lowOpen = (left & kZero) == 0;
  }
  if ((left & kPositive) == 0) {
    bounds.high = -shape.offset;
    bounds.highOpen = (left & kZero) == 0;
  }
  return intersect(m_bounds[shape.core], bounds);
}

bool RealFacts::substitute(AtomId atom, const Polynomial& value) {
  std::map<Polynomial, Bounds> old;
  old.swap(m_bounds);
  for (auto& [core, bounds] : old) {
    Polynomial replaced = core.contains(atom) ? core.substitute(atom, value) : core;
    if (replaced.isConstant()) {
      Bounds all = bounds;
      Rational at = replaced.constantTerm();
      if (!intersect(all, Bounds{at, at, false, false}))
        return false;
      continue;
    }
    Shape shape = shapeOf(replaced);
    Bounds moved = bounds; // of factor * (core + offset), to be solved for core
    if (moved.low)
      moved.low = *moved.low / shape.factor - shape.offset;
    if (moved.high)
      moved.high = *moved.high / shape.factor - shape.offset;
    if (shape.factor < 0) {
      std::swap(moved.low, moved.high);
      std::swap(moved.lowOpen, moved.highOpen);
    }
    if (!intersect(m_bounds[shape.core], moved))
      return false;
  }
  for (Polynomial& zero : m_zeros)
    zero = zero.substitute(atom, value);
  std::erase_if(m_zeros, [](const Polynomial& zero) { return zero.isZero(); });
  return std::none_of(m_zeros.begin(), m_zeros.end(),
                      [](const Polynomial& zero) { return zero.isConstant(); });
}

bool RealFacts::isZero(const Polynomial& p) const {
  if (p.isZero() || sign(p) == kZero)
    return true;
  return std::any_of(m_zeros.begin(), m_zeros.end(),
                     [&](const Polynomial& zero) { return p.divisibleBy(zero); });
}

} // namespace plumbline::engine

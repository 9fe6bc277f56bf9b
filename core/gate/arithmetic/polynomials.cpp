#include "core/gate/arithmetic/polynomials.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace plumbline::gate {

using logic::TermId;

Polynomial constantPolynomial(int64_t value) {
  Polynomial result;
  if (value != 0)
    result.terms[{}] = value;
  return result;
}

Polynomial atomPolynomial(TermId atom) {
  Polynomial result;
  result.terms[{atom}] = 1;
  return result;
}

bool isConstant(const Polynomial& p) {
  return p.terms.empty() || (p.terms.size() == 1 && p.terms.begin()->first.empty());
}

int64_t constantTerm(const Polynomial& p) {
  // The empty list is the least monomial.
  return !p.terms.empty() && p.terms.begin()->first.empty() ? p.terms.begin()->second : 0;
}

uint64_t content(const Polynomial& p) {
  uint64_t result = 0;
  for (const auto& [monomial, coefficient] : p.terms)
    if (!monomial.empty())
      result = std::gcd(result, coefficient < 0 ? 0 - static_cast<uint64_t>(coefficient)
                                                : static_cast<uint64_t>(coefficient));
  return result;
}

std::optional<Polynomial> scaled(const Polynomial& p, int64_t factor) {
  return vc::add({}, p, factor);
}

std::optional<Polynomial> plusConstant(const Polynomial& p, int64_t constant) {
  return vc::add(p, constantPolynomial(constant));
}

void collectAtoms(const Polynomial& p, std::set<TermId>& into) {
  for (const auto& [monomial, coefficient] : p.terms)
    into.insert(monomial.begin(), monomial.end());
}

std::optional<Monomial> dividedBy(const Monomial& monomial, const Monomial& factor) {
  if (!std::includes(monomial.begin(), monomial.end(), factor.begin(), factor.end()))
    return std::nullopt;
  Monomial result;
  std::set_difference(monomial.begin(), monomial.end(), factor.begin(), factor.end(),
                      std::back_inserter(result));
  return result;
}

Monomial product(const Monomial& a, const Monomial& b) {
  Monomial result;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

Monomial commonFactor(const Monomial& a, const Monomial& b) {
  Monomial result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

std::optional<Polynomial> times(const Polynomial& p, const Monomial& factor) {
  Polynomial single;
  single.terms[factor] = 1;
  return vc::multiply(p, single);
}

std::optional<Polynomial> substituted(const Polynomial& p, TermId atom, const Polynomial& replacement) {
  Polynomial result;
  for (const auto& [monomial, coefficient] : p.terms) {
    Polynomial part = constantPolynomial(coefficient);
    Monomial rest;
    for (const TermId factor : monomial) {
      if (factor != atom) {
        rest.push_back(factor);
        continue;
      }
      auto next = vc::multiply(part, replacement);
      if (!next)
        return std::nullopt;
      part = *std::move(next);
    }
    const auto whole = times(part, rest);
    auto sum = whole ? vc::add(result, *whole) : std::nullopt;
    if (!sum)
      return std::nullopt;
    result = *std::move(sum);
  }
  return result;
}

namespace {

using Wide = __int128;
using WideBound = std::optional<Wide>;

constexpr Wide wideLimit = Wide{1} << 100;

struct WideBounds {
  WideBound low;
  WideBound high;
};

/// The product of two bounds; absent when it is too large to go on with.
WideBound times(Wide a, Wide b) {
  Wide result = 0;
  if (a == 0 || b == 0)
    return Wide{0};
  const auto magnitude = [](Wide value) { return value < 0 ? -value : value; };
  if (magnitude(a) > wideLimit / magnitude(b))
    return std::nullopt;
  result = a * b;
  return result;
}

WideBounds multiplied(const WideBounds& a, const WideBounds& b) {
  if (a.low && *a.low >= 0 && b.low && *b.low >= 0)
    return {times(*a.low, *b.low), a.high && b.high ? times(*a.high, *b.high) : std::nullopt};
  if (!a.low || !a.high || !b.low || !b.high)
    return {};
  const WideBound corners[] = {times(*a.low, *b.low), times(*a.low, *b.high), times(*a.high, *b.low),
                               times(*a.high, *b.high)};
  WideBounds result{corners[0], corners[0]};
  for (const WideBound& corner : corners) {
    if (!corner)
      return {};
    result.low = std::min(*result.low, *corner);
    result.high = std::max(*result.high, *corner);
  }
  return result;
}

WideBounds widened(const Bounds& bounds) {
  return {bounds.low ? WideBound(*bounds.low) : std::nullopt,
          bounds.high ? WideBound(*bounds.high) : std::nullopt};
}

Bounds narrowed(const WideBounds& bounds) {
  constexpr Wide least = std::numeric_limits<int64_t>::min();
  constexpr Wide most = std::numeric_limits<int64_t>::max();
  Bounds result;
  // A lower bound may always be weakened, so one above int64 becomes its maximum.
  if (bounds.low && *bounds.low >= least)
    result.low = static_cast<int64_t>(std::min(*bounds.low, most));
  if (bounds.high && *bounds.high <= most)
    result.high = static_cast<int64_t>(std::max(*bounds.high, least));
  return result;
}

WideBounds wideBoundsOf(const Monomial& monomial, const AtomBounds& atoms) {
  WideBounds result{Wide{1}, Wide{1}};
  for (size_t i = 0; i < monomial.size(); ++i) {
    const auto found = atoms.find(monomial[i]);
    if (found == atoms.end())
      return {};
    result = multiplied(result, widened(found->second));
  }
  return result;
}

} // namespace

Bounds boundsOf(const Monomial& monomial, const AtomBounds& atoms) {
  return narrowed(wideBoundsOf(monomial, atoms));
}

Bounds boundsOf(const Polynomial& p, const AtomBounds& atoms) {
  WideBounds sum{Wide{0}, Wide{0}};
  const auto addTo = [](WideBound& into, const WideBound& value) {
    into = into && value ? WideBound(*into + *value) : std::nullopt; // at most 256 summands below 2^100
  };
  for (const auto& [monomial, coefficient] : p.terms) {
    WideBounds part = wideBoundsOf(monomial, atoms);
    if (coefficient < 0)
      std::swap(part.low, part.high);
    addTo(sum.low, part.low ? times(*part.low, coefficient) : std::nullopt);
    addTo(sum.high, part.high ? times(*part.high, coefficient) : std::nullopt);
  }
  return narrowed(sum);
}

} // namespace plumbline::gate

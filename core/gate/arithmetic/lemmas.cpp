#include "core/gate/arithmetic/lemmas.h"

#include <algorithm>
#include <limits>

namespace plumbline::gate {

namespace {

constexpr size_t maxFactors = 12;

/// p over its content and with a positive first coefficient; nullopt for constants.
std::optional<Polynomial> primitive(const Polynomial& p) {
  if (isConstant(p))
    return std::nullopt;
  uint64_t divisor = content(p);
  const auto constant = constantTerm(p);
  if (constant == std::numeric_limits<int64_t>::min() || divisor > INT64_MAX)
    return std::nullopt;
  if (constant % static_cast<int64_t>(divisor) != 0)
    divisor = 1; // never zero then, but its sign still counts
  Polynomial result;
  int64_t sign = 0;
  for (const auto& [monomial, coefficient] : p.terms) {
    if (sign == 0 && !monomial.empty())
      sign = coefficient < 0 ? -1 : 1;
  }
  for (const auto& [monomial, coefficient] : p.terms) {
    if (coefficient == std::numeric_limits<int64_t>::min())
      return std::nullopt;
    result.terms[monomial] = sign * (coefficient / static_cast<int64_t>(divisor));
  }
  return result;
}

/// Common factors and single atoms; the longest first, since their quotients are the simplest.
std::vector<Monomial> factorsOf(const Polynomial& p) {
  std::set<Monomial> result;
  std::vector<Monomial> products;
  for (const auto& [monomial, coefficient] : p.terms)
    if (monomial.size() >= 2)
      products.push_back(monomial);
  for (const Monomial& monomial : products)
    for (const logic::TermId atom : monomial)
      result.insert({atom});
  for (size_t i = 0; i < products.size(); ++i)
    for (size_t j = 0; j < i && result.size() < maxFactors; ++j)
      if (Monomial common = commonFactor(products[i], products[j]); common.size() >= 2)
        result.insert(std::move(common));
  std::vector<Monomial> ordered(result.begin(), result.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Monomial& a, const Monomial& b) { return a.size() > b.size(); });
  return ordered;
}

void add(std::vector<SignSplit>& into, Monomial factor, const Polynomial& quotient) {
  if (auto reduced = primitive(quotient)) {
    SignSplit split{std::move(factor), std::move(*reduced)};
    if (std::find(into.begin(), into.end(), split) == into.end())
      into.push_back(std::move(split));
  }
}

uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

/// For each divisor among the coefficients: the part that it divides.
void addConstantFactors(std::vector<SignSplit>& into, const Polynomial& p, bool equation) {
  std::set<uint64_t> divisors;
  for (const auto& [monomial, coefficient] : p.terms)
    if (!monomial.empty() && magnitude(coefficient) > 1)
      divisors.insert(magnitude(coefficient));
  for (const uint64_t divisor : divisors) {
    Polynomial quotient;
    for (const auto& [monomial, coefficient] : p.terms)
      if (!monomial.empty() && divisor <= INT64_MAX && coefficient % static_cast<int64_t>(divisor) == 0)
        quotient.terms[monomial] = coefficient / static_cast<int64_t>(divisor);
    if (quotient.terms.size() > 1 || equation)
      add(into, {}, quotient);
  }
}

} // namespace

void collectMonomials(const Polynomial& p, std::set<Monomial>& into) {
  for (const auto& [monomial, coefficient] : p.terms)
    if (!monomial.empty())
      into.insert(monomial);
}

std::vector<SignSplit> signSplits(const Polynomial& p, bool equation) {
  std::vector<SignSplit> result;
  for (const Monomial& factor : factorsOf(p)) {
    Polynomial quotient;
    for (const auto& [monomial, coefficient] : p.terms)
      if (auto rest = dividedBy(monomial, factor))
        quotient.terms[*std::move(rest)] = coefficient;
    add(result, factor, quotient);
  }
  addConstantFactors(result, p, equation);
  return result;
}

std::vector<Monomial> usefulFactors(const Polynomial& p, const std::set<Monomial>& known) {
  std::vector<Monomial> result;
  const auto first =
      std::find_if(p.terms.begin(), p.terms.end(), [](const auto& term) { return !term.first.empty(); });
  if (first == p.terms.end())
    return result;
  for (const Monomial& candidate : known) {
    if (candidate.size() <= first->first.size())
      continue;
    const auto factor = dividedBy(candidate, first->first);
    if (factor && std::all_of(p.terms.begin(), p.terms.end(), [&](const auto& term) {
          return term.first.empty() || known.contains(product(term.first, *factor));
        }))
      result.push_back(*factor);
  }
  return result;
}

std::optional<Literal> productWith(const Literal& fact, const Monomial& factor) {
  auto p = times(fact.polynomial, factor);
  if (!p)
    return std::nullopt;
  return Literal{fact.kind, *std::move(p), {}, true};
}

} // namespace plumbline::gate

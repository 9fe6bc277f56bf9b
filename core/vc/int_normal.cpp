#include "core/vc/int_normal.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace plumbline::vc {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t maxMonomials = 256;
constexpr size_t maxDegree = 12;

bool accumulate(Polynomial& into, const std::vector<TermId>& monomial, int64_t coefficient) {
  int64_t& slot = into.terms[monomial];
  if (__builtin_add_overflow(slot, coefficient, &slot))
    return false;
  if (slot == 0)
    into.terms.erase(monomial);
  return into.terms.size() <= maxMonomials;
}

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

} // namespace

std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b, int64_t factor) {
  Polynomial result = a;
  for (const auto& [monomial, coefficient] : b.terms) {
    int64_t scaled = 0;
    if (__builtin_mul_overflow(coefficient, factor, &scaled) || !accumulate(result, monomial, scaled))
      return std::nullopt;
  }
  return result;
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (const auto& [leftAtoms, leftCoefficient] : a.terms)
    for (const auto& [rightAtoms, rightCoefficient] : b.terms) {
      std::vector<TermId> atoms = leftAtoms;
      atoms.insert(atoms.end(), rightAtoms.begin(), rightAtoms.end());
      std::sort(atoms.begin(), atoms.end());
      int64_t coefficient = 0;
      if (atoms.size() > maxDegree ||
          __builtin_mul_overflow(leftCoefficient, rightCoefficient, &coefficient) ||
          !accumulate(result, atoms, coefficient))
        return std::nullopt;
    }
  return result;
}

std::optional<Polynomial> polynomialOf(const TermStore& store, TermId term) {
  const Term& node = store[term];
  if (node.op == Op::IntConst)
    return constantPolynomial(static_cast<int64_t>(node.payload));
  if (node.op != Op::IAdd && node.op != Op::ISub && node.op != Op::IMul)
    return atomPolynomial(term);
  const std::optional<Polynomial> a = polynomialOf(store, node.args[0]);
  if (!a)
    return std::nullopt; // at once: shared operands would be visited once for each path otherwise
  const std::optional<Polynomial> b = polynomialOf(store, node.args[1]);
  if (!b)
    return std::nullopt;
  if (node.op == Op::IMul)
    return multiply(*a, *b);
  return add(*a, *b, node.op == Op::IAdd ? 1 : -1);
}

TermId toTerm(TermStore& store, const Polynomial& polynomial) {
  std::optional<TermId> sum;
  std::optional<int64_t> constant;
  for (const auto& [atoms, coefficient] : polynomial.terms) {
    if (atoms.empty()) {
      constant = coefficient;
      continue;
    }
    TermId product = atoms[0];
    for (size_t i = 1; i < atoms.size(); ++i)
      product = store.imul(product, atoms[i]);
    product = store.imul(store.integer(coefficient), product);
    sum = sum ? store.iadd(*sum, product) : product;
  }
  if (!sum)
    return store.integer(constant.value_or(0));
  return constant ? store.iadd(*sum, store.integer(*constant)) : *sum;
}

namespace {

/// Replaces k*m*(x/m)*rest + k*(x%m)*rest by k*x*rest wherever both monomials stand in the polynomial.
std::optional<Polynomial> mergeDivisions(TermStore& store, Polynomial polynomial) {
  bool changed = true;
  for (int round = 0; changed && round < 32; ++round) {
    changed = false;
    for (const auto& [atoms, coefficient] : polynomial.terms) {
      const auto remainder =
          std::find_if(atoms.begin(), atoms.end(), [&](TermId atom) { return store[atom].op == Op::IRem; });
      if (remainder == atoms.end())
        continue;
      const std::vector<TermId> operands = store[*remainder].args;
      Polynomial rest;
      std::vector<TermId> others = atoms;
      others.erase(std::find(others.begin(), others.end(), *remainder));
      rest.terms[others] = coefficient;
      const auto divisor = polynomialOf(store, operands[1]);
      const auto dividend = polynomialOf(store, operands[0]);
      const TermId quotient = store.idiv(operands[0], operands[1]);
      const auto quotientPart = divisor ? multiply(*divisor, atomPolynomial(quotient)) : std::nullopt;
      const auto wanted = quotientPart ? multiply(*quotientPart, rest) : std::nullopt;
      const auto replacement = dividend ? multiply(*dividend, rest) : std::nullopt;
      if (!wanted || !replacement || wanted->terms.size() != 1)
        continue;
      const auto& [wantedAtoms, wantedCoefficient] = *wanted->terms.begin();
      const auto found = polynomial.terms.find(wantedAtoms);
      if (found == polynomial.terms.end() || found->second != wantedCoefficient)
        continue;
      const Polynomial rem{{{atoms, coefficient}}};
      auto next = add(polynomial, *wanted, -1);
      next = next ? add(*next, rem, -1) : std::nullopt;
      next = next ? add(*next, *replacement) : std::nullopt;
      if (!next)
        return std::nullopt;
      polynomial = *std::move(next);
      changed = true;
      break;
    }
  }
  return polynomial;
}

TermId rebuildNode(TermStore& store, TermId id, const std::vector<TermId>& args) {
  std::unordered_map<TermId, TermId> replacement;
  const std::vector<TermId> old = store[id].args;
  for (size_t i = 0; i < old.size(); ++i)
    replacement.emplace(old[i], args[i]);
  return store.substitute(id, replacement);
}

} // namespace

TermId normaliseIntegers(TermStore& store, TermId root) {
  std::unordered_map<TermId, TermId> done;
  for (TermId id : store.postOrder(root)) {
    std::vector<TermId> args;
    for (TermId arg : store[id].args)
      args.push_back(done.at(arg));
    TermId rebuilt = args == store[id].args ? id : rebuildNode(store, id, args);
    const Op op = store[rebuilt].op;
    if (op == Op::IAdd || op == Op::ISub || op == Op::IMul) {
      std::optional<Polynomial> polynomial = polynomialOf(store, rebuilt);
      if (polynomial)
        polynomial = mergeDivisions(store, *std::move(polynomial));
      if (polynomial)
        rebuilt = toTerm(store, *polynomial);
    }
    done.emplace(id, rebuilt);
  }
  return done.at(root);
}

namespace {

using Wide = __int128;

std::optional<int64_t> narrow(Wide value) {
  if (value < std::numeric_limits<int64_t>::min() || value > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return static_cast<int64_t>(value);
}

std::optional<int64_t> plus(std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b)
    return std::nullopt;
  return narrow(static_cast<Wide>(*a) + *b);
}

Bounds negate(const Bounds& a) {
  Bounds result;
  if (a.high)
    result.low = narrow(-static_cast<Wide>(*a.high));
  if (a.low)
    result.high = narrow(-static_cast<Wide>(*a.low));
  return result;
}

Bounds product(const Bounds& a, const Bounds& b) {
  const bool nonNegative = a.low && *a.low >= 0 && b.low && *b.low >= 0;
  if (nonNegative && (!a.high || !b.high))
    return {narrow(static_cast<Wide>(*a.low) * *b.low), std::nullopt};
  if (!a.low || !a.high || !b.low || !b.high)
    return {};
  const Wide corners[] = {static_cast<Wide>(*a.low) * *b.low, static_cast<Wide>(*a.low) * *b.high,
                          static_cast<Wide>(*a.high) * *b.low, static_cast<Wide>(*a.high) * *b.high};
  return {narrow(*std::min_element(std::begin(corners), std::end(corners))),
          narrow(*std::max_element(std::begin(corners), std::end(corners)))};
}

/// Only for a non-negative dividend and a positive divisor.
Bounds quotient(const Bounds& a, const Bounds& b) {
  if (!a.low || *a.low < 0 || !b.low || *b.low <= 0)
    return {};
  Bounds result{0, std::nullopt};
  if (b.high)
    result.low = *a.low / *b.high;
  if (a.high)
    result.high = *a.high / *b.low;
  return result;
}

Bounds remainderBounds(const Bounds& a, const Bounds& b) {
  if (!a.low || *a.low < 0 || !b.low || *b.low <= 0)
    return {};
  Bounds result{0, a.high};
  if (b.high && (!result.high || *b.high - 1 < *result.high))
    result.high = *b.high - 1;
  return result;
}

Bounds hull(const Bounds& a, const Bounds& b) {
  Bounds result;
  if (a.low && b.low)
    result.low = std::min(*a.low, *b.low);
  if (a.high && b.high)
    result.high = std::max(*a.high, *b.high);
  return result;
}

Bounds floatToIntBounds(uint64_t payload) {
  const int bits = static_cast<int>(payload & 0xff);
  const bool isSigned = (payload & 0x100) != 0;
  if (bits > 63)
    return isSigned ? Bounds{} : Bounds{0, std::nullopt};
  if (isSigned)
    return {-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
  return {0, (int64_t{1} << bits) - 1};
}

} // namespace

Bounds boundsOf(const TermStore& store, TermId root, const std::map<std::string, Bounds>& variables) {
  std::unordered_map<TermId, Bounds> done;
  for (TermId id : store.postOrder(root)) {
    const Term& term = store[id];
    if (term.sort != Sort::Int)
      continue;
    auto arg = [&](size_t i) -> const Bounds& { return done.at(term.args[i]); };
    Bounds bounds;
    switch (term.op) {
    case Op::IntConst:
      bounds = {static_cast<int64_t>(term.payload), static_cast<int64_t>(term.payload)};
      break;
    case Op::Var:
      if (const auto found = variables.find(store.symbolText(term.symbol)); found != variables.end())
        bounds = found->second;
      break;
    case Op::IAdd: bounds = {plus(arg(0).low, arg(1).low), plus(arg(0).high, arg(1).high)}; break;
    case Op::ISub: {
      const Bounds negated = negate(arg(1));
      bounds = {plus(arg(0).low, negated.low), plus(arg(0).high, negated.high)};
      break;
    }
    case Op::IMul: bounds = product(arg(0), arg(1)); break;
    case Op::IDiv: bounds = quotient(arg(0), arg(1)); break;
    case Op::IRem: bounds = remainderBounds(arg(0), arg(1)); break;
    case Op::Ite: bounds = hull(arg(1), arg(2)); break;
    case Op::FloatToInt: bounds = floatToIntBounds(term.payload); break;
    default: break;
    }
    done.emplace(id, bounds);
  }
  return done.at(root);
}

} // namespace plumbline::vc

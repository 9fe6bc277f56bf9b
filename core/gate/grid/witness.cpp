#include "core/gate/grid/witness.h"

#include <algorithm>

namespace plumbline::gate::grid {

using logic::Op;
using logic::TermId;
using logic::TermStore;

namespace {

/// A summand of an index: an atom over free variables with the rest of its monomial.
struct Part {
  TermId atom{};
  vc::Polynomial coefficient;
};

class Solver {
public:
  Solver(TermStore& store, const std::set<TermId>& free) : m_store(store), m_free(free) {}

  bool solve(TermId index, TermId target) {
    if (++m_steps > 32)
      return false;
    const auto polynomial = vc::polynomialOf(m_store, index);
    if (!polynomial)
      return false;
    std::vector<Part> parts;
    vc::Polynomial fixed;
    if (!split(*polynomial, parts, fixed))
      return false;
    TermId rest = vc::normaliseIntegers(m_store, m_store.isub(target, vc::toTerm(m_store, fixed)));
    const bool falling = !parts.empty() && std::all_of(parts.begin(), parts.end(), [](const Part& part) {
      return std::all_of(part.coefficient.terms.begin(), part.coefficient.terms.end(),
                         [](const auto& each) { return each.second < 0; });
    });
    if (falling) {
      rest = m_store.isub(m_store.integer(0), rest);
      for (Part& part : parts)
        for (auto& [atoms, coefficient] : part.coefficient.terms)
          coefficient = -coefficient;
    }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return larger(a, b); });
    for (size_t i = 0; i < parts.size(); ++i) {
      const TermId coefficient = vc::toTerm(m_store, parts[i].coefficient);
      const bool unit = m_store.intValue(coefficient) == 1;
      const bool last = i + 1 == parts.size();
      if (unit && !last)
        return false; // two parts of coefficient one
      if (!give(parts[i].atom, unit ? rest : m_store.idiv(rest, coefficient)))
        return false;
      if (!last)
        rest = m_store.irem(rest, coefficient);
    }
    return solveQuotients();
  }

  /// A quotient or a remainder has this value, whatever the index says about the other one.
  void expect(TermId term, TermId value) {
    const Op op = m_store[term].op;
    if (op == Op::IDiv || op == Op::IRem)
      give(term, value);
  }

  /// Whether no variable of the term is open.
  bool isSettled(TermId term) {
    const std::vector<TermId> nodes = m_store.postOrder(term);
    return std::ranges::all_of(nodes, [&](TermId id) { return !m_free.contains(id) || choice.contains(id); });
  }

  WitnessChoice choice;

private:
  struct Quotient {
    std::optional<TermId> quotient, remainder;
  };

  bool mentionsFree(TermId term) {
    const std::vector<TermId> nodes = m_store.postOrder(term);
    return std::any_of(nodes.begin(), nodes.end(), [&](TermId id) { return m_free.contains(id); });
  }

  bool split(const vc::Polynomial& polynomial, std::vector<Part>& parts, vc::Polynomial& fixed) {
    for (const auto& [atoms, coefficient] : polynomial.terms) {
      std::vector<TermId> others;
      std::optional<TermId> chosen;
      for (TermId atom : atoms) {
        if (!mentionsFree(atom)) {
          others.push_back(atom);
        } else if (chosen) {
          return false; // a product of two unknowns
        } else {
          chosen = atom;
        }
      }
      if (!chosen) {
        fixed.terms[atoms] = coefficient;
        continue;
      }
      auto found =
          std::find_if(parts.begin(), parts.end(), [&](const Part& each) { return each.atom == *chosen; });
      if (found == parts.end())
        found = parts.insert(parts.end(), Part{*chosen, {}});
      found->coefficient.terms[others] = coefficient;
    }
    return true;
  }

  /// By degree, then by the number in front.
  static bool larger(const Part& a, const Part& b) {
    const auto key = [](const Part& part) {
      size_t degree = 0;
      int64_t number = 0;
      for (const auto& [atoms, coefficient] : part.coefficient.terms)
        if (atoms.size() >= degree) {
          number = atoms.size() > degree ? coefficient : std::max(number, coefficient);
          degree = atoms.size();
        }
      return std::pair(degree, number);
    };
    return key(a) > key(b);
  }

  bool give(TermId atom, TermId value) {
    if (m_free.contains(atom)) {
      const auto [known, isNew] = choice.emplace(atom, value);
      return isNew || known->second == value;
    }
    const logic::Term node = m_store[atom];
    if ((node.op != Op::IDiv && node.op != Op::IRem) || mentionsFree(node.args[1]))
      return false;
    Quotient& entry = m_quotients[{node.args[0], node.args[1]}];
    (node.op == Op::IDiv ? entry.quotient : entry.remainder) = value;
    return true;
  }

  /// x / c and x % c are given: x is known, with 0 for the one that is not.
  bool solveQuotients() {
    while (!m_quotients.empty()) {
      const auto [key, entry] = *m_quotients.begin();
      m_quotients.erase(m_quotients.begin());
      const TermId zero = m_store.integer(0);
      const TermId value = m_store.iadd(m_store.imul(entry.quotient.value_or(zero), key.second),
                                        entry.remainder.value_or(zero));
      if (!solve(key.first, value))
        return false;
    }
    return true;
  }

  TermStore& m_store;
  const std::set<TermId>& m_free;
  std::map<std::pair<TermId, TermId>, Quotient> m_quotients;
  int m_steps = 0;
};

} // namespace

std::optional<WitnessChoice> solveIndex(TermStore& store, TermId index, TermId target,
                                        const std::set<TermId>& free,
                                        const std::vector<std::pair<TermId, TermId>>& wanted) {
  Solver solver(store, free);
  for (const auto& [term, value] : wanted)
    solver.expect(term, value);
  if (solver.solve(index, target) && std::ranges::all_of(wanted, [&](const auto& each) {
        return solver.isSettled(each.first) || solver.solve(each.first, each.second);
      }))
    return solver.choice;
  return wanted.empty() ? std::nullopt : solveIndex(store, index, target, free);
}

} // namespace plumbline::gate::grid

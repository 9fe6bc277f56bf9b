#include "core/gate/index_prover.h"

#include <algorithm>
#include <set>

namespace plumbline::gate {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

void IndexProver::collectConjuncts(TermId term, std::vector<TermId>& into) {
  const Term& node = m_store[term];
  if (node.op == Op::And) {
    const std::vector<TermId> args = node.args;
    for (TermId arg : args)
      collectConjuncts(arg, into);
    return;
  }
  if (node.op == Op::Not && m_store[node.args[0]].op == Op::Or) {
    const std::vector<TermId> args = m_store[node.args[0]].args;
    for (TermId arg : args)
      collectConjuncts(m_store.lnot(arg), into);
    return;
  }
  // Not (a < b) is b <= a over the integers, so that one form is enough to look for.
  if (node.op == Op::Not && m_store[node.args[0]].op == Op::ILt) {
    const std::vector<TermId> args = m_store[node.args[0]].args;
    into.push_back(m_store.ile(args[1], args[0]));
    return;
  }
  if (node.op == Op::Not && m_store[node.args[0]].op == Op::ILe) {
    const std::vector<TermId> args = m_store[node.args[0]].args;
    into.push_back(m_store.ilt(args[1], args[0]));
    return;
  }
  into.push_back(term);
}

bool IndexProver::quick(TermId guard, TermId goal) {
  if (m_store.boolValue(guard) == false || m_store.boolValue(goal) == true)
    return true;
  std::vector<TermId> conjuncts;
  collectConjuncts(guard, conjuncts);
  std::vector<TermId> goals;
  collectConjuncts(goal, goals);
  return std::all_of(goals.begin(), goals.end(), [&](TermId atom) { return quickAtom(conjuncts, atom); });
}

bool IndexProver::quickAtom(const std::vector<TermId>& conjuncts, TermId goal) {
  if (m_store.boolValue(goal) == true ||
      std::find(conjuncts.begin(), conjuncts.end(), goal) != conjuncts.end())
    return true;
  const Term node = m_store[goal];
  auto difference = [&](TermId a, TermId b) {
    return vc::boundsOf(m_store, vc::normaliseIntegers(m_store, m_store.isub(b, a)), m_bounds);
  };
  auto plainDifference = [&](TermId a, TermId b) {
    return vc::boundsOf(m_store, m_store.isub(b, a), m_bounds);
  };
  if (node.op == Op::ILe || node.op == Op::ILt) {
    const int64_t least = node.op == Op::ILe ? 0 : 1;
    return difference(node.args[0], node.args[1]).low.value_or(least - 1) >= least ||
           plainDifference(node.args[0], node.args[1]).low.value_or(least - 1) >= least;
  }
  if (node.op == Op::IEq) {
    const vc::Bounds bounds = difference(node.args[0], node.args[1]);
    return bounds.low == 0 && bounds.high == 0;
  }
  if (node.op == Op::Not && m_store[node.args[0]].op == Op::IEq) {
    const std::vector<TermId> args = m_store[node.args[0]].args;
    const vc::Bounds bounds = difference(args[0], args[1]);
    return bounds.low.value_or(0) > 0 || bounds.high.value_or(0) < 0;
  }
  return false;
}

/// Replaces every maximal part that is not integer arithmetic by a variable: Bool terms over floats, integers
/// made from floats. Bounds of the latter are added to `bounds`.
TermId IndexProver::abstractFloats(TermId root, std::vector<TermId>& bounds) {
  std::unordered_map<TermId, TermId> replacement;
  auto isFloat = [&](TermId id) { return m_store[id].sort == Sort::F32 || m_store[id].sort == Sort::F64; };
  for (TermId id : m_store.postOrder(root)) {
    const Term term = m_store[id];
    const bool overFloats = std::any_of(term.args.begin(), term.args.end(), isFloat);
    const std::string name = "abstract:" + std::to_string(static_cast<uint32_t>(id));
    if (term.sort == Sort::Bool && overFloats) {
      replacement.emplace(id, m_store.var(Sort::Bool, name));
    } else if (term.sort == Sort::Int && (overFloats || term.op == Op::Load || term.op == Op::Opaque)) {
      const TermId variable = m_store.var(Sort::Int, name);
      replacement.emplace(id, variable);
      const vc::Bounds range = vc::boundsOf(m_store, id, m_bounds);
      if (range.low)
        bounds.push_back(m_store.ile(m_store.integer(*range.low), variable));
      if (range.high)
        bounds.push_back(m_store.ile(variable, m_store.integer(*range.high)));
    }
  }
  return m_store.substitute(root, replacement);
}

IndexProof IndexProver::prove(TermId guard, TermId goal, const StopToken& stop) {
  const std::pair<TermId, TermId> single(guard, goal);
  return proveAll(std::span(&single, 1), stop);
}

IndexProof IndexProver::proveAll(std::span<const std::pair<TermId, TermId>> obligations,
                                 const StopToken& stop) {
  TermId negated = m_store.boolean(false);
  for (const auto& [guard, goal] : obligations)
    if (!quick(guard, goal))
      negated = m_store.lor(negated, m_store.land(guard, m_store.lnot(goal)));
  if (m_store.boolValue(negated) == false) {
    IndexProof proof;
    proof.status = ProofStatus::Proved;
    proof.engine = "interval";
    return proof;
  }
  return ask(negated, stop);
}

IndexProof IndexProver::ask(TermId negated, const StopToken& stop) {
  IndexProof proof;
  if (m_portfolio == nullptr) {
    proof.reason = "no solver is available";
    return proof;
  }
  std::vector<TermId> assertions = relevantFacts(negated);
  assertions.push_back(negated);
  std::vector<TermId> extra;
  for (TermId& assertion : assertions)
    assertion = abstractFloats(assertion, extra);
  assertions.insert(assertions.end(), extra.begin(), extra.end());
  std::erase_if(assertions, [&](TermId id) { return m_store.boolValue(id) == true; });
  return askPortfolio(assertions, stop);
}

/// The facts over variables that the question depends on. A definition of a product joins only when one of
/// its factors is mentioned: it is not linear, and leaving a fact out is sound.
std::vector<TermId> IndexProver::relevantFacts(TermId negated) {
  auto variablesOf = [&](TermId root) {
    std::set<TermId> result;
    for (TermId id : m_store.postOrder(root))
      if (m_store[id].op == Op::Var && m_store[id].sort == Sort::Int)
        result.insert(id);
    return result;
  };
  std::set<TermId> known = variablesOf(negated);
  std::vector<bool> used(m_facts.size(), false);
  std::vector<TermId> result;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < m_facts.size(); ++i) {
      if (used[i])
        continue;
      const logic::Term fact = m_store[m_facts[i]];
      const bool definition = fact.op == Op::IEq && m_store[fact.args[1]].op == Op::IMul;
      const std::set<TermId> variables = variablesOf(definition ? fact.args[1] : m_facts[i]);
      if (std::none_of(variables.begin(), variables.end(), [&](TermId id) { return known.contains(id); }))
        continue;
      used[i] = changed = true;
      result.push_back(m_facts[i]);
      const std::set<TermId> all = variablesOf(m_facts[i]);
      known.insert(all.begin(), all.end());
    }
  }
  for (TermId variable : known) {
    const auto range = m_bounds.find(m_store.symbolText(variable));
    if (range == m_bounds.end())
      continue;
    if (range->second.low)
      result.push_back(m_store.ile(m_store.integer(*range->second.low), variable));
    if (range->second.high)
      result.push_back(m_store.ile(variable, m_store.integer(*range->second.high)));
  }
  return result;
}

IndexProof IndexProver::askPortfolio(const std::vector<TermId>& assertions, const StopToken& stop) {
  IndexProof proof;
  const Expected<engine::SmtQuery> query = engine::smtQuery(m_store, assertions, {});
  if (!query) {
    proof.reason = query.error().message;
    return proof;
  }
  proof.query = query->text;
  const Expected<engine::PortfolioResult> result = m_portfolio->run(*query, m_limit, stop);
  if (!result) {
    proof.reason = result.error().message;
    return proof;
  }
  proof.timeMs = result->timeMs;
  for (const engine::SolverAnswer& answer : result->answers)
    if (answer.decisive())
      proof.engine += (proof.engine.empty() ? "" : "+") + answer.engine;
  switch (result->outcome) {
  case engine::PortfolioResult::Outcome::Unsat: proof.status = ProofStatus::Proved; break;
  case engine::PortfolioResult::Outcome::Sat: readModel(proof, *query, *result); break;
  case engine::PortfolioResult::Outcome::Conflict:
    proof.conflict = true;
    proof.reason = "the solvers contradict each other";
    break;
  case engine::PortfolioResult::Outcome::Unknown:
    proof.reason = "no solver settled it within its time limit";
    break;
  }
  return proof;
}

void IndexProver::readModel(IndexProof& proof, const engine::SmtQuery& query,
                            const engine::PortfolioResult& result) {
  proof.status = ProofStatus::Refuted;
  if (!result.model)
    return;
  for (size_t i = 0; i < query.variables.size(); ++i)
    if (query.variables[i].sort == Sort::Int && m_store[query.variables[i].term].op == Op::Var)
      proof.model[m_store.symbolText(query.variables[i].term)] =
          static_cast<int64_t>((*result.model)[i].payload);
}

} // namespace plumbline::gate

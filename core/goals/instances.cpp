// Instances of quantified hypotheses, at the indices and arguments that occur.
#include "core/goals/tableau.h"
#include "core/vc/int_normal.h"

#include <algorithm>

namespace plumbline::goals {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;

/// Lowers the body for a placeholder and notes which loads and unknown functions mention it, within
/// quantifiers of the body as well.
void Tableau::collectPatterns(const Quantified& quantified, Pattern& pattern, int depth) {
  constexpr int deepest = 2;
  const std::string name = "?" + std::to_string(static_cast<uint32_t>(quantified.flag));
  const TermId own = m_store.var(sortOf(quantified.kind), name);
  if (depth == 0)
    pattern.placeholder = own;
  const size_t known = m_lowering.quantified().size();
  TermId body{};
  try {
    body = quantified.instance(own);
  } catch (const Unsupported&) {
    return;
  }
  for (const TermId id : m_store.postOrder(body)) {
    const Term& term = m_store[id];
    if (term.op != Op::Load && term.op != Op::Opaque)
      continue;
    const std::vector<TermId> below = m_store.postOrder(id);
    const bool isGround = std::ranges::none_of(below, [this](TermId b) {
      return m_store[b].op == Op::Var && m_store.symbolText(b).starts_with("?");
    });
    if (isGround)
      m_ground.push_back(id);
    else if (std::ranges::find(below, pattern.placeholder) != below.end())
      pattern.terms.push_back(id);
  }
  const std::vector<Quantified> all = m_lowering.quantified();
  for (size_t i = known; i < all.size() && depth < deepest; ++i)
    collectPatterns(all[i], pattern, depth + 1);
}

/// The value of the placeholder for which the pattern, a load or a function's value, is the ground term.
std::optional<TermId> Tableau::matched(TermId pattern, TermId ground, TermId placeholder) {
  const Term shape = m_store[pattern];
  const Term& term = m_store[ground];
  if (shape.op != term.op || shape.symbol != term.symbol || shape.sort != term.sort ||
      shape.args.size() != term.args.size())
    return std::nullopt;
  for (size_t i = 0; i < shape.args.size(); ++i) {
    const TermId arg = shape.args[i];
    if (arg == placeholder)
      return term.args[i];
    if (m_store[arg].sort != Sort::Int)
      continue;
    // placeholder + rest, whatever the rest is
    const auto polynomial = vc::polynomialOf(m_store, arg);
    if (!polynomial)
      continue;
    const auto own = polynomial->terms.find({placeholder});
    if (own == polynomial->terms.end() || own->second != 1)
      continue;
    vc::Polynomial rest = *polynomial;
    rest.terms.erase({placeholder});
    const TermId restTerm = vc::toTerm(m_store, rest);
    const std::vector<TermId> below = m_store.postOrder(restTerm);
    if (std::ranges::find(below, placeholder) == below.end())
      return vc::normaliseIntegers(m_store, m_store.isub(m_store[ground].args[i], restTerm));
  }
  return std::nullopt;
}

std::vector<TermId> Tableau::candidates(const Quantified& quantified, const Node& node) {
  if (quantified.kind == Kind::Bool)
    return {m_store.boolean(false), m_store.boolean(true)};
  Pattern& pattern = m_patterns[quantified.flag];
  if (!pattern.isReady) {
    pattern.isReady = true;
    collectPatterns(quantified, pattern, 0);
    takeFacts();
  }
  std::vector<TermId> roots;
  for (const Clause& clause : node.clauses)
    roots.push_back(clause.term);
  roots.insert(roots.end(), node.literals.begin(), node.literals.end());
  roots.insert(roots.end(), node.facts.begin(), node.facts.end());
  roots.insert(roots.end(), m_ground.begin(), m_ground.end());
  std::vector<TermId> result;
  const auto add = [&](TermId value) {
    if (m_store[value].sort == sortOf(quantified.kind) && std::ranges::find(result, value) == result.end())
      result.push_back(value);
  };
  for (const TermId ground : m_store.postOrder(roots))
    for (const TermId each : pattern.terms)
      if (const auto value = matched(each, ground, pattern.placeholder))
        add(*value);
  if (!pattern.terms.empty())
    return result;
  // Nothing to go by: what the goal itself speaks about.
  for (const auto& [name, kind] : m_lowering.skolems())
    if (sortOf(kind) == sortOf(quantified.kind))
      add(m_store.var(sortOf(kind), name));
  return result;
}

bool Tableau::instantiate(Node& node) {
  if (node.rounds >= m_limits.rounds)
    return false;
  bool added = false;
  const size_t count = m_lowering.quantified().size();
  for (size_t i = 0; i < count; ++i) {
    const Quantified quantified = m_lowering.quantified()[i];
    const auto flag = node.known.find(quantified.flag);
    if (flag == node.known.end() || m_store.boolValue(flag->second) != true)
      continue;
    for (const TermId value : candidates(quantified, node)) {
      if (m_instances >= m_limits.instances * 10 || !node.instances.emplace(quantified.flag, value).second)
        continue;
      ++m_instances;
      try {
        const TermId instance = quantified.instance(value);
        takeFacts();
        node.clauses.push_back({instance, false});
        added = true;
      } catch (const Unsupported&) {
        continue; // one assertion less
      }
    }
  }
  node.rounds += added;
  return added;
}

} // namespace plumbline::goals

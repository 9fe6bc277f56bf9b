#include "core/gate/grid/symbols.h"

#include <algorithm>

namespace plumbline::gate::grid {

using logic::Op;
using logic::Sort;
using logic::TermId;

TermId SymbolTable::make(Sort sort, const std::string& name, Level level, int loop, vc::Bounds bounds) {
  const TermId variable = m_store.var(sort, name);
  const auto known = m_info.find(variable);
  if (known != m_info.end() && known->second.level != level)
    m_levels.clear();
  m_info[variable] = {level, loop, {}};
  if (sort == Sort::Int && (bounds.low || bounds.high))
    m_bounds[name] = bounds;
  return variable;
}

void SymbolTable::addFact(TermId variable, TermId fact) {
  if (m_store.boolValue(fact) == true)
    return;
  std::vector<TermId>& facts = m_info[variable].facts;
  if (std::find(facts.begin(), facts.end(), fact) == facts.end())
    facts.push_back(fact);
}

int SymbolTable::addLoop(LoopInfo loop) {
  m_loops.push_back(loop);
  return static_cast<int>(m_loops.size()) - 1;
}

bool SymbolTable::isWithin(int inner, int outer) const {
  while (inner != outside && inner != outer)
    inner = loop(inner).parent;
  return inner == outer;
}

const SymbolTable::Info& SymbolTable::infoOf(TermId variable) const {
  static const Info unknown{Level::Thread, outside, {}};
  const auto found = m_info.find(variable);
  return found == m_info.end() ? unknown : found->second;
}

Level SymbolTable::levelOf(TermId root) {
  for (TermId id : m_store.postOrder(root)) {
    if (m_levels.contains(id))
      continue;
    const logic::Term& term = m_store[id];
    Level level = term.op == Op::Var ? infoOf(id).level : Level::Grid;
    for (TermId arg : term.args)
      level = join(level, m_levels.at(arg));
    m_levels.emplace(id, level);
  }
  return m_levels.at(root);
}

bool SymbolTable::dependsOn(TermId term, int loop) {
  const std::vector<TermId> nodes = m_store.postOrder(term);
  return std::any_of(nodes.begin(), nodes.end(), [&](TermId id) {
    return m_store[id].op == Op::Var && infoOf(id).loop != outside && isWithin(infoOf(id).loop, loop);
  });
}

std::vector<TermId> SymbolTable::variablesOf(std::span<const TermId> terms) {
  std::vector<TermId> result;
  for (TermId id : m_store.postOrder(terms))
    if (m_store[id].op == Op::Var)
      result.push_back(id);
  return result;
}

std::vector<TermId> SymbolTable::factsFor(std::span<const TermId> terms) {
  std::vector<TermId> facts;
  std::set<TermId> seen;
  std::vector<TermId> open(terms.begin(), terms.end());
  while (!open.empty()) {
    const std::vector<TermId> nodes = m_store.postOrder(open);
    open.clear();
    const auto add = [&](TermId fact) {
      facts.push_back(fact);
      open.push_back(fact);
    };
    for (TermId id : nodes) {
      if (!seen.insert(id).second)
        continue;
      const logic::Term term = m_store[id];
      if (term.op == Op::Var) {
        for (TermId fact : infoOf(id).facts)
          add(fact);
      } else if (term.op == Op::Load && term.sort == Sort::Int) {
        const auto range = m_elementRanges.find(m_store.symbolText(id));
        if (range == m_elementRanges.end())
          continue;
        if (range->second.low)
          add(m_store.ile(m_store.integer(*range->second.low), id));
        if (range->second.high)
          add(m_store.ile(id, m_store.integer(*range->second.high)));
      }
    }
  }
  return facts;
}

bool SymbolTable::isShared(const Info& info, const Relation& relation) const {
  for (int each = info.loop; each != outside; each = loop(each).parent)
    if (!relation.sameIteration.contains(each))
      return false;
  if (relation.sameThread)
    return true;
  switch (info.level) {
  case Level::Grid: return true;
  case Level::Block: return relation.sameBlock;
  case Level::Warp: return relation.sameWarp;
  case Level::Thread: return false;
  }
  return false;
}

TermId SymbolTable::copyOf(TermId variable, const std::string& name) {
  const Sort sort = m_store[variable].sort;
  const auto bounds = m_bounds.find(m_store.symbolText(variable));
  if (bounds != m_bounds.end())
    m_bounds[name] = bounds->second;
  return m_store.var(sort, name);
}

std::unordered_map<TermId, TermId> SymbolTable::secondThread(std::span<const TermId> terms,
                                                             const Relation& relation) {
  std::unordered_map<TermId, TermId> renamed;
  for (TermId variable : variablesOf(terms))
    if (!isShared(infoOf(variable), relation))
      renamed.emplace(variable, copyOf(variable, secondName(m_store.symbolText(variable))));
  return renamed;
}

bool SymbolTable::isChoice(TermId variable) const {
  const std::string& name = m_store.symbolText(variable);
  const int own = infoOf(variable).loop;
  return name.starts_with("threadIdx.") || name.starts_with("blockIdx.") ||
         (own != outside && loop(own).counter == variable);
}

} // namespace plumbline::gate::grid

#include "core/gate/arithmetic/integer_part.h"

#include <algorithm>
#include <set>

namespace plumbline::gate {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

BitOperation bitOperation(const TermStore& store, TermId id) {
  const Term& term = store[id];
  if (term.op != Op::Opaque || term.sort != Sort::Int || term.args.size() != 2 ||
      store[term.args[0]].sort != Sort::Int || store[term.args[1]].sort != Sort::Int)
    return BitOperation::None;
  const std::string& spelling = store.symbolText(id);
  if (spelling == "bit.and")
    return BitOperation::And;
  if (spelling == "bit.or")
    return BitOperation::Or;
  return spelling == "bit.xor" ? BitOperation::Xor : BitOperation::None;
}

TermId freshVariable(TermStore& store, Sort sort, const std::string& prefix) {
  while (true) {
    const size_t size = store.size();
    const TermId variable = store.var(sort, prefix + ":" + std::to_string(size));
    if (store.size() > size)
      return variable;
  }
}

namespace {

bool isFloat(const TermStore& store, TermId id) {
  return store[id].sort == Sort::F32 || store[id].sort == Sort::F64;
}

bool isUnknown(const TermStore& store, TermId id) {
  const Term& term = store[id];
  if (isFloat(store, id) || term.op == Op::Var)
    return false; // floats vanish with the terms over them
  return term.op == Op::Load || (term.op == Op::Opaque && bitOperation(store, id) == BitOperation::None) ||
         std::any_of(term.args.begin(), term.args.end(), [&](TermId arg) { return isFloat(store, arg); });
}

} // namespace

TermId IntegerPart::of(TermId root) {
  // Arguments come first, so the index of a load is ready when the load is replaced.
  for (const TermId id : m_store.postOrder(root))
    if (!m_replacement.contains(id) && isUnknown(m_store, id))
      replace(id);
  return m_store.substitute(root, m_replacement);
}

void IntegerPart::replace(TermId id) {
  const Term term = m_store[id];
  Unknown unknown;
  unknown.original = id;
  unknown.variable = freshVariable(m_store, term.sort, "unknown");
  if (term.op == Op::Load)
    unknown.index = m_store.substitute(term.args[0], m_replacement);
  if (term.op == Op::FloatToInt)
    unknown.range = vc::boundsOf(m_store, id, {});
  m_replacement.emplace(id, unknown.variable);
  m_byVariable.emplace(unknown.variable, m_unknowns.size());
  m_unknowns.push_back(unknown);
}

std::vector<IntegerPart::Unknown> IntegerPart::unknownsIn(std::span<const TermId> roots) const {
  std::set<size_t> found;
  std::vector<TermId> pending(roots.begin(), roots.end());
  while (!pending.empty()) {
    std::vector<TermId> indices;
    for (const TermId id : m_store.postOrder(pending))
      if (const auto entry = m_byVariable.find(id); entry != m_byVariable.end())
        if (found.insert(entry->second).second && m_unknowns[entry->second].index)
          indices.push_back(*m_unknowns[entry->second].index);
    pending = std::move(indices);
  }
  std::vector<Unknown> result;
  for (const size_t index : found)
    result.push_back(m_unknowns[index]);
  return result;
}

std::vector<TermId> IntegerPart::facts(const std::vector<Unknown>& unknowns, size_t maxPairs) const {
  std::vector<TermId> result;
  for (const Unknown& unknown : unknowns) {
    if (unknown.range.low)
      result.push_back(m_store.ile(m_store.integer(*unknown.range.low), unknown.variable));
    if (unknown.range.high)
      result.push_back(m_store.ile(unknown.variable, m_store.integer(*unknown.range.high)));
  }
  for (size_t i = 0; i < unknowns.size(); ++i)
    for (size_t j = 0; j < i && maxPairs > 0; ++j) {
      const Term& a = m_store[unknowns[i].original];
      const Term& b = m_store[unknowns[j].original];
      if (!unknowns[i].index || !unknowns[j].index || a.symbol != b.symbol || a.sort != b.sort)
        continue;
      --maxPairs;
      const TermId left = unknowns[i].variable;
      const TermId right = unknowns[j].variable;
      const TermId same =
          a.sort == Sort::Bool ? m_store.ite(left, right, m_store.lnot(right)) : m_store.ieq(left, right);
      result.push_back(m_store.lor(m_store.lnot(m_store.ieq(*unknowns[i].index, *unknowns[j].index)), same));
    }
  return result;
}

} // namespace plumbline::gate

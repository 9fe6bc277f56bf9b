#include "core/engine/cases.h"

#include <algorithm>
#include <map>

namespace plumbline::engine {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t maxChoices = 8;

/// What is known about a pair of floats: which of the four IEEE relations are still possible.
enum Relation : uint8_t { Less = 1, Equal = 2, Greater = 4, Unordered = 8, Any = 15 };

uint8_t mirrored(uint8_t mask) {
  return static_cast<uint8_t>((mask & (Equal | Unordered)) | ((mask & Less) != 0 ? Greater : 0) |
                              ((mask & Greater) != 0 ? Less : 0));
}

/// The relations under which an atom holds.
uint8_t maskOf(Op op) {
  switch (op) {
  case Op::FLt: return Less;
  case Op::FLe: return Less | Equal;
  case Op::FEq: return Equal;
  default: return Any;
  }
}

bool isOrderAtom(Op op) {
  return op == Op::FLt || op == Op::FLe || op == Op::FEq;
}

/// The facts along one path. Copied per branch; paths are short.
class Knowledge {
public:
  explicit Knowledge(const TermStore& store) : m_store(store) {}

  std::optional<bool> valueOf(TermId atom) const {
    if (const auto found = m_values.find(atom); found != m_values.end())
      return found->second;
    const Term& term = m_store[atom];
    if (term.op == Op::FIsNan)
      return nanStatus(term.args[0]);
    if (!isOrderAtom(term.op))
      return std::nullopt;
    const uint8_t possible = relation(term.args[0], term.args[1]);
    const uint8_t wanted = maskOf(term.op);
    if ((possible & ~wanted) == 0)
      return true;
    if ((possible & wanted) == 0)
      return false;
    return std::nullopt;
  }

  void decide(TermId atom, bool value) {
    m_values[atom] = value;
    const Term& term = m_store[atom];
    if (term.op == Op::FIsNan)
      m_nan[term.args[0]] = value;
    if (!isOrderAtom(term.op))
      return;
    const uint8_t wanted = value ? maskOf(term.op) : static_cast<uint8_t>(Any & ~maskOf(term.op));
    const uint8_t now = relation(term.args[0], term.args[1]) & wanted;
    m_relations[{term.args[0], term.args[1]}] = now;
    m_relations[{term.args[1], term.args[0]}] = mirrored(now);
    if ((now & Unordered) == 0) {
      m_nan[term.args[0]] = false;
      m_nan[term.args[1]] = false;
    } else if (now == Unordered && nanStatus(term.args[1]) == false) {
      m_nan[term.args[0]] = true;
    } else if (now == Unordered && nanStatus(term.args[0]) == false) {
      m_nan[term.args[1]] = true;
    }
  }

private:
  std::optional<bool> nanStatus(TermId id) const {
    if (const auto found = m_nan.find(id); found != m_nan.end())
      return found->second;
    const Term& term = m_store[id];
    if (term.op == Op::FNeg || term.op == Op::FAbs || term.op == Op::FConvert)
      return nanStatus(term.args[0]);
    if (term.op == Op::IntToFloat)
      return false;
    if (term.op != Op::FloatConst)
      return std::nullopt;
    return term.sort == Sort::F32 ? (term.payload & 0x7fffffff) > 0x7f800000
                                  : (term.payload & 0x7fffffffffffffff) > 0x7ff0000000000000;
  }

  uint8_t relation(TermId a, TermId b) const {
    uint8_t possible = Any;
    if (const auto found = m_relations.find({a, b}); found != m_relations.end())
      possible = found->second;
    const auto nanA = nanStatus(a);
    const auto nanB = nanStatus(b);
    if (nanA == true || nanB == true)
      possible &= Unordered;
    if (nanA == false && nanB == false)
      possible &= static_cast<uint8_t>(Any & ~Unordered);
    return possible;
  }

  const TermStore& m_store;
  std::map<TermId, bool> m_values;
  std::map<TermId, bool> m_nan;
  std::map<std::pair<TermId, TermId>, uint8_t> m_relations;
};

bool isAtom(const Term& term) {
  return term.sort == Sort::Bool && term.op != Op::And && term.op != Op::Or && term.op != Op::Not &&
         term.op != Op::Ite && term.op != Op::BoolConst;
}

class Splitter {
public:
  Splitter(TermStore& store, Normaliser& normalise, const std::vector<TermId>& choices, size_t maxLeaves,
           SplitDepth depth)
      : m_store(store), m_normalise(normalise), m_choices(choices), m_maxLeaves(maxLeaves), m_depth(depth) {}

  CaseSplit run(TermId left, TermId right) {
    split({}, Knowledge(m_store), m_normalise(left), m_normalise(right));
    return std::move(m_result);
  }

private:
  void split(std::vector<Decision> path, Knowledge known, TermId left, TermId right) {
    if (m_result.leaves.size() >= m_maxLeaves) {
      m_result.complete = false;
      return;
    }
    std::optional<TermId> atom = simplify(known, left, right);
    if (!atom || (left == right && m_depth == SplitDepth::UntilEqual)) {
      leaf(std::move(path), left, right);
      return;
    }
    for (bool value : {true, false}) {
      std::vector<Decision> longer = path;
      longer.push_back({*atom, value});
      Knowledge extended = known;
      extended.decide(*atom, value);
      const std::unordered_map<TermId, TermId> replacement{{*atom, m_store.boolean(value)}};
      split(std::move(longer), std::move(extended), m_normalise(m_store.substitute(left, replacement)),
            m_normalise(m_store.substitute(right, replacement)));
    }
  }

  /// Replaces atoms whose truth is known; returns the next atom to split on, innermost first.
  std::optional<TermId> simplify(const Knowledge& known, TermId& left, TermId& right) {
    while (true) {
      std::unordered_map<TermId, TermId> replacement;
      std::optional<TermId> undecided;
      const TermId roots[] = {left, right};
      for (TermId id : m_store.postOrder(roots)) {
        if (!isAtom(m_store[id]) || isChoice(id))
          continue;
        if (const auto value = known.valueOf(id))
          replacement.emplace(id, m_store.boolean(*value));
        else if (!undecided)
          undecided = id;
      }
      if (replacement.empty())
        return undecided;
      left = m_normalise(m_store.substitute(left, replacement));
      right = m_normalise(m_store.substitute(right, replacement));
    }
  }

  bool isChoice(TermId id) const {
    return std::find(m_choices.begin(), m_choices.end(), id) != m_choices.end();
  }

  void leaf(std::vector<Decision> path, TermId left, TermId right) {
    CaseLeaf result{std::move(path), left, choiceVariants(m_store, m_normalise, right, m_choices), false};
    if (result.right.empty())
      m_result.complete = false;
    result.closed = std::find(result.right.begin(), result.right.end(), left) != result.right.end();
    m_result.leaves.push_back(std::move(result));
  }

  TermStore& m_store;
  Normaliser& m_normalise;
  const std::vector<TermId>& m_choices;
  size_t m_maxLeaves;
  SplitDepth m_depth;
  CaseSplit m_result;
};

} // namespace

bool CaseSplit::closed() const {
  return complete &&
         std::all_of(leaves.begin(), leaves.end(), [](const CaseLeaf& leaf) { return leaf.closed; });
}

CaseSplit splitCases(TermStore& store, Normaliser& normalise, TermId left, TermId right,
                     const std::vector<TermId>& choices, size_t maxLeaves, SplitDepth depth) {
  return Splitter(store, normalise, choices, maxLeaves, depth).run(left, right);
}

std::vector<TermId> guardsOf(const TermStore& store, std::span<const TermId> roots,
                             const std::vector<TermId>& choices) {
  std::vector<TermId> guards;
  for (TermId id : store.postOrder(roots))
    if (isAtom(store[id]) && std::find(choices.begin(), choices.end(), id) == choices.end())
      guards.push_back(id);
  return guards;
}

std::vector<TermId> underEveryChoice(TermStore& store, TermId term, const std::vector<TermId>& choices) {
  std::vector<TermId> used;
  for (TermId id : store.postOrder(term))
    if (std::find(choices.begin(), choices.end(), id) != choices.end())
      used.push_back(id);
  std::sort(used.begin(), used.end());
  if (used.size() > maxChoices)
    return {};
  std::vector<TermId> result;
  for (uint32_t assignment = 0; assignment < (1u << used.size()); ++assignment) {
    std::unordered_map<TermId, TermId> chosen;
    for (size_t i = 0; i < used.size(); ++i)
      chosen.emplace(used[i], store.boolean(((assignment >> i) & 1u) != 0));
    result.push_back(store.substitute(term, chosen));
  }
  return result;
}

std::vector<TermId> choiceVariants(TermStore& store, Normaliser& normalise, TermId term,
                                   const std::vector<TermId>& choices) {
  std::vector<TermId> variants;
  for (TermId raw : underEveryChoice(store, term, choices)) {
    const TermId variant = normalise(raw);
    if (std::find(variants.begin(), variants.end(), variant) == variants.end())
      variants.push_back(variant);
  }
  return variants;
}

TermId pathCondition(TermStore& store, const std::vector<Decision>& path) {
  TermId result = store.boolean(true);
  for (const Decision& decision : path)
    result = store.land(result, decision.value ? decision.atom : store.lnot(decision.atom));
  return result;
}

} // namespace plumbline::engine

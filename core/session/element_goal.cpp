#include "core/session/element_goal.h"

#include "core/vc/int_normal.h"

#include <algorithm>
#include <set>

namespace plumbline::session {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

class Preparer {
public:
  Preparer(TermStore& store, const gate::Problem& problem, const gate::GateReport& gate,
           const gate::ElementValue& value, engine::Portfolio* portfolio, const StopToken& stop)
      : m_store(store), m_problem(problem), m_stop(stop),
        m_prover(store, portfolio, elementBounds(value.output), gate.facts),
        m_inside(store.land(store.ile(store.integer(0), element()),
                            store.ilt(element(), problem.spec.outputs[value.output].tensor.numel))) {
    m_goal.output = value.output;
    m_goal.kernel = vc::normaliseIntegers(store, value.value);
    m_goal.spec = vc::normaliseIntegers(store, problem.spec.outputs[value.output].element);
    m_goal.kernelOrigins = value.origins;
    m_goal.spans = value.stores;
    for (const auto& [tensor, element] : problem.spec.elements)
      m_goal.specOrigins.emplace_back(element, tensor);
    for (vc::TermOrigin& origin : m_goal.kernelOrigins)
      origin.term = vc::normaliseIntegers(store, origin.term);
    for (auto& [term, tensor] : m_goal.specOrigins)
      term = vc::normaliseIntegers(store, term);
  }

  ElementGoal run() {
    decideConditions();
    replaceLoads();
    const TermId roots[] = {m_goal.kernel, m_goal.spec};
    for (TermId id : m_store.postOrder(roots)) {
      const logic::Term& term = m_store[id];
      m_goal.sizeDependent |= term.op == Op::Var && term.sort == Sort::Int;
    }
    for (const spec::ZeroChoice& choice : m_problem.spec.choices)
      m_goal.choices.push_back(m_store.var(Sort::Bool, choice.variable));
    return std::move(m_goal);
  }

private:
  TermId element() { return m_store.var(Sort::Int, gate::elementName); }

  std::map<std::string, vc::Bounds> elementBounds(size_t output) {
    std::map<std::string, vc::Bounds> bounds = m_problem.bounds;
    vc::Bounds range{0, std::nullopt};
    if (const auto high = vc::boundsOf(m_store, m_problem.spec.outputs[output].tensor.numel, bounds).high)
      range.high = *high - 1;
    bounds[gate::elementName] = range;
    return bounds;
  }

  /// Index conditions that hold (or fail) for every element of the tensor become constants.
  void decideConditions() {
    std::unordered_map<TermId, TermId> decided;
    const TermId roots[] = {m_goal.kernel, m_goal.spec};
    for (TermId id : m_store.postOrder(roots)) {
      const Op op = m_store[id].op;
      if (op != Op::ILt && op != Op::ILe && op != Op::IEq)
        continue;
      if (m_prover.prove(m_inside, id, m_stop).status == gate::ProofStatus::Proved)
        decided.emplace(id, m_store.boolean(true));
      else if (m_prover.prove(m_inside, m_store.lnot(id), m_stop).status == gate::ProofStatus::Proved)
        decided.emplace(id, m_store.boolean(false));
    }
    replaceEverywhere(decided);
  }

  void replaceLoads() {
    std::unordered_map<TermId, TermId> replacement;
    const TermId roots[] = {m_goal.kernel, m_goal.spec};
    for (TermId id : m_store.postOrder(roots)) {
      const logic::Term term = m_store[id];
      if (term.op == Op::Load)
        replacement.emplace(id, variableFor(m_store.symbolText(term.symbol), term.args[0], term.sort));
    }
    replaceEverywhere(replacement);
    dropForeignOrigins();
  }

  void replaceEverywhere(const std::unordered_map<TermId, TermId>& replacement) {
    m_goal.kernel = m_store.substitute(m_goal.kernel, replacement);
    m_goal.spec = m_store.substitute(m_goal.spec, replacement);
    for (vc::TermOrigin& origin : m_goal.kernelOrigins)
      origin.term = m_store.substitute(origin.term, replacement);
    for (auto& [term, tensor] : m_goal.specOrigins)
      term = m_store.substitute(term, replacement);
  }

  /// Only subterms of the two sides are of interest afterwards.
  void dropForeignOrigins() {
    auto below = [&](TermId root) {
      const std::vector<TermId> terms = m_store.postOrder(root);
      return std::set<TermId>(terms.begin(), terms.end());
    };
    const std::set<TermId> kernel = below(m_goal.kernel);
    const std::set<TermId> spec = below(m_goal.spec);
    std::erase_if(m_goal.kernelOrigins, [&](const auto& origin) { return !kernel.contains(origin.term); });
    std::erase_if(m_goal.specOrigins, [&](const auto& origin) { return !spec.contains(origin.first); });
  }

  TermId variableFor(const std::string& tensor, TermId index, Sort sort) {
    for (const ElementInput& known : m_goal.inputs)
      if (known.tensor == tensor && sameIndex(known.index, index))
        return known.variable;
    // Very long indices are printed in part: the name must still be one of its own.
    std::string name = tensor + "[" + m_store.print(index) + "]";
    while (std::any_of(m_goal.inputs.begin(), m_goal.inputs.end(),
                       [&](const ElementInput& known) { return m_store.symbolText(known.variable) == name; }))
      name += "'";
    const TermId variable = m_store.var(sort, name);
    m_goal.inputs.push_back({variable, tensor, index});
    return variable;
  }

  bool sameIndex(TermId a, TermId b) {
    return a == b || m_prover.prove(m_inside, m_store.ieq(a, b), m_stop).status == gate::ProofStatus::Proved;
  }

  TermStore& m_store;
  const gate::Problem& m_problem;
  const StopToken& m_stop;
  ElementGoal m_goal;
  gate::IndexProver m_prover;
  TermId m_inside;
};

} // namespace

ElementGoal prepareElement(TermStore& store, const gate::Problem& problem, const gate::GateReport& gate,
                           const gate::ElementValue& value, engine::Portfolio* portfolio,
                           const StopToken& stop) {
  return Preparer(store, problem, gate, value, portfolio, stop).run();
}

ElementGoal atSizes(TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                    const gate::Sizes& sizes, int64_t index) {
  gate::Sizes all = sizes;
  all[gate::elementName] = index;
  const std::unordered_map<TermId, TermId> replacement = gate::sizeReplacement(store, problem, all);
  ElementGoal fixed = goal;
  fixed.kernel = store.substitute(goal.kernel, replacement);
  fixed.spec = store.substitute(goal.spec, replacement);
  for (ElementInput& input : fixed.inputs)
    input.index = store.substitute(input.index, replacement);
  return fixed;
}

} // namespace plumbline::session

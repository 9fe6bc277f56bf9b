// Both sides of an element goal at one place, compiled for an evaluator.
#pragma once

#include "core/engine/cases.h"
#include "core/logic/eval.h"
#include "core/logic/interval_eval.h"
#include "core/session/witness_replay.h"

namespace plumbline::session {

/// The kernel, every variant of the spec (one an assignment of the zero choices), then `extra`, with the
/// sizes and the index fixed.
std::vector<logic::TermId> rootsAt(logic::TermStore& store, const gate::Problem& problem,
                                   const ElementGoal& goal, const Place& place,
                                   std::span<const logic::TermId> extra = {});

/// `Compiled` is logic::CompiledTerm or logic::IntervalTerm. Used by one thread at a time.
template <class Compiled> class Sides {
public:
  Sides(logic::TermStore& store, const gate::Problem& problem, const ElementGoal& goal, const Place& place,
        std::span<const logic::TermId> extra = {})
      : Sides(store, goal, rootsAt(store, problem, goal, place, extra), extra.size()) {}

  size_t variants() const { return m_variants; }
  Compiled& compiled() { return m_compiled; }
  /// Position of the first extra root among the results.
  size_t firstExtra() const { return 1 + m_variants; }

  /// `values` in the order of ElementGoal::inputs.
  void evaluate(std::span<const uint32_t> values) {
    for (size_t i = 0; i < m_inputOf.size(); ++i)
      if (m_inputOf[i] >= 0)
        m_arguments[static_cast<size_t>(m_inputOf[i])] = values[i];
    m_compiled.evaluate(m_arguments);
  }

private:
  Sides(logic::TermStore& store, const ElementGoal& goal, const std::vector<logic::TermId>& roots,
        size_t extra)
      : m_compiled(store, roots), m_variants(roots.size() - 1 - extra),
        m_arguments(m_compiled.inputs().size(), 0) {
    for (const ElementInput& input : goal.inputs)
      m_inputOf.push_back(m_compiled.inputIndex(store.symbolText(input.variable)));
  }

  Compiled m_compiled;
  size_t m_variants;
  std::vector<int> m_inputOf; ///< position of each goal input among the compiled ones, -1: it does not occur
  std::vector<uint64_t> m_arguments;
};

/// Exact evaluation; for goals without opaque functions.
class Evaluation : public Sides<logic::CompiledTerm> {
public:
  using Sides::Sides;
  /// The kernel's value is none of those that the spec allows. False when a value is missing or too many zero
  /// signs are open.
  bool differs(std::span<const uint32_t> values);
};

/// With opaque functions as enclosures.
class EnclosureEvaluation : public Sides<logic::IntervalTerm> {
public:
  using Sides::Sides;
  /// No implementation within the documented bounds makes the two sides agree.
  bool differs(std::span<const uint32_t> values);
};

} // namespace plumbline::session

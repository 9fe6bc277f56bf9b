// The scalar goal of one output element: both sides over free binary32 values, sizes simplified away.
#pragma once

#include "core/gate/gate.h"

namespace plumbline::session {

/// A free value of the goal: the element of a graph input at an index.
struct ElementInput {
  logic::TermId variable{}; ///< Var F32, named "x[i]"
  std::string tensor;
  logic::TermId index{}; ///< Int term over i and the sizes
};

struct ElementGoal {
  size_t output = 0;
  logic::TermId kernel{};
  logic::TermId spec{};
  std::vector<logic::TermId> choices; ///< zero-sign choices that occur in spec
  std::vector<ElementInput> inputs;
  bool sizeDependent = false; ///< sizes or the index still occur in kernel or spec
  std::vector<SourceRange> spans;
  /// Subterms of `kernel` and the expressions they stem from, in evaluation order.
  std::vector<vc::TermOrigin> kernelOrigins;
  /// Subterms of `spec` and the tensors they are elements of.
  std::vector<std::pair<logic::TermId, std::string>> specOrigins;
};

/// Builds the goal of one accepted output: decides index conditions with the prover and replaces loads by
/// variables, the same variable where two indices are provably equal.
ElementGoal prepareElement(logic::TermStore& store, const gate::Problem& problem,
                           const gate::GateReport& gate, const gate::ElementValue& value,
                           engine::Portfolio* portfolio, const StopToken& stop);

/// The goal with sizes and index replaced by numbers.
ElementGoal atSizes(logic::TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                    const gate::Sizes& sizes, int64_t index);

} // namespace plumbline::session

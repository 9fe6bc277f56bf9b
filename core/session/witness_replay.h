// From separating values to a witness: concrete tensors, replayed in the interpreter before anybody sees
// them.
#pragma once

#include "core/session/element_goal.h"
#include "core/session/verdict.h"

namespace plumbline::session {

/// Values of ElementGoal::inputs (in that order) at concrete sizes and an output index.
struct Candidate {
  gate::Sizes sizes;
  int64_t index = 0;
  std::vector<uint32_t> values;
};

/// A place to try a candidate at.
struct Place {
  gate::Sizes sizes;
  int64_t index = 0;
};

/// Small sizes and indices at which the goal's inputs are different cells, smallest first.
std::vector<Place> places(logic::TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                          size_t limit);

/// Puts the values into tensors, runs the whole grid in the interpreter, evaluates the module's denotation at
/// the index, and compares. The witness has interpreter = Confirmed when they differ and Contradicted when
/// they do not. Errors: "witness-cells" (two values for one cell), "witness-run" (the run itself went wrong).
Expected<Witness> replayCandidate(logic::TermStore& store, const gate::Problem& problem,
                                  const ElementGoal& goal, const Candidate& candidate, const StopToken& stop);

/// Values of the spec's output at an index for concrete tensors, one per assignment of the zero choices.
Expected<std::vector<uint64_t>> specValues(logic::TermStore& store, const gate::Problem& problem,
                                           size_t output, const gate::Sizes& sizes, int64_t index,
                                           const gate::TensorBits& inputs);

/// Shape of a tensor at concrete sizes.
std::vector<int64_t> shapeAt(logic::TermStore& store, const gate::Problem& problem,
                             const std::vector<logic::TermId>& shape, const gate::Sizes& sizes);

/// Runs the kernel on small grids of special values and compares every element with the denotation. Returns a
/// confirmed witness on the first difference. Independent of the terms that the proof used for the kernel.
/// Nothing is compared when no small sizes satisfy the hypotheses. Error: "sample-run" when the kernel could
/// not be run on sizes that do.
struct SampleResult {
  size_t compared = 0;
  std::optional<Witness> difference;
};
Expected<SampleResult> sampleKernel(logic::TermStore& store, const gate::Problem& problem,
                                    const StopToken& stop);

std::string hexBits(uint64_t bits);

} // namespace plumbline::session

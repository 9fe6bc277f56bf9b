// The steps of both sides of an element goal, and which of them belong together.
#pragma once

#include "core/session/comparison.h"
#include "core/session/witness_replay.h"
#include "core/workbench/snapshot.h"

namespace plumbline::workbench {

/// What the steps are made from.
struct StepSources {
  const std::map<std::string, int>& nodeOf;   ///< graph node of a tensor
  const SourceText& cuda;                     ///< for the text of kernel steps
  const std::optional<session::Place>& place; ///< sizes and index for goals that depend on them
};

/// Steps are the expressions of the kernel and the operations of the spec. Independent of the store
/// afterwards.
std::shared_ptr<const StepProgram> makeStepProgram(session::Comparison& comparison,
                                                   const session::ElementGoal& goal,
                                                   const StepSources& sources);

/// Links from equal steps, from stores to outputs and from reads to inputs.
std::vector<Link> linksOf(session::Comparison& comparison, const session::ElementGoal& goal,
                          const std::map<std::string, int>& nodeOf);

/// The text that a range covers, blanks joined; empty when the range is not in the text.
std::string textAt(const SourceText& source, const SourceRange& range);

} // namespace plumbline::workbench

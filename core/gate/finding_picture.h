// Who touches what where a gate found something: for people to look at.
#pragma once

#include "core/gate/concrete_run.h"
#include "core/gate/gate.h"

namespace plumbline::gate {

/// Runs the problem's kernel at the sizes of the finding once more and notes the accesses around its element.
/// Nothing when the sizes are large, or when that run does not show a finding of the same kind.
std::optional<FindingPicture> pictureOf(logic::TermStore& store, const Problem& problem,
                                        const Finding& finding, const StopToken& stop);

} // namespace plumbline::gate

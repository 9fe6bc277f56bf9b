// From a case that could not be closed to values of all variables at which a goal is false.
#pragma once

#include "core/goals/tableau.h"

namespace plumbline::goals {

/// Fills the case's values up to an assignment of every arbitrary variable, mends array elements that
/// equations among the hypotheses fix, and evaluates the goal. Only an assignment that falsifies it is
/// returned.
std::optional<Assignment> witnessFrom(const Goal& goal, const Definitions& definitions,
                                      logic::TermStore& store, const CaseModel& model);

} // namespace plumbline::goals

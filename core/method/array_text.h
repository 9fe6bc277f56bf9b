// The array variables of a kernel in the method: parameters, sizes, definitions.
#pragma once

#include "core/method/block_plan.h"
#include "core/method/environment.h"

namespace plumbline::method {

/// Chooses names and element types. Throws Refused.
void nameArrays(const gate::Problem& problem, const BlockPlan& plan, Environment& environment);

/// A parameter for the contents that each array has before it is written: any contents.
std::vector<velvet::Binder> arrayParameters(const gate::Problem& problem, const Environment& environment);
/// The sizes of these parameters.
std::vector<velvet::Clause> arraySizes(logic::TermStore& store, const gate::Problem& problem,
                                       Environment& environment);
/// Constant arrays.
std::vector<velvet::Definition> arrayDefinitions(const gate::Problem& problem,
                                                 const Environment& environment);

} // namespace plumbline::method

// Parameters, requirements and loops of a method, from the launch contract and the hypotheses.
#pragma once

#include "core/method/environment.h"
#include "core/method/spec_text.h"

namespace plumbline::method {

std::vector<velvet::Binder> parameters(const gate::Problem& problem, const Environment& environment);

/// One clause a fact, each with where it comes from. `opaque`: spellings that the kernel uses, which the
/// assumption same(f) joins with those of the spec.
std::vector<velvet::Clause> requirements(const logic::TermStore& store, const gate::Problem& problem,
                                         Environment& environment, const std::set<std::string>& opaque);

/// The variable of a term about sizes: its parameter.
velvet::ExprPtr sizeVariable(const Environment& environment, const std::string& name);

} // namespace plumbline::method

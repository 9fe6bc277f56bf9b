// A bound problem in a store of its own.
#pragma once

#include "core/gate/problem.h"

namespace plumbline::method {

/// `problem` with every term made anew in `to`, in an order that follows from the problem alone: what else
/// `from` holds has no influence on the order of terms in `to`, and so none on text made from them.
gate::Problem copyProblem(const logic::TermStore& from, const gate::Problem& problem, logic::TermStore& to);

} // namespace plumbline::method

// What the wrappers of a candidate return, for recording the class that calls them.
#pragma once

#include "core/cuda/cuda_import.h"

namespace plumbline::session {

/// {FUNCTION: {parameters, ways: [{when, facts, unread, modifies, returned: [{like, shape, type}]}]}}.
/// Conditions and sizes are trees: a number, a name of the contract, or [operator, left, right]. `shape` is
/// null where torch decides.
Json wrapperShapes(const cuda::ImportedCuda& imported);

} // namespace plumbline::session

// Which spellings of an opaque function are joined by the listed assumption `same(f)`.
#pragma once

#include "core/logic/term.h"

namespace plumbline::logic {

/// The function that a spelling denotes under the assumption same(f): "aten.exp" and "expf" give "exp". A
/// spelling with its own approximation ("__expf", "rsqrtf" under ieee) stands for itself. Binary64 functions
/// get the suffix
/// ":f64", since exp and expf differ.
std::string canonicalOpaque(std::string_view spelling, Sort sort);

} // namespace plumbline::logic

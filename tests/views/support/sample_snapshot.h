// A snapshot written by hand, so that the window can be driven without engines.
#pragma once

#include "core/workbench/snapshot.h"

namespace plumbline::views::test {

/// relu(x) against v > 0 ? v : 0: three graph nodes, a kernel of ten lines, a short method, two goals, one of
/// them split on its guard, and the NaN witness.
workbench::Snapshot reluSnapshot();

/// The same pair with inline assembly on line 5: rejected, no goals, one mark with a line and one without.
workbench::Snapshot rejectedSnapshot();

} // namespace plumbline::views::test

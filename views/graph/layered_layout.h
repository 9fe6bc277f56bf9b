// Layered placement in nearly linear time, for graphs that are too large for Graphviz.
#pragma once

#include "views/graph/layout.h"

namespace plumbline::views {

/// Layers by the longest path from a start, order in a layer by the mean of the neighbours, straight arrows.
/// Edges of a cycle are drawn, but do not count.
Layout layeredLayout(const LayoutInput& input);

} // namespace plumbline::views

// Layered layout by Graphviz.
#pragma once

#include "views/graph/layout.h"

namespace plumbline::views {

/// Curved arrows. Empty `centres` when Graphviz fails. Calls wait for each other: Graphviz keeps global
/// state.
Layout dotLayout(const LayoutInput& input);

} // namespace plumbline::views

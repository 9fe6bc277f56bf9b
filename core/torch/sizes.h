// Giving the symbols of a graph values.
#pragma once

#include "core/torch/graph.h"

namespace plumbline::torch {

using Sizes = std::map<std::string, int64_t>;
using Shapes = std::map<std::string, std::vector<int64_t>>; ///< by input name

/// The symbols' values that the shapes of the inputs determine. Every input that has a shape here is checked:
/// rank, sizes, the ranges of the symbols and the graph's facts. Error: "shape-mismatch" naming input and
/// dimension, "size-unbound".
Expected<Sizes> bindSizes(const Graph& graph, const Shapes& shapes);

/// The captured sizes (hints); symbols without a hint are missing.
Sizes capturedSizes(const Graph& graph);

/// The same graph at fixed sizes. Errors: those of ir::evaluate, "shape-mismatch" for a negative size.
Expected<Graph> instantiate(const Graph& graph, const Sizes& sizes);

} // namespace plumbline::torch

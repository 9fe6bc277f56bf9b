// The published differences between PyTorch and the denotations (core/spec/KNOWN_DIFFERENCES.md).
#pragma once

#include "core/torch/graph.h"

namespace plumbline::spec {

/// The row of KNOWN_DIFFERENCES.md that a node of the graph falls under ("add-alpha"); nothing when PyTorch
/// should agree with the denotation bit for bit, apart from zero signs and opaque functions.
std::optional<std::string> knownDifference(const torch::Graph& graph);

} // namespace plumbline::spec

// How much work a node of a graph is, estimated from its meaning and its shapes.
#pragma once

#include "core/torch/graph.h"
#include "core/workbench/snapshot.h"

namespace plumbline::workbench {

/// At the captured sizes. What is counted stands in the node's denotation, once for each element:
/// - one for an addition, subtraction, product, quotient, root, change of sign or absolute value, and for a
///   call of an elementary function (exp, tanh, ...); two for a fused multiply-add;
/// - one for a comparison, one for a choice by a given truth value (where). A maximum or minimum is one
///   comparison: its care for NaN and for ties is not counted, nor are conversions between types;
/// - a fold counts for each of its steps, those of padded taps among them, a running fold (cumsum) one step
/// an
///   element. So a sum of n is n, a product of matrices [M,K] x [K,N] is 2*M*K*N.
/// Arithmetic on indices and integers is not counted. Bytes are those of the tensors it reads and writes,
/// each whole and once; a view moves none. Nothing where the operator has no denotation or a size is unknown.
std::optional<NodeCost> nodeCost(const torch::Graph& graph, const torch::Node& node);

} // namespace plumbline::workbench

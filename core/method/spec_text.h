// The spec of a problem as definitions over the class Plumbline.Scalar.
#pragma once

#include "core/method/environment.h"
#include "core/torch/graph.h"

namespace plumbline::method {

/// The definitions of one output, and how clauses refer to them.
struct OutputText {
  std::vector<velvet::Definition> definitions;
  /// That `value` is one the spec allows at the Nat index `index`.
  std::function<velvet::ExprPtr(const velvet::ExprPtr& value, const velvet::ExprPtr& index)> holds;
  velvet::LineOrigin origin; ///< every node that the output depends on
};

/// `problem` and `store` are the private copy. Throws Refused.
OutputText specText(logic::TermStore& store, const torch::Graph& graph, const gate::Problem& problem,
                    size_t output, Environment& environment);

} // namespace plumbline::method

// The table of operators that are no function of single elements, grouped by family.
#pragma once

#include "core/spec/tensor_context.h"

#include <span>

namespace plumbline::spec {

/// One overload. `denote` gives every result of the node, or an error.
struct TensorOperator {
  std::string_view target;
  void (*denote)(TensorContext&);
};

std::span<const TensorOperator> viewOperators();      ///< moves of elements: view, transpose, cat, slice, ...
std::span<const TensorOperator> reductionOperators(); ///< sum, mean, max, argmax, norms, softmax, cumsum, ...

/// nullptr when the operator has no denotation of this kind.
const TensorOperator* findTensorOperator(std::string_view target);
/// All families.
std::vector<TensorOperator> allTensorOperators();

} // namespace plumbline::spec

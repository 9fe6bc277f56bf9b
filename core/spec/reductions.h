// Index maps shared by the operators that reduce dimensions.
#pragma once

#include "core/spec/tensor_operators.h"

namespace plumbline::spec {

/// Which elements of a tensor one fold runs over.
struct Reduction {
  Shape shape;           ///< of the result
  Shape reduced;         ///< the reduced dimensions, outermost first
  logic::TermId count{}; ///< their product
  Index index;           ///< coordinates in the tensor of term "k" of the element "i"

  static Reduction of(TensorContext& c, const std::string& tensor, const std::vector<size_t>& dimensions,
                      bool keep);
};

/// The first "k" whose element is the value that the stage `values` found; an Int fold.
Fold firstPosition(TensorContext& c, const Reduction& reduction, const std::string& tensor,
                   const std::string& values);

} // namespace plumbline::spec

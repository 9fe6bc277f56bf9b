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
  /// The same for a tensor that has a shape but no name.
  static Reduction of(TensorContext& c, const Shape& from, const std::vector<size_t>& dimensions, bool keep);
};

/// 0, 1, ..., rank - 1.
std::vector<size_t> allDimensions(size_t rank);

/// Tensor "self", reduced over the argument "dim" (a list; all when it is None or empty) with "keepdim".
Reduction reductionOfList(TensorContext& c);
/// Tensor "self", reduced over the argument "dim" (one number) with "keepdim".
Reduction reductionOfOne(TensorContext& c);
/// Tensor "self", reduced to one number.
Reduction reductionOfAll(TensorContext& c);

/// Refuses a "dtype" other than float32 and None.
void requireNoDtype(TensorContext& c);

/// The left fold of "self" over the rows of `reduction`, by the rules of ATen's sums: integers and truth
/// values are added as int64 unless "dtype" says float32, and refused where the sum may leave it.
void resultSum(TensorContext& c, const Reduction& reduction);

/// The number of terms as F32.
logic::TermId countAsFloat(TensorContext& c, const Reduction& reduction);

/// A sum divided by the number of its terms. CUDA multiplies by results / elements, each rounded to binary32.
logic::TermId meanOf(TensorContext& c, logic::TermId sum, logic::TermId count, const Shape& results);

/// The first "k" whose element is the value that the stage `values` found; an Int fold.
Fold firstPosition(TensorContext& c, const Reduction& reduction, const std::string& tensor,
                   const std::string& values);

} // namespace plumbline::spec

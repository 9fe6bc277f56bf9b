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

std::span<const TensorOperator> viewOperators(); ///< moves of elements: view, transpose, cat, slice, ...
std::span<const TensorOperator> partOperators(); ///< more moves: chunk, split, unbind, expand_as, view_as
std::span<const TensorOperator> axisOperators(); ///< moves: diagonal, unfold, split_with_sizes
std::span<const TensorOperator>
copyOperators(); ///< pixel shuffles, im2col, nearest neighbours, embedding, ...
std::span<const TensorOperator> placementOperators();  ///< stack, pad, roll, gather, arange, ...
std::span<const TensorOperator> reductionOperators();  ///< sum, mean, prod, any, all
std::span<const TensorOperator> extremeOperators();    ///< max, min, amax, amin, argmax, argmin
std::span<const TensorOperator> statisticsOperators(); ///< var, std
std::span<const TensorOperator> normOperators();       ///< linalg_vector_norm, norm
std::span<const TensorOperator> softmaxOperators();    ///< softmax, log_softmax, logsumexp
std::span<const TensorOperator> scanOperators();       ///< cumsum, cumprod
std::span<const TensorOperator>
normalisationOperators();                        ///< batch_norm, instance_norm, group_norm, layer_norm, ...
std::span<const TensorOperator> lossOperators(); ///< losses of pairs of elements
std::span<const TensorOperator> crossEntropyOperators();  ///< losses over classes
std::span<const TensorOperator> distanceOperators();      ///< distances and similarities of vectors
std::span<const TensorOperator> gatedOperators();         ///< glu, prelu, dropout
std::span<const TensorOperator> linearAlgebraOperators(); ///< matmul, mm, bmm, mv, dot, addmm, linear, ...
std::span<const TensorOperator> einsumOperators();
std::span<const TensorOperator> attentionOperators();
std::span<const TensorOperator> convolutionOperators(); ///< forward and transposed, one to three dimensions
std::span<const TensorOperator> poolingOperators();     ///< maximum and average, fixed and adaptive windows

/// nullptr when the operator has no denotation of this kind.
const TensorOperator* findTensorOperator(std::string_view target);
/// All families.
std::vector<TensorOperator> allTensorOperators();

} // namespace plumbline::spec

// Mean and variance of the rows that a fold runs over, in two passes.
#pragma once

#include "core/spec/reductions.h"

namespace plumbline::spec {

/// The stages of one set of rows: the sum of the terms, and the sum of the squares of their distances from
/// the mean.
struct Statistics {
  std::string sum;
  std::string squares;
  logic::TermId count{}; ///< terms of a row, as F32

  /// The stages over the rows of `r`, whose terms are `value` (over "i" and "k").
  static Statistics of(TensorContext& c, const Reduction& r, logic::TermId value);
  /// The mean of the row with the given coordinates in the shape of the reduction.
  logic::TermId mean(TensorContext& c, const Index& row) const;
  /// The squares divided by the number of terms.
  logic::TermId variance(TensorContext& c, const Index& row) const;
};

} // namespace plumbline::spec

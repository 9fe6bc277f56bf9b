// p-norms of the rows that a fold runs over.
#pragma once

#include "core/spec/reductions.h"

namespace plumbline::spec {

/// A norm as a fold and what is done to its result.
class Norm {
public:
  /// The stage named after `suffix` over the rows of `r`, whose terms are `value` (over "i" and "k"). An
  /// order that is NaN is refused.
  static Norm of(TensorContext& c, const std::string& suffix, const Reduction& r, logic::TermId value,
                 const torch::FloatScalar& order);
  /// The norm of the row with the given coordinates in the shape of the reduction.
  logic::TermId at(TensorContext& c, const Index& row) const;

private:
  std::string m_stage;
  double m_order = 2;
};

} // namespace plumbline::spec

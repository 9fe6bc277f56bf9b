// Softmax along one dimension of a tensor or stage.
#pragma once

#include "core/spec/reductions.h"

namespace plumbline::spec {

/// The stages: the maximum of each row, and the sum of exp(x - maximum).
class Softmax {
public:
  /// The stages are named "max" and "expsum" after `prefix`.
  static Softmax of(TensorContext& c, const std::string& tensor, size_t dimension,
                    const std::string& prefix = "");
  /// exp(x - maximum) / sum at coordinates in the tensor.
  logic::TermId at(TensorContext& c, const Index& index) const;
  /// x - maximum - log(sum) at coordinates in the tensor.
  logic::TermId logAt(TensorContext& c, const Index& index) const;
  /// The same where the coordinate in the dimension was computed from data, see TensorContext::gatherAt.
  logic::TermId logGatherAt(TensorContext& c, const Index& index) const;

private:
  Index row(TensorContext& c, const Index& index) const;
  logic::TermId shifted(TensorContext& c, const Index& index) const;
  logic::TermId logOf(TensorContext& c, logic::TermId value, const Index& index) const;

  std::string m_tensor;
  size_t m_dimension = 0;
  std::string m_maximum;
  std::string m_sum;
};

} // namespace plumbline::spec

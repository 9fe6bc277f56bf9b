// Calls of operators with what PyTorch computed: recorded_cases.jsonl, written by
// tests/differential/spec/recorded_cases.py.
#pragma once

#include "core/ir/tensor_io.h"
#include "core/torch/graph.h"

namespace plumbline::spec {

struct RecordedCase {
  std::string name; ///< target and arguments
  torch::Graph graph;
  ir::Tensors inputs;
  std::vector<ir::Tensor> results; ///< of the graph's outputs, in order
  double tolerance = 0;            ///< relative; 0 with an absolute one of 0 means the same value
  double absolute = 0;
};

/// The cases whose overload without "aten." begins with one of the words.
std::vector<RecordedCase> recordedCases(std::initializer_list<std::string_view> words);

/// Denotes every such graph and compares each element with PyTorch's: NaN and infinities where PyTorch has
/// them, numbers within the tolerance. A zero may have the other sign only where a choice of the spec gives
/// it. `least` is how many cases there must be.
void expectAgreement(std::initializer_list<std::string_view> words, size_t least);

} // namespace plumbline::spec

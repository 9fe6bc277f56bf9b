// Calls of operators with what PyTorch computed: integer_cases.jsonl, written by
// tests/differential/spec/integer_cases.py.
#pragma once

#include "core/ir/tensor_io.h"
#include "core/torch/graph.h"

namespace plumbline::spec {

struct IntegerCase {
  std::string name; ///< target and arguments
  torch::Graph graph;
  ir::Tensors inputs;
  std::vector<ir::Tensor> results; ///< of the graph's outputs, in order
};

/// The cases whose overload without "aten." begins with one of the words.
std::vector<IntegerCase> integerCases(std::initializer_list<std::string_view> words);

/// Denotes the graph and compares every element with PyTorch's.
void expectAgreement(const IntegerCase& each);

} // namespace plumbline::spec

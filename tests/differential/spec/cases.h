// The cases that spec_cases.py makes: programs exported by PyTorch and what PyTorch computes for them.
#pragma once

#include "core/ir/tensor_io.h"
#include "core/torch/graph.h"

namespace plumbline::spec {

struct CaseRun {
  std::string layout; ///< "contiguous", "transposed", "sliced", "pieces"
  std::vector<ir::Tensor> outputs;
};

struct Case {
  std::string name;
  torch::Graph graph;
  ir::Tensors inputs;
  std::vector<std::string> outputs;
  std::vector<CaseRun> runs;               ///< distinct values of PyTorch
  std::vector<std::vector<uint64_t>> fold; ///< sequential binary32 folds by output; may be empty
  std::vector<std::vector<double>> slack;  ///< by output; may be empty
  int roundings = 0;
  std::string known;
};

/// Made on the first call, which takes seconds. PLUMBLINE_SEEDS="FIRST COUNT" in the environment asks for
/// other seeds. Whatever goes wrong is a failure of the running test.
const std::vector<Case>& allCases();

} // namespace plumbline::spec

// ATen's overloads: argument names, types and defaults, from resources/optable/aten.def.
#pragma once

#include "core/torch/graph.h"

namespace plumbline::spec {

/// One parameter of an overload.
struct OpParameter {
  std::string type; ///< as in ATen's schema: "Tensor", "Scalar", "Scalar?", "int[]", ...
  std::string name;
  std::optional<torch::Argument> defaultValue;
};

struct OpSchema {
  std::string target; ///< "aten.add.Tensor"
  std::vector<OpParameter> parameters;
};

/// All rows, in the order of the table.
const std::vector<OpSchema>& opSchemas();
/// nullptr when the table has no such row.
const OpSchema* findSchema(std::string_view target);

} // namespace plumbline::spec

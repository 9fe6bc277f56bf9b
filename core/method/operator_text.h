// ATen's element-wise operators as definitions over the class Plumbline.Scalar.
#pragma once

#include "core/velvet/syntax.h"

#include <optional>
#include <string>
#include <vector>

namespace plumbline::method {

/// One operator on one element.
struct OperatorDefinition {
  std::string target; ///< "aten.relu.default"
  velvet::Definition definition;
};

/// Of every element-wise overload that can be written with tensors for the arguments without a default, in
/// the order of the families; the others are left out (they need a number, an index or a shape).
std::vector<OperatorDefinition> operatorsOnElements();

/// The same printed, without an empty line at the end.
std::string operatorDefinitions();

} // namespace plumbline::method

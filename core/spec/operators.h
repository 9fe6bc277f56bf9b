// The table of operators that have a denotation, grouped by family.
#pragma once

#include "core/spec/node_context.h"

#include <span>

namespace plumbline::spec {

/// How the shape of the result follows from the arguments.
enum class ShapeRule : uint8_t {
  Broadcast, ///< the common shape of all tensor arguments
  Size,      ///< the argument "size"
};

/// One overload with a single result.
struct Operator {
  std::string_view target;
  /// The element of the result at the index variable.
  logic::TermId (*element)(NodeContext&);
  ShapeRule shape = ShapeRule::Broadcast;
};

std::span<const Operator> arithmeticOperators(); ///< + - * /, abs, sqrt, powers
std::span<const Operator> comparisonOperators(); ///< comparisons, selection, logic
std::span<const Operator> limitOperators();      ///< clamp, maximum, minimum and what is made of them
std::span<const Operator> activationOperators(); ///< smooth activations and elementary functions
std::span<const Operator> creationOperators();   ///< constants, copies

/// nullptr when the operator has no denotation.
const Operator* findOperator(std::string_view target);
/// All families.
std::vector<Operator> allOperators();

} // namespace plumbline::spec

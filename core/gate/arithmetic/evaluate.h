// Exact values of integer terms, to check a model.
#pragma once

#include "core/logic/term.h"

namespace plumbline::gate {

using WideInteger = __int128;

/// Values of variables. Only terms that IntegerPart made can be evaluated.
using VariableValues = std::unordered_map<logic::TermId, int64_t>;

/// The value of an Int or Bool (0, 1) term. Nothing when it depends on a division by zero, on a variable
/// without a value, on a bit operation with a negative operand, or when a number leaves 127 bits.
std::optional<WideInteger> evaluateInteger(const logic::TermStore& store, logic::TermId root,
                                           const VariableValues& values);

/// True only when the Bool term has the value true.
bool evaluatesToTrue(const logic::TermStore& store, logic::TermId root, const VariableValues& values);

} // namespace plumbline::gate

// The values of a spec on concrete tensors.
#pragma once

#include "core/base/stop_token.h"
#include "core/ir/tensor_io.h"
#include "core/logic/eval.h"
#include "core/spec/spec.h"

namespace plumbline::spec {

using Sizes = std::map<std::string, int64_t>;

/// The symbols' values that the shapes of the inputs determine. All inputs with a shape here, the ranges of
/// the symbols and the facts are checked. Errors: "shape-mismatch" naming the input, "input-missing",
/// "dtype-unsupported".
Expected<Sizes> bindSizes(const logic::TermStore& terms, const Spec& spec, const ir::Tensors& inputs);

/// The value of an Int or Bool term over the symbols. Errors: those of logic::CompiledTerm.
Expected<int64_t> sizeValue(const logic::TermStore& terms, logic::TermId term, const Sizes& sizes);

/// The shape of output number `output`. Errors: "shape-mismatch" for a negative or too large number of
/// elements, those of logic::CompiledTerm.
Expected<std::vector<int64_t>> outputShape(const logic::TermStore& terms, const Spec& spec, size_t output,
                                           const Sizes& sizes);

struct EvaluateOptions {
  /// The zero choices by name of their variable; true takes the first operand's zero (self).
  std::map<std::string, bool> choices = {};
  bool otherChoices = true; ///< value of those not named
  StopToken stop = {};
};

/// Elements of output number `output` under the `ieee` reading, at the given flat indices. Opaque functions
/// give their correctly rounded values. Errors: "stopped", "index-range", those of logic::CompiledTerm.
Expected<std::vector<logic::Value>> evaluateAt(const logic::TermStore& terms, const Spec& spec, size_t output,
                                               std::span<const int64_t> indices, const Sizes& sizes,
                                               const ir::Tensors& inputs,
                                               const EvaluateOptions& options = {});

/// All elements of all outputs, by name, under the `ieee` reading. NaN is 0x7FC00000.
Expected<ir::Tensors> evaluateSpec(const logic::TermStore& terms, const Spec& spec, const ir::Tensors& inputs,
                                   const EvaluateOptions& options = {});

} // namespace plumbline::spec

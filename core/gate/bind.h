// Binding a spec, a kernel and a launch contract together: tensors by position, sizes by name.
#pragma once

#include "core/gate/problem.h"

namespace plumbline::gate {

struct BindOptions {
  std::vector<std::string> assume; ///< --assume expressions
  /// Values of the wrapper's scalar parameters by name, from the Python call site: number and its text.
  std::map<std::string, std::pair<double, std::string>> wrapperScalars;
  /// The wrapper's tensor parameters by name: index of the graph's user input. Empty: by position.
  std::map<std::string, int> wrapperTensors;
  int64_t largestNumel = int64_t{1} << 30; ///< default size range
};

/// `spec` must have been denoted in `store`. Errors (ErrorKind::File unless noted): "binding-tensors" (counts
/// or names do not fit), "binding-scalar" (a value is not known), "binding-size" (a symbol has no value),
/// "binding-dtype", "binding-contiguous", "size-expression" (Usage, in --assume).
Expected<Problem> bindProblem(logic::TermStore& store, const spec::Spec& spec, const ir::Module& module,
                              const ir::Kernel& kernel, const ir::LaunchContract& contract,
                              const BindOptions& options);

/// The same problem with every size variable fixed to its captured value.
Problem atCapturedSizes(logic::TermStore& store, const Problem& problem);

/// An Int or Bool term of a size expression; `symbol` gives the value of a name.
Expected<logic::TermId>
sizeExprTerm(logic::TermStore& store, const ir::SizeExpr& expr,
             const std::function<std::optional<logic::TermId>(const std::string&)>& symbol);

} // namespace plumbline::gate

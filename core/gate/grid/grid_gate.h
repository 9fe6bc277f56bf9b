// The safety gate for whole grids: loops, shared memory, barriers, warps and atomics, at all sizes that the
// launch contract allows.
#pragma once

#include "core/gate/gate.h"

#include <functional>

namespace plumbline::gate::grid {

/// What is known of the sizes beside the launch contract, when the kernel is compared with a module.
struct GridContext {
  std::vector<logic::TermId> facts;             ///< about contract symbols and `bounds`
  std::map<std::string, vc::Bounds> bounds;     ///< of further size variables
  std::map<std::string, logic::TermId> scalars; ///< values of integer parameters
  /// The launch at the sizes that a model gives; nothing when these are not admissible.
  std::function<std::optional<ir::ConcreteLaunch>(const std::map<std::string, int64_t>& model)> launch;
  /// Small models for it.
  std::function<std::vector<std::map<std::string, int64_t>>(size_t most)> smallSizes;
};

struct GridOptions {
  bool exitedThreadsOk = false; ///< threads that have ended need not come to a barrier
  bool partialOutputs = false;  ///< an output that is not written as a whole is no finding
  bool faultKnown = false;      ///< the verdict is fixed, so that little time is spent
  bool secondOpinion = false;   ///< the solvers look at every obligation, so that each has a query
  std::chrono::milliseconds quickLimit{300}; ///< of a solver for one question, first without products
  std::chrono::milliseconds fullLimit{1000};
  std::chrono::milliseconds solverTime{10000}; ///< for all questions together
  std::optional<GridContext> context;
};

/// Gates one kernel under one launch contract. `portfolio` may be null. The report has no element values.
/// Errors: those of size expressions; "launch-contradiction" when no sizes satisfy the contract.
Expected<GateReport> checkGrid(logic::TermStore& store, const ir::Module& module, const ir::Kernel& kernel,
                               const ir::LaunchContract& contract, engine::Portfolio* portfolio,
                               const GridOptions& options, const StopToken& stop);

/// The gate inside a comparison: sizes and scalars are tied to the module's. `problem` outlives the call. An
/// unsupported report when a contract symbol and a size of the module share a name with two meanings.
Expected<GateReport> checkGrid(logic::TermStore& store, const Problem& problem, engine::Portfolio* portfolio,
                               GridOptions options, const StopToken& stop);

} // namespace plumbline::gate::grid

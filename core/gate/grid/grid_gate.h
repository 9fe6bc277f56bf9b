// The safety gate for whole grids: loops, shared memory, barriers, warps and atomics, at all sizes that the
// launch contract allows.
#pragma once

#include "core/gate/gate.h"

namespace plumbline::gate::grid {

struct GridOptions {
  bool exitedThreadsOk = false; ///< threads that have ended need not come to a barrier
  std::chrono::milliseconds quickLimit{300}; ///< of a solver for one question, first without products
  std::chrono::milliseconds fullLimit{1000};
  std::chrono::milliseconds solverTime{10000}; ///< for all questions together
};

/// Gates one kernel under one launch contract. `portfolio` may be null. The report has no element values.
/// Errors: those of size expressions; "launch-contradiction" when no sizes satisfy the contract.
Expected<GateReport> checkGrid(logic::TermStore& store, const ir::Module& module, const ir::Kernel& kernel,
                               const ir::LaunchContract& contract, engine::Portfolio* portfolio,
                               const GridOptions& options, const StopToken& stop);

} // namespace plumbline::gate::grid

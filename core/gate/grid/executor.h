// Symbolic execution of one arbitrary thread of a grid, through loops and past the places where it waits.
#pragma once

#include "core/gate/arithmetic/arithmetic_prover.h"
#include "core/gate/grid/program.h"
#include "core/gate/grid/structure.h"

#include <chrono>

namespace plumbline::gate::grid {

struct ExecutorOptions {
  bool exitedThreadsOk = false;
  /// Arrays that no access writes; their elements are the same whenever they are read.
  std::set<std::string> readOnly;
  /// Ask the solvers whether unsigned arithmetic can wrap. Without, intervals only.
  bool solvers = true;
  std::string prefix; ///< of the names of unknowns; no two runs with one prover may share it
  std::chrono::steady_clock::time_point deadline; ///< later, nothing is asked
  StopToken stop;
};

/// `kernel` is an index into module.functions. Variables go to `symbols`, with their bounds also to `prover`.
/// Errors: ErrorKind::Rejected with the construct that has no symbolic meaning here.
Expected<Program> execute(logic::TermStore& store, SymbolTable& symbols, ArithmeticProver& prover,
                          const ir::Module& module, int kernel, const ir::LaunchContract& contract,
                          const SymbolicLaunch& launch, const ExecutorOptions& options);

/// The size of a shared, thread or constant array; `launch` gives dynamic shared memory.
logic::TermId bytesOf(logic::TermStore& store, const ir::ArrayVariable& array, const SymbolicLaunch& launch);

} // namespace plumbline::gate::grid

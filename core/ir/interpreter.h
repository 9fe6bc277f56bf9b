// Runs a kernel on concrete inputs, thread by thread, exactly, and reports everything that goes wrong.
#pragma once

#include "core/base/stop_token.h"
#include "core/ir/concrete_launch.h"
#include "core/ir/schedule.h"

#include <memory>

namespace plumbline::ir {

namespace bytecode {
struct Program;
}

template <class D> struct RunOptions {
  Schedule schedule;
  uint64_t stepLimit = uint64_t{1} << 36; ///< instructions of all threads together
  size_t maxFindings = 200; ///< different places; more are only counted in RunResult::moreFindings
  StopToken stop;
  OpaqueFunction<D> opaque = D::defaultOpaque(); ///< a call without a value is an Undefined finding
};

struct RunResult {
  std::vector<RunFinding> findings; ///< in order of first occurrence
  uint64_t moreFindings = 0;
  uint64_t steps = 0;
  uint64_t threads = 0;
};

/// A compiled kernel. D is IeeeDomain or RealDomain. Immutable: runs on different memories may go on in
/// parallel.
///
/// A thread ends at a finding after which it has no defined value: an access out of bounds, a local without a
/// value, a division by zero, an operation without a value. After a race, a wrapped result or an
/// uninitialised cell it goes on as the hardware would. Without barriers the whole run is one interval: any
/// two threads race on a cell that one of them writes, whatever the values.
template <class D> class Interpreter {
public:
  /// `function`: an index into module.functions, from Kernel::function. The module has passed `verify`.
  /// Errors: "kernel-too-large", "kernel-rejected" (index -1).
  static Expected<Interpreter> make(const Module& module, int function);

  /// The whole grid. `memory` holds the inputs and is changed; traces of an earlier run are cleared. Outputs
  /// with unwritten elements give Incomplete findings, except those that the contract says are zeroed or that
  /// alias another parameter. Errors: "launch-limit" (the launch has findings of its own), "launch-unbound",
  /// "scalar-unbound", "buffer-type", "run-too-large", "step-limit", "timeout" (the stop token).
  Expected<RunResult> run(const ConcreteLaunch& launch, Memory<D>& memory,
                          const RunOptions<D>& options = {}) const;

  /// Only the given threads; nothing is said about completeness. Otherwise the same.
  Expected<RunResult> runThreads(const ConcreteLaunch& launch, Memory<D>& memory,
                                 std::span<const ThreadId> threads, const RunOptions<D>& options = {}) const;

private:
  explicit Interpreter(std::shared_ptr<const bytecode::Program> program) : m_program(std::move(program)) {}
  std::shared_ptr<const bytecode::Program> m_program;
};

extern template class Interpreter<IeeeDomain>;
extern template class Interpreter<RealDomain>;

} // namespace plumbline::ir

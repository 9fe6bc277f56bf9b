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

/// One access of a thread to a buffer or a shared array, inside its memory.
struct SeenAccess {
  ThreadId thread;
  const std::string& buffer;
  int64_t index = 0; ///< element
  bool write = false;
  bool atomic = false;
  const SourceRange& where;
};

template <class D> struct RunOptions {
  Schedule schedule;
  uint64_t stepLimit = uint64_t{1} << 36; ///< instructions of all threads together
  size_t maxFindings = 200; ///< different places; more are only counted in RunResult::moreFindings
  StopToken stop;
  bool exitedThreadsOk = false;                  ///< threads that have ended need not come to meeting points
  OpaqueFunction<D> opaque = D::defaultOpaque(); ///< a call without a value is an Undefined finding
  std::function<void(const SeenAccess&)>
      onAccess; ///< called at each access, in the order of the run; or empty
};

/// Float atomics of two threads met in one cell, in no order: with another schedule it may hold another
/// value.
struct OrderDependence {
  SourceRange where;
  SourceRange otherWhere;
  ThreadId thread;
  ThreadId otherThread;
  std::string buffer;
  int64_t index = -1;
  uint64_t count = 1; ///< how often at that place
};

struct RunResult {
  std::vector<RunFinding> findings; ///< in order of first occurrence
  uint64_t moreFindings = 0;
  std::vector<OrderDependence> orderDependent; ///< the first at each place, at most maxFindings
  uint64_t steps = 0;
  uint64_t threads = 0;
};

/// A compiled kernel. D is IeeeDomain or RealDomain. Immutable: runs on different memories may go on in
/// parallel.
///
/// A thread ends at a finding after which it has no defined value: an access out of bounds or misaligned, a
/// local or an array element without a value, a division by zero, bits that are not known, an operation
/// without a value. Who needs its value at a meeting point ends with it, without a finding. After a race, a
/// wrapped result or an uninitialised cell of a buffer it goes on as the hardware would.
///
/// Accesses race by what is ordered, not by what happened (interpreter_races.h); in kernels without meeting
/// points, shared arrays and atomics any two threads race on a cell that one of them writes. Fences order
/// nothing by themselves, so that a block that waits for a flag of another block by plain reads is a race.
///
/// Threads meet as CUDA says: a barrier of the block when every thread of it that has not ended waits at one,
/// a warp's barrier, shuffle or vote when every lane of its mask that exists waits at that statement. Threads
/// at different barriers, lanes missing from their own mask, and (unless exitedThreadsOk) threads that have
/// ended are DivergentBarrier findings; the run then goes on as the hardware would where that is known, else,
/// and where no thread of a block can go on, the block ends. An ActiveMask is the lanes of the warp that wait
/// at it.
///
/// Float atomics are added in the order of the schedule, with subnormals. Accesses of another size than a
/// buffer's elements have no value here.
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

  /// Only the given threads, or, when threads meet or share, the blocks they are in; nothing is said about
  /// completeness. Otherwise the same.
  Expected<RunResult> runThreads(const ConcreteLaunch& launch, Memory<D>& memory,
                                 std::span<const ThreadId> threads, const RunOptions<D>& options = {}) const;

private:
  explicit Interpreter(std::shared_ptr<const bytecode::Program> program) : m_program(std::move(program)) {}
  std::shared_ptr<const bytecode::Program> m_program;
};

extern template class Interpreter<IeeeDomain>;
extern template class Interpreter<RealDomain>;

} // namespace plumbline::ir

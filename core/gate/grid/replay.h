// Running the kernel where the prover found a counterexample, and at small sizes: only what the interpreter
// sees is a finding.
#pragma once

#include "core/base/stop_token.h"
#include "core/gate/grid/contents.h"
#include "core/gate/grid/grid_gate.h"
#include "core/ir/interpreter.h"

#include <random>

namespace plumbline::gate::grid {

struct ReplayRun {
  std::map<std::string, int64_t> sizes;
  std::vector<ir::RunFinding> findings;
};

/// The elements of integer inputs that a model fixes: by parameter, then index.
using FixedElements = std::map<std::string, std::map<int64_t, int64_t>>;

class Replay {
public:
  Replay(const ir::Module& module, const ir::Kernel& kernel, const ir::LaunchContract& contract,
         bool exitedThreadsOk, StopToken stop, const GridContext* context = nullptr)
      : m_module(module), m_kernel(kernel), m_contract(contract), m_exitedThreadsOk(exitedThreadsOk),
        m_stop(std::move(stop)), m_context(context) {}

  /// The launch of these sizes; nothing when the contract excludes them. Sizes without a value are small.
  std::optional<ir::ConcreteLaunch> launch(const std::map<std::string, int64_t>& sizes) const;

  /// The whole grid where that is small, else the blocks of the given threads. Nothing when it cannot be run.
  std::optional<ReplayRun> run(const std::map<std::string, int64_t>& sizes, const FixedElements& elements,
                               const std::vector<ir::ThreadId>& threads, Contents contents,
                               const ir::Schedule& schedule) const;

  /// These threads alone, for a limited number of steps; arrays of any size.
  std::optional<ReplayRun> probe(const std::map<std::string, int64_t>& sizes,
                                 const std::vector<ir::ThreadId>& threads) const;

  /// Sizes that the contract allows at which an integer argument has a value of its edges, or one or two
  /// symbols are large; the same each time.
  std::vector<std::map<std::string, int64_t>> edgeSizes(size_t most) const;

  /// Sizes that the contract allows, small ones first; the same each time.
  std::vector<std::map<std::string, int64_t>> smallSizes(size_t most) const;

private:
  enum class Extent : uint8_t { WholeIfSmall, ThreadsBriefly };

  const ir::Function& function() const { return m_module.functions[static_cast<size_t>(m_kernel.function)]; }
  bool inDefaultRange(const std::map<std::string, int64_t>& symbols) const;
  /// Where the arithmetic of a check of the host leaves its range, so that the check decides nothing.
  std::optional<SourceRange> undecidedFact(const std::map<std::string, int64_t>& symbols) const;
  void consistent(std::map<std::string, int64_t>& sizes) const;
  std::optional<ReplayRun> runBound(const ir::ConcreteLaunch& bound, const FixedElements& elements,
                                    const std::vector<ir::ThreadId>& threads, Contents contents,
                                    const ir::Schedule& schedule, Extent extent) const;
  std::map<std::string, ir::ScalarValue> scalarsFor(const std::map<std::string, int64_t>& sizes) const;
  ir::Memory<ir::IeeeDomain> memoryFor(const ir::ConcreteLaunch& launch, const FixedElements& elements,
                                       Contents contents, bool dense) const;

  const ir::Module& m_module;
  const ir::Kernel& m_kernel;
  const ir::LaunchContract& m_contract;
  bool m_exitedThreadsOk;
  StopToken m_stop;
  const GridContext* m_context;
};

} // namespace plumbline::gate::grid

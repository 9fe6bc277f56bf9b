// The sweep engine: compares two terms on every bit pattern of one binary32 value. A complete proof in about
// a second. The work is done by the child process plumbline-sweep; this is its client.
#pragma once

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "core/engine/worker.h"
#include "core/logic/term.h"

#include <optional>

namespace plumbline::engine {

inline constexpr uint64_t allPatterns = uint64_t{1} << 32;

/// For every pattern of `variable` from `from` up to, not including, `to` that makes `hypothesis` true:
/// `left` is the same value (same bits, or both NaN) as at least one of `rights`. `store` must outlive the
/// call.
struct SweepTask {
  const logic::TermStore* store = nullptr;
  logic::TermId left{};
  std::vector<logic::TermId> rights; ///< at least one, of the sort of `left`
  logic::TermId hypothesis{};        ///< Bool
  std::string variable;              ///< the F32 Var; every other free leaf is refused
  uint64_t from = 0;
  uint64_t to = allPatterns;
  unsigned jobs = 0; ///< threads; 0: one a processor
};

/// What was compared. Together with the task it is a record that can be checked or continued: an interrupted
/// sweep is resumed by a task that starts at `checkedTo`.
struct SweepResult {
  enum class Outcome : uint8_t { Interrupted, Equal, Different };
  Outcome outcome = Outcome::Interrupted;
  uint64_t from = 0;
  uint64_t checkedTo = 0;        ///< all patterns of [from, checkedTo) were compared
  std::optional<uint32_t> first; ///< Different: the lowest differing pattern, which is checkedTo - 1
  double timeMs = 0;             ///< compilation included
  double compileMs = 0;
  std::string machine; ///< "LLVM 19.1.7, znver4"; empty when interrupted

  /// A proof about every pattern, as against part of them.
  bool complete() const { return outcome == Outcome::Equal && from == 0 && checkedTo == allPatterns; }
};

/// {"engine": "sweep", "outcome", "from", "checked_to", "first"?, "time_ms", "compile_ms", "machine",
/// "variable", "terms"}: the evidence record.
Json toJson(const SweepResult& result, const SweepTask& task);

/// Called on the engine's own thread about ten times a second with the end of the part compared so far.
using SweepProgress = std::function<void(uint64_t checkedTo)>;

/// Keeps one child warm. All methods may be called from any thread; sweeps run one after another. The
/// destructor kills the child.
class Sweeper {
public:
  /// `program`: empty looks for plumbline-sweep in $PLUMBLINE_LIBEXEC, beside the running executable, and in
  /// ../libexec/plumbline from there.
  explicit Sweeper(std::string program = {});
  ~Sweeper();

  /// Starts the child in the background and returns at once. `run` does it when needed.
  void start();

  /// Waits for the result. When `stop` asks for it the child is killed, so nothing is left running, and the
  /// result is Interrupted. Errors: "sweep-missing", "sweep-died", and the child's refusals ("sweep-opaque",
  /// "sweep-load", "sweep-free-variable", "sweep-int-range", "sweep-int-division", "sweep-int-width",
  /// "sweep-operator").
  Expected<SweepResult> run(const SweepTask& task, const StopToken& stop, const SweepProgress& progress = {});

  /// The child's process id, or -1: for tests and for a resource display.
  pid_t childPid();

private:
  Expected<void> ensureStarted();
  Expected<SweepResult> runOnWorker(const SweepTask& task, const StopToken& stop,
                                    const SweepProgress& progress);
  Expected<SweepResult> readResult(const SweepTask& task, const StopToken& stop,
                                   const SweepProgress& progress);

  std::string m_program;
  ChildProcess m_child; // touched on the worker only
  uint64_t m_nextId = 0;
  Worker m_worker; // last: its jobs use the members above
};

} // namespace plumbline::engine

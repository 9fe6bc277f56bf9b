// One SMT solver as a warm external program that reads SMT-LIB text.
#pragma once

#include "core/base/child_process.h"
#include "core/engine/smt_model.h"
#include "core/engine/worker.h"

namespace plumbline::engine {

/// How to run a solver.
struct SolverSpec {
  std::string name;                 ///< "z3", "cvc5"
  std::vector<std::string> command; ///< reads a script from standard input
  std::string timeLimitOption;      ///< the option that takes milliseconds a query, e.g. ":timeout"
  size_t memoryLimitBytes = size_t{4} << 30;

  static SolverSpec z3();
  static SolverSpec cvc5();
};

/// Born as NotRun; only a clean reply of the solver makes it Sat or Unsat.
enum class SolverStatus : uint8_t {
  NotRun,  ///< not asked, or stopped before it answered
  Unsat,   ///< the assertions exclude each other: the goal holds
  Sat,     ///< a model exists
  Unknown, ///< the solver gave up
  Timeout, ///< the time limit passed
  Missing, ///< the program is not installed
  Died,    ///< the process ended while it was asked
  Error    ///< the solver refused part of the text, or its answer cannot be read
};
std::string_view
statusName(SolverStatus status); ///< "unsat", "sat", "unknown", "timeout", "solver-missing", ...

struct SolverAnswer {
  std::string engine;
  SolverStatus status = SolverStatus::NotRun;
  std::optional<SmtModel> model; ///< Sat, when every value could be read
  std::string detail;            ///< the solver's reason or the error, for a person
  double timeMs = 0;

  bool decisive() const { return status == SolverStatus::Sat || status == SolverStatus::Unsat; }
};

/// Keeps one process warm and resets it between queries; a dead or a stopped one is replaced. All methods may
/// be called from any thread; queries run one after another. The destructor waits for queries still running:
/// request their stop first.
class Solver {
public:
  explicit Solver(SolverSpec spec);
  ~Solver();

  /// Starts the process in the background and returns at once.
  void start();

  /// `done` is called on the solver's own thread. The limit counts from the moment the solver is asked.
  void ask(const SmtQuery& query, std::chrono::milliseconds limit, const StopToken& stop,
           std::function<void(SolverAnswer)> done);
  /// The same, waiting for the answer.
  SolverAnswer askAndWait(const SmtQuery& query, std::chrono::milliseconds limit, const StopToken& stop);

  const std::string& name() const { return m_spec.name; }
  pid_t childPid(); ///< or -1

private:
  Expected<void> ensureStarted();
  SolverAnswer answer(const SmtQuery& query, std::chrono::milliseconds limit, const StopToken& stop);
  Expected<SolverAnswer> exchange(const SmtQuery& query, std::chrono::milliseconds limit,
                                  const StopToken& stop);
  Expected<std::string> send(const std::string& text, const StopToken& stop);
  Expected<SolverAnswer> withModel(const SmtQuery& query, SolverAnswer answer, const StopToken& stop);

  SolverSpec m_spec;
  ChildProcess m_child; // touched on the worker only
  uint64_t m_nextMarker = 0;
  Worker m_worker; // last: its jobs use the members above
};

} // namespace plumbline::engine

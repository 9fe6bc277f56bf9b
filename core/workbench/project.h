// One comparison under work: checks it, splits and settles its cases, runs edited values. The engines of the
// command line behind plain values.
#pragma once

#include "core/base/stop_token.h"
#include "core/workbench/snapshot.h"

#include <functional>

namespace plumbline::workbench {

/// Progress: one line for people. Called on the project's thread.
using Progress = std::function<void(const std::string&)>;

/// Owned by one thread, which makes all calls; that thread must outlive it (children die with it). Calls
/// block; the stop token ends them within 200 ms, and no process is left over. Never throws.
class Project {
public:
  Project();
  ~Project();
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  /// Starts importers and solvers without waiting, so that the first check finds them warm.
  void warmUp();

  /// What can be shown at once, before anything is checked: source texts, graph. Never fails; what is wrong
  /// stands in Snapshot::error.
  SnapshotPtr open(const Request& request, const StopToken& stop);

  /// The whole check. A cancelled check gives a snapshot without readings, never an older one.
  SnapshotPtr check(const Request& request, const StopToken& stop, const Progress& progress);

  /// Settles one case of the last check; nothing is stored. CaseStatus::Open with a reason when it cannot.
  CaseResult settle(int goal, const CasePath& path, const StopToken& stop, const Progress& progress);

  /// All cells of a matrix, each given to `cell` as soon as it is known.
  void settleMatrix(int goal, int variable, const StopToken& stop,
                    const std::function<void(const MatrixCell&)>& cell);

  /// Runs the kernel in the interpreter, or the module in PyTorch, with the free values of the goal set.
  RunResult runInterpreter(int goal, const std::vector<uint32_t>& values, const StopToken& stop);
  RunResult runPyTorch(int goal, const std::vector<uint32_t>& values, const StopToken& stop);

private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// Names of the bundled samples and the folder of one; empty when they are not installed. Looks in
/// $PLUMBLINE_SAMPLES, in resources/samples above the executable, and in ../share/plumbline/samples.
struct Sample {
  std::string name;
  std::string model;    ///< graph.json
  std::string kernel;   ///< kernel.cu
  std::string title;    ///< one line from its expect.json, else the name
  std::string relation; ///< expected under ieee
};
std::vector<Sample> bundledSamples();

} // namespace plumbline::workbench

// The gate for everything that one wrapper, or one launch file, may do: several launches in a row, several
// ways through a wrapper, arrays that may be one array.
#pragma once

#include "core/gate/grid/grid_gate.h"
#include "core/ir/host_program.h"

namespace plumbline::gate::grid {

/// One launch contract with its `aliases`: as it stands, and with each group as one array. What goes wrong
/// only then is a finding "aliasing". Errors: those of checkGrid; "launch-alias".
Expected<GateReport> checkContract(logic::TermStore& store, const ir::Module& module,
                                   const ir::Kernel& kernel, const ir::LaunchContract& contract,
                                   engine::Portfolio* portfolio, const GridOptions& options,
                                   const StopToken& stop);

/// One way through a wrapper: its launches one after another. What an earlier launch wrote as a whole counts
/// as written; what torch returns may have any values. A finding after the first launch stands only when a
/// run of the whole program shows it. Obligations and messages name their launch. Errors: those of checkGrid.
Expected<GateReport> checkProgram(logic::TermStore& store, const ir::Module& module,
                                  const ir::HostProgram& program, engine::Portfolio* portfolio,
                                  const GridOptions& options, const StopToken& stop);

/// A report and what it is about; the label goes before the names of its obligations and its messages.
struct PartReport {
  std::string label; ///< may be empty
  GateReport report;
};

/// What holds when each part is to hold: refused, else unsupported, else undetermined if one is; accepted
/// only if all are. No parts: undetermined.
GateReport merged(std::vector<PartReport> parts);

} // namespace plumbline::gate::grid

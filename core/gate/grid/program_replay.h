// Running a wrapper's whole program where the gate of one of its launches found something: what the earlier
// launches left in memory is then real.
#pragma once

#include "core/base/stop_token.h"
#include "core/gate/gate.h"
#include "core/ir/program_run.h"

#include <chrono>

namespace plumbline::gate::grid {

/// Runs the program with the sizes of `finding`, on tensors of a few kinds of contents and in two orders of
/// threads, until one run shows a finding of the same kind. Nothing when none does, when the sizes are too
/// large to run, or when torch would have to compute something.
std::optional<ir::RunFinding> seenInProgram(const ir::Module& module, const ir::HostProgram& program,
                                            const Finding& finding, const StopToken& stop);

/// A few runs of the whole program at the given sizes, for `budget` at most. A run in which only one kind of
/// fault is seen shows that kind for certain; each kind is reported once.
std::vector<Finding> plainProgramFaults(const ir::Module& module, const ir::HostProgram& program,
                                        const std::vector<std::map<std::string, int64_t>>& sizes,
                                        std::chrono::milliseconds budget, const StopToken& stop);

/// How reports name the launch with this number (from 1) in a program.
std::string launchLabel(int number, const std::string& kernel);

} // namespace plumbline::gate::grid

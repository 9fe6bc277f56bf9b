// Kernels of tests/gate/kernels with their launch contracts and what is wrong with them.
#pragma once

#include "core/cuda/cuda_import.h"
#include "core/gate/grid/grid_gate.h"

namespace plumbline::gate::grid {

struct KnownKernel {
  std::string name;
  std::string source;
  ir::LaunchContract contract;
  std::vector<std::string> faults; ///< kinds of findings, sorted; empty for a safe kernel
};

/// All of them, by name.
const std::vector<KnownKernel>& knownKernels();
/// The source as a module, or what the importer says. The importer's child stays warm.
Expected<cuda::ImportedCuda> importText(const std::string& source);
/// One solver portfolio for the whole test.
engine::Portfolio& portfolio();

/// Gates the only kernel of the source.
Expected<GateReport> gateText(const std::string& source, const ir::LaunchContract& contract,
                              const GridOptions& options = {});
/// "accepted", or the kinds of the findings, or the status with its reason.
std::vector<std::string> outcome(const Expected<GateReport>& report);

} // namespace plumbline::gate::grid

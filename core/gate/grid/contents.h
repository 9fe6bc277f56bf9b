// What buffers hold at the start of a run that looks for a fault.
#pragma once

#include "core/gate/gate.h"
#include "core/ir/concrete_launch.h"

namespace plumbline::gate::grid {

/// Zeros; small integers and floats; any integers.
enum class Contents : uint8_t { Zeros, Small, Wild };

/// The same for the same arguments.
ir::Buffer<ir::IeeeDomain>::Cell initialCell(ir::ScalarType type, Contents contents, uint64_t seed,
                                             int64_t index);

/// A fixed pseudo-random number for a place.
uint64_t mixed(uint64_t seed, uint64_t index);

/// The word of a gate's finding for what the interpreter saw.
std::string findingKind(ir::FindingKind kind);
/// Makes `finding` say what a run showed; its sizes stay.
void describe(Finding& finding, const ir::RunFinding& seen);

} // namespace plumbline::gate::grid

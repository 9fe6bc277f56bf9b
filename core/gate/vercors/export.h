// A kernel as C with the contract that VerCors asks for, generated from the launch contract: a second opinion
// on races and bounds. VerCors takes integers as unbounded and floats as rationals, and does not check that
// barriers are uniform, so its answer never counts for the gate's.
#pragma once

#include "core/ir/kernel.h"
#include "core/ir/launch.h"
#include "core/vc/symbolic_thread.h"

namespace plumbline::gate::vercors {

/// The text of a .cu file for VerCors. Deterministic.
/// Errors: ErrorKind::Rejected with what VerCors, or this export, has no way to say, and its position:
/// "vercors-bit-operation", "vercors-atomic", "vercors-warp", "vercors-fence", "vercors-barrier",
/// "vercors-loop", "vercors-jump", "vercors-vector", "vercors-array", "vercors-pointer", "vercors-type",
/// "vercors-function", "vercors-float", "vercors-index", "vercors-two-cells", "vercors-read-of-written",
/// "vercors-alias", "vercors-free-size", "vercors-call".
Expected<std::string> annotatedKernel(const ir::Module& module, const ir::Kernel& kernel,
                                      const ir::LaunchContract& contract);

} // namespace plumbline::gate::vercors

// A kernel as C with the contract that VerCors asks for, generated from the launch contract: a second opinion
// on races and bounds. VerCors takes integers as unbounded and floats as rationals, and does not check that
// barriers are uniform, so its answer never counts for the gate's.
#pragma once

#include "core/ir/kernel.h"
#include "core/ir/launch.h"
#include "core/vc/symbolic_thread.h"

namespace plumbline::gate::vercors {

/// What every export begins with.
inline constexpr std::string_view firstWords = "// Written by Plumbline for VerCors:";

/// The text of a .cu file for VerCors. Deterministic.
/// Every permission that is stated is one that all threads can have together: no cell is handed out twice.
/// Loops get invariants, barriers get contracts; nothing is assumed. Errors: ErrorKind::Rejected with what
/// VerCors, or this export, has no way to say, and its position; the ids and their reasons are listed in
/// docs/safety-gate.md.
Expected<std::string> annotatedKernel(const ir::Module& module, const ir::Kernel& kernel,
                                      const ir::LaunchContract& contract);

} // namespace plumbline::gate::vercors

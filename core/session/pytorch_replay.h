// Replaying a witness in PyTorch itself.
#pragma once

#include "core/session/sources.h"

namespace plumbline::session {

/// What the captured graph computes in PyTorch at the witness's output and index, on the witness's inputs.
/// Errors: those of PythonCapture, "replay-unreadable".
Expected<uint32_t> valueInPyTorch(const torch::Graph& graph, const Witness& witness, ImportChildren& children,
                                  const StopToken& stop);

/// Runs the captured graph in PyTorch on every witness, notes the result in it, and turns the reading into a
/// conflict when PyTorch disagrees with the denotation outside the published differences. A witness of a
/// device's profile is not run, since the kernels are those of the CPU: the note says so. Returns lines for
/// people, empty when there is no witness of these readings.
std::string replayInPyTorch(CheckOutcome& outcome, ImportChildren& children, const StopToken& stop);

} // namespace plumbline::session

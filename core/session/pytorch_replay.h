// Replaying a witness in PyTorch itself.
#pragma once

#include "core/session/sources.h"

namespace plumbline::session {

/// Runs the captured graph in PyTorch on every witness, notes the result in it, and turns the reading into a
/// conflict when PyTorch disagrees with the denotation outside the published differences. Returns one line
/// for people, empty when there is no witness under ieee.
std::string replayInPyTorch(CheckOutcome& outcome, ImportChildren& children, const StopToken& stop);

} // namespace plumbline::session

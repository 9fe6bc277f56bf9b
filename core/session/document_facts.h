// What a check found, as theorems for the method document of the same pair.
#pragma once

#include "core/method/method.h"
#include "core/session/check.h"

#include <filesystem>

namespace plumbline::session {

/// The witness of the ieee reading, with the kernel's value at the differing element as an expression.
/// Errors: "no-witness" when the verdict has none, "no-closed-fact" when its kernel has no value in Lean or
/// no element goal.
Expected<method::WitnessFact> witnessFact(CheckOutcome& outcome);

/// That kernel and module agree on every value, for an equal pair with one input that decides every element.
/// Errors: "no-sweep" with the reason, "no-closed-fact".
Expected<method::SweepFact> sweepFact(CheckOutcome& outcome);

/// For a pair that differs: writes method.lean with the witness as a theorem into the folder; nothing when
/// there is no witness or no such document. Error: "file-unwritable".
Expected<void> saveWitnessDocument(const std::filesystem::path& folder, CheckOutcome& outcome);

} // namespace plumbline::session

// Saving what a check found: verdict.json and the artefacts that others can re-run.
#pragma once

#include "core/session/verdict.h"

#include <filesystem>

namespace plumbline::session {

/// Makes the folder and checks that it may be written, before any work is done. Error: "file-unwritable".
Expected<void> prepareFolder(const std::filesystem::path& folder);

/// Writes every evidence text as a file of its own (queries as .smt2), names it in the evidence's artefact,
/// then writes verdict.json. Error: "file-unwritable".
Expected<void> saveOutcome(const std::filesystem::path& folder, Verdict& verdict);

} // namespace plumbline::session

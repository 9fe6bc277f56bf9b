// Edits that mend what the parser and the types complain of.
#pragma once

#include "lean-bridge/server/snapshot.h"

namespace plumbline::server {

/// For the diagnostics that touch `range`: the word of the right dialect, a label for an assertion, .toNat
/// for an index that is an Int. Each is one text edit.
std::vector<lsp::CodeAction> quickFixes(const Snapshot& snapshot, const lsp::Range& range);

} // namespace plumbline::server

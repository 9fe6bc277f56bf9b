// What may be written at a place, and what a function takes.
#pragma once

#include "lean-bridge/server/index.h"

namespace plumbline::server {

/// `CompletionList`.
Json completionAt(const Snapshot& snapshot, const DocumentIndex& index, uint32_t offset);

/// `SignatureHelp`, or null.
Json signatureHelpAt(const DocumentIndex& index, uint32_t offset);

} // namespace plumbline::server

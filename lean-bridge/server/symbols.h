// The outline of a document, and colours for its tokens.
#pragma once

#include "lean-bridge/server/index.h"

namespace plumbline::server {

/// `DocumentSymbol[]`: definitions, theorems, methods with their clauses and loops, proofs.
Json documentSymbols(const Snapshot& snapshot);

/// The legend and the data of `SemanticTokens`.
Json semanticLegend();
Json semanticTokens(const Snapshot& snapshot, const DocumentIndex& index);

} // namespace plumbline::server

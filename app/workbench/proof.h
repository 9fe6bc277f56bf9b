// The method document's servers: which are here and how they are started.
#pragma once

#include "lean-bridge/client/proof_document.h"

#include <memory>

namespace plumbline::app {

/// The document of the window with `plumbline-server` and Lean, as far as they were found. Lean needs a
/// project in which the document's imports can be found: the folder named in PLUMBLINE_LEAN_PROJECT.
std::unique_ptr<lsp::ProofDocument> makeProofDocument();

} // namespace plumbline::app

// The method document's servers: which are here and how they are started.
#pragma once

#include "lean-bridge/client/proof_document.h"

#include <QString>

#include <memory>

class QSettings;

namespace plumbline::app {

/// The document of the window with `plumbline-server` and Lean, as far as they were found. Lean needs a
/// project in which the document's imports can be found: `leanProject`, or, when that is empty, the folder
/// named in PLUMBLINE_LEAN_PROJECT.
std::unique_ptr<lsp::ProofDocument> makeProofDocument(const QString& leanProject);

/// Ends the document's Lean and starts one in another project; empty: as above.
void useLeanProject(lsp::ProofDocument& document, const QString& leanProject);

/// The folder chosen in the window; empty: none was.
QString keptLeanProject(const QSettings& settings);
void keepLeanProject(QSettings& settings, const QString& folder);

} // namespace plumbline::app

// The line of a generated document's head that lets whoever has only the text tell which locked lines were
// changed. A check against accidents, not a signature: anybody can compute it.
#pragma once

#include "core/velvet/parser.h"
#include "core/velvet/printer.h"

namespace plumbline::velvet {

/// Prints a generated document with its seal, which becomes the last line of the first comment; one that is
/// there already is replaced.
PrintedDocument printSealed(Document& document, Dialect dialect);

/// Whether a comment, with its "-- ", is a seal.
bool isSeal(std::string_view comment);

/// What of the locked lines was changed, removed or added since the document was sealed, in order; id
/// "locked-line", comments are warnings. A document without a seal has at most a warning of id "no-seal",
/// when its head is one of Plumbline's. Free are invariants, proofs, theorems, comments, commands with # that silence nothing,
/// imports of Plumbline's library, and definitions whose name nothing locked uses. How many spaces stand
/// between two tokens, what stands behind a line, and the kind of line ends make no difference.
std::vector<Diagnostic> sealBreaks(const Parsed& parsed, std::string_view text);

} // namespace plumbline::velvet

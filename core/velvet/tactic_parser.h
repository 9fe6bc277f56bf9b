// Proof scripts of a method document, from tokens.
#pragma once

#include "core/velvet/cursor.h"
#include "core/velvet/tactic.h"

namespace plumbline::velvet {

/// The tactics that stand deeper than column `outer`, up to the end of the extent. Diagnostics: "syntax" for
/// a block without tactics. Any text becomes tactics: what has no known form is a Command with its text.
std::vector<Tactic> parseScript(Cursor& cursor, uint32_t outer);

} // namespace plumbline::velvet

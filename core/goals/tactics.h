// What of a proof script is known here, without running it.
#pragma once

#include "core/velvet/syntax.h"

namespace plumbline::goals {

/// A tactic at whose place the engines are asked about the goal: `grind`, `finish`, `omega`, ...
bool asksEngines(std::string_view word);
/// A tactic that admits its goal: `sorry`, `admit`.
bool admits(std::string_view word);

/// What the solve command does with each goal: what stands after its `with`, as a script whose ranges are
/// those of the document. Empty: it only states the goals.
std::vector<velvet::Tactic> settlingScript(const velvet::Tactic& solve);

/// A command that is not known here.
struct UnknownTactic {
  std::string word;
  velvet::TextRange range;
};
/// In the order of the text, inside of blocks and after `with` as well.
std::vector<UnknownTactic> unknownTactics(const std::vector<velvet::Tactic>& script);

/// Whether a name in a solve command's list may denote something: it is declared in the document, known of
/// Lean or lean/, has a dot (Lean's libraries are not read), or the document imports a file of its own.
bool mayDenote(const velvet::Document& document, const std::string& name);

} // namespace plumbline::goals

// Goals as a client sees them.
#pragma once

#include "lean-bridge/protocol/interactive.h"
#include "lean-bridge/server/elaboration.h"

namespace plumbline::server {

/// A goal with what is known of it.
struct ShownGoal {
  goals::Goal goal;
  std::shared_ptr<const goals::Settled> settled; ///< null: no engine has answered
  bool isAsked = false;         ///< by the elaboration: without an answer, an engine is at work
  bool holdsForNothing = false; ///< the requirements of its method contradict each other
};

/// The goals at a place: in a proof script those before or after the tactic there, in a method those of the
/// clause or statement there, after `by` all. Nothing where there is none to show.
std::optional<std::vector<ShownGoal>> goalsAt(const Elaboration& elaboration, uint32_t offset,
                                              const goals::Lookup& lookup);

/// Who vouches for it. No engine is ever taken for Lean.
lsp::Vouching vouchingFor(const ShownGoal& shown);
/// Without its context reference.
lsp::InteractiveGoal interactiveGoal(const ShownGoal& shown);
/// As text, with a last line that says who vouches for it.
std::string plainText(const ShownGoal& shown);

/// All goals of the document. Their texts are the conclusions: a goal in a long method has hundreds of
/// hypotheses, and they are sent for the one that is looked at.
lsp::DocumentGoals documentGoals(const Elaboration& elaboration, const goals::Lookup& lookup);
/// Problems, goals that are false or open at their clause, what the scripts say.
std::vector<lsp::Diagnostic> goalDiagnostics(const Elaboration& elaboration, const goals::Lookup& lookup);
/// Where goals without an answer arise.
lsp::FileProgress progressOf(const Elaboration& elaboration);

} // namespace plumbline::server

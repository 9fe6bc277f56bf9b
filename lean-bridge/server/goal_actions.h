// What can be done about a goal, each as an edit of the text.
#pragma once

#include "lean-bridge/server/goal_view.h"

namespace plumbline::server {

/// Code actions for the goals, loops and lemmas at a range: split on a guard or a float class, settle, write
/// down or prove a witness, use a hint, promote a lemma, generate invariants, close a case. No edit touches
/// what is not the user's: scripts, invariants and attributes of lemmas only.
std::vector<lsp::CodeAction> goalActions(const Elaboration& elaboration, const lsp::Range& range,
                                         const goals::Lookup& lookup);

} // namespace plumbline::server

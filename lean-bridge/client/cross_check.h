// The answers of both servers about the same goals, side by side.
#pragma once

#include "lean-bridge/client/document_state.h"

#include <string>
#include <vector>

namespace plumbline::lsp {

/// What Lean says about one goal.
enum class LeanAnswer {
  NotChecked, ///< there is no Lean, it has no such document, or its worker has died
  Pending,    ///< Lean is still at it
  Accepted,
  Open,    ///< Lean has an error or a left-out proof there
  Unclear, ///< Lean has errors in the document, and which goals they are about cannot be told
};

/// How the two answers stand to each other.
enum class Agreement {
  NotChecked, ///< there is only one answer
  Pending,
  BothClosed,
  BothOpen,
  EnginesOnly,   ///< closed by the engines, not by Lean
  LeanOnly,      ///< accepted by Lean, open for the engines
  Contradiction, ///< accepted by Lean, but the engines have a counterexample: one of them is wrong
};

struct CheckedGoal {
  DocumentGoal goal; ///< with the engines' answer
  LeanAnswer lean = LeanAnswer::NotChecked;
  std::string leanMessage; ///< the first line of what Lean says there
  Agreement agreement = Agreement::NotChecked;
};

/// Both answers for every goal that Plumbline's server lists. `lean` may be null. Lean accepts a goal only
/// when it has finished the same text and every error and every left-out proof in the document is about other
/// goals.
std::vector<CheckedGoal> crossCheck(const DocumentState& plumbline, const DocumentState* lean);

/// True when Lean has finished the present text without an error and without a left-out proof.
bool acceptedByLean(const DocumentState& lean);

/// For people: "true (z3 cvc5), not checked by Lean".
std::string inWords(const CheckedGoal& goal);

} // namespace plumbline::lsp

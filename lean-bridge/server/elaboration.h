// What one version of a document obliges one to show, and how far its proof scripts get.
#pragma once

#include "core/goals/script.h"
#include "lean-bridge/server/snapshot.h"

namespace plumbline::server {

/// A proof of the document with its script run.
struct ProofState {
  velvet::TextRange range;      ///< of the item
  velvet::TextRange byRange;    ///< of `by`
  std::string name;             ///< of the method or theorem
  std::optional<size_t> method; ///< index in Elaboration::methods; none: a theorem
  goals::ScriptResult result;
};

/// Never changes. Made from the text and the answers alone: an edited document and the same text opened
/// afresh have the same goals.
struct Elaboration {
  SnapshotPtr snapshot;
  std::shared_ptr<const goals::Definitions> definitions;
  std::shared_ptr<const std::vector<goals::MethodGoals>> allMethods;
  std::vector<ProofState> proofs;
  std::vector<goals::Goal> open; ///< goals without an answer yet, in the order in which they are wanted

  const std::vector<goals::MethodGoals>& methods() const { return *allMethods; } ///< in the order of the text
};
using ElaborationPtr = std::shared_ptr<const Elaboration>;

/// A few milliseconds for 500 lines. `before`: of the same snapshot with fewer answers, or null; its goals
/// are used again.
ElaborationPtr elaborate(const SnapshotPtr& snapshot, const goals::Lookup& lookup,
                         const ElaborationPtr& before = nullptr);

/// Whether engines have shown that the requirements of a method contradict each other.
bool requiresNothingPossible(const Elaboration& elaboration, const std::string& method,
                             const goals::Lookup& lookup);

/// Where a goal arises in the text: its clause and the statement at which it must hold; empty ones are
/// unknown.
velvet::TextRange clauseRange(const goals::Goal& goal);
velvet::TextRange statementRange(const goals::Goal& goal);

} // namespace plumbline::server

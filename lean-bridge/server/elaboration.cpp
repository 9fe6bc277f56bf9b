#include "lean-bridge/server/elaboration.h"

#include <algorithm>
#include <set>

namespace plumbline::server {

namespace {

void addOpen(Elaboration& made, std::set<goals::Key>& seen, const goals::Goal& goal,
             const goals::Lookup& lookup) {
  if (seen.insert(goal.key).second && !lookup(goal))
    made.open.push_back(goal);
}

std::optional<size_t> methodIndex(const Elaboration& made, const std::string& name) {
  for (size_t i = 0; i < made.methods().size(); ++i)
    if (made.methods()[i].method == name)
      return i;
  return std::nullopt;
}

} // namespace

ElaborationPtr elaborate(const SnapshotPtr& snapshot, const goals::Lookup& lookup,
                         const ElaborationPtr& before) {
  auto made = std::make_shared<Elaboration>();
  const velvet::Document& document = snapshot->parsed.document;
  made->snapshot = snapshot;
  if (before && before->snapshot == snapshot) {
    made->definitions = before->definitions;
    made->allMethods = before->allMethods;
  } else {
    made->definitions = std::make_shared<const goals::Definitions>(document);
    auto methods = std::make_shared<std::vector<goals::MethodGoals>>();
    for (const velvet::Item& item : document.items)
      if (const auto* method = std::get_if<velvet::Method>(&item))
        methods->push_back(goals::generateGoals(document, *method));
    made->allMethods = std::move(methods);
  }
  for (const velvet::Item& item : document.items) {
    ProofState state;
    state.range = velvet::rangeOf(item);
    if (const auto* proof = std::get_if<velvet::Proof>(&item)) {
      state.name = proof->method;
      state.byRange = proof->byRange;
      state.method = methodIndex(*made, proof->method);
      if (!state.method)
        continue;
      state.result = goals::runScript(document, *proof, made->methods()[*state.method], lookup);
    } else if (const auto* theorem = std::get_if<velvet::Theorem>(&item)) {
      state.name = theorem->name;
      state.byRange = theorem->byRange;
      state.result = goals::runScript(document, *theorem, lookup);
    } else {
      continue;
    }
    made->proofs.push_back(std::move(state));
  }
  std::set<goals::Key> seen;
  for (const goals::MethodGoals& method : made->methods())
    for (const goals::Goal& goal : method.goals)
      addOpen(*made, seen, goal, lookup);
  for (const ProofState& proof : made->proofs)
    for (const goals::Goal& goal : proof.result.asked)
      addOpen(*made, seen, goal, lookup);
  for (const goals::MethodGoals& method : made->methods())
    if (method.contradiction)
      addOpen(*made, seen, *method.contradiction, lookup);
  return made;
}

bool requiresNothingPossible(const Elaboration& elaboration, const std::string& method,
                             const goals::Lookup& lookup) {
  for (const goals::MethodGoals& each : elaboration.methods())
    if (each.method == method && each.contradiction)
      if (const auto answer = lookup(*each.contradiction))
        return answer->status == goals::GoalStatus::Closed;
  return false;
}

velvet::TextRange clauseRange(const goals::Goal& goal) {
  return goal.clause != nullptr ? goal.clause->range : statementRange(goal);
}

velvet::TextRange statementRange(const goals::Goal& goal) {
  if (goal.statement == nullptr)
    return goal.clause != nullptr ? goal.clause->range : velvet::TextRange{};
  return goal.statement->headRange.empty() ? goal.statement->range : goal.statement->headRange;
}

} // namespace plumbline::server

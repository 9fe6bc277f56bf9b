#include "lean-bridge/server/goal_view.h"

#include "core/goals/renaming.h"
#include "core/velvet/printer.h"

#include <algorithm>
#include <set>

namespace plumbline::server {

using goals::Context;
using goals::GoalKind;
using goals::GoalStatus;

namespace {

std::string kindText(GoalKind kind) {
  switch (kind) {
  case GoalKind::Requires: return "precondition";
  case GoalKind::Entry: return "invariant-entry";
  case GoalKind::Step: return "invariant-step";
  case GoalKind::Break: return "loop-break";
  case GoalKind::Exit: return "loop-exit";
  case GoalKind::Measure: return "measure";
  case GoalKind::Assert: return "assertion";
  case GoalKind::Ensures: return "postcondition";
  case GoalKind::Contradiction: break; // never shown as a goal
  }
  return {};
}

std::string kindSentence(GoalKind kind) {
  switch (kind) {
  case GoalKind::Requires: return "what the called method requires";
  case GoalKind::Entry: return "this before the first turn";
  case GoalKind::Step: return "this after a turn";
  case GoalKind::Break: return "this where the loop is left by a break";
  case GoalKind::Exit: return "this when the loop ends";
  case GoalKind::Measure: return "that this becomes smaller";
  case GoalKind::Assert: return "this";
  case GoalKind::Ensures: return "this at the return";
  case GoalKind::Contradiction: break;
  }
  return {};
}

bool touches(velvet::TextRange range, uint32_t offset) {
  return !range.empty() && range.begin <= offset && offset <= range.end;
}

/// The names in the conclusion and in the values of the variables there.
std::set<std::string> namesOf(const goals::Goal& goal) {
  std::set<std::string> names;
  goals::collectNames(*goal.conclusion, names);
  for (const Context* line = goal.context.get(); line != nullptr; line = line->before.get())
    if (line->kind == Context::Kind::Variable && line->expr && names.contains(line->name))
      goals::collectNames(*line->expr, names);
  return names;
}

/// Variables that occur in the goal come first. What is too long ends behind a value.
std::string witnessText(const goals::Goal& goal, const goals::Assignment& witness) {
  constexpr size_t longest = 400;
  const std::set<std::string> names = namesOf(goal);
  std::string result;
  for (const bool occurs : {true, false})
    for (const auto& [name, value] : witness) {
      if (names.contains(name) != occurs)
        continue;
      std::string next = (result.empty() ? "" : ", ") + name + " = " + goals::text(value);
      if (result.size() + next.size() <= longest) {
        result += next;
        continue;
      }
      // A value that is too long alone ends behind one of its elements.
      if (result.empty())
        result = next.substr(0, next.rfind(',', longest));
      return result + ", ...";
    }
  return result;
}

std::string enginesOf(const goals::Settled& settled) {
  std::string result;
  for (const goals::Evidence& evidence : settled.evidence)
    result += (result.empty() ? "" : ", ") + evidence.engine;
  return result;
}

std::string falseAt(const goals::Goal& goal, const std::optional<goals::Assignment>& witness) {
  return witness ? "false at " + witnessText(goal, *witness) : "false";
}

ShownGoal shownGoal(const Elaboration& elaboration, const goals::Goal& goal, const goals::Lookup& lookup) {
  ShownGoal result{goal, lookup(goal)};
  result.isAsked = std::ranges::find(elaboration.open, goal.key, &goals::Goal::key) != elaboration.open.end();
  result.holdsForNothing = requiresNothingPossible(elaboration, goal.method, lookup);
  return result;
}

/// Of a goal that engines have closed.
std::string closedRemark(const ShownGoal& shown, const std::string& engines) {
  return "true (" + engines + "); not checked by Lean" +
         (shown.holdsForNothing ? "; holds for nothing: the requirements contradict each other" : "");
}

} // namespace

lsp::Vouching vouchingFor(const ShownGoal& shown) {
  lsp::Vouching result;
  result.goal = shown.goal.name;
  if (!shown.settled) {
    result.state = shown.isAsked ? lsp::GoalState::Running : lsp::GoalState::Open;
    result.remark = shown.isAsked ? "" : "no engine is asked about it";
    return result;
  }
  for (const goals::Evidence& evidence : shown.settled->evidence)
    result.engines.push_back(evidence.engine);
  switch (shown.settled->status) {
  case GoalStatus::Open:
    result.state = lsp::GoalState::Open;
    result.remark = shown.settled->reason;
    break;
  case GoalStatus::Closed:
    result.state = lsp::GoalState::Closed;
    result.remark = closedRemark(shown, "engine");
    break;
  case GoalStatus::Witnessed:
    result.state = lsp::GoalState::Witnessed;
    result.remark = falseAt(shown.goal, shown.settled->witness);
    break;
  case GoalStatus::Conflict:
    result.state = lsp::GoalState::Conflict;
    result.remark = shown.settled->reason;
    break;
  }
  return result;
}

lsp::InteractiveGoal interactiveGoal(const ShownGoal& shown) {
  lsp::InteractiveGoal result;
  result.userName = shown.goal.name;
  result.goalPrefix = "⊢ ";
  result.mvarId = shown.goal.name;
  result.type.text = velvet::print(*shown.goal.conclusion);
  for (const Context* line : goals::lines(shown.goal.context)) {
    lsp::Hypothesis hypothesis;
    hypothesis.names = {line->name};
    hypothesis.fvarIds = {std::to_string(line->depth)};
    if (line->kind == Context::Kind::Variable) {
      hypothesis.type.text = line->type;
      if (line->expr)
        hypothesis.value = lsp::CodeWithInfos{velvet::print(*line->expr), {}, false};
    } else {
      hypothesis.type.text = velvet::print(*line->expr);
    }
    result.hypotheses.push_back(std::move(hypothesis));
  }
  result.vouching = vouchingFor(shown);
  return result;
}

std::string plainText(const ShownGoal& shown) {
  const lsp::Vouching vouching = vouchingFor(shown);
  std::string remark = lsp::toString(vouching.state);
  if (shown.settled && shown.settled->status == GoalStatus::Closed)
    remark = closedRemark(shown, enginesOf(*shown.settled));
  else if (!vouching.remark.empty())
    remark += ": " + vouching.remark;
  return "case " + shown.goal.name + "\n" + goals::text(shown.goal) + "\n-- " + remark;
}

std::optional<std::vector<ShownGoal>> goalsAt(const Elaboration& elaboration, uint32_t offset,
                                              const goals::Lookup& lookup) {
  const auto shown = [&](const std::vector<goals::Goal>& list) {
    std::vector<ShownGoal> result;
    result.reserve(list.size());
    for (const goals::Goal& goal : list)
      result.push_back(shownGoal(elaboration, goal, lookup));
    return result;
  };
  for (const ProofState& proof : elaboration.proofs) {
    if (!touches(proof.range, offset))
      continue;
    const goals::ScriptStep* best = nullptr;
    for (const goals::ScriptStep& step : proof.result.steps)
      if (touches(step.range, offset))
        best = &step; // inner steps come after outer ones
    if (best == nullptr || (best->before.empty() && proof.method))
      return shown(proof.method ? elaboration.methods()[*proof.method].goals : proof.result.left);
    // Before the tactic's end its goals; after it what it leaves, unless engines closed all of it.
    const bool after = offset >= best->range.end && !best->after.empty();
    return shown(after ? best->after : best->before);
  }
  for (const goals::MethodGoals& method : elaboration.methods()) {
    std::vector<goals::Goal> here;
    for (const goals::Goal& goal : method.goals)
      if (touches(clauseRange(goal), offset))
        here.push_back(goal);
    if (here.empty())
      for (const goals::Goal& goal : method.goals)
        if (touches(statementRange(goal), offset))
          here.push_back(goal);
    if (!here.empty())
      return shown(here);
  }
  return std::nullopt;
}

lsp::DocumentGoals documentGoals(const Elaboration& elaboration, const goals::Lookup& lookup) {
  lsp::DocumentGoals result;
  result.uri = elaboration.snapshot->uri;
  result.version = elaboration.snapshot->version;
  result.complete = elaboration.open.empty();
  for (size_t i = 0; i < elaboration.methods().size(); ++i) {
    const bool forNothing = requiresNothingPossible(elaboration, elaboration.methods()[i].method, lookup);
    for (const goals::Goal& goal : elaboration.methods()[i].goals) {
      const ShownGoal shown{goal, lookup(goal), true, forNothing};
      lsp::DocumentGoal made;
      made.vouching = vouchingFor(shown);
      made.range = elaboration.snapshot->range(clauseRange(goal));
      for (const ProofState& proof : elaboration.proofs) {
        if (proof.method != i)
          continue;
        made.proof = elaboration.snapshot->range(proof.range);
        if (proof.result.admitted.contains(goal.name))
          made.vouching.remark +=
              std::string(made.vouching.remark.empty() ? "" : "; ") + "admitted in the proof (sorry)";
      }
      made.kind = kindText(goal.kind);
      made.text = "⊢ " + velvet::print(*goal.conclusion);
      result.goals.push_back(std::move(made));
    }
  }
  return result;
}

namespace {

class Diagnoses {
public:
  Diagnoses(const Elaboration& elaboration, const goals::Lookup& lookup)
      : m_elaboration(elaboration), m_lookup(lookup) {}

  std::vector<lsp::Diagnostic> run() {
    for (const goals::MethodGoals& method : m_elaboration.methods()) {
      for (const goals::Problem& problem : method.problems)
        addProblem(method, problem);
      if (requiresNothingPossible(m_elaboration, method.method, m_lookup))
        addContradiction(method.method);
      for (const goals::Goal& goal : method.goals)
        addGoal(goal);
    }
    for (const ProofState& proof : m_elaboration.proofs)
      addProof(proof);
    return std::move(m_result);
  }

private:
  lsp::Diagnostic& add(velvet::TextRange range, lsp::Severity severity, std::string code,
                       std::string message) {
    lsp::Diagnostic made;
    made.range = m_elaboration.snapshot->range(range);
    made.severity = severity;
    made.code = std::move(code);
    made.source = "Plumbline";
    made.message = std::move(message);
    m_result.push_back(std::move(made));
    return m_result.back();
  }

  void addProblem(const goals::MethodGoals& method, const goals::Problem& problem) {
    velvet::TextRange range;
    if (problem.clause != nullptr)
      range = problem.clause->range;
    else if (problem.statement != nullptr)
      range = problem.statement->headRange.empty() ? problem.statement->range : problem.statement->headRange;
    else
      range = nameRange(method.method);
    add(range, lsp::Severity::Error, problem.id, problem.message);
  }

  /// From the first to the last requirement.
  void addContradiction(const std::string& method) {
    velvet::TextRange range;
    size_t count = 0;
    for (const velvet::Clause& clause : methodNamed(method)->requirements) {
      if (!clause.prop)
        continue;
      range = {count == 0 ? clause.range.begin : range.begin, clause.range.end};
      ++count;
    }
    add(range, lsp::Severity::Warning, "requirements-contradict",
        std::string(count == 1 ? "this requirement contradicts itself"
                               : "these requirements contradict each other") +
            ": every goal below holds for nothing");
  }

  const velvet::Method* methodNamed(const std::string& method) const {
    for (const velvet::Item& item : m_elaboration.snapshot->parsed.document.items)
      if (const auto* found = std::get_if<velvet::Method>(&item); found && found->name == method)
        return found;
    return nullptr;
  }

  velvet::TextRange nameRange(const std::string& method) const {
    const velvet::Method* found = methodNamed(method);
    return found != nullptr ? found->nameRange : velvet::TextRange{};
  }

  /// A false goal behind a loop need not be a fault of the program.
  std::string loopRemark(const goals::Goal& goal) const {
    const velvet::Method* method = methodNamed(goal.method);
    const auto isLoop = [](const auto& self, const velvet::Stmt& stmt) -> bool {
      const auto inside = [&](const velvet::Stmt& each) { return self(self, each); };
      return stmt.kind == velvet::StmtKind::While || std::ranges::any_of(stmt.body, inside) ||
             std::ranges::any_of(stmt.otherwise, inside);
    };
    const bool hasLoop =
        method != nullptr &&
        std::ranges::any_of(method->body, [&](const velvet::Stmt& each) { return isLoop(isLoop, each); });
    return hasLoop ? "; behind a loop and in it, variables have any values that its invariants allow" : "";
  }

  void addGoal(const goals::Goal& goal) {
    const auto settled = m_lookup(goal);
    if (!settled || settled->status == GoalStatus::Closed)
      return;
    const std::string when = goal.kind == GoalKind::Assert ? "" : " (" + kindSentence(goal.kind) + ")";
    const std::string what = "'" + goal.name + "'" + when;
    if (settled->status == GoalStatus::Witnessed)
      add(clauseRange(goal), lsp::Severity::Error, "goal-false",
          what + " is " + falseAt(goal, settled->witness) + loopRemark(goal));
    else if (settled->status == GoalStatus::Conflict)
      add(clauseRange(goal), lsp::Severity::Error, "goal-conflict", what + ": " + settled->reason);
    else
      add(clauseRange(goal), lsp::Severity::Warning, "goal-open", what + " is open: " + settled->reason);
  }

  void addProof(const ProofState& proof) {
    for (const velvet::Diagnostic& message : proof.result.messages)
      m_result.push_back(diagnosticOf(*m_elaboration.snapshot, message));
    std::string left;
    size_t count = 0;
    for (const goals::Goal& goal : proof.result.left) {
      const ShownGoal shown = shownGoal(m_elaboration, goal, m_lookup);
      if (!shown.settled && shown.isAsked)
        continue; // an engine is at work on it
      left += "\n\n" + plainText(shown);
      ++count;
    }
    if (count == 0)
      return;
    // Behind a tactic that is not known here only Lean can tell whether they are.
    const bool isSure = std::ranges::none_of(proof.result.messages, [](const velvet::Diagnostic& each) {
      return each.id == "unknown-tactic" && each.severity == velvet::Severity::Warning;
    });
    lsp::Diagnostic& made =
        add(proof.byRange, isSure ? lsp::Severity::Error : lsp::Severity::Warning, "unsolved-goals",
            (isSure ? "unsolved goals" : "unsolved goals, as far as the tactics are known here") + left);
    made.leanTags = {lsp::LeanTag::UnsolvedGoals};
  }

  const Elaboration& m_elaboration;
  const goals::Lookup& m_lookup;
  std::vector<lsp::Diagnostic> m_result;
};

} // namespace

std::vector<lsp::Diagnostic> goalDiagnostics(const Elaboration& elaboration, const goals::Lookup& lookup) {
  return Diagnoses(elaboration, lookup).run();
}

lsp::FileProgress progressOf(const Elaboration& elaboration) {
  lsp::FileProgress result{elaboration.snapshot->uri, elaboration.snapshot->version, {}};
  std::vector<lsp::ProgressRange> ranges;
  for (const goals::Goal& goal : elaboration.open) {
    const lsp::ProgressRange range{elaboration.snapshot->range(clauseRange(goal)),
                                   lsp::ProgressKind::Processing};
    if (std::ranges::find(ranges, range) == ranges.end())
      ranges.push_back(range);
  }
  result.processing = std::move(ranges);
  return result;
}

} // namespace plumbline::server

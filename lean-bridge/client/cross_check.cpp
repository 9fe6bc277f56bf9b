#include "lean-bridge/client/cross_check.h"

#include <algorithm>

namespace plumbline::lsp {
namespace {

bool isWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '\'' || c == '.' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// True when `name` stands in `text` as a whole word.
bool names(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string::npos && !name.empty(); at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !isWordByte(text[at - 1])) && (end == text.size() || !isWordByte(text[end])))
      return true;
  }
  return false;
}

bool overlap(const Range& a, const Range& b) {
  return a.start <= b.end && b.start <= a.end;
}

/// What keeps Lean from accepting: errors, and warnings that a proof was left out.
bool isObjection(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::Error || diagnostic.has(LeanTag::UnsolvedGoals) ||
         diagnostic.message.find("sorry") != std::string::npos;
}

std::vector<const Diagnostic*> objectionsOf(const DocumentState& lean) {
  std::vector<const Diagnostic*> found;
  for (const Diagnostic& diagnostic : lean.diagnostics())
    if (isObjection(diagnostic))
      found.push_back(&diagnostic);
  return found;
}

/// True when an objection is about a goal: it names it, or it stands at the goal's own part of the proof.
bool isAbout(const Diagnostic& objection, const DocumentGoal& goal) {
  return names(objection.message, goal.vouching.goal) ||
         (goal.proof && overlap(objection.extent(), *goal.proof));
}

std::string firstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool isSettled(const DocumentState& lean) {
  return lean.progress() == Progress::Finished && lean.allReported() && lean.diagnosticsAreCurrent() &&
         lean.droppedDiagnostics() == 0;
}

Agreement agreementOf(GoalState engines, LeanAnswer lean) {
  switch (lean) {
  case LeanAnswer::NotChecked:
  case LeanAnswer::Unclear: return Agreement::NotChecked;
  case LeanAnswer::Pending: return Agreement::Pending;
  case LeanAnswer::Accepted:
    if (engines == GoalState::Running)
      return Agreement::Pending;
    if (engines == GoalState::Witnessed)
      return Agreement::Contradiction;
    return engines == GoalState::Closed ? Agreement::BothClosed : Agreement::LeanOnly;
  case LeanAnswer::Open:
    if (engines == GoalState::Running)
      return Agreement::Pending;
    return engines == GoalState::Closed ? Agreement::EnginesOnly : Agreement::BothOpen;
  }
  return Agreement::NotChecked;
}

/// Lean's answer about one goal of a text that it has finished.
void judge(CheckedGoal& checked, const std::vector<const Diagnostic*>& objections,
           const std::vector<DocumentGoal>& goals) {
  checked.lean = LeanAnswer::Accepted;
  for (const Diagnostic* objection : objections) {
    if (isAbout(*objection, checked.goal)) {
      checked.lean = LeanAnswer::Open;
      checked.leanMessage = firstLine(objection->message);
      return;
    }
    const bool aboutAnother = std::any_of(
        goals.begin(), goals.end(), [&](const DocumentGoal& goal) { return isAbout(*objection, goal); });
    if (!aboutAnother) {
      checked.lean = LeanAnswer::Unclear;
      checked.leanMessage = firstLine(objection->message);
    }
  }
  // Without a place of its own in the proof, an objection to another goal may have hidden one to this.
  if (!objections.empty() && !checked.goal.proof && checked.lean == LeanAnswer::Accepted)
    checked.lean = LeanAnswer::Unclear;
}

std::string enginesInWords(const Vouching& vouching) {
  std::string engines;
  for (const std::string& engine : vouching.engines)
    engines += (engines.empty() ? "" : " ") + engine;
  const std::string by = engines.empty() ? "" : " (" + engines + ")";
  switch (vouching.state) {
  case GoalState::Open: return "open";
  case GoalState::Running: return "running" + by;
  case GoalState::Closed: return "true" + by;
  case GoalState::Witnessed: return "false: there is a counterexample" + by;
  case GoalState::Conflict: return "the engines disagree" + by;
  }
  return "open";
}

} // namespace

bool acceptedByLean(const DocumentState& lean) {
  return isSettled(lean) && objectionsOf(lean).empty();
}

std::vector<CheckedGoal> crossCheck(const DocumentState& plumbline, const DocumentState* lean) {
  std::vector<CheckedGoal> checked;
  if (!plumbline.goalsAreCurrent())
    return checked;
  const std::vector<DocumentGoal>& goals = plumbline.goals();
  const bool same = lean && lean->text() == plumbline.text() && lean->progress() != Progress::Unknown &&
                    lean->progress() != Progress::Failed;
  const bool settled = same && isSettled(*lean);
  const std::vector<const Diagnostic*> objections =
      settled ? objectionsOf(*lean) : std::vector<const Diagnostic*>{};
  for (const DocumentGoal& goal : goals) {
    CheckedGoal one{goal, same ? LeanAnswer::Pending : LeanAnswer::NotChecked, {}, Agreement::NotChecked};
    if (settled)
      judge(one, objections, goals);
    one.agreement = agreementOf(goal.vouching.state, one.lean);
    checked.push_back(std::move(one));
  }
  return checked;
}

std::string inWords(const CheckedGoal& goal) {
  const std::string engines = enginesInWords(goal.goal.vouching);
  switch (goal.agreement) {
  case Agreement::BothClosed: return engines + ", accepted by Lean";
  case Agreement::EnginesOnly: return engines + ", but open in Lean: " + goal.leanMessage;
  case Agreement::LeanOnly: return "accepted by Lean, but " + engines + " for the engines";
  case Agreement::Contradiction: return "contradiction: accepted by Lean, but " + engines;
  case Agreement::BothOpen: return engines + ", open in Lean too";
  case Agreement::Pending:
    return engines + (goal.lean == LeanAnswer::Pending ? ", Lean is at it" : ", accepted by Lean");
  case Agreement::NotChecked: break;
  }
  if (goal.lean == LeanAnswer::Unclear)
    return engines + ", not checked by Lean: it stops at \"" + goal.leanMessage + "\"";
  return engines + ", not checked by Lean";
}

} // namespace plumbline::lsp

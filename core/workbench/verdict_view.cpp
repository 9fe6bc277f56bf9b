#include "core/workbench/snapshot_builder.h"
#include "core/workbench/value_text.h"

#include <algorithm>

namespace plumbline::workbench {

using gate::GateStatus;
using session::Relation;
using session::Verdict;

namespace {

Tone toneOf(Relation relation) {
  switch (relation) {
  case Relation::Equal: return Tone::Good;
  case Relation::EqualModulo:
  case Relation::Reassociated:
  case Relation::Undetermined: return Tone::Weak;
  case Relation::Different: return Tone::Bad;
  case Relation::Conflict: return Tone::Alarm;
  case Relation::Error: return Tone::Neutral;
  }
  return Tone::Neutral;
}

/// The worst first: a conflict hides nothing, a difference beats what was not settled.
int severity(Relation relation) {
  switch (relation) {
  case Relation::Conflict: return 5;
  case Relation::Different: return 4;
  case Relation::Error:
  case Relation::Undetermined: return 3;
  case Relation::Reassociated: return 2;
  case Relation::EqualModulo: return 1;
  case Relation::Equal: return 0;
  }
  return 3;
}

std::string scopeText(const session::Scope& scope) {
  std::string text = scope.kind == "all" ? "all sizes" : "the captured shape";
  const char* separator = ": ";
  if (scope.kind != "all" && !scope.shape.empty()) {
    text += ": [";
    for (size_t i = 0; i < scope.shape.size(); ++i)
      text += (i == 0 ? "" : ", ") + std::to_string(scope.shape[i]);
    text += "]";
    separator = ", ";
  }
  for (const auto& [symbol, range] : scope.ranges) {
    text += separator + std::to_string(range.first) + " <= " + symbol + " <= " + std::to_string(range.second);
    separator = ", ";
  }
  for (const std::string& condition : scope.conditions) {
    text += separator + condition;
    separator = ", ";
  }
  return text;
}

std::string relationText(const session::ReadingResult& result) {
  std::string text(session::name(result.relation));
  for (size_t i = 0; i < result.modulo.size(); ++i)
    text += (i == 0 ? " under " : ", ") + result.modulo[i];
  return text;
}

ReadingView readingView(const session::ReadingResult& result) {
  return {std::string(session::name(result.reading)),   relationText(result), toneOf(result.relation),
          result.scope ? scopeText(*result.scope) : "", result.reason,        result.next};
}

CaseStatus statusOf(session::GoalStatus status) {
  switch (status) {
  case session::GoalStatus::Open: return CaseStatus::Open;
  case session::GoalStatus::Closed: return CaseStatus::Closed;
  case session::GoalStatus::Witnessed: return CaseStatus::Witnessed;
  case session::GoalStatus::Conflict: return CaseStatus::Conflict;
  }
  return CaseStatus::Open;
}

std::string artefactText(const Json& artefact) {
  if (artefact.is_null())
    return {};
  return artefact.is_string() ? artefact.get<std::string>() : artefact.dump();
}

GoalRow goalRow(const session::Goal& goal) {
  GoalRow row;
  row.name = goal.name.starts_with("gate: ") ? goal.name.substr(6) : goal.name;
  row.group = goal.reading.empty() ? "safety gate" : "value under " + goal.reading;
  row.status = statusOf(goal.status);
  row.statement = goal.statement;
  row.spans = goal.spans;
  for (const session::Evidence& evidence : goal.evidence) {
    EvidenceRow shown{evidence.engine, evidence.result, artefactText(evidence.artefact), evidence.text,
                      evidence.timeMs};
    if (shown.text.empty() && !evidence.artefact.is_null())
      shown.text = prettyJson(evidence.artefact);
    row.timeMs += evidence.timeMs;
    row.evidence.push_back(std::move(shown));
  }
  return row;
}

std::string extentsText(const std::array<int64_t, 3>& extents) {
  return "(" + std::to_string(extents[0]) + "," + std::to_string(extents[1]) + "," +
         std::to_string(extents[2]) + ")";
}

std::string threadText(const ir::ThreadId& thread) {
  return "block " + extentsText(thread.block) + " thread " + extentsText(thread.thread);
}

std::string sizesText(const std::map<std::string, int64_t>& sizes) {
  std::string text;
  for (const auto& [symbol, value] : sizes)
    text += (text.empty() ? "" : "; ") + symbol + " = " + std::to_string(value);
  return text;
}

std::string findingText(const gate::Finding& finding) {
  std::string text = finding.message;
  for (const ir::ThreadId& thread : finding.threads)
    text += "; " + threadText(thread);
  return finding.sizes.empty() ? text : text + "; " + sizesText(finding.sizes);
}

FindingView findingView(const gate::Finding& finding) {
  FindingView view;
  view.kind = finding.kind;
  view.message = finding.message;
  view.sizes = sizesText(finding.sizes);
  for (const ir::ThreadId& thread : finding.threads)
    view.threads.push_back(threadText(thread));
  view.spans = finding.spans;
  if (!finding.picture)
    return view;
  view.array = finding.picture->buffer;
  view.element = finding.picture->index;
  view.length = finding.picture->length;
  for (const gate::PictureAccess& access : finding.picture->accesses)
    view.touches.push_back({threadText(access.thread), access.index,
                            access.atomic  ? TouchKind::Atomic
                            : access.write ? TouchKind::Write
                                           : TouchKind::Read,
                            access.where});
  return view;
}

SafetyView safetyView(const Verdict& verdict) {
  SafetyView view;
  if (!verdict.gate)
    return view;
  view.status = gate::name(verdict.gate->status);
  view.reason = verdict.gate->reason;
  view.obligations = verdict.gate->obligations.size();
  for (const gate::ObligationResult& each : verdict.gate->obligations)
    view.proved += each.proof.status == gate::ProofStatus::Proved && !each.proof.conflict;
  for (const gate::Finding& finding : verdict.gate->findings)
    view.findings.push_back(findingView(finding));
  return view;
}

/// Everything that concerns a line, most serious first.
std::vector<Mark> marksOf(const Verdict& verdict) {
  std::vector<Mark> marks;
  if (verdict.error && verdict.error->where && verdict.rejections.empty())
    marks.push_back({MarkKind::Error, verdict.error->id, verdict.error->message, *verdict.error->where});
  for (const Rejection& rejection : verdict.rejections)
    marks.push_back({MarkKind::Error, rejection.id, rejection.construct, rejection.where});
  if (verdict.gate)
    for (const gate::Finding& finding : verdict.gate->findings)
      for (const SourceRange& span : finding.spans)
        marks.push_back({MarkKind::Finding, finding.kind, findingText(finding), span});
  for (const session::Goal& goal : verdict.goals)
    if (goal.reading.empty() && goal.status == session::GoalStatus::Open)
      for (const SourceRange& span : goal.spans)
        marks.push_back({MarkKind::Note, "not-proved", "not proved: " + goal.name, span});
  return marks;
}

std::string headlineOf(const Verdict& verdict, Relation worst) {
  if (verdict.error)
    return (verdict.rejections.empty() ? "Not checked: " : "Rejected: ") + verdict.error->message;
  if (verdict.gate && verdict.gate->status == GateStatus::Refused)
    return "Refused: the kernel is not safe, so it has no single meaning to compare";
  switch (worst) {
  case Relation::Equal: return "Equal: the kernel and the module give the same value on every input";
  case Relation::EqualModulo: return "Equal if the functions named are the same on both sides";
  case Relation::Reassociated: return "Equal up to the order of a reduction";
  case Relation::Different: return "Different: there is an input on which they differ";
  case Relation::Conflict: return "Conflict: engines or replays contradict each other; trust nothing here";
  case Relation::Undetermined:
  case Relation::Error: return "Undetermined: not settled";
  }
  return "Undetermined: not settled";
}

Tone headlineTone(const Verdict& verdict, Relation worst) {
  if (verdict.error)
    return verdict.rejections.empty() ? Tone::Bad : Tone::Weak;
  if (verdict.gate && verdict.gate->status == GateStatus::Refused)
    return Tone::Bad;
  return worst == Relation::Error ? Tone::Weak : toneOf(worst);
}

} // namespace

void showVerdict(const Verdict& verdict, Snapshot& snapshot) {
  Relation worst = verdict.readings.empty() ? Relation::Undetermined : Relation::Equal;
  for (const session::ReadingResult& result : verdict.readings) {
    snapshot.readings.push_back(readingView(result));
    if (severity(result.relation) > severity(worst))
      worst = result.relation;
  }
  if (session::overall(verdict) == Relation::Conflict)
    worst = Relation::Conflict;
  snapshot.headline = headlineOf(verdict, worst);
  snapshot.tone = headlineTone(verdict, worst);
  snapshot.error = verdict.error;
  snapshot.marks = marksOf(verdict);
  snapshot.safety = safetyView(verdict);
  for (const session::Goal& goal : verdict.goals)
    snapshot.goals.push_back(goalRow(goal));
  snapshot.assumptions.assign(verdict.assumptions.begin(), verdict.assumptions.end());
  for (const gate::Hypothesis& hypothesis : verdict.hypotheses)
    snapshot.hypotheses.push_back(hypothesis.text + " (" + hypothesis.origin + ")");
  snapshot.notes.assign(verdict.notes.begin(), verdict.notes.end());
  snapshot.timeMs = verdict.timeMs;
}

std::vector<std::string> missingTools() {
  std::vector<std::string> missing;
  for (const char* solver : {"z3", "cvc5"})
    if (findProgram(solver).empty())
      missing.push_back(std::string(solver) + " is not installed: goals that need a solver stay open " +
                        "(apt-get install " + solver + ")");
  for (const auto& [program, loss] : {std::pair("plumbline-cuda", "no kernel can be read"),
                                      std::pair("plumbline-sweep", "values cannot be swept")})
    if (findCompanion(program).empty())
      missing.push_back(std::string(program) + " was not found beside this program: " + loss);
  if (std::getenv("PLUMBLINE_PYTHON") == nullptr && findProgram("python3").empty())
    missing.push_back("python3 is not installed: .py modules cannot be captured, and nothing is replayed in "
                      "PyTorch (apt-get install python3-torch)");
  return missing;
}

} // namespace plumbline::workbench

#include "core/workbench/project.h"

#include "core/session/pytorch_replay.h"
#include "core/workbench/case_solver.h"
#include "core/workbench/snapshot_builder.h"
#include "core/workbench/step_program.h"
#include "core/workbench/value_text.h"

#include <algorithm>
#include <atomic>

namespace plumbline::workbench {

using session::CheckOptions;
using session::Comparison;
using session::Relation;

namespace {

std::atomic<uint64_t> lastRevision{0};

Expected<CheckOptions> optionsOf(const Request& request) {
  CheckOptions options;
  options.model = request.model;
  options.kernel = request.kernel;
  options.assume = request.assume;
  options.mode = request.mode;
  options.kernelName = request.kernelName;
  options.launchFile = request.launchFile;
  options.readings.clear();
  for (const std::string& reading : request.readings) {
    const Expected<session::Reading> known = session::readingFromName(reading);
    if (!known)
      return fail(known.error());
    options.readings.push_back(*known);
  }
  if (options.readings.empty())
    return fail(ErrorKind::Usage, "reading-unknown", "no reading was asked for", "choose ieee or real");
  return options;
}

/// What the check found about the value of an output as a whole.
WholeGoal wholeGoal(const session::Verdict& verdict, const Comparison& comparison, size_t output) {
  WholeGoal whole;
  if (!comparison.spec.openConstants.empty())
    whole.distrust = "open-constant: the graph does not hold the value of '" +
                     comparison.spec.openConstants.front() +
                     "', so a difference for some value does not count";
  const auto reading = std::find_if(
      verdict.readings.begin(), verdict.readings.end(),
      [](const session::ReadingResult& result) { return result.reading == session::Reading::Ieee; });
  if (reading == verdict.readings.end())
    return whole;
  const std::string name = "value of output " + std::to_string(output);
  size_t closed = 0;
  size_t all = 0;
  for (const session::Goal& goal : verdict.goals) {
    if (goal.reading != "ieee" || (goal.name != name && !goal.name.starts_with(name + ",")))
      continue;
    ++all;
    closed += goal.status == session::GoalStatus::Closed ? 1 : 0;
    whole.result.timeMs += goal.evidence.empty() ? 0 : goal.evidence.back().timeMs;
    if (!goal.evidence.empty()) {
      whole.result.engine = goal.evidence.back().engine;
      whole.result.result = goal.evidence.back().result;
    }
    if (goal.status == session::GoalStatus::Witnessed && reading->witness &&
        !reading->witness->elementValues.empty()) {
      whole.result.status = CaseStatus::Witnessed;
      whole.result.witness = reading->witness->elementValues;
    }
  }
  if (all > 0 && closed == all)
    whole.result.status = CaseStatus::Closed;
  if (reading->relation == Relation::Conflict)
    whole.result.status = CaseStatus::Conflict;
  if (whole.result.status == CaseStatus::Open || whole.result.status == CaseStatus::Conflict)
    whole.result.reason = reading->reason;
  return whole;
}

const char* replayText(session::Replay replay) {
  switch (replay) {
  case session::Replay::NotRun: return "not run";
  case session::Replay::Confirmed: return "confirmed";
  case session::Replay::Contradicted: return "contradicted";
  }
  return "not run";
}

} // namespace

struct Project::State {
  session::CheckPool pool;
  std::shared_ptr<Comparison> comparison;
  std::vector<std::unique_ptr<CaseSolver>> solvers; ///< one an element goal
  std::map<std::string, int> nodeOf;

  CaseSolver* solver(int goal) {
    return goal >= 0 && goal < static_cast<int>(solvers.size()) ? solvers[static_cast<size_t>(goal)].get()
                                                                : nullptr;
  }

  void forget() {
    solvers.clear();
    comparison.reset();
    nodeOf.clear();
  }

  void showSources(const Request& request, Snapshot& snapshot);
  void showCases(const session::Verdict& verdict, Snapshot& snapshot, const StopToken& stop);
  void showWitnesses(const session::Verdict& verdict, Snapshot& snapshot) const;
  void linkGoals(Snapshot& snapshot) const;
  RunResult run(int goal, const std::vector<uint32_t>& values, bool inPyTorch, const StopToken& stop);
};

void Project::State::showSources(const Request& request, Snapshot& snapshot) {
  snapshot.cuda.file = request.kernel;
  if (comparison && !comparison->candidate.text.empty()) {
    snapshot.cuda.text = comparison->candidate.text;
    snapshot.cuda.extracted = request.kernel.ends_with(".py");
  } else if (const Expected<std::string> text = readFile(request.kernel)) {
    snapshot.cuda.text = *text;
  }
  if (comparison && comparison->graph)
    snapshot.graph = graphNodes(*comparison->graph, nodeOf);
}

void Project::State::showCases(const session::Verdict& verdict, Snapshot& snapshot, const StopToken& stop) {
  const bool ieee =
      std::any_of(verdict.readings.begin(), verdict.readings.end(), [](const session::ReadingResult& result) {
        return result.reading == session::Reading::Ieee;
      });
  if (!ieee || !comparison->problem)
    return;
  for (const session::ElementGoal& goal : comparison->elements) {
    auto made = std::make_unique<CaseSolver>(*comparison, goal, wholeGoal(verdict, *comparison, goal.output));
    made->dropEmptyRows(pool, stop);
    snapshot.caseGoals.push_back(made->description());
    CaseNode root;
    root.goal = static_cast<int>(solvers.size());
    root.result = made->whole().result;
    snapshot.cases.nodes.push_back(std::move(root));
    const StepSources sources{nodeOf, snapshot.cuda, made->place()};
    snapshot.programs.push_back(makeStepProgram(*comparison, goal, sources));
    for (Link& link : linksOf(*comparison, goal, nodeOf))
      snapshot.links.push_back(std::move(link));
    solvers.push_back(std::move(made));
  }
}

void Project::State::linkGoals(Snapshot& snapshot) const {
  for (GoalRow& row : snapshot.goals) {
    for (size_t k = 0; k < snapshot.caseGoals.size(); ++k) {
      const std::string& name = snapshot.caseGoals[k].name;
      if (row.group == "value under ieee" && (row.name == name || row.name.starts_with(name + ",")))
        row.caseGoal = static_cast<int>(k);
    }
    if (!row.name.starts_with("value of output "))
      continue;
    const std::string output =
        "output:" + row.name.substr(16, row.name.find_first_not_of("0123456789", 16) - 16);
    if (const auto node = nodeOf.find(output); node != nodeOf.end())
      row.nodes.push_back(node->second);
  }
}

void Project::State::showWitnesses(const session::Verdict& verdict, Snapshot& snapshot) const {
  for (const session::ReadingResult& result : verdict.readings) {
    if (!result.witness || (verdict.gate && verdict.gate->status == gate::GateStatus::Refused))
      continue;
    const session::Witness& witness = *result.witness;
    WitnessView view;
    view.reading = session::name(result.reading);
    view.output = witness.output;
    view.index = witness.index;
    for (const auto& [tensor, content] : witness.inputs)
      view.tensors.emplace_back(tensor, tensorText(content));
    view.spec = bitsText(witness.spec);
    for (const std::string& allowed : witness.allowed)
      view.allowed.push_back(bitsText(allowed));
    view.kernel = bitsText(witness.kernel);
    view.interpreter = replayText(witness.interpreter);
    view.pytorch = replayText(witness.pytorch);
    view.pytorchValue = bitsText(witness.pytorchValue);
    view.values = witness.elementValues;
    // The cases are those of the denotation, not of a device's.
    const bool isOfCases = result.reading == session::Reading::Ieee;
    for (size_t k = 0; k < solvers.size() && !view.values.empty() && isOfCases; ++k)
      if (view.caseGoal < 0 &&
          comparison->spec.outputs[comparison->elements[k].output].tensor.name == witness.output &&
          comparison->elements[k].inputs.size() == view.values.size())
        view.caseGoal = static_cast<int>(k);
    snapshot.witnesses.push_back(std::move(view));
  }
}

RunResult Project::State::run(int goal, const std::vector<uint32_t>& values, bool inPyTorch,
                              const StopToken& stop) {
  RunResult result;
  result.engine = inPyTorch ? "PyTorch" : "interpreter";
  CaseSolver* found = solver(goal);
  if (found == nullptr || values.size() != found->goal().inputs.size()) {
    result.message = "nothing has been checked yet";
    return result;
  }
  if (!found->place()) {
    result.message = "no small shape satisfies the hypotheses";
    return result;
  }
  const session::Place& place = *found->place();
  const Expected<session::Witness> witness = session::replayCandidate(
      comparison->store, *comparison->problem, found->goal(), {place.sizes, place.index, values}, stop);
  if (!witness) {
    result.message = witness.error().message;
    return result;
  }
  std::string bits = witness->kernel;
  if (inPyTorch) {
    const Expected<uint32_t> answer =
        session::valueInPyTorch(*comparison->graph, *witness, pool.children, stop);
    if (!answer) {
      result.message = answer.error().message;
      return result;
    }
    bits = session::hexBits(*answer);
  }
  result.ran = true;
  result.value = bitsText(bits);
  result.bits = static_cast<uint32_t>(std::stoul(bits, nullptr, 16));
  result.message = "element " + std::to_string(place.index) + " of " + witness->output;
  for (const auto& [symbol, size] : place.sizes)
    result.message += ", " + symbol + " = " + std::to_string(size);
  return result;
}

Project::Project() : m_state(std::make_unique<State>()) {}
Project::~Project() = default;

void Project::warmUp() {
  CheckOptions options;
  m_state->pool.children.start(options);
  m_state->pool.portfolio.start();
}

SnapshotPtr Project::open(const Request& request, const StopToken& stop) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->revision = ++lastRevision;
  snapshot->request = request;
  snapshot->headline = "Not checked yet";
  snapshot->missing = missingTools();
  m_state->forget();
  m_state->showSources(request, *snapshot);
  if (request.model.ends_with(".py"))
    return snapshot;
  CheckOptions options;
  options.model = request.model;
  if (const Expected<torch::Graph> graph = m_state->pool.children.readModel(options, stop)) {
    std::map<std::string, int> nodeOf;
    snapshot->graph = graphNodes(*graph, nodeOf);
  }
  return snapshot;
}

SnapshotPtr Project::check(const Request& request, const StopToken& stop, const Progress& progress) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->revision = ++lastRevision;
  snapshot->request = request;
  snapshot->missing = missingTools();
  m_state->forget();
  const Expected<CheckOptions> options = optionsOf(request);
  if (!options) {
    snapshot->error = options.error();
    snapshot->headline = "Not checked: " + options.error().message;
    snapshot->tone = Tone::Bad;
    return snapshot;
  }
  session::CheckOutcome outcome = session::runCheck(*options, m_state->pool, stop, progress);
  m_state->comparison = outcome.comparison;
  m_state->showSources(request, *snapshot);
  if (stop.stopRequested()) {
    // What a stopped check says is not an answer, even when it had one.
    snapshot->headline = "Cancelled: nothing is known";
    return snapshot;
  }
  showVerdict(outcome.verdict, *snapshot);
  snapshot->method = methodText(*m_state->comparison, m_state->nodeOf);
  m_state->showCases(outcome.verdict, *snapshot, stop);
  m_state->linkGoals(*snapshot);
  m_state->showWitnesses(outcome.verdict, *snapshot);
  return snapshot;
}

CaseResult Project::settle(int goal, const CasePath& path, const StopToken& stop, const Progress& progress) {
  if (CaseSolver* found = m_state->solver(goal))
    return found->settle(path, m_state->pool, stop, progress);
  CaseResult result;
  result.reason = "nothing has been checked yet";
  return result;
}

void Project::settleMatrix(int goal, int variable, const StopToken& stop,
                           const std::function<void(const MatrixCell&)>& cell) {
  CaseSolver* found = m_state->solver(goal);
  if (found == nullptr || variable < 0 || variable >= static_cast<int>(found->description().variables.size()))
    return;
  const std::vector<CasePath>& rows = found->description().rows;
  for (size_t row = 0; row < rows.size(); ++row)
    for (int k = 0; k < floatClassCount && !stop.stopRequested(); ++k) {
      MatrixCell result{static_cast<int>(row), static_cast<FloatClass>(k), {}, true};
      CasePath path = rows[row];
      path.push_back({-1, true, variable, result.floatClass});
      result.result = found->settle(path, m_state->pool, stop, {});
      if (!stop.stopRequested())
        cell(result);
    }
}

RunResult Project::runInterpreter(int goal, const std::vector<uint32_t>& values, const StopToken& stop) {
  return m_state->run(goal, values, false, stop);
}

RunResult Project::runPyTorch(int goal, const std::vector<uint32_t>& values, const StopToken& stop) {
  return m_state->run(goal, values, true, stop);
}

} // namespace plumbline::workbench

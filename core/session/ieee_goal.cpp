#include "core/engine/candidates.h"
#include "core/f32/soft_float.h"
#include "core/logic/opaque_names.h"
#include "core/logic/term_text.h"
#include "core/session/sides.h"
#include "core/session/value_goal.h"

#include <algorithm>
#include <chrono>

namespace plumbline::session {

using engine::CaseLeaf;
using engine::CaseSplit;
using engine::PortfolioResult;
using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t maxLeaves = 512;
constexpr size_t singleCandidates = 4096;
constexpr size_t severalCandidates = 40000;
constexpr size_t enclosureCandidates = 2000;
constexpr size_t maxPlaces = 24;
constexpr uint64_t searchSeed = 20240229;

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class IeeeGoal {
public:
  IeeeGoal(TermStore& store, const gate::Problem& problem, const ElementGoal& goal, const Engines& engines,
           const StopToken& stop)
      : m_store(store), m_problem(problem), m_goal(goal), m_engines(engines), m_stop(stop),
        m_normalise(store), m_kernel(m_normalise(goal.kernel)),
        m_variants(engine::choiceVariants(store, m_normalise, goal.spec, goal.choices)) {
    const auto kernelOpaque = engine::opaqueSpellings(store, goal.kernel);
    const auto specOpaque = engine::opaqueSpellings(store, goal.spec);
    m_hasOpaque = !kernelOpaque.empty() || !specOpaque.empty();
    m_name = "value of output " + std::to_string(goal.output);
  }

  GoalOutcome run() {
    if (m_variants.empty())
      return undetermined("too-many-zero-signs: the spec leaves more than eight signs of zero open",
                          "split the module into smaller ones");
    if (std::find(m_variants.begin(), m_variants.end(), m_kernel) != m_variants.end())
      return equal(closed(m_name, "normalise", "syntactically equal after normalisation", 0));
    if (const bool decided = m_hasOpaque ? searchEnclosures() : searchWitness(); decided)
      return std::move(m_outcome);
    return prove();
  }

private:
  // --- Outcomes ---

  Goal closed(std::string goalName, std::string engineName, std::string result, double timeMs) {
    Goal goal{std::move(goalName), "ieee", GoalStatus::Closed, statement(), m_goal.spans, {}};
    goal.evidence.push_back({std::move(engineName), std::move(result), {}, timeMs, {}});
    return goal;
  }

  std::string statement() const {
    return logic::displayText(m_store, m_goal.kernel) + "  =  " + logic::displayText(m_store, m_goal.spec);
  }

  GoalOutcome equal(Goal goal) {
    m_outcome.goals.push_back(std::move(goal));
    return equal();
  }

  GoalOutcome equal() {
    m_outcome.modulo = joinedFunctions(m_store, m_goal.kernel, m_goal.spec);
    m_outcome.relation = m_outcome.modulo.empty() ? Relation::Equal : Relation::EqualModulo;
    return std::move(m_outcome);
  }

  GoalOutcome undetermined(std::string reason, std::string next) {
    m_outcome.relation = Relation::Undetermined;
    m_outcome.reason = std::move(reason);
    m_outcome.next = std::move(next);
    return std::move(m_outcome);
  }

  GoalOutcome conflict(std::string reason, Goal goal) {
    goal.status = GoalStatus::Conflict;
    m_outcome.goals.push_back(std::move(goal));
    m_outcome.relation = Relation::Conflict;
    m_outcome.reason = std::move(reason);
    return std::move(m_outcome);
  }

  void progress(const std::string& text) const {
    if (m_engines.progress)
      m_engines.progress(text);
  }

  // --- Witness search ---

  const std::vector<Place>& placesToTry() {
    if (!m_places)
      m_places = places(m_store, m_problem, m_goal, m_goal.sizeDependent ? maxPlaces : 1);
    return *m_places;
  }

  Evaluation evaluationAt(const Place& place) { return {m_store, m_problem, m_goal, place}; }
  EnclosureEvaluation enclosuresAt(const Place& place) { return {m_store, m_problem, m_goal, place}; }

  bool searchWitness() {
    progress("searching for a separating input");
    const TermId roots[] = {m_goal.kernel, m_goal.spec};
    const std::vector<uint32_t> patterns = engine::candidatePatterns(m_store, roots);
    for (const Place& place : placesToTry()) {
      Evaluation evaluation = evaluationAt(place);
      if (m_goal.inputs.empty()) {
        if (evaluation.differs({}))
          return replay({place.sizes, place.index, {}}, "evaluation");
        continue;
      }
      engine::CandidateGenerator generator(patterns, m_goal.inputs.size(), searchSeed);
      const size_t limit = m_goal.inputs.size() <= 1 ? singleCandidates : severalCandidates;
      for (size_t tried = 0; tried < limit; ++tried) {
        if (tried % 256 == 0 && m_stop.stopRequested())
          return false;
        const std::vector<uint32_t> values = generator.next();
        if (evaluation.differs(values))
          return shrinkAndReplay(place, evaluation, values, patterns, "search");
      }
    }
    return false;
  }

  template <class E>
  bool shrinkAndReplay(const Place& place, E& evaluation, std::vector<uint32_t> values,
                       const std::vector<uint32_t>& patterns, const std::string& foundBy) {
    if (!values.empty())
      values = engine::shrink(std::move(values), patterns,
                              [&](std::span<const uint32_t> tried) { return evaluation.differs(tried); });
    for (uint32_t& bits : values)
      bits = f32::Soft<f32::Binary32>::canonical(bits);
    return replay({place.sizes, place.index, std::move(values)}, foundBy);
  }

  /// True when the candidate decided the goal: a confirmed witness, or a conflict.
  bool replay(const Candidate& candidate, const std::string& foundBy) {
    const auto start = Clock::now();
    Expected<Witness> witness = replayCandidate(m_store, m_problem, m_goal, candidate, m_stop);
    if (!witness) {
      if (witness.error().id == "witness-cells")
        return false;
      m_outcome.relation = Relation::Undetermined;
      m_outcome.reason = "replay-failed: " + witness.error().message;
      m_outcome.next = "report this input: the proof engines and the interpreter do not see the same program";
      return true;
    }
    Goal goal{m_name, "ieee", GoalStatus::Witnessed, statement(), m_goal.spans, {}};
    goal.evidence.push_back({foundBy, "separating input", {}, 0, {}});
    if (witness->interpreter != Replay::Confirmed) {
      goal.evidence.push_back({"interpreter", "does not reproduce the difference", {}, since(start), {}});
      conflict("engine '" + foundBy + "' found a separating input that the interpreter does not reproduce",
               goal);
      m_outcome.relation = Relation::Conflict;
      return true;
    }
    goal.evidence.push_back({"interpreter", "reproduces the difference", {}, since(start), {}});
    m_outcome.goals.push_back(std::move(goal));
    m_outcome.relation = Relation::Different;
    m_outcome.witness = *std::move(witness);
    return true;
  }

  /// With opaque functions only disjoint enclosures separate.
  bool searchEnclosures();

  // --- Proof ---

  GoalOutcome prove() {
    progress("splitting cases");
    const auto start = Clock::now();
    CaseSplit split =
        engine::splitCases(m_store, m_normalise, m_kernel, m_goal.spec, m_goal.choices, maxLeaves);
    if (split.closed())
      return equal(closed(m_name, "normalise", "closed in " + std::to_string(split.leaves.size()) + " cases",
                          since(start)));
    if (canSweep())
      return sweep();
    if (!split.complete)
      return undetermined("too-many-cases: more than " + std::to_string(maxLeaves) + " cases",
                          "simplify the kernel's guards");
    return proveLeaves(split, since(start));
  }

  bool canSweep() const {
    return m_engines.sweeper != nullptr && !m_hasOpaque && !m_goal.sizeDependent && m_goal.inputs.size() == 1;
  }

  GoalOutcome sweep() {
    progress("sweeping all 2^32 values of " + m_store.symbolText(m_goal.inputs[0].variable));
    engine::SweepTask task;
    task.store = &m_store;
    task.left = m_goal.kernel;
    task.rights = engine::underEveryChoice(m_store, m_goal.spec, m_goal.choices);
    task.hypothesis = m_store.boolean(true);
    task.variable = m_store.symbolText(m_goal.inputs[0].variable);
    task.jobs = m_engines.jobs;
    const Expected<engine::SweepResult> result = m_engines.sweeper->run(task, m_stop);
    if (!result)
      return undetermined(result.error().id + ": " + result.error().message, result.error().next);
    if (result->outcome == engine::SweepResult::Outcome::Different && result->first)
      return sweepDifference(*result);
    if (!result->complete())
      return undetermined("timeout: the sweep was stopped before it was complete", "raise --timeout");
    Goal goal = closed(m_name, "sweep", "equal on all 2^32 values", result->timeMs);
    goal.evidence.back().artefact = engine::toJson(*result, task);
    return equal(std::move(goal));
  }

  GoalOutcome sweepDifference(const engine::SweepResult& result) {
    const std::vector<Place>& candidates = placesToTry();
    if (candidates.empty())
      return undetermined("no-small-shape: no small shape to show the difference on",
                          "widen the size hypotheses");
    Evaluation evaluation = evaluationAt(candidates.front());
    const std::vector<uint32_t> values{*result.first};
    if (!evaluation.differs(values))
      return conflict("the sweep and exact evaluation disagree at " + hexBits(*result.first),
                      closed(m_name, "sweep", "differs at " + hexBits(*result.first), result.timeMs));
    const TermId roots[] = {m_goal.kernel, m_goal.spec};
    shrinkAndReplay(candidates.front(), evaluation, values, engine::candidatePatterns(m_store, roots),
                    "sweep");
    return std::move(m_outcome);
  }

  GoalOutcome proveLeaves(const CaseSplit& split, double splitMs) {
    if (m_engines.portfolio == nullptr)
      return undetermined("solver-missing: no solver is available",
                          "install z3 and cvc5; `plumbline doctor` tells how");
    size_t number = 0;
    std::string openReason;
    for (const CaseLeaf& leaf : split.leaves) {
      const std::string leafName = m_name + ", case " + std::to_string(++number);
      if (leaf.closed) {
        m_outcome.goals.push_back(
            closed(leafName, "normalise", "syntactically equal after normalisation", splitMs));
        splitMs = 0;
        continue;
      }
      if (const bool decided = proveLeaf(leaf, leafName, openReason); decided)
        return std::move(m_outcome);
    }
    if (openReason.empty())
      return equal();
    return undetermined(
        openReason, m_hasOpaque ? "test the opaque functions on a device, or use one spelling on both sides"
                                : "raise --timeout, or split the open case further");
  }

  /// True when the whole goal is decided (witness or conflict).
  bool proveLeaf(const CaseLeaf& leaf, const std::string& leafName, std::string& openReason) {
    progress("asking the solvers about " + leafName);
    const TermId hypothesis = engine::pathCondition(m_store, leaf.path);
    const auto assertions =
        engine::differenceAssertions(m_store, leaf.left, leaf.right, hypothesis, engine::SmtReading::Ieee);
    Goal goal{leafName, "ieee", GoalStatus::Open, logic::displayText(m_store, hypothesis), m_goal.spans, {}};
    const Expected<engine::SmtQuery> query = engine::smtQuery(m_store, assertions, {});
    const Expected<PortfolioResult> result =
        query ? m_engines.portfolio->run(*query, m_engines.solverLimit, m_stop)
              : tl::unexpected(query.error());
    if (!result) {
      openReason = result.error().id + ": " + result.error().message;
      m_outcome.goals.push_back(std::move(goal));
      return false;
    }
    for (const engine::SolverAnswer& answer : result->answers)
      if (answer.status != engine::SolverStatus::NotRun)
        goal.evidence.push_back({answer.engine,
                                 std::string(engine::statusName(answer.status)),
                                 {},
                                 answer.timeMs,
                                 result->queryText});
    return applyAnswer(*query, *result, leaf, std::move(goal), openReason);
  }

  bool applyAnswer(const engine::SmtQuery& query, const PortfolioResult& result, const CaseLeaf& leaf,
                   Goal goal, std::string& openReason) {
    switch (result.outcome) {
    case PortfolioResult::Outcome::Unsat: goal.status = GoalStatus::Closed; break;
    case PortfolioResult::Outcome::Conflict:
      conflict("the solvers contradict each other on " + goal.name, std::move(goal));
      return true;
    case PortfolioResult::Outcome::Sat:
      if (!m_hasOpaque && result.model && replayModel(query, *result.model))
        return true;
      openReason = m_hasOpaque ? "opaque-functions: " + opaqueDifference(leaf)
                               : "model-not-replayed: a solver's model could not be replayed";
      break;
    case PortfolioResult::Outcome::Unknown:
      openReason = "timeout: no solver settled " + goal.name + " within its limit";
      break;
    }
    m_outcome.goals.push_back(std::move(goal));
    return false;
  }

  std::string opaqueDifference(const CaseLeaf& leaf) {
    std::set<std::string> names = engine::opaqueSpellings(m_store, leaf.left);
    for (TermId right : leaf.right)
      names.merge(engine::opaqueSpellings(m_store, right));
    std::string text = "equality depends on functions without a bit-exact meaning (";
    for (const std::string& spelling : names)
      text += (text.back() == '(' ? "" : ", ") + spelling;
    return text + ")";
  }

  bool replayModel(const engine::SmtQuery& query, const engine::SmtModel& model) {
    std::vector<uint32_t> values(m_goal.inputs.size(), 0);
    for (size_t i = 0; i < query.variables.size(); ++i)
      for (size_t k = 0; k < m_goal.inputs.size(); ++k)
        if (m_goal.inputs[k].variable == query.variables[i].term)
          values[k] = static_cast<uint32_t>(model[i].payload);
    const TermId roots[] = {m_goal.kernel, m_goal.spec};
    const std::vector<uint32_t> patterns = engine::candidatePatterns(m_store, roots);
    for (const Place& place : placesToTry()) {
      Evaluation evaluation = evaluationAt(place);
      if (evaluation.differs(values))
        return shrinkAndReplay(place, evaluation, values, patterns, "solver");
    }
    return false;
  }

  TermStore& m_store;
  const gate::Problem& m_problem;
  const ElementGoal& m_goal;
  const Engines& m_engines;
  const StopToken& m_stop;
  engine::Normaliser m_normalise;
  TermId m_kernel;
  std::vector<TermId> m_variants;
  bool m_hasOpaque = false;
  std::string m_name;
  std::optional<std::vector<Place>> m_places;
  GoalOutcome m_outcome;
};

bool IeeeGoal::searchEnclosures() {
  progress("searching for an input with disjoint enclosures");
  const TermId roots[] = {m_goal.kernel, m_goal.spec};
  const std::vector<uint32_t> patterns = engine::candidatePatterns(m_store, roots);
  for (const Place& place : placesToTry()) {
    EnclosureEvaluation evaluation = enclosuresAt(place);
    engine::CandidateGenerator generator(patterns, m_goal.inputs.size(), searchSeed);
    for (size_t tried = 0; tried < enclosureCandidates && !m_goal.inputs.empty(); ++tried) {
      if (tried % 64 == 0 && m_stop.stopRequested())
        return false;
      std::vector<uint32_t> values = generator.next();
      if (!evaluation.differs(values))
        continue;
      for (const std::string& spelling : evaluation.compiled().opaqueFunctions())
        m_outcome.assumptions.insert("ulp-bound(" + spelling + ")");
      return shrinkAndReplay(place, evaluation, std::move(values), patterns, "enclosure");
    }
  }
  return false;
}

} // namespace

std::set<std::string> joinedFunctions(const TermStore& store, TermId kernel, TermId spec) {
  std::map<std::string, std::set<std::string>> spellings;
  const TermId roots[] = {kernel, spec};
  for (TermId id : store.postOrder(roots))
    if (store[id].op == Op::Opaque)
      spellings[logic::canonicalOpaque(store.symbolText(id), store[id].sort)].insert(store.symbolText(id));
  std::set<std::string> result;
  for (const auto& [function, names] : spellings)
    if (names.size() > 1)
      result.insert("same(" + function + ")");
  return result;
}

GoalOutcome settleIeee(TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                       const Engines& engines, const StopToken& stop) {
  return IeeeGoal(store, problem, goal, engines, stop).run();
}

} // namespace plumbline::session

#include "core/workbench/case_solver.h"

#include "core/engine/candidates.h"
#include "core/f32/soft_float.h"
#include "core/logic/term_text.h"
#include "core/session/sides.h"

#include <algorithm>

namespace plumbline::workbench {

using engine::PortfolioResult;
using engine::SmtReading;
using logic::Op;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t maxRows = 64;
constexpr size_t maxCandidates = 20000;
constexpr std::chrono::milliseconds solverLimit{3000};
constexpr std::chrono::milliseconds emptinessLimit{500};
constexpr std::chrono::milliseconds rowBudget{400};
constexpr size_t maxMemberCandidates = 4000;
constexpr uint64_t searchSeed = 20261130;

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct PatternRange {
  uint32_t first;
  uint32_t last; ///< inclusive
};

/// The bit patterns of a class; of NaN the canonical one, since all NaNs are one value.
PatternRange patternsOf(FloatClass floatClass) {
  switch (floatClass) {
  case FloatClass::NaN: return {0x7FC00000, 0x7FC00000};
  case FloatClass::NegativeInfinity: return {0xFF800000, 0xFF800000};
  case FloatClass::NegativeNormal: return {0x80800000, 0xFF7FFFFF};
  case FloatClass::NegativeSubnormal: return {0x80000001, 0x807FFFFF};
  case FloatClass::NegativeZero: return {0x80000000, 0x80000000};
  case FloatClass::PositiveZero: return {0x00000000, 0x00000000};
  case FloatClass::PositiveSubnormal: return {0x00000001, 0x007FFFFF};
  case FloatClass::PositiveNormal: return {0x00800000, 0x7F7FFFFF};
  case FloatClass::PositiveInfinity: return {0x7F800000, 0x7F800000};
  }
  return {0, 0};
}

bool singleValue(FloatClass floatClass) {
  const PatternRange range = patternsOf(floatClass);
  return range.first == range.last;
}

/// Terms `low <= value <= high` for finite bounds of one sign.
TermId between(TermStore& store, TermId low, TermId value, TermId high) {
  return store.land(store.binary(Op::FLe, low, value), store.binary(Op::FLe, value, high));
}

} // namespace

TermId classCondition(TermStore& store, TermId value, FloatClass floatClass) {
  const PatternRange range = patternsOf(floatClass);
  if (floatClass == FloatClass::NaN)
    return store.unary(Op::FIsNan, value);
  if (singleValue(floatClass))
    return store.binary(Op::FSame, value, store.f32Bits(range.first));
  // Patterns of a negative class grow away from zero.
  const bool negative = range.first >> 31 != 0;
  const TermId low = store.f32Bits(negative ? range.last : range.first);
  const TermId high = store.f32Bits(negative ? range.first : range.last);
  return between(store, low, value, high);
}

/// One case under work.
struct CaseSolver::Case {
  std::vector<engine::Decision> decisions;
  std::vector<std::optional<FloatClass>> classes; ///< by variable
  TermId hypothesis{};
  TermId left{};              ///< kernel under the decisions, normalised
  std::vector<TermId> right;  ///< variants of the spec, likewise
  bool contradictory = false; ///< two conditions exclude each other by themselves
  bool exact = false;         ///< every variable has one value: evaluation decides
  bool hasMember = false;     ///< a value of the case was found
  CaseResult result;
};

CaseSolver::CaseSolver(session::Comparison& comparison, const session::ElementGoal& goal, WholeGoal whole)
    : m_comparison(comparison), m_store(comparison.store), m_goal(goal), m_whole(std::move(whole)),
      m_normalise(comparison.store), m_kernel(m_normalise(goal.kernel)), m_spec(m_normalise(goal.spec)) {
  m_opaque = !engine::opaqueSpellings(m_store, goal.kernel).empty() ||
             !engine::opaqueSpellings(m_store, goal.spec).empty();
  m_description.name = "value of output " + std::to_string(goal.output);
  for (const session::ElementInput& input : goal.inputs)
    m_description.variables.push_back(m_store.symbolText(input.variable));
  findGuards();
}

void CaseSolver::findGuards() {
  const TermId roots[] = {m_kernel, m_spec};
  m_guards = engine::guardsOf(m_store, roots, m_goal.choices);
  const engine::CaseSplit split = engine::splitCases(m_store, m_normalise, m_kernel, m_spec, m_goal.choices,
                                                     maxRows, engine::SplitDepth::EveryGuard);
  for (const engine::CaseLeaf& leaf : split.leaves) {
    CasePath row;
    for (const engine::Decision& decision : leaf.path) {
      auto found = std::find(m_guards.begin(), m_guards.end(), decision.atom);
      if (found == m_guards.end())
        found = m_guards.insert(m_guards.end(), decision.atom);
      row.push_back({static_cast<int>(found - m_guards.begin()), decision.value, -1, FloatClass::NaN});
    }
    m_description.rows.push_back(std::move(row));
  }
  if (!split.complete) {
    m_description.rows = {CasePath{}};
    m_description.rowsNote = "more than " + std::to_string(maxRows) +
                             " combinations of guards: the rows are not told apart; split cases by hand";
  }
  for (TermId guard : m_guards)
    m_description.guards.push_back({logic::displayText(m_store, guard)});
}

const std::optional<session::Place>& CaseSolver::place() {
  if (!m_place) {
    const std::vector<session::Place> found = session::places(m_store, *m_comparison.problem, m_goal, 1);
    m_place = found.empty() ? std::nullopt : std::optional(found.front());
  }
  return *m_place;
}

Expected<CaseSolver::Case> CaseSolver::prepare(const CasePath& path) {
  Case current;
  current.classes.resize(m_goal.inputs.size());
  current.hypothesis = m_store.boolean(true);
  std::unordered_map<TermId, TermId> replacement;
  for (const CaseCondition& condition : path) {
    if (condition.guard >= 0 && condition.guard < static_cast<int>(m_guards.size())) {
      const TermId atom = m_guards[static_cast<size_t>(condition.guard)];
      const auto [known, fresh] = replacement.emplace(atom, m_store.boolean(condition.holds));
      current.contradictory |= !fresh && known->second != m_store.boolean(condition.holds);
      current.decisions.push_back({atom, condition.holds});
    } else if (condition.variable >= 0 && condition.variable < static_cast<int>(m_goal.inputs.size())) {
      const auto variable = static_cast<size_t>(condition.variable);
      current.contradictory |=
          current.classes[variable] && *current.classes[variable] != condition.floatClass;
      current.classes[variable] = condition.floatClass;
      current.hypothesis =
          m_store.land(current.hypothesis,
                       classCondition(m_store, m_goal.inputs[variable].variable, condition.floatClass));
    } else {
      return fail(ErrorKind::Internal, "case-unknown", "the case speaks of a guard that the goal has not");
    }
  }
  current.hypothesis = m_store.land(current.hypothesis, engine::pathCondition(m_store, current.decisions));
  current.left = m_normalise(m_store.substitute(m_kernel, replacement));
  current.right =
      engine::choiceVariants(m_store, m_normalise, m_store.substitute(m_spec, replacement), m_goal.choices);
  current.exact = !m_opaque && !m_goal.sizeDependent &&
                  std::all_of(current.classes.begin(), current.classes.end(),
                              [](const auto& known) { return known && singleValue(*known); });
  return current;
}

CaseResult CaseSolver::settle(const CasePath& path, session::CheckPool& pool, const StopToken& stop,
                              const Progress& progress) {
  const auto start = Clock::now();
  Expected<Case> current = prepare(path);
  if (!current) {
    CaseResult result;
    result.reason = current.error().id + ": " + current.error().message;
    return result;
  }
  CaseResult result = settleHere(*current, pool, stop, progress);
  if (result.status == CaseStatus::Open && stop.stopRequested())
    result.reason = "cancelled: stopped before it was settled";
  result.timeMs = since(start);
  return result;
}

CaseResult CaseSolver::settleHere(Case& current, session::CheckPool& pool, const StopToken& stop,
                                  const Progress& progress) {
  CaseResult& result = current.result;
  if (current.contradictory) {
    result.status = CaseStatus::Empty;
    result.engine = "cases";
    result.result = "its conditions exclude each other";
    return result;
  }
  if (current.right.empty()) {
    result.reason = "too-many-zero-signs: the spec leaves more than eight signs of zero open";
    return result;
  }
  if (searchValues(current, stop) || (!current.hasMember && isEmpty(current, pool, stop)))
    return result;
  if (m_whole.result.status == CaseStatus::Closed) {
    result.status = CaseStatus::Closed;
    result.engine = m_whole.result.engine;
    result.result = "the whole goal is proved: " + m_whole.result.result;
    return result;
  }
  if (std::find(current.right.begin(), current.right.end(), current.left) != current.right.end()) {
    result.status = CaseStatus::Closed;
    result.engine = "normalise";
    result.result = "syntactically equal in this case" + moduloText(current);
    return result;
  }
  if (progress)
    progress("asking the solvers about a case");
  askSolvers(current, pool, stop);
  if (result.status == CaseStatus::Open && !stop.stopRequested()) {
    if (progress)
      progress("sweeping the values of a case");
    sweep(current, pool, stop);
  }
  return result;
}

std::string CaseSolver::moduloText(const Case& current) const {
  std::string text;
  for (TermId right : current.right)
    for (const std::string& assumption : session::joinedFunctions(m_store, current.left, right))
      text += (text.empty() ? " under " : ", ") + assumption;
  return text;
}

namespace {

/// What to try for a variable, preferred first.
std::vector<uint32_t> valuesFor(const std::optional<FloatClass>& floatClass,
                                const std::vector<uint32_t>& patterns) {
  if (!floatClass)
    return patterns;
  if (singleValue(*floatClass))
    return {patternsOf(*floatClass).first};
  std::vector<uint32_t> values;
  for (uint32_t bits : patterns)
    if (classOf(bits) == *floatClass)
      values.push_back(bits);
  const PatternRange range = patternsOf(*floatClass);
  for (uint32_t bits : {range.first, range.last})
    if (std::find(values.begin(), values.end(), bits) == values.end())
      values.push_back(bits);
  std::mt19937_64 random(searchSeed);
  for (int k = 0; k < 64; ++k)
    values.push_back(range.first +
                     static_cast<uint32_t>(random() % (uint64_t{range.last} - range.first + 1)));
  return values;
}

/// Counts through all combinations, the first entries of every list first.
class Combinations {
public:
  explicit Combinations(std::vector<std::vector<uint32_t>> lists)
      : m_lists(std::move(lists)), m_index(m_lists.size(), 0) {}

  std::vector<uint32_t> current() const {
    std::vector<uint32_t> values;
    for (size_t i = 0; i < m_lists.size(); ++i)
      values.push_back(m_lists[i][m_index[i]]);
    return values;
  }

  bool next() {
    for (size_t i = m_index.size(); i-- > 0;) {
      if (++m_index[i] < m_lists[i].size())
        return true;
      m_index[i] = 0;
    }
    return false;
  }

private:
  std::vector<std::vector<uint32_t>> m_lists;
  std::vector<size_t> m_index;
};

/// Whether the hypothesis, the first extra root, holds at the values evaluated last.
bool holds(session::Evaluation& evaluation) {
  const Expected<logic::Value> value = evaluation.compiled().result(evaluation.firstExtra());
  return value && value->bits != 0;
}

/// Both sides have a value, and the kernel's is one that the spec allows.
bool agrees(session::Evaluation& evaluation) {
  const Expected<logic::Value> kernel = evaluation.compiled().result(0);
  for (size_t k = 0; kernel && k < evaluation.variants(); ++k)
    if (const Expected<logic::Value> spec = evaluation.compiled().result(1 + k);
        spec && logic::sameValue(*kernel, *spec))
      return true;
  return false;
}

} // namespace

/// True when the case is decided.
bool CaseSolver::searchValues(Case& current, const StopToken& stop) {
  if (!place())
    return false;
  const gate::Problem& problem = *m_comparison.problem;
  const TermId extra[] = {current.hypothesis};
  session::Evaluation evaluation(m_store, problem, m_goal, **m_place, extra);
  const TermId roots[] = {m_goal.kernel, m_goal.spec, current.hypothesis};
  const std::vector<uint32_t> patterns = engine::candidatePatterns(m_store, roots);
  std::vector<std::vector<uint32_t>> lists;
  for (const auto& floatClass : current.classes)
    lists.push_back(valuesFor(floatClass, patterns));
  std::optional<session::EnclosureEvaluation> enclosures;
  if (m_opaque)
    enclosures.emplace(m_store, problem, m_goal, **m_place);
  auto separates = [&](std::span<const uint32_t> values) {
    // `differs` evaluates, and `holds` reads what was evaluated.
    const bool differs = evaluation.differs(values);
    return holds(evaluation) && (enclosures ? enclosures->differs(values) : differs);
  };
  Combinations combinations(lists);
  size_t tried = 0;
  do {
    if (tried % 256 == 0 && stop.stopRequested())
      return false;
    std::vector<uint32_t> values = combinations.current();
    const bool found = separates(values);
    current.hasMember |= holds(evaluation);
    if (!found)
      continue;
    values = engine::shrink(std::move(values), patterns, separates);
    for (uint32_t& bits : values)
      bits = f32::Soft<f32::Binary32>::canonical(bits);
    replay(current, std::move(values), "search", stop);
    return true;
  } while (++tried < maxCandidates && combinations.next());
  if (!current.exact)
    return false;
  // One value was all there is: it is outside the case, or both sides agree on it.
  if (current.hasMember ? !agrees(evaluation) : !evaluation.compiled().result(evaluation.firstExtra()))
    return false;
  current.result.status = current.hasMember ? CaseStatus::Closed : CaseStatus::Empty;
  current.result.engine = "evaluation";
  current.result.result =
      current.hasMember ? "equal on the only value" : "the only value is not in this case";
  return true;
}

/// Whether one of a few likely values is in the case.
bool CaseSolver::findMember(Case& current) {
  if (!place())
    return false;
  const TermId extra[] = {current.hypothesis};
  session::Evaluation evaluation(m_store, *m_comparison.problem, m_goal, **m_place, extra);
  const TermId roots[] = {m_goal.kernel, m_goal.spec, current.hypothesis};
  engine::CandidateGenerator candidates(engine::candidatePatterns(m_store, roots), m_goal.inputs.size(),
                                        searchSeed);
  for (size_t tried = 0; tried < maxMemberCandidates; ++tried) {
    evaluation.evaluate(m_goal.inputs.empty() ? std::vector<uint32_t>{} : candidates.next());
    if (holds(evaluation))
      return true;
    if (m_goal.inputs.empty())
      return false;
  }
  return false;
}

void CaseSolver::dropEmptyRows(session::CheckPool& pool, const StopToken& stop) {
  const StopToken budget = stop.withTimeout(rowBudget);
  std::vector<CasePath> kept;
  for (const CasePath& row : m_description.rows) {
    Expected<Case> current = prepare(row);
    const bool empty = current && !budget.stopRequested() &&
                       (current->contradictory || (!findMember(*current) && isEmpty(*current, pool, budget)));
    if (!empty)
      kept.push_back(row);
  }
  const size_t dropped = m_description.rows.size() - kept.size();
  if (dropped == 0 || kept.empty())
    return;
  m_description.rows = std::move(kept);
  m_description.rowsNote = std::to_string(dropped) + (dropped == 1 ? " combination" : " combinations") +
                           " of guards that no input satisfies left out (proved by the solvers)";
}

bool CaseSolver::isEmpty(Case& current, session::CheckPool& pool, const StopToken& stop) {
  const TermId assertions[] = {current.hypothesis};
  const Expected<engine::SmtQuery> query = engine::smtQuery(m_store, assertions, {});
  if (!query)
    return false;
  const Expected<PortfolioResult> answer = pool.portfolio.run(*query, emptinessLimit, stop);
  if (!answer || answer->outcome != PortfolioResult::Outcome::Unsat)
    return false;
  current.result.status = CaseStatus::Empty;
  current.result.engine = answer->engine;
  current.result.result = "no value is in this case";
  current.result.text = answer->queryText;
  return true;
}

void CaseSolver::askSolvers(Case& current, session::CheckPool& pool, const StopToken& stop) {
  CaseResult& result = current.result;
  const auto assertions = engine::differenceAssertions(m_store, current.left, current.right,
                                                       current.hypothesis, SmtReading::Ieee);
  const Expected<engine::SmtQuery> query = engine::smtQuery(m_store, assertions, {});
  const Expected<PortfolioResult> answer =
      query ? pool.portfolio.run(*query, solverLimit, stop) : tl::unexpected(query.error());
  if (!answer) {
    result.reason = answer.error().id + ": " + answer.error().message;
    return;
  }
  result.text = answer->queryText;
  switch (answer->outcome) {
  case PortfolioResult::Outcome::Unsat:
    result.status = CaseStatus::Closed;
    result.engine = answer->engine;
    result.result = "no difference exists" + moduloText(current);
    return;
  case PortfolioResult::Outcome::Conflict:
    result.status = CaseStatus::Conflict;
    result.reason = "the solvers contradict each other";
    return;
  case PortfolioResult::Outcome::Unknown:
    result.reason =
        "timeout: no solver settled the case within " + std::to_string(solverLimit.count()) + " ms";
    return;
  case PortfolioResult::Outcome::Sat: break;
  }
  result.reason = m_opaque ? "opaque-functions: equality depends on functions without a bit-exact meaning"
                           : "model-not-replayed: a solver's model could not be replayed";
  if (m_opaque || !answer->model)
    return;
  std::vector<uint32_t> values(m_goal.inputs.size(), 0);
  for (size_t i = 0; i < query->variables.size(); ++i)
    for (size_t k = 0; k < m_goal.inputs.size(); ++k)
      if (m_goal.inputs[k].variable == query->variables[i].term)
        values[k] = static_cast<uint32_t>((*answer->model)[i].payload);
  replay(current, std::move(values), answer->engine, stop);
}

void CaseSolver::sweep(Case& current, session::CheckPool& pool, const StopToken& stop) {
  if (m_opaque || m_goal.sizeDependent || m_goal.inputs.size() != 1)
    return;
  engine::SweepTask task;
  task.store = &m_store;
  task.left = m_goal.kernel;
  task.rights = engine::underEveryChoice(m_store, m_goal.spec, m_goal.choices);
  task.hypothesis = current.hypothesis;
  task.variable = m_store.symbolText(m_goal.inputs[0].variable);
  if (current.classes[0]) {
    task.from = patternsOf(*current.classes[0]).first;
    task.to = uint64_t{patternsOf(*current.classes[0]).last} + 1;
  }
  const Expected<engine::SweepResult> swept = pool.sweeper.run(task, stop);
  CaseResult& result = current.result;
  if (!swept) {
    result.reason = swept.error().id + ": " + swept.error().message;
    return;
  }
  using Outcome = engine::SweepResult::Outcome;
  if (swept->outcome == Outcome::Different && swept->first) {
    replay(current, {*swept->first}, "sweep", stop);
  } else if (swept->outcome == Outcome::Equal && swept->from == task.from && swept->checkedTo == task.to) {
    result.status = CaseStatus::Closed;
    result.engine = "sweep";
    result.result = "equal on all " + std::to_string(task.to - task.from) + " patterns";
    result.text = prettyJson(engine::toJson(*swept, task));
    result.reason.clear();
  } else {
    result.reason = "timeout: the sweep was stopped before it was complete";
  }
}

void CaseSolver::replay(Case& current, std::vector<uint32_t> values, const std::string& foundBy,
                        const StopToken& stop) {
  CaseResult& result = current.result;
  result.engine = foundBy;
  if (!m_whole.distrust.empty()) {
    result.reason = m_whole.distrust;
    return;
  }
  if (!place()) {
    result.reason = "no-small-shape: no small shape to show the difference on";
    return;
  }
  const Expected<session::Witness> witness = session::replayCandidate(
      m_store, *m_comparison.problem, m_goal, {(*m_place)->sizes, (*m_place)->index, values}, stop);
  if (!witness) {
    result.reason = "replay-failed: " + witness.error().message;
  } else if (witness->interpreter != session::Replay::Confirmed) {
    result.status = CaseStatus::Conflict;
    result.reason = "'" + foundBy + "' found a separating input that the interpreter does not reproduce";
  } else if (m_whole.result.status == CaseStatus::Closed) {
    result.status = CaseStatus::Conflict;
    result.reason = "the whole goal was proved, but this input separates the sides";
    result.witness = std::move(values);
  } else {
    result.status = CaseStatus::Witnessed;
    result.result = "replayed: module " + witness->spec + ", kernel " + witness->kernel;
    result.witness = std::move(values);
    result.reason.clear();
  }
}

} // namespace plumbline::workbench

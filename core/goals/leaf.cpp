// What is left of a case when nothing can be split any more: integers to the prover, floats to the engines.
#include "core/engine/candidates.h"
#include "core/goals/tableau.h"
#include "core/logic/eval.h"

#include <algorithm>

namespace plumbline::goals {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

constexpr size_t searchedAssignments = 3000;
/// A solver that is not done by then is asked again only after the sweep.
constexpr std::chrono::milliseconds quickSolver{100};

} // namespace

bool Tableau::closeLeaf(Node& node, CaseModel& model) {
  const Clock::time_point start = Clock::now();
  if (m_prover.quick(node.facts, m_store.boolean(false))) {
    closed("linear", since(start));
    return true;
  }
  if (closeFloats(node, model))
    return true;
  const bool hasFloats = !node.literals.empty();
  const gate::IndexProof proof = m_prover.prove(node.facts, m_store.boolean(false), m_stop);
  if (proof.conflict) {
    m_result->status = GoalStatus::Conflict;
    m_result->reason = proof.reason;
    m_ended = true;
    return false;
  }
  if (proof.status == gate::ProofStatus::Proved) {
    closed(proof.engine, proof.timeMs, proof.query);
    return true;
  }
  if (proof.status == gate::ProofStatus::Refuted) {
    model.numbers.insert(proof.model.begin(), proof.model.end());
    model.integerLoads = proof.loads;
  } else if (m_result->reason.empty()) {
    m_result->reason = hasFloats ? "" : proof.reason;
  }
  return false;
}

/// Literals in which every load and every float made from an integer is a variable: for proofs that is more
/// general.
std::vector<TermId> Tableau::abstracted(const std::vector<TermId>& literals) {
  for (const TermId id : m_store.postOrder(literals)) {
    const Term term = m_store[id];
    const bool isFloat = term.sort == Sort::F32 || term.sort == Sort::F64;
    const bool fromOutside = term.op == Op::Load || term.op == Op::IntToFloat;
    if (!isFloat || !fromOutside || m_abstraction.contains(id))
      continue;
    const TermId variable = m_store.var(term.sort, "value!" + std::to_string(static_cast<uint32_t>(id)));
    m_abstraction.emplace(id, variable);
    if (term.op == Op::Load)
      m_abstract[variable] = {m_store.symbolText(id), term.args[0]};
  }
  std::vector<TermId> result;
  for (const TermId literal : literals)
    result.push_back(m_store.substitute(literal, m_abstraction));
  return result;
}

bool Tableau::closeFloats(const Node& node, CaseModel& model) {
  if (node.literals.empty())
    return false;
  const std::vector<TermId> literals = abstracted(node.literals);
  if (findFloats(literals, model))
    return false;
  const std::chrono::milliseconds first = std::min(m_limits.solver, quickSolver);
  return askSolvers(literals, first, model) || sweep(literals) ||
         (first < m_limits.solver && askSolvers(literals, m_limits.solver, model));
}

void Tableau::keepFloat(CaseModel& model, TermId variable, uint64_t bits) const {
  if (const auto load = m_abstract.find(variable); load != m_abstract.end())
    model.floatLoads.push_back({std::get<0>(load->second), std::get<1>(load->second), bits});
  else
    model.floats[m_store.symbolText(variable)] = bits;
}

/// Tries the values that most often separate two programs.
bool Tableau::findFloats(const std::vector<TermId>& literals, CaseModel& model) {
  TermId all = m_store.boolean(true);
  for (const TermId literal : literals)
    all = m_store.land(all, literal);
  for (const TermId id : m_store.postOrder(all))
    if (m_store[id].op == Op::Opaque)
      return false;
  logic::CompiledTerm compiled(m_store, all);
  const bool onlyFloats =
      std::ranges::all_of(compiled.inputs(), [](const auto& input) { return input.sort == Sort::F32; });
  if (!onlyFloats)
    return false;
  const std::vector<TermId> roots{all};
  engine::CandidateGenerator generator(engine::candidatePatterns(m_store, roots), compiled.inputs().size(),
                                       1);
  std::vector<uint64_t> values(compiled.inputs().size());
  for (size_t i = 0; i < searchedAssignments; ++i) {
    const std::vector<uint32_t>& next = generator.next();
    std::ranges::copy(next, values.begin());
    compiled.evaluate(values);
    const auto holds = compiled.result();
    if (!holds || holds->bits == 0)
      continue;
    for (size_t k = 0; k < values.size(); ++k)
      keepFloat(model, m_store.var(Sort::F32, compiled.inputs()[k].name), values[k]);
    return true;
  }
  return false;
}

bool Tableau::askSolvers(const std::vector<TermId>& literals, std::chrono::milliseconds limit,
                         CaseModel& model) {
  if (m_engines.portfolio == nullptr)
    return false;
  const auto query = engine::smtQuery(m_store, literals, {});
  if (!query)
    return false;
  const auto result = m_engines.portfolio->run(*query, limit, m_stop);
  if (!result) {
    m_result->reason = result.error().message;
    return false;
  }
  using Outcome = engine::PortfolioResult::Outcome;
  if (result->outcome == Outcome::Conflict) {
    m_result->status = GoalStatus::Conflict;
    m_result->reason = "the solvers contradict each other";
    m_ended = true;
    return false;
  }
  if (result->outcome == Outcome::Unsat) {
    std::string engines;
    for (const engine::SolverAnswer& answer : result->answers)
      if (answer.decisive())
        engines += (engines.empty() ? "" : "+") + answer.engine;
    closed(engines, result->timeMs, result->queryText);
    return true;
  }
  if (result->outcome == Outcome::Sat && result->model)
    for (size_t i = 0; i < query->variables.size(); ++i)
      if (query->variables[i].sort == Sort::F32 && m_store[query->variables[i].term].op == Op::Var)
        keepFloat(model, query->variables[i].term, (*result->model)[i].payload);
  return false;
}

/// One free float and one equation to refute: all 2^32 values.
bool Tableau::sweep(const std::vector<TermId>& literals) {
  if (m_engines.sweeper == nullptr || m_stop.stopRequested())
    return false;
  std::set<TermId> variables;
  for (const TermId id : m_store.postOrder(literals)) {
    if (m_store[id].op == Op::Opaque)
      return false;
    if (m_store[id].op == Op::Var)
      variables.insert(id);
  }
  if (variables.size() != 1 || m_store[*variables.begin()].sort != Sort::F32)
    return false;
  engine::SweepTask task;
  task.store = &m_store;
  task.variable = m_store.symbolText(*variables.begin());
  task.hypothesis = m_store.boolean(true);
  for (const TermId literal : literals) {
    const bool isDifference =
        m_store[literal].op == Op::Not && m_store[m_store[literal].args[0]].op == Op::FSame;
    if (!isDifference || !task.rights.empty()) {
      task.hypothesis = m_store.land(task.hypothesis, literal);
      continue;
    }
    task.left = m_store[m_store[literal].args[0]].args[0];
    task.rights = {m_store[m_store[literal].args[0]].args[1]};
  }
  if (task.rights.empty())
    return false;
  const auto result = m_engines.sweeper->run(task, m_stop);
  if (!result || !result->complete())
    return false;
  closed("sweep", result->timeMs, toJson(*result, task).dump());
  return true;
}

} // namespace plumbline::goals

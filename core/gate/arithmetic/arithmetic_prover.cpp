#include "core/gate/arithmetic/arithmetic_prover.h"

#include "core/gate/arithmetic/evaluate.h"
#include "core/gate/arithmetic/integer_part.h"

#include <algorithm>

namespace plumbline::gate {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

class ArithmeticProver::Work {
public:
  Work(TermStore& store, engine::Portfolio* portfolio)
      : m_store(store), m_portfolio(portfolio), m_integerPart(store) {}

  void setLimits(std::chrono::milliseconds quick, std::chrono::milliseconds full) {
    m_quickLimit = quick;
    m_fullLimit = full;
  }
  void assume(TermId fact) { m_assumptions.push_back(fact); }
  void bound(const std::string& variable, vc::Bounds range) {
    vc::Bounds& known = m_bounds[variable];
    const TermId term = m_store.var(Sort::Int, variable);
    if (range.low) {
      known.low = std::max(known.low.value_or(*range.low), *range.low);
      assume(m_store.ile(m_store.integer(*range.low), term));
    }
    if (range.high) {
      known.high = std::min(known.high.value_or(*range.high), *range.high);
      assume(m_store.ile(term, m_store.integer(*range.high)));
    }
  }

  IndexProof prove(std::span<const TermId> hypotheses, TermId goal, const StopToken& stop) {
    IndexProof proof;
    if (quick(hypotheses, goal)) {
      proof.status = ProofStatus::Proved;
      proof.engine = proof.encoding = "interval";
      return proof;
    }
    if (m_portfolio == nullptr) {
      proof.reason = "no solver is available";
      return proof;
    }
    std::vector<TermId> assertions;
    for (const TermId fact : m_assumptions)
      assertions.push_back(m_integerPart.of(fact));
    for (const TermId fact : hypotheses)
      assertions.push_back(m_integerPart.of(fact));
    assertions.push_back(m_store.lnot(m_integerPart.of(goal)));
    return ask(assertions, stop);
  }

  bool quick(std::span<const TermId> hypotheses, TermId goal) {
    if (m_store.boolValue(goal) == true ||
        std::find(hypotheses.begin(), hypotheses.end(), goal) != hypotheses.end())
      return true;
    const logic::Term node = m_store[goal];
    if (node.op != Op::ILe && node.op != Op::ILt)
      return false;
    const int64_t least = node.op == Op::ILe ? 0 : 1;
    const TermId difference = m_store.isub(node.args[1], node.args[0]);
    return vc::boundsOf(m_store, difference, m_bounds).low.value_or(least - 1) >= least;
  }

private:
  IndexProof ask(std::vector<TermId> assertions, const StopToken& stop) {
    IndexProof proof;
    proof.encoding = "nonlinear";
    const std::vector<IntegerPart::Unknown> unknowns = m_integerPart.unknownsIn(assertions);
    const std::vector<TermId> facts = m_integerPart.facts(unknowns, 64);
    std::vector<TermId> asserted = assertions;
    asserted.insert(asserted.end(), facts.begin(), facts.end());
    const auto query = engine::smtQuery(m_store, asserted, {});
    if (!query) {
      proof.reason = query.error().message;
      return proof;
    }
    proof.query = query->text;
    const auto result = m_portfolio->run(*query, m_fullLimit, stop);
    if (!result) {
      proof.reason = result.error().message;
      return proof;
    }
    proof.timeMs = result->timeMs;
    for (const engine::SolverAnswer& answer : result->answers)
      if (answer.decisive())
        proof.engine += (proof.engine.empty() ? "" : "+") + answer.engine;
    switch (result->outcome) {
    case engine::PortfolioResult::Outcome::Unsat: proof.status = ProofStatus::Proved; break;
    case engine::PortfolioResult::Outcome::Sat:
      readModel(proof, *query, *result, assertions, unknowns);
      break;
    case engine::PortfolioResult::Outcome::Conflict:
      proof.conflict = true;
      proof.reason = "the solvers contradict each other";
      break;
    case engine::PortfolioResult::Outcome::Unknown:
      proof.reason = "no solver settled it within its time limit";
      break;
    }
    return proof;
  }

  void readModel(IndexProof& proof, const engine::SmtQuery& query, const engine::PortfolioResult& result,
                 const std::vector<TermId>& assertions, const std::vector<IntegerPart::Unknown>& unknowns) {
    proof.reason = "the solvers' model could not be confirmed";
    if (!result.model)
      return;
    VariableValues values;
    for (size_t i = 0; i < query.variables.size(); ++i)
      if (m_store[query.variables[i].term].op == Op::Var)
        values[query.variables[i].term] = static_cast<int64_t>((*result.model)[i].payload);
    std::vector<TermId> checked = m_integerPart.facts(unknowns, unknowns.size() * unknowns.size());
    checked.insert(checked.end(), assertions.begin(), assertions.end());
    for (const TermId assertion : checked)
      if (!evaluatesToTrue(m_store, assertion, values))
        return;
    proof.status = ProofStatus::Refuted;
    proof.reason.clear();
    for (const auto& [variable, value] : values)
      if (!isUnknown(unknowns, variable))
        proof.model[m_store.symbolText(variable)] = value;
    for (const IntegerPart::Unknown& unknown : unknowns)
      if (unknown.index && values.contains(unknown.variable))
        if (const auto index = evaluateInteger(m_store, *unknown.index, values))
          proof.loads[m_store.symbolText(unknown.original)][static_cast<int64_t>(*index)] =
              values.at(unknown.variable);
  }

  static bool isUnknown(const std::vector<IntegerPart::Unknown>& unknowns, TermId variable) {
    return std::any_of(unknowns.begin(), unknowns.end(),
                       [&](const IntegerPart::Unknown& unknown) { return unknown.variable == variable; });
  }

  TermStore& m_store;
  engine::Portfolio* m_portfolio;
  IntegerPart m_integerPart;
  std::chrono::milliseconds m_quickLimit{500};
  std::chrono::milliseconds m_fullLimit{2000};
  std::map<std::string, vc::Bounds> m_bounds;
  std::vector<TermId> m_assumptions;
};

ArithmeticProver::ArithmeticProver(TermStore& store, engine::Portfolio* portfolio)
    : m_work(std::make_unique<Work>(store, portfolio)) {}
ArithmeticProver::~ArithmeticProver() = default;
ArithmeticProver::ArithmeticProver(ArithmeticProver&&) noexcept = default;

void ArithmeticProver::setLimits(std::chrono::milliseconds quick, std::chrono::milliseconds full) {
  m_work->setLimits(quick, full);
}
void ArithmeticProver::assume(TermId fact) {
  m_work->assume(fact);
}
void ArithmeticProver::bound(const std::string& variable, vc::Bounds range) {
  m_work->bound(variable, range);
}
IndexProof ArithmeticProver::prove(std::span<const TermId> hypotheses, TermId goal, const StopToken& stop) {
  return m_work->prove(hypotheses, goal, stop);
}
bool ArithmeticProver::quick(std::span<const TermId> hypotheses, TermId goal) {
  return m_work->quick(hypotheses, goal);
}

} // namespace plumbline::gate

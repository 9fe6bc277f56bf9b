#include "core/goals/settle.h"

#include "core/goals/renaming.h"
#include "core/goals/witness.h"

#include <algorithm>

namespace plumbline::goals {

using logic::Op;
using logic::Sort;
using logic::TermId;

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Settler {
public:
  Settler(const Goal& goal, const Definitions& definitions, const Engines& engines, const Limits& limits,
          const StopToken& stop)
      : m_goal(goal), m_definitions(definitions), m_limits(limits), m_stop(stop.withTimeout(limits.total)),
        m_lowering(m_store, definitions, LoweringMode::Symbolic),
        m_tableau(m_store, m_lowering, engines, m_limits, m_stop) {}

  Settled run() {
    const Clock::time_point start = Clock::now();
    try {
      work();
    } catch (const Unsupported& unsupported) {
      m_result.reason = "not understood: " + unsupported.what;
    }
    m_result.timeMs = since(start);
    return std::move(m_result);
  }

private:
  void work() {
    if (!m_definitions.unclear().empty())
      throw Unsupported{m_definitions.unclear()};
    for (const Context* line : lines(m_goal.context))
      if (line->kind == Context::Kind::Variable)
        m_lowering.addVariable(*line);
    // The goal first: a goal without a meaning must not be closed by what its hypotheses say.
    if (const auto name = nameOutOfScope(*m_goal.conclusion))
      throw Unsupported{*name + " is not in scope here"};
    checkMeasure();
    const TermId conclusion = m_lowering.prop(*m_goal.conclusion, Polarity::Negative);
    for (const Context* line : lines(m_goal.context))
      if (line->kind == Context::Kind::Hypothesis)
        assume(*line);
    m_tableau.takeFacts();
    if (m_store.boolValue(conclusion) == true) {
      close("definition", "it holds as it stands", 0, {});
      return;
    }
    if (isIntegerOnly(conclusion) && proveIntegers(conclusion))
      return;
    if (m_result.status != GoalStatus::Open)
      return;
    const auto onOpen = [this](const CaseModel& model) { return tryWitness(model); };
    if (m_tableau.refutes(m_store.lnot(conclusion), m_result, onOpen)) {
      m_result.status = GoalStatus::Closed;
      m_result.cases.clear();
      m_result.reason.clear();
      return;
    }
    if (m_result.status == GoalStatus::Open && m_result.reason.empty())
      m_result.reason = m_stop.stopRequested() ? "stopped before it was settled" : "some cases are left";
  }

  /// A measure is a Nat; anything smaller than an Int would prove nothing.
  void checkMeasure() {
    if (m_goal.kind != GoalKind::Measure)
      return;
    if (m_lowering.value(*m_goal.conclusion->args[1]).kind != Kind::Nat)
      throw Unsupported{"a measure that is no Nat"};
  }

  void assume(const Context& line) {
    if (nameOutOfScope(*line.expr))
      return; // whatever the rest of it says
    try {
      m_tableau.assume(m_lowering.prop(*line.expr, Polarity::Positive));
    } catch (const Unsupported&) {
      return; // one hypothesis less
    }
  }

  bool isIntegerOnly(TermId term) const {
    return std::ranges::none_of(m_store.postOrder(term), [this](TermId id) {
      const logic::Term& node = m_store[id];
      return node.sort == Sort::F32 || node.sort == Sort::F64 ||
             (node.op == Op::Var && node.sort == Sort::Bool) || node.op == Op::Load;
    });
  }

  bool proveIntegers(TermId conclusion) {
    gate::ArithmeticProver& prover = m_tableau.prover();
    prover.setSecondOpinion(m_limits.recheck);
    const gate::IndexProof proof = prover.prove({}, conclusion, m_stop);
    prover.setSecondOpinion(false);
    if (proof.conflict) {
      m_result.status = GoalStatus::Conflict;
      m_result.reason = proof.reason;
      return false;
    }
    if (proof.status == gate::ProofStatus::Proved) {
      close(proof.engine, proof.encoding, proof.timeMs, proof.query);
      return true;
    }
    if (proof.status != gate::ProofStatus::Refuted)
      return false;
    CaseModel model;
    model.numbers = proof.model;
    model.integerLoads = proof.loads;
    return tryWitness(model);
  }

  void close(const std::string& engine, const std::string& result, double timeMs, std::string artefact) {
    m_result.status = GoalStatus::Closed;
    m_result.evidence.push_back({engine, result, std::move(artefact), timeMs});
  }

  bool tryWitness(const CaseModel& model) {
    if (!m_limits.findWitness)
      return false;
    auto witness = witnessFrom(m_goal, m_definitions, m_store, model);
    if (!witness)
      return false;
    m_result.witness = std::move(witness);
    m_result.status = GoalStatus::Witnessed;
    m_result.evidence.push_back({"evaluation", "all hypotheses hold and the conclusion does not", {}, 0});
    return true;
  }

  const Goal& m_goal;
  const Definitions& m_definitions;
  Limits m_limits;
  StopToken m_stop;
  logic::TermStore m_store;
  Lowering m_lowering;
  Settled m_result;
  Tableau m_tableau;
};

} // namespace

std::string_view name(GoalStatus status) {
  switch (status) {
  case GoalStatus::Open: return "open";
  case GoalStatus::Closed: return "closed";
  case GoalStatus::Witnessed: return "witnessed";
  case GoalStatus::Conflict: return "conflict";
  }
  return "";
}

Settled settle(const Goal& goal, const Definitions& definitions, const Engines& engines, const Limits& limits,
               const StopToken& stop) {
  return Settler(goal, definitions, engines, limits, stop).run();
}

} // namespace plumbline::goals

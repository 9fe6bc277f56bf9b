#include "core/engine/real.h"
#include "core/f32/elementary.h"
#include "core/logic/eval_real.h"
#include "core/logic/term_text.h"
#include "core/session/value_goal.h"

#include <algorithm>
#include <chrono>

namespace plumbline::session {

using engine::PortfolioResult;
using engine::RealResult;
using f32::Rational;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t maxPlaces = 24;

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Values of the goal's inputs, in order.
using RealValues = std::vector<Rational>;

class RealGoal {
public:
  RealGoal(TermStore& store, const gate::Problem& problem, const ElementGoal& goal, const Engines& engines,
           const StopToken& stop)
      : m_store(store), m_problem(problem), m_goal(goal), m_engines(engines), m_stop(stop) {
    // The sign of a zero has no meaning here: any assignment of the choices will do.
    std::unordered_map<TermId, TermId> chosen;
    for (TermId choice : goal.choices)
      chosen.emplace(choice, store.boolean(false));
    m_goal.spec = store.substitute(goal.spec, chosen);
    m_report = {"value of output " + std::to_string(goal.output),
                "real",
                GoalStatus::Open,
                logic::displayText(store, m_goal.kernel) + "  =  " + logic::displayText(store, m_goal.spec),
                goal.spans,
                {}};
  }

  GoalOutcome run() {
    const auto start = Clock::now();
    engine::RealOptions options;
    options.stop = m_stop;
    const RealResult result =
        engine::proveRealEqual(m_store, m_goal.kernel, m_goal.spec, m_store.boolean(true), options);
    switch (result.status) {
    case RealResult::Status::Proved: return proved(result, since(start));
    case RealResult::Status::Different: return different(result, since(start));
    case RealResult::Status::Unknown: return askSolvers(result, since(start));
    }
    return finish(Relation::Undetermined, "internal: an unknown answer", "report this input");
  }

private:
  GoalOutcome finish(Relation relation, std::string reason, std::string next) {
    m_outcome.relation = relation;
    m_outcome.reason = std::move(reason);
    m_outcome.next = std::move(next);
    m_outcome.goals.push_back(std::move(m_report));
    return std::move(m_outcome);
  }

  GoalOutcome proved(const RealResult& result, double timeMs) {
    m_report.status = GoalStatus::Closed;
    m_report.evidence.push_back(
        {"real", "equal normal forms in " + std::to_string(result.cases) + " cases", {}, timeMs, {}});
    m_outcome.assumptions.insert(result.assumptions.begin(), result.assumptions.end());
    return finish(Relation::Equal, "", "");
  }

  GoalOutcome different(const RealResult& result, double timeMs) {
    m_report.evidence.push_back({"real", "separating input", {}, timeMs, {}});
    RealValues values;
    for (const ElementInput& input : m_goal.inputs) {
      const auto found = result.assignment.find(input.variable);
      values.push_back(found != result.assignment.end() ? found->second : Rational(0));
    }
    return replay(values);
  }

  GoalOutcome askSolvers(const RealResult& result, double timeMs) {
    m_report.evidence.push_back({"real", "unknown: " + result.reason, {}, timeMs, {}});
    const std::string open = "real-" + result.reason + ": exact arithmetic did not settle the equality";
    if (m_engines.portfolio == nullptr)
      return finish(Relation::Undetermined, open, "install z3 and cvc5; `plumbline doctor` tells how");
    const auto assertions = engine::differenceAssertions(m_store, m_goal.spec, std::span(&m_goal.kernel, 1),
                                                         inputsInRange(), engine::SmtReading::Real);
    engine::SmtOptions options{engine::SmtReading::Real, [](std::string_view spelling) {
                                 const auto function = f32::canonicalFunction(spelling);
                                 return std::string(function ? *function : spelling);
                               }};
    const Expected<engine::SmtQuery> query = engine::smtQuery(m_store, assertions, options);
    const Expected<PortfolioResult> answer =
        query ? m_engines.portfolio->run(*query, m_engines.solverLimit, m_stop)
              : tl::unexpected(query.error());
    if (!answer)
      return finish(Relation::Undetermined, open, answer.error().message);
    for (const engine::SolverAnswer& one : answer->answers)
      if (one.status != engine::SolverStatus::NotRun)
        m_report.evidence.push_back(
            {one.engine, std::string(engine::statusName(one.status)), {}, one.timeMs, answer->queryText});
    return apply(*query, *answer, open);
  }

  GoalOutcome apply(const engine::SmtQuery& query, const PortfolioResult& answer, const std::string& open) {
    switch (answer.outcome) {
    case PortfolioResult::Outcome::Unsat:
      m_report.status = GoalStatus::Closed;
      return finish(Relation::Equal, "", "");
    case PortfolioResult::Outcome::Sat:
      if (answer.model)
        return replay(valuesOf(query, *answer.model));
      return finish(Relation::Undetermined, open, "the solvers' witness has no rational value");
    case PortfolioResult::Outcome::Conflict:
      m_report.status = GoalStatus::Conflict;
      return finish(Relation::Conflict, "the solvers contradict each other", "report this input");
    case PortfolioResult::Outcome::Unknown: break;
    }
    return finish(Relation::Undetermined, open, "raise --timeout, or simplify the kernel's guards");
  }

  /// |x| <= FLT_MAX for every input: the domain of the reading.
  TermId inputsInRange() {
    const TermId largest = m_store.f32Bits(0x7f7fffff);
    const TermId lowest = m_store.f32Bits(0xff7fffff);
    TermId result = m_store.boolean(true);
    for (const ElementInput& input : m_goal.inputs)
      result = m_store.land(result, m_store.land(m_store.binary(logic::Op::FLe, lowest, input.variable),
                                                 m_store.binary(logic::Op::FLe, input.variable, largest)));
    return result;
  }

  RealValues valuesOf(const engine::SmtQuery& query, const engine::SmtModel& model) {
    RealValues values(m_goal.inputs.size(), Rational(0));
    for (size_t i = 0; i < query.variables.size(); ++i)
      for (size_t k = 0; k < m_goal.inputs.size(); ++k)
        if (m_goal.inputs[k].variable == query.variables[i].term && !model[i].rational.empty())
          values[k] = Rational(model[i].rational);
    return values;
  }

  // --- Replay ---

  GoalOutcome replay(const RealValues& values) {
    for (const Place& place : places(m_store, m_problem, m_goal, m_goal.sizeDependent ? maxPlaces : 1)) {
      const auto start = Clock::now();
      const std::optional<Witness> witness = replayAt(place, values);
      if (!witness)
        continue;
      m_report.evidence.push_back({"interpreter", "reproduces the difference", {}, since(start), {}});
      m_report.status = GoalStatus::Witnessed;
      m_outcome.witness = *witness;
      return finish(Relation::Different, "", "");
    }
    return finish(Relation::Undetermined,
                  "witness-not-replayed: a separating input could not be replayed in exact arithmetic",
                  m_replayProblem.empty() ? "simplify the kernel" : m_replayProblem);
  }

  /// The witness at a place, when both sides have an exact value there and the values differ.
  std::optional<Witness> replayAt(const Place& place, const RealValues& values) {
    const ElementGoal fixed = atSizes(m_store, m_problem, m_goal, place.sizes, place.index);
    std::map<std::string, std::vector<Rational>> inputs;
    for (const spec::SpecInput& input : m_problem.spec.inputs) {
      const auto count = gate::evaluateAt(m_store, m_problem, input.tensor.numel, place.sizes).value_or(0);
      inputs[input.tensor.name].assign(static_cast<size_t>(std::max<int64_t>(count, 0)), Rational(0));
    }
    for (size_t i = 0; i < fixed.inputs.size(); ++i) {
      const auto index = m_store.intValue(fixed.inputs[i].index);
      std::vector<Rational>& tensor = inputs[fixed.inputs[i].tensor];
      if (!index || *index < 0 || static_cast<size_t>(*index) >= tensor.size())
        return std::nullopt;
      tensor[static_cast<size_t>(*index)] = values[i];
    }
    const std::optional<Rational> spec = specValue(fixed, values);
    const std::optional<Rational> kernel = kernelValue(place, inputs);
    if (!spec || !kernel || *spec == *kernel)
      return std::nullopt;
    return describe(place, inputs, *spec, *kernel);
  }

  std::optional<Rational> specValue(const ElementGoal& fixed, const RealValues& values) {
    logic::CompiledRealTerm compiled(m_store, fixed.spec);
    std::vector<Rational> arguments(compiled.inputs().size(), Rational(0));
    for (size_t i = 0; i < fixed.inputs.size(); ++i)
      if (const int position = compiled.inputIndex(m_store.symbolText(fixed.inputs[i].variable));
          position >= 0)
        arguments[static_cast<size_t>(position)] = values[i];
    compiled.evaluate(arguments);
    const logic::RealValue result = compiled.result();
    return result.known() ? std::optional(result.value) : std::nullopt;
  }

  std::optional<Rational> kernelValue(const Place& place,
                                      const std::map<std::string, std::vector<Rational>>& inputs) {
    const Expected<gate::RealGridRun> run =
        gate::runGridReal(m_store, m_problem, place.sizes, inputs, m_stop);
    if (!run || !run->result.findings.empty()) {
      m_replayProblem = run ? run->result.findings.front().message : run.error().message;
      return std::nullopt;
    }
    for (const gate::OutputBinding& binding : m_problem.outputs) {
      if (binding.output != m_goal.output || !run->buffers.contains(binding.buffer))
        continue;
      const std::vector<ir::RealNumber>& buffer = run->buffers.at(binding.buffer);
      const auto index = static_cast<size_t>(place.index);
      if (index < buffer.size() && buffer[index].infinite == 0)
        return buffer[index].value;
    }
    return std::nullopt;
  }

  Witness describe(const Place& place, const std::map<std::string, std::vector<Rational>>& inputs,
                   const Rational& spec, const Rational& kernel) {
    Witness witness;
    witness.reading = Reading::Real;
    for (const spec::SpecInput& input : m_problem.spec.inputs) {
      WitnessTensor& tensor = witness.inputs[input.tensor.name];
      tensor.shape = shapeAt(m_store, m_problem, input.tensor.shape, place.sizes);
      for (const Rational& value : inputs.at(input.tensor.name))
        tensor.rationals.push_back(value.get_str());
    }
    witness.output = m_problem.spec.outputs[m_goal.output].tensor.name;
    witness.index = place.index;
    witness.spec = spec.get_str();
    witness.kernel = kernel.get_str();
    witness.interpreter = Replay::Confirmed;
    return witness;
  }

  TermStore& m_store;
  const gate::Problem& m_problem;
  ElementGoal m_goal;
  const Engines& m_engines;
  const StopToken& m_stop;
  Goal m_report;
  std::string m_replayProblem;
  GoalOutcome m_outcome;
};

} // namespace

GoalOutcome settleReal(TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                       const Engines& engines, const StopToken& stop) {
  return RealGoal(store, problem, goal, engines, stop).run();
}

} // namespace plumbline::session

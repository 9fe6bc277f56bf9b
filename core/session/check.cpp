#include "core/session/check.h"

#include "core/gate/finding_picture.h"
#include "core/gate/grid/grid_gate.h"
#include "core/session/check_pool.h"
#include "core/session/comparison.h"
#include "core/session/device_profile.h"
#include "core/session/value_goal.h"

#include <algorithm>

namespace plumbline::session {

using gate::GateStatus;
using logic::TermId;
using logic::TermStore;

namespace {

using Clock = std::chrono::steady_clock;

/// What a flag of the candidate's own build does to the program's meaning.
enum class FlagEffect : uint8_t { None, Floats, Unknown };

/// Only flags that are known to change nothing are passed over.
FlagEffect effectOf(const std::string& flag) {
  for (const char* changing : {"use_fast_math", "ffast-math", "-ftz", "-prec-div", "-prec-sqrt"})
    if (flag.find(changing) != std::string::npos)
      return FlagEffect::Floats;
  for (const char* harmless : {"-O0",
                               "-O1",
                               "-O2",
                               "-O3",
                               "-g",
                               "-G",
                               "-w",
                               "-v",
                               "-lineinfo",
                               "--generate-line-info",
                               "-src-in-ptx",
                               "--expt-relaxed-constexpr",
                               "--expt-extended-lambda",
                               "--extended-lambda",
                               "-Xfatbin",
                               "-compress-all",
                               "--fmad=false",
                               "-fmad=false",
                               "--fmad=true",
                               "-fmad=true"})
    if (flag == harmless)
      return FlagEffect::None;
  for (const char* prefix : {"-std=", "--std=", "-arch=", "--gpu-architecture=", "-gencode=",
                             "--generate-code=", "arch=", "-maxrregcount=", "--maxrregcount=", "--threads=",
                             "-t=", "-I", "-Wall", "-Wextra", "-Wno-", "-diag-suppress", "--diag-suppress"})
    if (flag.starts_with(prefix))
      return FlagEffect::None;
  return FlagEffect::Unknown;
}

/// Flags whose next item is their value, which then is no flag of its own.
bool takesValue(const std::string& flag) {
  return flag == "-gencode" || flag == "--generate-code" || flag == "-Xptxas" || flag == "-arch" ||
         flag == "--threads" || flag == "-t" || flag == "-maxrregcount";
}

struct JudgedFlag {
  std::string flag;
  FlagEffect effect = FlagEffect::None;
};

/// The first flag with an effect; one without when there is none.
JudgedFlag judgeFlags(const std::vector<std::string>& flags) {
  JudgedFlag worst;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (takesValue(flags[i])) {
      ++i;
      continue;
    }
    const FlagEffect effect = effectOf(flags[i]);
    if (effect == FlagEffect::Unknown || (effect == FlagEffect::Floats && worst.effect == FlagEffect::None))
      worst = {flags[i], effect};
  }
  return worst;
}

class Check {
public:
  Check(const CheckOptions& options, CheckPool& pool, const StopToken& stop,
        const std::function<void(const std::string&)>& progress)
      : m_options(options), m_stop(stop.withTimeout(options.timeout)), m_progress(progress),
        m_children(pool.children), m_portfolio(pool.portfolio) {
    m_children.start(options);
    m_portfolio.start();
    m_engines.portfolio = &m_portfolio;
    m_engines.sweeper = &pool.sweeper;
    m_engines.jobs = options.jobs;
    m_engines.progress = progress;
  }

  CheckOutcome run() {
    const auto start = Clock::now();
    if (Expected<void> done = perform(); !done)
      takeError(done.error());
    verdict().notes.insert(m_comparison.notes.begin(), m_comparison.notes.end());
    // What was not settled is not settled: no reading is left as an error.
    for (ReadingResult& result : m_outcome.verdict.readings)
      if (result.relation == Relation::Error)
        result.relation = Relation::Undetermined;
    m_outcome.verdict.timeMs = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    return std::move(m_outcome);
  }

private:
  Verdict& verdict() { return m_outcome.verdict; }

  void step(const std::string& text) const {
    if (m_progress)
      m_progress(text);
  }

  void takeError(const Error& error) {
    if (error.kind == ErrorKind::Rejected && !error.rejections.empty())
      verdict().rejections = error.rejections;
    verdict().error = error;
    for (Reading reading : m_options.readings)
      if (verdict().readings.size() < m_options.readings.size())
        verdict().readings.push_back(
            {reading, Relation::Undetermined, {}, std::nullopt, error.message, error.next, std::nullopt});
  }

  Expected<void> perform() {
    // Capturing a model takes seconds: a misspelt kernel is said at once.
    if (!m_options.kernelText)
      if (Expected<std::string> readable = readFile(m_options.kernel); !readable)
        return fail(readable.error());
    if (Expected<void> done = readModel(m_comparison, m_options, m_children, m_stop, m_progress); !done)
      return done;
    if (Expected<void> done = readKernel(m_comparison, m_options, m_children, m_stop, m_progress); !done)
      return done;
    verdict().hypotheses = m_problem->hypotheses;
    if (!m_options.launchFile.empty())
      verdict().notes.insert("the launch file stands for all host code: what a wrapper or a forward() in " +
                             m_options.kernel + " does was not read");
    step("checking the safety gate");
    gate::GateReport report = gate::checkGate(m_store, *m_problem, &m_portfolio, m_stop);
    addGateGoals(report, "");
    if (report.status == GateStatus::Accepted)
      report = checkCapturedSizes(std::move(report));
    verdict().gate = report;
    if (report.status == GateStatus::Unsupported) {
      verdict().rejections = report.rejections;
      report = checkWholeGrid(std::move(report));
    }
    for (gate::Finding& finding : verdict().gate->findings)
      finding.picture = gate::pictureOf(m_store, *m_problem, finding, m_stop);
    m_comparison.gate = report;
    settle(report);
    return {};
  }

  // --- Gate ---

  /// Loops, shared memory and waiting: whether the kernel is safe is known before its values can be compared.
  /// A refusal ends the check; anything else leaves it unsupported, under the gate's own answer.
  gate::GateReport checkWholeGrid(gate::GateReport unsupported) {
    step("checking the safety of the whole grid");
    gate::grid::GridOptions options;
    options.exitedThreadsOk = m_options.exitedThreadsOk;
    Expected<gate::GateReport> grid =
        gate::grid::checkGrid(m_store, *m_problem, &m_portfolio, options, m_stop);
    if (!grid || grid->status == GateStatus::Unsupported)
      return unsupported;
    addGateGoals(*grid, "");
    verdict().gate = *grid;
    if (grid->status != GateStatus::Refused)
      return unsupported;
    verdict().rejections.clear();
    return *std::move(grid);
  }

  void addGateGoals(const gate::GateReport& report, const std::string& suffix) {
    for (const gate::ObligationResult& obligation : report.obligations) {
      Goal goal{"gate: " + obligation.name + suffix, "", GoalStatus::Open, obligation.name, {}, {}};
      if (obligation.where.known())
        goal.spans.push_back(obligation.where);
      const gate::IndexProof& proof = obligation.proof;
      if (proof.status == gate::ProofStatus::Proved)
        goal.status = GoalStatus::Closed;
      if (proof.conflict)
        goal.status = GoalStatus::Conflict;
      if (!proof.engine.empty())
        goal.evidence.push_back({proof.engine,
                                 proof.status == gate::ProofStatus::Proved ? "proved" : "not proved",
                                 {},
                                 proof.timeMs,
                                 proof.query});
      m_gateConflict |= proof.conflict;
      verdict().goals.push_back(std::move(goal));
    }
  }

  /// The captured shape beats the default size range: a kernel that is safe up to 2^30 elements only is not
  /// safe for a module captured with more.
  gate::GateReport checkCapturedSizes(gate::GateReport report) {
    gate::Sizes captured;
    for (const auto& [symbol, value] : m_problem->spec.hints)
      captured[symbol] = value;
    if (captured.empty() || gate::admissible(m_store, *m_problem, captured))
      return report;
    // A shape that --assume or the wrapper leaves out is not what the user asked about.
    for (const gate::Hypothesis& known : m_problem->hypotheses)
      if (known.condition && known.origin != "default size range" &&
          gate::evaluateAt(m_store, *m_problem, *known.condition, captured) != 1) {
        verdict().notes.insert("'" + known.text + "' (" + known.origin + ") leaves out the captured shape");
        return report;
      }
    step("checking the captured shape");
    const gate::Problem fixed = gate::atCapturedSizes(m_store, *m_problem);
    gate::GateReport exact = gate::checkGate(m_store, fixed, &m_portfolio, m_stop);
    addGateGoals(exact, " (captured shape)");
    if (exact.status != GateStatus::Accepted)
      return exact;
    verdict().notes.insert(
        "the captured shape lies outside the default size range and was checked by itself");
    m_capturedValues = exact.values;
    return report;
  }

  /// "low <= name <= high" is among the ranges already.
  static bool isPlainRange(const std::string& text) {
    const size_t first = text.find(" <= ");
    return first != std::string::npos && text.find(" <= ", first + 1) != std::string::npos;
  }

  /// "name >= low" of a size variable is among the ranges, too.
  bool isLowerBound(const std::string& text) const {
    const auto& names = m_problem->sizeVariables;
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return text.starts_with(name + " >= "); });
  }

  Scope scope() const {
    Scope result{"all", {}, {}, {}};
    if (m_problem->sizeVariables.empty()) {
      result.kind = "exact";
      for (TermId size : m_problem->spec.outputs[0].tensor.shape)
        result.shape.push_back(m_store.intValue(size).value_or(-1));
    }
    for (const std::string& variable : m_problem->sizeVariables) {
      const vc::Bounds bounds = m_problem->bounds.at(variable);
      result.ranges[variable] = {bounds.low.value_or(1), bounds.high.value_or(0)};
    }
    for (const gate::Hypothesis& known : m_problem->hypotheses) {
      const bool ofGraph = known.origin == "default size range" || known.origin == "captured graph";
      const bool isRange = ofGraph && (isPlainRange(known.text) || isLowerBound(known.text));
      if (known.condition && m_store.boolValue(*known.condition) != true && !isRange)
        result.conditions.push_back(known.text);
    }
    return result;
  }

  // --- Values ---

  void settle(const gate::GateReport& report) {
    for (Reading reading : m_options.readings) {
      ReadingResult result{reading, Relation::Error, {}, std::nullopt, "", "", std::nullopt};
      if (m_gateConflict) {
        result.relation = Relation::Conflict;
        result.reason = "the solvers contradict each other on an obligation of the gate";
      } else if (Expected<gate::Problem> problem = problemFor(reading); !problem) {
        result.relation = Relation::Undetermined;
        result.reason = problem.error().id + ": " + problem.error().message;
        result.next = problem.error().next;
      } else if (report.status == GateStatus::Accepted && !nvccArch(reading).empty()) {
        settleCompiled(*problem, result);
      } else if (report.status == GateStatus::Accepted) {
        settleReading(*problem, report, result);
      } else {
        settleWithoutGate(*problem, report, result);
      }
      verdict().readings.push_back(std::move(result));
    }
  }

  /// Without an accepted gate nothing can be proved. A clean concrete run that differs is still a difference.
  void settleWithoutGate(const gate::Problem& problem, const gate::GateReport& report,
                         ReadingResult& result) {
    result.relation = Relation::Undetermined;
    const bool safe = verdict().gate && verdict().gate->status == GateStatus::Accepted;
    result.reason = (safe && !verdict().gate->orderDependent.empty()
                         ? "order-dependent: float atomics add in no fixed order; "
                     : safe ? "values-unsupported: "
                            : "gate-" + std::string(gate::name(report.status)) + ": ") +
                    (report.findings.empty() ? report.reason : report.findings.front().message);
    result.next =
        !report.next.empty() ? report.next
        : report.status == GateStatus::Unsupported
            ? "'plumbline run' executes such a kernel; core/cuda/CONSTRUCTS.md lists what can be compared"
            : "mend the finding, or add a hypothesis with --assume";
    // Under nvcc's readings the problem still has the kernel as it is written.
    if (report.status != GateStatus::Undetermined || !isBinary32(result.reading) ||
        !nvccArch(result.reading).empty() || !problem.spec.opaque.empty())
      return;
    Expected<SampleResult> sample = sampleKernel(m_store, problem, m_stop);
    if (!sample || !sample->difference || kernelUsesOpaque() || !m_spec.openConstants.empty())
      return;
    result.relation = Relation::Different;
    result.reason.clear();
    result.next.clear();
    result.witness = *std::move(sample->difference);
    result.witness->reading = result.reading;
    restsOn(problem, result);
  }

  /// The kernel as nvcc compiles it, in each form that the assembler may give it.
  void settleCompiled(const gate::Problem& problem, ReadingResult& result) {
    step("compiling for " + std::string(name(result.reading)));
    Expected<std::vector<CompiledKernel>> ways =
        compileKernel(m_store, problem, m_comparison.candidate, m_options.kernel,
                      std::string(nvccArch(result.reading)), m_stop);
    if (!ways) {
      result.relation = Relation::Undetermined;
      result.reason = ways.error().id + ": " + ways.error().message;
      result.next = ways.error().next;
      return;
    }
    std::vector<ReadingResult> results;
    for (const CompiledKernel& way : *ways) {
      results.push_back(result);
      settleWay(problem, way, results.back());
    }
    // What only some forms rest on is no assumption of the answer, which is for all of them.
    for (const std::string& assumption : ways->front().assumptions)
      if (std::ranges::all_of(*ways, [&](const CompiledKernel& way) {
            return std::ranges::find(way.assumptions, assumption) != way.assumptions.end();
          }))
        verdict().assumptions.insert(assumption);
    result = allWays(std::move(results));
  }

  /// A compiled kernel is a kernel of its own: the gate sees it again, and its values are compared.
  void settleWay(gate::Problem problem, const CompiledKernel& way, ReadingResult& result) {
    problem.module = way.module.get();
    problem.kernel = way.kernel;
    const gate::GateReport report = gate::checkGate(m_store, problem, &m_portfolio, m_stop);
    auto captured = std::exchange(m_capturedValues, std::nullopt);
    if (captured && report.status == GateStatus::Accepted)
      m_capturedValues =
          gate::checkGate(m_store, gate::atCapturedSizes(m_store, problem), &m_portfolio, m_stop).values;
    if (report.status != GateStatus::Accepted || (captured && m_capturedValues->empty()))
      settleWithoutGate(problem, report, result);
    else
      settleReading(problem, report, result);
    m_capturedValues = std::move(captured);
  }

  /// One answer for all forms of a kernel, of which one will run: what all of them have in common.
  ReadingResult allWays(std::vector<ReadingResult> results) {
    for (const Relation unsettled : {Relation::Conflict, Relation::Undetermined})
      if (const auto found = std::ranges::find(results, unsettled, &ReadingResult::relation);
          found != results.end())
        return std::move(*found);
    const bool agree = std::ranges::all_of(results, [&](const ReadingResult& each) {
      return each.relation == results.front().relation && each.modulo == results.front().modulo;
    });
    if (results.size() > 1)
      verdict().notes.insert(
          "the assembler may fuse more than the PTX does: " + std::to_string(results.size()) +
          " forms of the kernel were compared" +
          (results.front().witness ? "; the witness is of the form that fuses least" : ""));
    if (agree)
      return std::move(results.front());
    ReadingResult undecided{
        results.front().reading, Relation::Undetermined, {}, std::nullopt, "", "", std::nullopt};
    undecided.reason = "assembler-contraction: the answer depends on what the assembler fuses beyond the PTX";
    undecided.next = "build with -fmad=false, which fixes every rounding";
    return undecided;
  }

  /// What the spec of a device's profile takes for granted belongs to every answer that rests on it.
  void restsOn(const gate::Problem& problem, const ReadingResult& result) {
    if (result.reading == Reading::TorchCuda)
      verdict().assumptions.insert(problem.spec.assumptions.begin(), problem.spec.assumptions.end());
  }

  /// The same kernel against the module's denotation for a device. The gate has nothing to do with the values
  /// of the module: a problem that differs in them only stands under the same report.
  Expected<gate::Problem> problemFor(Reading reading) {
    gate::Problem problem = *m_problem;
    if (reading != Reading::TorchCuda)
      return problem;
    Expected<spec::Spec> spec =
        spec::denote(m_store, *m_comparison.graph, {.target = spec::Target::TorchCuda});
    if (!spec)
      return fail(spec.error());
    bool same = spec->facts == m_spec.facts && spec->openConstants == m_spec.openConstants &&
                spec->outputs.size() == m_spec.outputs.size();
    for (size_t k = 0; same && k < spec->outputs.size(); ++k)
      same = spec->outputs[k].tensor.shape == m_spec.outputs[k].tensor.shape;
    if (!same)
      return fail(ErrorKind::Internal, "profile-shape", "the denotation for the device has other shapes", "");
    problem.spec = *std::move(spec);
    return problem;
  }

  bool kernelUsesOpaque() const {
    for (const ir::Function& function : m_problem->module->functions)
      for (const ir::Expr& expr : function.exprs)
        if (const ir::Intrinsic* row =
                expr.kind == ir::ExprKind::Intrinsic ? ir::findIntrinsic(expr.text) : nullptr;
            row != nullptr && row->meaning == ir::Meaning::Opaque)
          return true;
    return false;
  }

  void settleReading(const gate::Problem& problem, const gate::GateReport& report, ReadingResult& result) {
    const JudgedFlag judged = judgeFlags(m_comparison.candidate.imported.flags);
    if (judged.effect == FlagEffect::Unknown) {
      result.relation = Relation::Undetermined;
      result.reason =
          "build-flag: the candidate is built with " + judged.flag + ", whose effect is not modelled";
      result.next = "remove the flag, or put what it defines into the source";
      return;
    }
    if (judged.effect == FlagEffect::Floats && isBinary32(result.reading) &&
        nvccArch(result.reading).empty()) {
      result.relation = Relation::Undetermined;
      result.reason =
          "device-profile: the candidate is built with " + judged.flag + ", which changes its arithmetic";
      result.next = "remove the flag, or ask for --reading real";
      return;
    }
    std::vector<GoalOutcome> outcomes = settleAll(problem, report.values, report, result.reading, true);
    if (m_capturedValues && differsAtCapturedSizes(report, *m_capturedValues))
      for (GoalOutcome& outcome : settleAll(gate::atCapturedSizes(m_store, problem), *m_capturedValues,
                                            report, result.reading, false))
        outcomes.push_back(std::move(outcome));
    for (GoalOutcome& outcome : outcomes)
      distrustOpenConstants(outcome);
    combine(outcomes, result);
    restsOn(problem, result);
    if (isBinary32(result.reading))
      recheckBySampling(problem, result);
  }

  std::vector<GoalOutcome> settleAll(const gate::Problem& problem,
                                     const std::vector<gate::ElementValue>& values,
                                     const gate::GateReport& report, Reading reading, bool isGeneral) {
    std::vector<GoalOutcome> outcomes;
    for (const gate::ElementValue& value : values) {
      step("comparing output " + std::to_string(value.output) + " under " + std::string(name(reading)));
      const ElementGoal goal = prepareElement(m_store, problem, report, value, &m_portfolio, m_stop);
      collectOpaque(goal);
      if (isGeneral && reading == firstOfSpec())
        m_comparison.elements.push_back(goal);
      outcomes.push_back(isBinary32(reading) ? settleIeee(m_store, problem, goal, m_engines, m_stop)
                                             : settleReal(m_store, problem, goal, m_engines, m_stop));
      rename(outcomes.back(), reading);
    }
    return outcomes;
  }

  /// The first reading of the two programs that the comparison holds.
  std::optional<Reading> firstOfSpec() const {
    for (const Reading reading : m_options.readings)
      if (reading != Reading::TorchCuda && nvccArch(reading).empty())
        return reading;
    return std::nullopt;
  }

  /// Goals and witness carry the reading that was asked for.
  static void rename(GoalOutcome& outcome, Reading reading) {
    for (Goal& goal : outcome.goals)
      goal.reading = name(reading);
    if (outcome.witness)
      outcome.witness->reading = reading;
  }

  /// Whether fixing the sizes gives other element terms than the general ones do there.
  bool differsAtCapturedSizes(const gate::GateReport& report,
                              const std::vector<gate::ElementValue>& captured) {
    std::unordered_map<TermId, TermId> replacement;
    for (const auto& [symbol, value] : m_problem->spec.hints)
      replacement.emplace(m_store.var(logic::Sort::Int, symbol), m_store.integer(value));
    for (size_t i = 0; i < report.values.size(); ++i) {
      const TermId general =
          vc::normaliseIntegers(m_store, m_store.substitute(report.values[i].value, replacement));
      if (i >= captured.size() || captured[i].value != general)
        return true;
    }
    return false;
  }

  void collectOpaque(const ElementGoal& goal) {
    const TermId roots[] = {goal.kernel, goal.spec};
    for (TermId id : m_store.postOrder(roots))
      if (m_store[id].op == logic::Op::Opaque)
        verdict().opaque.insert(m_store.symbolText(id));
  }

  /// A captured constant whose value is not known may have any value: equality for all of them is a result, a
  /// difference for some of them is not.
  void distrustOpenConstants(GoalOutcome& outcome) {
    if (outcome.relation != Relation::Different || m_spec.openConstants.empty())
      return;
    outcome.relation = Relation::Undetermined;
    outcome.reason =
        "open-constant: the graph does not hold the value of '" + m_spec.openConstants.front() + "'";
    outcome.next = "give the module as .py, so that its constants are captured";
    outcome.witness.reset();
  }

  /// The weakest of the outputs' relations, with the reasons of the first that is weak.
  void combine(std::vector<GoalOutcome>& outcomes, ReadingResult& result) {
    static constexpr Relation order[] = {Relation::Equal,   Relation::EqualModulo,  Relation::Reassociated,
                                         Relation::Error,   Relation::Undetermined, Relation::Different,
                                         Relation::Conflict};
    auto rank = [](Relation relation) {
      return std::find(std::begin(order), std::end(order), relation) - std::begin(order);
    };
    std::set<std::string> modulo;
    GoalOutcome* worst = nullptr;
    for (GoalOutcome& outcome : outcomes) {
      if (worst == nullptr || rank(outcome.relation) > rank(worst->relation))
        worst = &outcome;
      modulo.insert(outcome.modulo.begin(), outcome.modulo.end());
      verdict().assumptions.insert(outcome.assumptions.begin(), outcome.assumptions.end());
      for (Goal& goal : outcome.goals)
        verdict().goals.push_back(std::move(goal));
    }
    if (worst == nullptr)
      return;
    result.relation = worst->relation;
    result.reason = worst->reason;
    result.next = worst->next;
    result.witness = worst->witness;
    if (result.relation == Relation::EqualModulo)
      result.modulo.assign(modulo.begin(), modulo.end());
    const bool positive = rank(result.relation) <= rank(Relation::Reassociated);
    if (!positive)
      return;
    result.scope = scope();
    verdict().assumptions.insert(modulo.begin(), modulo.end());
    if (result.reading == Reading::Ieee || !nvccArch(result.reading).empty())
      verdict().assumptions.insert(m_spec.assumptions.begin(), m_spec.assumptions.end());
  }

  /// A proof is compared with plain runs of the interpreter; a difference there is a conflict, not a detail.
  void recheckBySampling(const gate::Problem& problem, ReadingResult& result) {
    if (result.relation != Relation::Equal)
      return;
    const auto start = Clock::now();
    Expected<SampleResult> sample = sampleKernel(m_store, problem, m_stop);
    Goal goal{
        "interpreter agrees on small grids", std::string(name(result.reading)), GoalStatus::Open, "", {}, {}};
    const double time = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (!sample) {
      result.relation = Relation::Undetermined;
      result.reason = "recheck-failed: " + sample.error().message;
      result.next = "report this input: the proof could not be re-checked";
    } else if (sample->difference) {
      goal.status = GoalStatus::Conflict;
      result.relation = Relation::Conflict;
      result.reason = "a proof says equal, but the interpreter differs from the denotation";
      result.witness = *std::move(sample->difference);
      result.witness->reading = result.reading;
    } else if (sample->compared == 0) {
      verdict().notes.insert("the proof was not compared with runs: no small sizes satisfy the hypotheses");
      return;
    } else {
      goal.status = GoalStatus::Closed;
      goal.evidence.push_back(
          {"interpreter", std::to_string(sample->compared) + " elements agree", {}, time, {}});
    }
    verdict().goals.push_back(std::move(goal));
  }

  const CheckOptions& m_options;
  StopToken m_stop;
  const std::function<void(const std::string&)>& m_progress;
  ImportChildren& m_children;
  engine::Portfolio& m_portfolio;
  Engines m_engines;
  CheckOutcome m_outcome{{}, std::make_shared<Comparison>()};
  Comparison& m_comparison = *m_outcome.comparison;
  TermStore& m_store = m_comparison.store;
  const spec::Spec& m_spec = m_comparison.spec;
  const std::optional<gate::Problem>& m_problem = m_comparison.problem;
  std::optional<std::vector<gate::ElementValue>> m_capturedValues; ///< at the captured sizes, where asked
  bool m_gateConflict = false;
};

} // namespace

CheckOutcome runCheck(const CheckOptions& options, CheckPool& pool, const StopToken& stop,
                      const std::function<void(const std::string&)>& progress) {
  return Check(options, pool, stop, progress).run();
}

CheckOutcome runCheck(const CheckOptions& options, const StopToken& stop,
                      const std::function<void(const std::string&)>& progress) {
  CheckPool pool;
  return runCheck(options, pool, stop, progress);
}

} // namespace plumbline::session

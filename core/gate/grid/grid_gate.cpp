#include "core/gate/grid/grid_gate.h"

#include "core/gate/grid/executor.h"
#include "core/gate/grid/obligations.h"
#include "core/gate/grid/replay.h"

#include <algorithm>

namespace plumbline::gate::grid {

using logic::TermId;

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto huntingTime = std::chrono::milliseconds(1500);
constexpr auto firstLook = std::chrono::milliseconds(150);
/// For what else may be wrong once something is.
constexpr std::chrono::milliseconds timeAfterFinding{700};
constexpr std::chrono::milliseconds limitAfterFinding{100}; ///< of a solver for one question
constexpr size_t mostHunted = 60;
constexpr size_t mostProbes = 40;

class GridGate {
public:
  GridGate(logic::TermStore& store, const ir::Module& module, const ir::Kernel& kernel,
           const ir::LaunchContract& contract, engine::Portfolio* portfolio, const GridOptions& options,
           const StopToken& stop)
      : m_store(store), m_module(module), m_kernel(kernel), m_contract(contract), m_options(options),
        m_stop(stop), m_symbols(store), m_portfolio(portfolio), m_prover(store, portfolio),
        m_replay(module, kernel, contract, options.exitedThreadsOk, stop,
                 m_options.context ? &*m_options.context : nullptr) {
    m_prover.setLimits(options.quickLimit, options.fullLimit);
  }

  Expected<GateReport> run() {
    Expected<LaunchTerms> terms =
        launchTerms(m_store, m_symbols, m_prover, m_contract, function(), m_kernel.maxThreadsPerBlock);
    if (!terms)
      return fail(terms.error());
    if (m_options.context)
      useContext(*m_options.context, *terms);
    if (Expected<void> satisfiable = contractHasSizes(); !satisfiable)
      return fail(satisfiable.error());
    m_report.hypotheses = terms->hypotheses;
    m_prover.setSecondOpinion(m_options.secondOpinion);
    lookForPlainFaults();
    probeEdges();
    hostObligations(*terms);
    assumeLegal(m_prover, *terms);
    m_prover.setLimits(limited(m_options.quickLimit / 2), limited(m_options.quickLimit / 2));
    Expected<Program> program = executed(*terms);
    if (!program) {
      m_report.status = GateStatus::Unsupported;
      m_report.reason = program.error().message;
      m_report.rejections = program.error().rejections;
      return std::move(m_report);
    }
    noteOrderDependence(*program);
    m_prover.setLimits(limited(m_options.quickLimit), limited(m_options.fullLimit));
    Obligations obligations(m_store, m_symbols, m_prover, *program, terms->launch, deadline(), m_stop);
    obligations.setShown(m_shown);
    obligations.onRefuted([this](const Answer& answer) -> std::optional<Clock::time_point> {
      if (!replayed(answer))
        return std::nullopt;
      m_prover.setLimits(limited(m_options.quickLimit), limited(m_options.fullLimit));
      return deadline();
    });
    for (Answer& answer : obligations.all())
      m_answers.push_back(std::move(answer));
    conclude();
    return std::move(m_report);
  }

private:
  const ir::Function& function() const { return m_module.functions[static_cast<size_t>(m_kernel.function)]; }

  void useContext(const GridContext& context, LaunchTerms& terms) {
    for (const auto& [name, range] : context.bounds) {
      m_symbols.make(logic::Sort::Int, name, Level::Grid, outside, range);
      m_prover.bound(name, range);
    }
    for (TermId fact : context.facts)
      m_prover.assume(fact);
    for (const auto& [parameter, value] : context.scalars)
      terms.launch.scalars[parameter] = value;
  }

  /// V0: what no launch satisfies would make everything provable.
  Expected<void> contractHasSizes() {
    const IndexProof proof = m_prover.prove({}, m_store.boolean(false), m_stop);
    if (proof.status == ProofStatus::Refuted || !m_replay.smallSizes(1).empty())
      return {};
    if (proof.status == ProofStatus::Proved)
      return fail(ErrorKind::Usage, "launch-contradiction", "no sizes satisfy the launch contract",
                  "mend its ranges or its preconditions");
    return fail(ErrorKind::Usage, "launch-unsatisfied",
                "no sizes were found that satisfy the launch contract", "give ranges in which sizes exist");
  }

  bool found() const { return m_options.faultKnown || !m_report.findings.empty(); }

  std::chrono::milliseconds limited(std::chrono::milliseconds limit) const {
    return found() ? std::min(limit, limitAfterFinding) : limit;
  }

  Clock::time_point deadline() const {
    const Clock::time_point last = m_start + m_options.solverTime;
    return found() ? std::min(last, m_foundAt + timeAfterFinding) : last;
  }

  /// Host code is gone through before the kernel: what needs no solver first. A kind of fault that a run has
  /// shown is not looked for again.
  void hostObligations(const LaunchTerms& terms) {
    for (const HostRequirement& each : terms.requirements) {
      Answer answer;
      answer.kind = each.kind;
      answer.name = "launch: " + each.message;
      answer.where = each.where;
      const bool quick = m_shown.contains(each.kind) || Clock::now() > deadline();
      if (!each.traps || !proveBeforeLaterChecks(answer, m_answers.size(), each.order, quick)) {
        answer.proof = quick ? quickProof(each.holds) : withoutSolvers(each.holds);
        (void)replayed(answer);
      }
      m_answers.push_back(std::move(answer));
    }
    for (size_t i = 0; i < terms.requirements.size(); ++i) {
      Answer& answer = m_answers[i];
      if (answer.proof.status != ProofStatus::Unknown || m_settledEarly.contains(i))
        continue;
      if (m_shown.contains(answer.kind) || Clock::now() > deadline()) {
        answer.proof.reason = whyNotAsked();
        continue;
      }
      m_prover.setLimits(limited(m_options.quickLimit), limited(m_options.fullLimit));
      answer.proof = m_prover.prove({}, terms.requirements[i].holds, m_stop);
      (void)replayed(answer);
    }
  }

  /// The wrapper divides, or computes, before it looks at some of its checks: they do not protect it. False
  /// when there are no such checks.
  bool proveBeforeLaterChecks(Answer& answer, size_t requirement, int order, bool quick) {
    ir::LaunchContract earlier = m_contract;
    std::erase_if(earlier.facts, [&](const ir::HostFact& fact) { return fact.order > order; });
    if (earlier.facts.size() == m_contract.facts.size())
      return false;
    m_settledEarly.insert(requirement);
    SymbolTable symbols(m_store);
    ArithmeticProver prover(m_store, m_portfolio);
    prover.setLimits(limited(m_options.quickLimit), limited(m_options.fullLimit));
    const Expected<LaunchTerms> terms =
        launchTerms(m_store, symbols, prover, earlier, function(), m_kernel.maxThreadsPerBlock);
    if (!terms || terms->requirements.size() <= requirement)
      return true;
    const TermId holds = terms->requirements[requirement].holds;
    answer.proof = quick ? prover.proveAlone({}, holds, m_stop) : prover.prove({}, holds, m_stop);
    if (answer.proof.status != ProofStatus::Refuted || m_shown.contains(answer.kind))
      return true;
    const Replay replay(m_module, m_kernel, earlier, m_options.exitedThreadsOk, m_stop);
    std::optional<ReplayRun> run = replay.run(answer.proof.model, {}, {}, Contents::Zeros, {});
    if (!run)
      return true;
    std::erase_if(run->findings, [&](const ir::RunFinding& seen) { return seen.where != answer.where; });
    m_open = {answer.kind};
    take(run);
    if (m_open.empty())
      m_shown.insert(answer.kind);
    return true;
  }

  IndexProof withoutSolvers(TermId goal) {
    return m_options.secondOpinion ? m_prover.prove({}, goal, m_stop) : m_prover.proveAlone({}, goal, m_stop);
  }

  IndexProof quickProof(TermId goal) {
    IndexProof proof;
    if (m_prover.quick({}, goal)) {
      proof.status = ProofStatus::Proved;
      proof.engine = proof.encoding = "linear";
    } else {
      proof.reason = whyNotAsked();
    }
    return proof;
  }

  std::string whyNotAsked() const {
    return found() ? "not asked: a fault is shown already" : "no time was left";
  }

  /// Twice: what nobody writes is known only afterwards.
  Expected<Program> executed(const LaunchTerms& terms) {
    ExecutorOptions first;
    first.exitedThreadsOk = m_options.exitedThreadsOk;
    first.solvers = false;
    first.deadline = m_start + (deadline() - m_start) / 2;
    first.prefix = "first:";
    first.stop = m_stop;
    Expected<Program> trial =
        execute(m_store, m_symbols, m_prover, m_module, m_kernel.function, m_contract, terms.launch, first);
    if (!trial)
      return trial;
    ExecutorOptions second = first;
    second.solvers = true;
    second.prefix = "";
    for (const Object& object : trial->objects)
      if (!object.written)
        second.readOnly.insert(object.name);
    return execute(m_store, m_symbols, m_prover, m_module, m_kernel.function, m_contract, terms.launch,
                   second);
  }

  void noteOrderDependence(const Program& program) {
    for (const Access& access : program.accesses) {
      const Object& object = program.objects[static_cast<size_t>(access.object)];
      const OrderDependence place{object.name, access.where};
      if (access.atomic && ir::isAnyFloat(object.element) &&
          std::ranges::find(m_report.orderDependent, place) == m_report.orderDependent.end())
        m_report.orderDependent.push_back(place);
    }
  }

  // --- The verdict

  void conclude() {
    const Answer* open = nullptr;
    std::set<std::string> kinds;
    for (const Answer& answer : m_answers) {
      m_report.obligations.push_back({answer.name, answer.where, answer.proof});
      if (answer.proved())
        continue;
      open = open == nullptr ? &answer : open;
      if (!answer.kind.empty())
        kinds.insert(answer.kind);
    }
    if (open == nullptr && m_report.findings.empty()) {
      m_report.status = GateStatus::Accepted;
      return;
    }
    if (open == nullptr) { // proved, and a run shows the contrary
      m_report.status = GateStatus::Undetermined;
      m_report.reason = "a run contradicts the proofs: " + m_report.findings.front().message;
      m_report.findings.clear();
      return;
    }
    m_report.status = GateStatus::Undetermined;
    m_report.reason = reasonFor(*open);
    for (const std::string& kind : m_shown)
      kinds.erase(kind);
    if (m_options.partialOutputs)
      kinds.erase("incomplete");
    refute(kinds);
    if (!m_report.findings.empty())
      m_report.status = GateStatus::Refused;
  }

  static std::string reasonFor(const Answer& answer) {
    std::string text = answer.name;
    if (answer.where.known())
      text += " (line " + std::to_string(answer.where.line) + ")";
    if (answer.proof.conflict)
      return text + ": the solvers contradict each other";
    return text + (answer.proof.status == ProofStatus::Refuted ? ": may fail, but no run showed it"
                                                               : ": not settled");
  }

  // --- Counterexamples

  void refute(const std::set<std::string>& kinds) {
    m_open = kinds;
    for (const Answer& answer : m_answers)
      if (!answer.proved() && m_open.contains(answer.kind) && answer.proof.status == ProofStatus::Refuted)
        replayModel(answer);
    hunt();
  }

  /// Whether a run shows what the answer's counterexample says; its kind is not looked for again then.
  bool replayed(const Answer& answer) {
    if (answer.proof.status != ProofStatus::Refuted || answer.kind.empty() || m_shown.contains(answer.kind) ||
        (answer.kind == "incomplete" && m_options.partialOutputs))
      return false;
    m_open = {answer.kind};
    replayModel(answer);
    if (!m_open.empty())
      return false;
    m_shown.insert(answer.kind);
    return true;
  }

  /// A few runs at small sizes before anything is proved. One in which only one kind of fault is seen shows
  /// that kind for certain: no other fault can have led to it.
  void lookForPlainFaults() {
    const auto start = Clock::now();
    for (const std::map<std::string, int64_t>& sizes : m_replay.smallSizes(mostHunted / 4))
      for (const Contents contents : {Contents::Small, Contents::Zeros}) {
        if (m_stop.stopRequested() || Clock::now() - start > firstLook)
          return;
        const std::optional<ReplayRun> run = m_replay.run(sizes, {}, {}, contents, {});
        if (!run || run->findings.empty())
          continue;
        const ir::FindingKind kind = run->findings.front().kind;
        const bool alone = std::ranges::all_of(
            run->findings, [kind](const ir::RunFinding& seen) { return seen.kind == kind; });
        if (kind == ir::FindingKind::Incomplete && m_options.partialOutputs)
          continue;
        if (!alone || m_shown.contains(findingKind(kind)))
          continue;
        m_open = {findingKind(kind)};
        take(run);
        m_shown.insert(findingKind(kind));
      }
  }

  /// Arguments at their edges, and threads at the end of the grid at sizes with which products of indices
  /// leave 32 bits. What others write does not matter for indices that a thread computes, and the first fault
  /// follows from no other.
  void probeEdges() {
    static const std::set<std::string> certain = {"overflow", "out-of-bounds", "division-by-zero"};
    const auto start = Clock::now();
    for (const std::map<std::string, int64_t>& sizes : m_replay.edgeSizes(mostProbes)) {
      if (m_stop.stopRequested() || Clock::now() - start > firstLook)
        return;
      const std::optional<ir::ConcreteLaunch> launch = m_replay.launch(sizes);
      if (!launch)
        continue;
      std::optional<ReplayRun> run = m_replay.probe(sizes, atTheEnd(*launch));
      if (!run || run->findings.empty())
        continue;
      run->findings.resize(1);
      const std::string kind = findingKind(run->findings.front().kind);
      if (!certain.contains(kind) || m_shown.contains(kind))
        continue;
      m_open = {kind};
      take(run);
      m_shown.insert(kind);
    }
  }

  /// The first and the last thread of the last block, and the last one of the block before.
  static std::vector<ir::ThreadId> atTheEnd(const ir::ConcreteLaunch& launch) {
    ir::ThreadId last;
    for (size_t i = 0; i < 3; ++i) {
      last.block[i] = launch.grid[i] - 1;
      last.thread[i] = launch.block[i] - 1;
    }
    ir::ThreadId first = last;
    first.thread = {};
    ir::ThreadId before = last;
    before.block[0] = std::max<int64_t>(before.block[0] - 1, 0);
    return before == last ? std::vector{first, last} : std::vector{before, first, last};
  }

  static ir::ThreadId threadOf(const std::map<std::string, int64_t>& model, bool second) {
    ir::ThreadId thread;
    for (size_t i = 0; i < 3; ++i) {
      const auto read = [&](const std::string& name) {
        const auto other = model.find(SymbolTable::secondName(name));
        if (second && other != model.end())
          return other->second;
        const auto own = model.find(name);
        return own == model.end() ? int64_t{0} : own->second;
      };
      thread.block[i] = read(std::string("blockIdx.") + "xyz"[i]);
      thread.thread[i] = read(std::string("threadIdx.") + "xyz"[i]);
    }
    return thread;
  }

  void replayModel(const Answer& answer) {
    std::vector<ir::ThreadId> threads = {threadOf(answer.proof.model, false)};
    if (answer.twoThreads) {
      const ir::ThreadId other = threadOf(answer.proof.model, true);
      if (!(other == threads[0]))
        threads.push_back(other);
    }
    for (const Contents contents : {Contents::Zeros, Contents::Small})
      if (m_open.contains(answer.kind))
        take(m_replay.run(answer.proof.model, answer.proof.loads, threads, contents, {}));
  }

  void hunt() {
    const auto start = Clock::now();
    const ir::Schedule backward{ir::Schedule::Kind::Backward, 0};
    for (const std::map<std::string, int64_t>& sizes : m_replay.smallSizes(mostHunted))
      for (const Contents contents : {Contents::Small, Contents::Zeros, Contents::Wild})
        for (const ir::Schedule& schedule : {ir::Schedule{}, backward}) {
          if (m_open.empty() || m_stop.stopRequested() ||
              Clock::now() - start > (found() ? firstLook : huntingTime))
            return;
          take(m_replay.run(sizes, {}, {}, contents, schedule));
        }
  }

  /// Only kinds for which a proof is missing, each once: what follows from another fault is not reported.
  void take(const std::optional<ReplayRun>& run) {
    if (!run)
      return;
    for (const ir::RunFinding& seen : run->findings) {
      const std::string kind = findingKind(seen.kind);
      // A thread that a fault has ended leaves elements unwritten.
      if (seen.kind == ir::FindingKind::Incomplete && run->findings.size() > 1)
        continue;
      if (m_open.erase(kind) == 0)
        continue;
      Finding finding;
      describe(finding, seen);
      finding.sizes = run->sizes;
      if (!found())
        m_foundAt = Clock::now();
      m_report.findings.push_back(std::move(finding));
    }
  }

  logic::TermStore& m_store;
  const ir::Module& m_module;
  const ir::Kernel& m_kernel;
  const ir::LaunchContract& m_contract;
  GridOptions m_options;
  Clock::time_point m_start = Clock::now();
  Clock::time_point m_foundAt = m_start; ///< when the first finding was made
  StopToken m_stop;
  SymbolTable m_symbols;
  engine::Portfolio* m_portfolio;
  ArithmeticProver m_prover;
  Replay m_replay;
  std::vector<Answer> m_answers;
  std::set<size_t> m_settledEarly; ///< answers that later checks of the wrapper must not improve
  std::set<std::string> m_open;    ///< kinds of findings that are looked for
  std::set<std::string> m_shown;   ///< kinds that were found before the kernel was gone through
  GateReport m_report;
};

} // namespace

Expected<GateReport> checkGrid(logic::TermStore& store, const ir::Module& module, const ir::Kernel& kernel,
                               const ir::LaunchContract& contract, engine::Portfolio* portfolio,
                               const GridOptions& options, const StopToken& stop) {
  return GridGate(store, module, kernel, contract, portfolio, options, stop).run();
}

namespace {

GridContext contextOf(logic::TermStore& store, const Problem& problem) {
  GridContext context;
  context.facts = sizeFacts(store, problem);
  context.bounds = problem.bounds;
  for (const auto& [name, value] : problem.contractSymbols) {
    const TermId symbol = store.var(logic::Sort::Int, name);
    if (symbol != value)
      context.facts.push_back(store.ieq(symbol, value));
  }
  for (const auto& [parameter, binding] : problem.parameters)
    if (binding.buffer.empty() && store[binding.scalar].sort == logic::Sort::Int)
      context.scalars[parameter] = binding.scalar;
  context.launch = [&store, &problem](const std::map<std::string, int64_t>& model) {
    Sizes sizes;
    for (const std::string& variable : problem.sizeVariables) {
      const auto known = model.find(variable);
      const auto bounds = problem.bounds.find(variable);
      sizes[variable] = known != model.end()             ? known->second
                        : bounds != problem.bounds.end() ? bounds->second.low.value_or(1)
                                                         : 1;
    }
    std::optional<ir::ConcreteLaunch> result;
    if (admissible(store, problem, sizes))
      if (Expected<ir::ConcreteLaunch> launch = launchAt(store, problem, sizes))
        result = *std::move(launch);
    return result;
  };
  context.smallSizes = [&store, &problem](size_t most) {
    constexpr int64_t largestNumel = 1 << 14;
    return smallSizes(store, problem, most, largestNumel);
  };
  return context;
}

} // namespace

Expected<GateReport> checkGrid(logic::TermStore& store, const Problem& problem, engine::Portfolio* portfolio,
                               GridOptions options, const StopToken& stop) {
  for (const auto& [name, value] : problem.contractSymbols)
    if (problem.bounds.contains(name) && store.var(logic::Sort::Int, name) != value) {
      GateReport report;
      report.status = GateStatus::Unsupported;
      report.reason =
          "the size '" + name + "' means one thing in the launch contract and another in the module";
      return report;
    }
  options.context = contextOf(store, problem);
  return checkGrid(store, *problem.module, *problem.kernel, problem.contract, portfolio, options, stop);
}

} // namespace plumbline::gate::grid

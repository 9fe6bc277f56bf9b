#include "core/gate/grid/whole_gate.h"

#include "core/gate/grid/obligations.h"
#include "core/gate/grid/program_replay.h"
#include "core/gate/grid/replay.h"

#include <algorithm>
#include <set>

namespace plumbline::gate::grid {

namespace {

constexpr std::chrono::milliseconds firstLook{150};
constexpr std::chrono::milliseconds timeAfterFinding{1000}; ///< for what else may be wrong

int rank(GateStatus status) {
  switch (status) {
  case GateStatus::Accepted: return 0;
  case GateStatus::Undetermined: return 1;
  case GateStatus::Unsupported: return 2;
  case GateStatus::Refused: break;
  }
  return 3;
}

const ir::Kernel* kernelNamed(const ir::Module& module, const std::string& name) {
  const auto found = std::ranges::find(module.kernels, name, &ir::Kernel::name);
  return found == module.kernels.end() || found->function < 0 ? nullptr : &*found;
}

GateReport undetermined(std::string reason) {
  GateReport report;
  report.status = GateStatus::Undetermined;
  report.reason = std::move(reason);
  return report;
}

GateReport unsupported(std::string id, std::string construct, const SourceRange& where) {
  GateReport report;
  report.status = GateStatus::Unsupported;
  report.reason = construct;
  report.rejections = {{std::move(id), std::move(construct), where}};
  return report;
}

} // namespace

GateReport merged(std::vector<PartReport> parts) {
  GateReport whole = undetermined("there is nothing to check");
  if (!parts.empty())
    whole.status = GateStatus::Accepted;
  for (PartReport& part : parts) {
    const std::string prefix = part.label.empty() ? "" : part.label + ": ";
    if (rank(part.report.status) > rank(whole.status)) {
      whole.status = part.report.status;
      whole.reason = prefix + part.report.reason;
    }
    for (Rejection& each : part.report.rejections)
      if (std::ranges::find(whole.rejections, each) == whole.rejections.end())
        whole.rejections.push_back(std::move(each));
    for (Finding& each : part.report.findings) {
      each.message.insert(0, prefix);
      whole.findings.push_back(std::move(each));
    }
    for (OrderDependence& each : part.report.orderDependent)
      if (std::ranges::find(whole.orderDependent, each) == whole.orderDependent.end())
        whole.orderDependent.push_back(std::move(each));
    for (std::string& each : part.report.hypotheses)
      if (std::ranges::find(whole.hypotheses, each) == whole.hypotheses.end())
        whole.hypotheses.push_back(std::move(each));
    for (ObligationResult& each : part.report.obligations) {
      each.name.insert(0, prefix);
      whole.obligations.push_back(std::move(each));
    }
  }
  if (whole.status == GateStatus::Accepted)
    whole.reason.clear();
  return whole;
}

Expected<GateReport> checkContract(logic::TermStore& store, const ir::Module& module,
                                   const ir::Kernel& kernel, const ir::LaunchContract& contract,
                                   engine::Portfolio* portfolio, const GridOptions& options,
                                   const StopToken& stop) {
  ir::LaunchContract disjoint = contract;
  disjoint.aliases.clear();
  Expected<GateReport> apart = checkGrid(store, module, kernel, disjoint, portfolio, options, stop);
  if (!apart || contract.aliases.empty())
    return apart;
  Expected<ir::LaunchContract> shared = ir::withSharedArrays(contract);
  if (!shared)
    return fail(shared.error());
  Expected<GateReport> together = checkGrid(store, module, kernel, *shared, portfolio, options, stop);
  if (!together)
    return together;
  std::set<std::string> known;
  for (const Finding& finding : apart->findings)
    known.insert(finding.kind);
  for (Finding& finding : together->findings)
    if (!known.contains(finding.kind)) {
      finding.message = finding.kind + ": " + finding.message;
      finding.kind = "aliasing";
    }
  std::vector<PartReport> parts;
  parts.push_back({"", *std::move(apart)});
  parts.push_back({"as one array", *std::move(together)});
  return merged(std::move(parts));
}

namespace {

/// Goes through the steps of a program and keeps what is known of each tensor's memory.
class ProgramGate {
public:
  ProgramGate(logic::TermStore& store, const ir::Module& module, const ir::HostProgram& program,
              engine::Portfolio* portfolio, const GridOptions& options, const StopToken& stop)
      : m_store(store), m_module(module), m_program(program), m_portfolio(portfolio), m_options(options),
        m_stop(stop) {}

  Expected<GateReport> run() {
    lookForPlainFaults();
    for (const ir::ProgramTensor& tensor : m_program.tensors)
      if (tensor.origin == ir::ProgramTensor::Origin::Empty)
        m_memory[tensor.name] = Memory::Unwritten;
      else if (tensor.origin == ir::ProgramTensor::Origin::Zeros)
        m_memory[tensor.name] = Memory::Zero;
      else if (tensor.origin == ir::ProgramTensor::Origin::Operator)
        m_memory[tensor.name] = Memory::Computed;
    for (const ir::ProgramStep& step : m_program.steps) {
      if (faultKnown() && std::chrono::steady_clock::now() - m_start > timeAfterFinding)
        return merged(std::move(m_parts));
      if (step.kind == ir::ProgramStep::Kind::Operator) {
        operate(step.call);
        continue;
      }
      Expected<GateReport> report = launch(step);
      if (!report)
        return report;
      const bool refused = report->status == GateStatus::Refused;
      m_parts.push_back({label(step.launch.kernel), *std::move(report)});
      if (refused)
        return merged(std::move(m_parts));
    }
    finish();
    return merged(std::move(m_parts));
  }

private:
  /// What a tensor's memory holds before a step.
  enum class Memory : uint8_t {
    Given,     ///< what the caller passes
    Zero,      ///< zeros, and nothing was written
    Unwritten, ///< arbitrary; reading it is a fault
    Partial,   ///< some launch wrote some of it
    Computed,  ///< written as a whole by an earlier step
  };

  bool faultKnown() const { return m_options.faultKnown || !m_shown.empty(); }

  /// What small runs of the whole wrapper show needs no proof, and what it reports is real.
  void lookForPlainFaults() {
    GateReport report;
    for (Finding& finding : plainProgramFaults(m_module, m_program, smallProgramSizes(), firstLook, m_stop)) {
      if (m_options.exitedThreadsOk && finding.kind == "divergent-barrier")
        continue;
      m_shown.insert(finding.kind);
      report.findings.push_back(std::move(finding));
    }
    if (m_shown.empty())
      return;
    report.status = GateStatus::Refused;
    m_parts.push_back({"", std::move(report)});
  }

  std::string label(const std::string& kernel) {
    ++m_launches;
    return launchLabel(m_launches, kernel);
  }

  std::string storageOf(const std::string& name) const {
    const ir::ProgramTensor* tensor = ir::findTensor(m_program, name);
    return tensor && tensor->origin == ir::ProgramTensor::Origin::View ? storageOf(tensor->base) : name;
  }

  Memory memory(const std::string& storage) const {
    const auto found = m_memory.find(storage);
    return found == m_memory.end() ? Memory::Given : found->second;
  }

  bool isUnwritten(const std::string& name) const {
    const Memory held = memory(storageOf(name));
    return held == Memory::Unwritten || held == Memory::Partial;
  }

  /// A function left to torch is trusted to write what it makes. What it reads must have been written; no run
  /// shows it, so that the verdict stays open.
  void operate(const ir::TorchOperator& call) {
    static const std::set<std::string> writesAll = {"zero_", "fill_", "copy_"};
    const bool fills = writesAll.contains(call.name);
    const std::string target = fills && !call.modifies.empty() ? call.modifies.front() : "";
    if (call.view) { // its elements are those of the first argument
      const bool open = std::ranges::any_of(call.arguments, [&](const ir::OperatorArgument& each) {
        return each.kind == ir::OperatorArgument::Kind::Tensor && isUnwritten(each.text);
      });
      for (const std::string& name : call.results)
        m_memory[name] = open ? Memory::Partial : Memory::Computed;
      return;
    }
    for (const ir::OperatorArgument& argument : call.arguments)
      reads(argument, call, target);
    for (const std::string& name : call.modifies)
      if (!isUnwritten(name) || name == target)
        m_memory[storageOf(name)] = Memory::Computed;
      else
        m_memory[storageOf(name)] = Memory::Partial;
  }

  void reads(const ir::OperatorArgument& argument, const ir::TorchOperator& call, const std::string& target) {
    for (const ir::OperatorArgument& part : argument.parts)
      reads(part, call, target);
    if (argument.kind != ir::OperatorArgument::Kind::Tensor || argument.text == target ||
        !isUnwritten(argument.text))
      return;
    GateReport report =
        undetermined("torch's " + call.name + " (line " + std::to_string(call.where.line) + ") reads '" +
                     argument.text + "', which no launch is shown to write as a whole");
    m_parts.push_back({"", std::move(report)});
  }

  ir::LaunchContract contractAt(const ir::ProgramStep& step) const {
    ir::LaunchContract contract = step.launch;
    for (const ir::HostFact& fact : m_program.when)
      contract.facts.push_back(fact);
    for (ir::BufferContract& buffer : contract.buffers) {
      buffer.tensor = storageOf(buffer.tensor);
      const Memory held = memory(buffer.tensor);
      const bool unwritten = held == Memory::Unwritten || held == Memory::Partial;
      buffer.zeroInitialised = held == Memory::Zero;
      if (unwritten)
        buffer.role = ir::BufferRole::Output;
      else if (buffer.role == ir::BufferRole::Output)
        buffer.role = ir::BufferRole::InOut;
    }
    return contract;
  }

  Expected<GateReport> launch(const ir::ProgramStep& step) {
    const ir::Kernel* kernel = kernelNamed(m_module, step.launch.kernel);
    if (kernel == nullptr)
      return unsupported("kernel-rejected", "launch of '" + step.launch.kernel + "', which was rejected",
                         step.launch.where);
    if (!step.nulls.empty())
      return unsupported("null-argument", "null pointer for '" + step.nulls.front() + "'", step.launch.where);
    const ir::LaunchContract contract = contractAt(step);
    GridOptions options = m_options;
    options.partialOutputs = true;
    options.faultKnown = faultKnown();
    Expected<GateReport> report =
        checkGrid(m_store, m_module, *kernel, contract, m_portfolio, options, m_stop);
    if (!report)
      return report;
    const bool direct = isDirect(contract);
    completeness(contract, *report);
    confirm(*report, direct);
    written(contract);
    return report;
  }

  /// Whether the launch sees only what the caller passes, so that any contents and sizes are real.
  bool isDirect(const ir::LaunchContract& contract) const {
    const auto made = [&](const std::string& name) {
      const ir::ProgramTensor* tensor = ir::findTensor(m_program, storageOf(name));
      return tensor != nullptr && tensor->origin == ir::ProgramTensor::Origin::Operator;
    };
    const bool fresh = std::ranges::all_of(contract.buffers, [&](const ir::BufferContract& buffer) {
      const Memory held = memory(buffer.tensor);
      return held == Memory::Given || held == Memory::Zero || held == Memory::Unwritten;
    });
    return fresh && std::ranges::none_of(contract.symbols, [&](const ir::SizeSymbol& symbol) {
             return made(symbol.name.substr(0, symbol.name.find('.')));
           });
  }

  /// Whether all of a tensor is written is a question about the whole program: it is taken out of the
  /// launch's report, and what is proved is kept.
  void completeness(const ir::LaunchContract& contract, GateReport& report) {
    bool othersOpen = false;
    for (const ObligationResult& each : report.obligations) {
      const bool proved = each.proof.status == ProofStatus::Proved && !each.proof.conflict;
      const std::string parameter = completeParameter(each.name);
      if (parameter.empty())
        othersOpen = othersOpen || !proved;
      else if (proved)
        m_complete.insert(ir::findBuffer(contract, parameter)->tensor);
    }
    std::erase_if(report.obligations, [](const ObligationResult& each) {
      return !completeParameter(each.name).empty() && each.proof.status != ProofStatus::Proved;
    });
    if (report.status == GateStatus::Unsupported || !report.findings.empty())
      return;
    if (!othersOpen && !report.obligations.empty()) {
      report.status = GateStatus::Accepted;
      return;
    }
    report.status = GateStatus::Undetermined;
    for (const ObligationResult& each : report.obligations)
      if (each.proof.status != ProofStatus::Proved || each.proof.conflict) {
        report.reason = each.name +
                        (each.where.known() ? " (line " + std::to_string(each.where.line) + ")" : "") +
                        ": not settled";
        return;
      }
  }

  /// A finding stands when the launch is reached with just these contents.
  void confirm(GateReport& report, bool direct) {
    std::erase_if(report.findings, [&](const Finding& each) { return m_shown.contains(each.kind); });
    if (report.findings.empty() && report.status == GateStatus::Refused) {
      report.status = GateStatus::Undetermined;
      report.reason = "a run of the whole wrapper shows what may happen here";
    }
    if (direct || report.findings.empty())
      return;
    std::vector<Finding> found = std::move(report.findings);
    report.findings.clear();
    for (Finding& finding : found) {
      const bool ambiguous = m_options.exitedThreadsOk && finding.kind == "divergent-barrier";
      const std::optional<ir::RunFinding> seen =
          ambiguous ? std::nullopt : seenInProgram(m_module, m_program, finding, m_stop);
      if (!seen)
        continue;
      describe(finding, *seen);
      report.findings.push_back(std::move(finding));
    }
    if (!report.findings.empty())
      return;
    report.status = GateStatus::Undetermined;
    report.reason = found.front().kind + " (" + found.front().message +
                    ") may happen, but no run of the whole wrapper showed it";
  }

  void written(const ir::LaunchContract& contract) {
    for (const ir::BufferContract& buffer : contract.buffers) {
      if (buffer.role == ir::BufferRole::Input)
        continue;
      const Memory held = memory(buffer.tensor);
      const bool whole = held == Memory::Given || held == Memory::Zero || held == Memory::Computed ||
                         m_complete.contains(buffer.tensor);
      m_memory[buffer.tensor] = whole ? Memory::Computed : Memory::Partial;
    }
  }

  /// Every element of what is returned is written by some step.
  void finish() {
    if (m_shown.contains("incomplete"))
      return;
    for (const std::string& name : m_program.returned) {
      const Memory held = memory(storageOf(name));
      if (held != Memory::Unwritten && held != Memory::Partial)
        continue;
      const std::string what = "every element of '" + name + "' is written";
      GateReport report = undetermined(what + ": not shown of one launch");
      for (const std::map<std::string, int64_t>& sizes : smallProgramSizes()) {
        Finding finding;
        finding.kind = "incomplete";
        finding.sizes = sizes;
        const std::optional<ir::RunFinding> seen = seenInProgram(m_module, m_program, finding, m_stop);
        if (!seen)
          continue;
        describe(finding, *seen);
        report.status = GateStatus::Refused;
        report.findings = {finding};
        break;
      }
      m_parts.push_back({"", std::move(report)});
    }
  }

  std::vector<std::map<std::string, int64_t>> smallProgramSizes() const {
    constexpr size_t most = 24;
    for (const ir::ProgramStep& step : m_program.steps)
      if (step.kind == ir::ProgramStep::Kind::Launch)
        if (const ir::Kernel* kernel = kernelNamed(m_module, step.launch.kernel))
          return Replay(m_module, *kernel, contractAt(step), m_options.exitedThreadsOk, m_stop)
              .smallSizes(most);
    return {};
  }

  logic::TermStore& m_store;
  const ir::Module& m_module;
  const ir::HostProgram& m_program;
  engine::Portfolio* m_portfolio;
  const GridOptions& m_options;
  StopToken m_stop;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  std::set<std::string> m_shown;          ///< kinds of faults that runs of the whole program show
  std::map<std::string, Memory> m_memory; ///< of what the program makes or changes; else Given
  std::set<std::string> m_complete;       ///< tensors of which a launch writes every element
  std::vector<PartReport> m_parts;
  int m_launches = 0;
};

} // namespace

Expected<GateReport> checkProgram(logic::TermStore& store, const ir::Module& module,
                                  const ir::HostProgram& program, engine::Portfolio* portfolio,
                                  const GridOptions& options, const StopToken& stop) {
  return ProgramGate(store, module, program, portfolio, options, stop).run();
}

} // namespace plumbline::gate::grid

// plumbline gate: is a kernel free of races, stray accesses, divergent barriers and overflow?
#include "app/cli/commands.h"
#include "app/cli/cuda_file.h"
#include "app/cli/vercors_export.h"

#include "core/gate/grid/whole_gate.h"
#include "core/ir/run_command.h"
#include "core/session/verdict.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace plumbline::cli {
namespace {

Expected<ir::LaunchContract> fromFile(const ir::Kernel& kernel, const std::string& launchFile) {
  Expected<std::string> text = readFile(launchFile);
  Expected<Json> json = text ? parseJson(*text, launchFile) : tl::unexpected(text.error());
  return json ? ir::launchFromFile(*json, kernel.name) : tl::unexpected(json.error());
}

/// The answer about kernels that the importer rejected: their constructs by name.
gate::GateReport outsideFragment(const std::vector<const ir::Kernel*>& kernels) {
  gate::GateReport report;
  report.status = gate::GateStatus::Unsupported;
  for (const ir::Kernel* kernel : kernels) {
    report.reason += (report.reason.empty() ? "kernel '" : ", kernel '") + kernel->name + "'";
    report.rejections.insert(report.rejections.end(), kernel->rejections.begin(), kernel->rejections.end());
  }
  report.reason +=
      kernels.size() == 1 ? " is outside the accepted fragment" : " are outside the accepted fragment";
  return report;
}

/// Gates what the source's host code does.
class HostGate {
public:
  HostGate(const cuda::ImportedCuda& imported, const gate::grid::GridOptions& options)
      : m_imported(imported), m_options(options) {}

  /// `kernel`: only the wrappers that launch it; empty: all that the source holds.
  Expected<gate::GateReport> run(const std::string& kernel) {
    for (const ir::LaunchContract& contract : m_imported.launches)
      if ((kernel.empty() || contract.kernel == kernel) && !late())
        add(contract.wrapper + " launching " + contract.kernel, launched(contract));
    std::set<std::string> wrappers;
    for (const ir::HostProgram& program : m_imported.programs)
      if (kernel.empty() || launches(program, kernel)) {
        wrappers.insert(program.wrapper);
        if (late())
          continue;
        add(wayLabel(program.wrapper, program.when),
            gate::grid::checkProgram(m_store, m_imported.module, program, &m_portfolio, m_options, {}));
      }
    for (const ir::UnreadWay& way : m_imported.unreadWays)
      if (kernel.empty() || wrappers.contains(way.wrapper))
        add(wayLabel(way.wrapper, way.when), unread(way.reasons));
    if (m_failure)
      return fail(*m_failure);
    if (m_parts.empty() && m_impossible)
      return fail(*m_impossible);
    if (m_parts.empty() && std::ranges::any_of(m_imported.unread, [&](const Rejection& each) {
          return rejectedKernel(each) != nullptr;
        }))
      return unread(m_imported.unread);
    if (m_parts.empty())
      return fail(ErrorKind::Usage, "launch-missing",
                  "no launch of " + (kernel.empty() ? "a kernel" : kernel) +
                      " could be read from the source" + whyUnread(),
                  "describe it in a file and give it with --launch");
    if (const std::vector<Rejection> others = otherUnread(!kernel.empty()); !others.empty())
      add("", unread(others));
    if (m_parts.size() == 1)
      m_parts.front().label.clear();
    return gate::grid::merged(std::move(m_parts));
  }

private:
  static bool launches(const ir::HostProgram& program, const std::string& kernel) {
    return std::ranges::any_of(program.steps, [&](const ir::ProgramStep& step) {
      return step.kind == ir::ProgramStep::Kind::Launch && step.launch.kernel == kernel;
    });
  }

  static std::string wayLabel(const std::string& wrapper, const std::vector<ir::HostFact>& when) {
    std::string label = wrapper;
    for (const ir::HostFact& fact : when)
      label += (label == wrapper ? " where " : " and ") + fact.text;
    return label;
  }

  Expected<gate::GateReport> launched(const ir::LaunchContract& contract) {
    Expected<const ir::Kernel*> kernel = ir::findKernel(m_imported.module, contract.kernel);
    if (!kernel)
      return fail(kernel.error());
    return gate::grid::checkContract(m_store, m_imported.module, **kernel, contract, &m_portfolio, m_options,
                                     {});
  }

  /// Whether a fault is known and the time for others is over: further ways are not examined.
  bool late() {
    if (m_late || !m_options.faultKnown || std::chrono::steady_clock::now() - m_faultAt < timeAfterFault)
      return m_late;
    m_parts.push_back({"", open("further ways through the host code were not examined: a fault is known")});
    m_late = true;
    return true;
  }

  /// The same fault at the same place on another way through the wrapper is reported once.
  void dropKnown(std::vector<gate::Finding>& findings) const {
    std::erase_if(findings, [&](const gate::Finding& finding) {
      return std::ranges::any_of(m_parts, [&](const gate::grid::PartReport& part) {
        return std::ranges::any_of(part.report.findings, [&](const gate::Finding& known) {
          return known.kind == finding.kind && known.spans == finding.spans;
        });
      });
    });
  }

  void add(std::string label, Expected<gate::GateReport> report) {
    if (report && report->status == gate::GateStatus::Refused && !m_options.faultKnown) {
      m_options.faultKnown = true;
      m_faultAt = std::chrono::steady_clock::now();
    }
    if (report) {
      dropKnown(report->findings);
      m_parts.push_back({std::move(label), *std::move(report)});
    } else if (report.error().id == "launch-contradiction") // this way is never gone
      m_impossible = report.error();
    else if (report.error().id == "launch-unsatisfied")
      m_parts.push_back({std::move(label), open(report.error().message)});
    else if (!m_failure)
      m_failure = report.error();
  }

  static gate::GateReport open(std::string reason) {
    gate::GateReport report;
    report.reason = std::move(reason);
    return report;
  }

  /// Why a way could not be read: a kernel that it launches has constructs outside the fragment, or else the
  /// host code itself.
  gate::GateReport unread(const std::vector<Rejection>& reasons) const {
    std::vector<const ir::Kernel*> rejected;
    std::vector<Rejection> others;
    for (const Rejection& each : reasons)
      if (const ir::Kernel* kernel = rejectedKernel(each); kernel == nullptr)
        others.push_back(each);
      else if (std::ranges::find(rejected, kernel) == rejected.end())
        rejected.push_back(kernel);
    gate::GateReport report =
        rejected.empty() ? open("host code that could not be read") : outsideFragment(rejected);
    report.rejections.insert(report.rejections.end(), others.begin(), others.end());
    return report;
  }

  /// The kernel whose rejection made its launch unreadable; null for any other reason.
  const ir::Kernel* rejectedKernel(const Rejection& reason) const {
    const auto found = std::ranges::find_if(m_imported.module.kernels, [&](const ir::Kernel& kernel) {
      return kernel.function < 0 && reason.construct.find("'" + kernel.name + "'") != std::string::npos;
    });
    const bool known = reason.id == "kernel-rejected" && found != m_imported.module.kernels.end();
    return known ? &*found : nullptr;
  }

  /// Host code that is no way of a wrapper and may launch something; `any`: it may launch any kernel.
  std::vector<Rejection> otherUnread(bool any) const {
    std::vector<Rejection> others;
    for (const Rejection& each : m_imported.unread) {
      const bool ofWay = std::ranges::any_of(m_imported.unreadWays, [&](const ir::UnreadWay& way) {
        return std::ranges::count(way.reasons, each) != 0;
      });
      if (!ofWay && each.id != "not-instantiated" && (!any || each.id == "launch-not-read"))
        others.push_back(each);
    }
    return others;
  }

  std::string whyUnread() const {
    std::string why;
    for (const Rejection& each : m_imported.unread)
      why += (why.empty() ? ": " : "; ") + toString(each.where) + " " + each.construct + " [" + each.id + "]";
    return why;
  }

  const cuda::ImportedCuda& m_imported;
  static constexpr std::chrono::milliseconds timeAfterFault{500};

  gate::grid::GridOptions m_options;
  std::chrono::steady_clock::time_point m_faultAt; ///< when `faultKnown` was set
  bool m_late = false;
  logic::TermStore m_store;
  engine::Portfolio m_portfolio;
  std::vector<gate::grid::PartReport> m_parts;
  std::optional<Error> m_failure;
  std::optional<Error> m_impossible; ///< of a way that no sizes take
};

/// The answer of the gate, and what was read on the way to it.
struct Gated {
  gate::GateReport report;
  cuda::ImportedCuda imported;
  std::optional<ir::LaunchContract> contract; ///< of a launch file
};

/// The one that ir::findKernel found to be rejected.
const ir::Kernel* rejectedKernel(const ir::Module& module, const std::string& name) {
  return &*std::ranges::find_if(module.kernels, [&](const ir::Kernel& kernel) {
    return kernel.function < 0 && (name.empty() || kernel.name == name);
  });
}

Expected<gate::GateReport> gateOnce(const Arguments& arguments, const cuda::ImportedCuda& imported,
                                    std::optional<ir::LaunchContract>& contract) {
  const ir::Module& module = imported.module;
  const std::string name = arguments.value("--kernel");
  const std::string launchFile = arguments.value("--launch");
  gate::grid::GridOptions options;
  options.exitedThreadsOk = arguments.flags.contains("--exited-threads-ok");
  options.secondOpinion = !arguments.value("--queries").empty();
  if (launchFile.empty() && name.empty() && !module.kernels.empty())
    return HostGate(imported, options).run("");
  Expected<const ir::Kernel*> kernel = ir::findKernel(module, name);
  if (!kernel && kernel.error().id == "kernel-rejected")
    return outsideFragment({rejectedKernel(module, name)});
  if (!kernel)
    return fail(kernel.error());
  if (launchFile.empty())
    return HostGate(imported, options).run((*kernel)->name);
  Expected<ir::LaunchContract> given = fromFile(**kernel, launchFile);
  if (!given)
    return fail(given.error());
  contract = *std::move(given);
  engine::Portfolio portfolio;
  logic::TermStore store;
  return gate::grid::checkContract(store, module, **kernel, *contract, &portfolio, options, {});
}

Expected<Gated> gateFile(const Arguments& arguments) {
  Expected<session::ImportChildren::Candidate> candidate = readCudaFile(arguments.positional[0]);
  if (!candidate)
    return fail(candidate.error());
  Gated gated;
  gated.imported = std::move(candidate->imported);
  Expected<gate::GateReport> report = gateOnce(arguments, gated.imported, gated.contract);
  if (!report)
    return fail(report.error());
  gated.report = *std::move(report);
  return gated;
}

Expected<VercorsRequest> vercorsRequest(const Arguments& arguments) {
  VercorsRequest request;
  request.file = arguments.value("--vercors");
  const Expected<unsigned> seconds =
      parsePositive("--vercors-timeout", arguments.value("--vercors-timeout", "300"));
  if (!seconds)
    return fail(seconds.error());
  request.timeout = std::chrono::seconds(*seconds);
  std::error_code failure;
  if (!request.file.empty() && std::filesystem::equivalent(request.file, arguments.positional[0], failure))
    return fail(ErrorKind::Usage, "usage", "--vercors would overwrite " + arguments.positional[0],
                "name another file");
  return request;
}

/// One SMT-LIB file for each obligation that a solver was asked about.
Expected<void> saveQueries(const gate::GateReport& report, const std::string& directory) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  int number = 0;
  for (const gate::ObligationResult& each : report.obligations) {
    ++number;
    if (each.proof.query.empty())
      continue;
    std::ofstream file(std::filesystem::path(directory) / ("obligation-" + std::to_string(number) + ".smt2"));
    file << "; " << each.name << "\n" << each.proof.query;
    if (!file.flush())
      return fail(ErrorKind::File, "file-unwritable", "cannot write the queries to " + directory,
                  "choose another directory");
  }
  return {};
}

int exitStatus(gate::GateStatus status) {
  switch (status) {
  case gate::GateStatus::Accepted: return 0;
  case gate::GateStatus::Refused: return 5;
  case gate::GateStatus::Undetermined: return 2;
  case gate::GateStatus::Unsupported: return 3;
  }
  return 4;
}

} // namespace

int gateCommand(const std::vector<std::string>& words) {
  const bool json = asksJson(words);
  Expected<Arguments> arguments =
      parseArguments(words, {{"--json", "--exited-threads-ok"},
                             {"--launch", "--kernel", "--queries", "--vercors", "--vercors-timeout"},
                             {},
                             1});
  Expected<VercorsRequest> request =
      arguments ? vercorsRequest(*arguments) : tl::unexpected(arguments.error());
  Expected<Gated> result = request ? gateFile(*arguments) : tl::unexpected(request.error());
  if (!result)
    return report(result.error(), json);
  const gate::GateReport& answer = result->report;
  if (const std::string directory = arguments->value("--queries"); !directory.empty())
    if (Expected<void> saved = saveQueries(answer, directory); !saved)
      return report(saved.error(), json);
  Json object = session::toJson(answer);
  object["schema"] = 1;
  std::ostringstream text;
  session::printGate(text, answer);
  if (const std::string next = gate::nextStep(answer); !next.empty())
    text << "  next: " << next << "\n";
  if (!request->file.empty()) {
    const VercorsReport second =
        askVercors(result->imported, arguments->value("--kernel"), result->contract, answer.status, *request);
    object["vercors"] = toJson(second);
    text << print(second);
  }
  if (!printOut(json ? prettyJson(object) : text.str()))
    return 4;
  return exitStatus(answer.status);
}

} // namespace plumbline::cli

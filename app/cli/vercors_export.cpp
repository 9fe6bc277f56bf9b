#include "app/cli/vercors_export.h"

#include "core/gate/vercors/export.h"
#include "core/ir/run_command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace plumbline::cli {
namespace {

/// All launches of the source that were read, in order; `kernel`: only its.
std::vector<const ir::LaunchContract*> launchesOf(const cuda::ImportedCuda& imported,
                                                  const std::string& kernel) {
  std::vector<const ir::LaunchContract*> found;
  const auto add = [&](const ir::LaunchContract& launch) {
    const bool known = std::ranges::any_of(found, [&](const ir::LaunchContract* each) {
      return each->kernel == launch.kernel && each->where == launch.where;
    });
    if (!known && (kernel.empty() || launch.kernel == kernel))
      found.push_back(&launch);
  };
  for (const ir::LaunchContract& launch : imported.launches)
    add(launch);
  for (const ir::HostProgram& program : imported.programs)
    for (const ir::ProgramStep& step : program.steps)
      if (step.kind == ir::ProgramStep::Kind::Launch)
        add(step.launch);
  std::ranges::stable_sort(found, {}, [](const ir::LaunchContract* each) { return each->where.line; });
  return found;
}

tl::unexpected<Error> severalLaunches(const std::vector<const ir::LaunchContract*>& launches) {
  std::string list;
  for (const ir::LaunchContract* each : launches)
    list += (list.empty() ? "" : ", ") + each->kernel + " in " + each->wrapper + " (" +
            plumbline::toString(each->where) + ")";
  return fail(
      ErrorKind::Rejected, "vercors-launch",
      "the source has " + std::to_string(launches.size()) + " launches: " + list,
      "name a kernel that has one launch with --kernel, or describe one in a file and give it with --launch");
}

Expected<ir::LaunchContract> onlyLaunch(const cuda::ImportedCuda& imported, const std::string& kernel) {
  const std::vector<const ir::LaunchContract*> all = launchesOf(imported, kernel);
  if (all.size() > 1)
    return severalLaunches(all);
  for (const ir::LaunchContract& launch : imported.launches)
    if (launch.kernel == kernel)
      return launch;
  return fail(ErrorKind::Rejected, "vercors-launch",
              "no single launch of kernel '" + kernel + "' could be read from the source",
              "describe one in a file and give it with --launch");
}

Expected<std::string> exported(const cuda::ImportedCuda& imported, const std::string& name,
                               const std::optional<ir::LaunchContract>& contract) {
  if (const auto all = launchesOf(imported, ""); !contract && name.empty() && all.size() > 1)
    return severalLaunches(all);
  Expected<const ir::Kernel*> kernel = ir::findKernel(imported.module, name);
  if (!kernel)
    return fail(kernel.error());
  Expected<ir::LaunchContract> launch =
      contract ? Expected<ir::LaunchContract>(*contract) : onlyLaunch(imported, (*kernel)->name);
  if (!launch)
    return fail(launch.error());
  return gate::vercors::annotatedKernel(imported.module, **kernel, *launch);
}

/// An export of an earlier run would be taken for one of this run. What Plumbline did not write stays.
bool removeEarlierExport(const std::string& file) {
  std::string first;
  std::getline(std::ifstream(file), first);
  std::error_code failure;
  return first.starts_with(gate::vercors::firstWords) && std::filesystem::remove(file, failure) && !failure;
}

} // namespace

VercorsReport askVercors(const cuda::ImportedCuda& imported, const std::string& kernel,
                         const std::optional<ir::LaunchContract>& contract, gate::GateStatus status,
                         const VercorsRequest& request) {
  VercorsReport report;
  const Expected<std::string> text = exported(imported, kernel, contract);
  const Expected<void> written = text ? writeFile(request.file, *text) : tl::unexpected(text.error());
  if (!written) {
    report.refusal = written.error();
    report.removed = removeEarlierExport(request.file) ? request.file : "";
    return report;
  }
  report.file = request.file;
  if (status != gate::GateStatus::Accepted) {
    report.answer.message =
        "VerCors takes integers as unbounded, and the gate has not shown that none overflows";
    return report;
  }
  report.answer = gate::vercors::run(request.file, request.timeout, {});
  return report;
}

Json toJson(const VercorsReport& report) {
  Json json{{"file", report.file}};
  if (!report.removed.empty())
    json["removed"] = report.removed;
  if (report.refusal)
    json["refused"] = {
        {"id", report.refusal->id},
        {"message", report.refusal->message},
        {"where", report.refusal->where ? plumbline::toJson(*report.refusal->where) : Json(nullptr)}};
  json.update(gate::vercors::toJson(report.answer));
  return json;
}

std::string print(const VercorsReport& report) {
  if (report.refusal)
    return "VerCors: not exported" +
           (report.removed.empty() ? ""
                                   : " (" + report.removed + ", the export of an earlier run, was removed)") +
           ": " + toString(*report.refusal) + "\n";
  return gate::vercors::print(report.answer) + "  " + report.file + "\n";
}

} // namespace plumbline::cli

#include "app/cli/vercors_export.h"

#include "core/gate/vercors/export.h"
#include "core/ir/run_command.h"

namespace plumbline::cli {
namespace {

Expected<ir::LaunchContract> onlyLaunch(const cuda::ImportedCuda& imported, const std::string& kernel) {
  const ir::LaunchContract* found = nullptr;
  for (const ir::LaunchContract& launch : imported.launches)
    if (launch.kernel == kernel) {
      if (found != nullptr)
        return fail(ErrorKind::Rejected, "vercors-launch",
                    "kernel '" + kernel + "' is launched at several places", "give one launch with --launch");
      found = &launch;
    }
  if (found == nullptr)
    return fail(ErrorKind::Rejected, "vercors-launch",
                "no single launch of kernel '" + kernel + "' could be read from the source",
                "give one with --launch");
  return *found;
}

Expected<std::string> exported(const cuda::ImportedCuda& imported, const std::string& name,
                               const std::optional<ir::LaunchContract>& contract) {
  Expected<const ir::Kernel*> kernel = ir::findKernel(imported.module, name);
  if (!kernel)
    return fail(kernel.error());
  Expected<ir::LaunchContract> launch =
      contract ? Expected<ir::LaunchContract>(*contract) : onlyLaunch(imported, (*kernel)->name);
  if (!launch)
    return fail(launch.error());
  return gate::vercors::annotatedKernel(imported.module, **kernel, *launch);
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
    return "VerCors: not exported (" + report.file + " was not written): " + toString(*report.refusal) + "\n";
  return gate::vercors::print(report.answer) + "  " + report.file + "\n";
}

} // namespace plumbline::cli

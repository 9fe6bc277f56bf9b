#include "tests/unit/gate_grid/grid_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace plumbline::gate::grid {

namespace {

std::vector<KnownKernel> readKernels() {
  const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "tests/gate/kernels";
  const Expected<std::string> text = readFile(folder / "launches.json");
  const Expected<Json> json = text ? parseJson(*text, "launches.json") : tl::unexpected(text.error());
  std::vector<KnownKernel> kernels;
  if (!json) {
    ADD_FAILURE() << toString(json.error());
    return kernels;
  }
  for (const auto& [name, entry] : (*json)["kernels"].items()) {
    const Expected<std::string> source = readFile(folder / (name + ".cu"));
    const Expected<ir::LaunchContract> contract = ir::launchFromJson(name, entry);
    if (!source || !contract) {
      ADD_FAILURE() << name << ": " << toString(source ? contract.error() : source.error());
      continue;
    }
    std::vector<std::string> faults = entry["expect"];
    std::sort(faults.begin(), faults.end());
    kernels.push_back({name, *source, *contract, std::move(faults)});
  }
  return kernels;
}

} // namespace

const std::vector<KnownKernel>& knownKernels() {
  static const std::vector<KnownKernel> kernels = readKernels();
  return kernels;
}

Expected<cuda::ImportedCuda> importText(const std::string& source) {
  static Expected<cuda::CudaImporter> importer = cuda::CudaImporter::start();
  if (!importer)
    return fail(importer.error());
  return importer->importSource(source, "kernel.cu", StopToken().withTimeout(std::chrono::seconds(60)));
}

engine::Portfolio& portfolio() {
  static engine::Portfolio solvers;
  return solvers;
}

Expected<GateReport> gateText(const std::string& source, const ir::LaunchContract& contract,
                              const GridOptions& options) {
  Expected<cuda::ImportedCuda> imported = importText(source);
  if (!imported)
    return fail(imported.error());
  if (imported->module.kernels.size() != 1 || imported->module.kernels[0].function < 0)
    return fail(ErrorKind::Rejected, "kernel-rejected", "the kernel is not in the fragment");
  logic::TermStore store;
  return checkGrid(store, imported->module, imported->module.kernels[0], contract, &portfolio(), options, {});
}

std::vector<std::string> outcome(const Expected<GateReport>& report) {
  if (!report)
    return {"error: " + toString(report.error())};
  if (report->status == GateStatus::Accepted)
    return {};
  std::vector<std::string> kinds;
  for (const Finding& finding : report->findings)
    kinds.push_back(finding.kind);
  if (report->status != GateStatus::Refused)
    kinds.push_back(std::string(name(report->status)) + ": " + report->reason);
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

} // namespace plumbline::gate::grid

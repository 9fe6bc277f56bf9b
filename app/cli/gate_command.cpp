// plumbline gate: is a kernel free of races, stray accesses, divergent barriers and overflow?
#include "app/cli/commands.h"
#include "app/cli/cuda_file.h"

#include "core/gate/grid/grid_gate.h"
#include "core/ir/run_command.h"
#include "core/session/verdict.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace plumbline::cli {
namespace {

Expected<ir::LaunchContract> contractFor(const cuda::ImportedCuda& imported, const ir::Kernel& kernel,
                                         const std::string& launchFile) {
  if (!launchFile.empty()) {
    Expected<std::string> text = readFile(launchFile);
    Expected<Json> json = text ? parseJson(*text, launchFile) : tl::unexpected(text.error());
    return json ? ir::launchFromFile(*json, kernel.name) : tl::unexpected(json.error());
  }
  const ir::LaunchContract* found = nullptr;
  for (const ir::LaunchContract& contract : imported.launches) {
    if (contract.kernel != kernel.name)
      continue;
    if (found != nullptr)
      return fail(ErrorKind::Usage, "launch-ambiguous",
                  "the source launches " + kernel.name + " more than once",
                  "describe the launch in a file and give it with --launch");
    found = &contract;
  }
  if (found == nullptr) {
    std::string why;
    for (const Rejection& unread : imported.unread)
      why += (why.empty() ? ": " : "; ") + toString(unread.where) + " " + unread.construct + " [" +
             unread.id + "]";
    return fail(ErrorKind::Usage, "launch-missing",
                "no single launch of " + kernel.name + " could be read from the source" + why,
                "describe it in a file and give it with --launch");
  }
  return *found;
}

Expected<gate::GateReport> gateOnce(const Arguments& arguments) {
  Expected<session::ImportChildren::Candidate> candidate = readCudaFile(arguments.positional[0]);
  if (!candidate)
    return fail(candidate.error());
  const ir::Module& module = candidate->imported.module;
  Expected<const ir::Kernel*> kernel = ir::findKernel(module, arguments.value("--kernel"));
  if (!kernel)
    return fail(kernel.error());
  Expected<ir::LaunchContract> contract =
      contractFor(candidate->imported, **kernel, arguments.value("--launch"));
  if (!contract)
    return fail(contract.error());
  engine::Portfolio portfolio;
  logic::TermStore store;
  gate::grid::GridOptions gridOptions;
  gridOptions.exitedThreadsOk = arguments.flags.contains("--exited-threads-ok");
  return gate::grid::checkGrid(store, module, **kernel, *contract, &portfolio, gridOptions, {});
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
  Expected<Arguments> arguments = parseArguments(
      words, {{"--json", "--exited-threads-ok"}, {"--launch", "--kernel", "--queries"}, {}, 1});
  Expected<gate::GateReport> result = arguments ? gateOnce(*arguments) : tl::unexpected(arguments.error());
  if (!result)
    return report(result.error(), json);
  if (const std::string directory = arguments->value("--queries"); !directory.empty())
    if (Expected<void> saved = saveQueries(*result, directory); !saved)
      return report(saved.error(), json);
  Json object = session::toJson(*result);
  object["schema"] = 1;
  std::ostringstream text;
  session::printGate(text, *result);
  if (!printOut(json ? prettyJson(object) : text.str()))
    return 4;
  return exitStatus(result->status);
}

} // namespace plumbline::cli

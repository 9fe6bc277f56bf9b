// plumbline run: a kernel on concrete tensors.
#include "app/cli/commands.h"
#include "app/cli/cuda_file.h"
#include "app/cli/input_names.h"

#include "core/ir/run_command.h"

#include <set>

namespace plumbline::cli {
namespace {

/// What an inputs file may name: parameters of the kernel, the wrapper's tensors, sizes.
std::vector<std::string> namesTaken(const ir::LaunchContract& launch, const ir::Module& module,
                                    const ir::Kernel& kernel) {
  std::set<std::string> names;
  const ir::Function& function = module.functions[static_cast<size_t>(kernel.function)];
  for (int i = 0; i < function.parameterCount; ++i)
    names.insert(function.locals[static_cast<size_t>(i)].name);
  for (const ir::BufferContract& buffer : launch.buffers)
    names.insert(buffer.tensor);
  for (const ir::SizeSymbol& symbol : launch.symbols)
    names.insert({symbol.name, symbol.parameter, symbol.tensor.substr(0, symbol.tensor.find('.'))});
  names.erase("");
  return {names.begin(), names.end()};
}

Expected<ir::RunReport> runOnce(const Arguments& arguments) {
  Expected<session::ImportChildren::Candidate> candidate = readCudaFile(arguments.positional[0]);
  if (!candidate)
    return fail(candidate.error());
  ir::RunRequest request;
  request.module = &candidate->imported.module;
  request.kernel = arguments.value("--kernel");
  Expected<const ir::Kernel*> kernel = ir::findKernel(*request.module, request.kernel);
  if (!kernel)
    return fail(kernel.error());
  const std::string launchFile = arguments.value("--launch");
  Expected<std::string> text = readFile(launchFile);
  Expected<Json> json = text ? parseJson(*text, launchFile) : tl::unexpected(text.error());
  Expected<ir::LaunchContract> launch =
      json ? ir::launchFromFile(*json, (*kernel)->name) : tl::unexpected(json.error());
  if (!launch)
    return fail(launch.error());
  request.launch = *std::move(launch);
  Expected<ir::TensorFile> inputs = ir::readTensors(arguments.value("--inputs"));
  if (!inputs)
    return fail(inputs.error());
  request.inputs = *std::move(inputs);
  Expected<ir::Schedule> schedule = ir::parseSchedule(arguments.value("--schedule", "forward"));
  if (!schedule)
    return fail(schedule.error());
  request.schedule = *schedule;
  request.exitedThreadsOk = arguments.flags.contains("--exited-threads-ok");
  const InputNames names("the launch", namesTaken(request.launch, *request.module, **kernel),
                         namesIn(request.inputs));
  Expected<ir::RunReport> result = ir::runKernel(request, {});
  if (!result)
    return fail(names.explain(result.error()));
  names.noteUnused("run");
  return result;
}

} // namespace

int runCommand(const std::vector<std::string>& words) {
  const bool json = asksJson(words);
  Expected<Arguments> arguments = parseArguments(
      words, {{"--json", "--exited-threads-ok"}, {"--launch", "--inputs", "--kernel", "--schedule"}, {}, 1});
  for (const char* option : {"--launch", "--inputs"})
    if (arguments && !arguments->values.contains(option))
      arguments = missingOption(option);
  Expected<ir::RunReport> result = arguments ? runOnce(*arguments) : tl::unexpected(arguments.error());
  if (!result)
    return report(result.error(), json);
  if (!printOut(json ? prettyJson(ir::toJson(*result)) : ir::print(*result)))
    return 4;
  return result->findings().empty() ? 0 : 5;
}

} // namespace plumbline::cli

// plumbline run, eval: concrete values of kernels and modules.
#include "app/cli/commands.h"

#include "core/ir/run_command.h"
#include "core/session/sources.h"
#include "core/spec/evaluate.h"

#include <algorithm>
#include <cstdio>

namespace plumbline::cli {
namespace {

bool asksJson(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), "--json") != words.end();
}

Expected<ir::RunReport> runOnce(const Arguments& arguments) {
  session::CheckOptions options;
  options.kernel = arguments.positional[0];
  session::ImportChildren children;
  Expected<session::ImportChildren::Candidate> candidate = children.readKernel(options, {});
  if (!candidate)
    return fail(candidate.error());
  if (!candidate->imported.errors.empty()) {
    Error error{ErrorKind::Rejected,           "cuda-syntax", "the CUDA source does not compile",
                "mend the errors named above", std::nullopt,  {}};
    error.rejections = candidate->imported.errors;
    return fail(std::move(error));
  }
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
  return ir::runKernel(request, {});
}

Json realJson(const std::map<std::string, spec::RealTensor>& tensors) {
  Json result = Json::object();
  for (const auto& [name, tensor] : tensors) {
    Json values = Json::array();
    for (const logic::RealValue& value : tensor.values)
      values.push_back(value.known()
                           ? Json(value.value.get_str())
                           : Json(value.kind == logic::RealValue::Kind::Undefined ? "undefined" : "inexact"));
    result[name] = {{"shape", tensor.shape}, {"rationals", values}};
  }
  return result;
}

Expected<Json> evaluateOnce(const Arguments& arguments) {
  session::CheckOptions options;
  options.model = arguments.positional[0];
  options.mode = arguments.value("--mode", "train");
  if (const auto found = arguments.values.find("--input"); found != arguments.values.end())
    options.inputs = found->second;
  session::ImportChildren children;
  std::fprintf(stderr, "eval: reading %s\n", options.model.c_str());
  Expected<torch::Graph> graph = children.readModel(options, {});
  if (!graph)
    return fail(graph.error());
  if (graph->symbols.empty())
    if (std::optional<torch::Graph> general = spec::generalise(*graph))
      graph = *std::move(general);
  logic::TermStore store;
  Expected<spec::Spec> denoted = spec::denote(store, *graph);
  if (!denoted)
    return fail(denoted.error());
  Expected<ir::TensorFile> inputs = ir::readTensors(arguments.value("--inputs"));
  if (!inputs)
    return fail(inputs.error());
  std::fprintf(stderr, "eval: %zu nodes, %zu folds\n", graph->nodes.size(), denoted->stages.size());
  if (arguments.value("--reading", "ieee") == "real") {
    Expected<std::map<std::string, spec::RealTensor>> values =
        spec::evaluateSpecReal(store, *denoted, inputs->tensors);
    return values ? Expected<Json>(realJson(*values)) : fail(values.error());
  }
  Expected<ir::Tensors> values = spec::evaluateSpec(store, *denoted, inputs->tensors);
  if (!values)
    return fail(values.error());
  Json result = Json::object();
  for (const auto& [name, tensor] : *values)
    result[name] = ir::toJson(tensor);
  return result;
}

tl::unexpected<Error> missing(const std::string& option) {
  return fail(ErrorKind::Usage, "usage", "option '" + option + "' is needed",
              "`plumbline help` shows the command");
}

} // namespace

int runCommand(const std::vector<std::string>& words) {
  const bool json = asksJson(words);
  Expected<Arguments> arguments =
      parseArguments(words, {{"--json"}, {"--launch", "--inputs", "--kernel", "--schedule"}, {}, 1});
  for (const char* option : {"--launch", "--inputs"})
    if (arguments && !arguments->values.contains(option))
      arguments = missing(option);
  Expected<ir::RunReport> result = arguments ? runOnce(*arguments) : tl::unexpected(arguments.error());
  if (!result)
    return report(result.error(), json);
  if (!printOut(json ? prettyJson(ir::toJson(*result)) : ir::print(*result)))
    return 4;
  return result->findings().empty() ? 0 : 5;
}

int evalCommand(const std::vector<std::string>& words) {
  const bool json = asksJson(words);
  Expected<Arguments> arguments =
      parseArguments(words, {{"--json"}, {"--inputs", "--reading", "--mode"}, {"--input"}, 1});
  if (arguments && !arguments->values.contains("--inputs"))
    arguments = missing("--inputs");
  if (arguments)
    if (const std::string reading = arguments->value("--reading", "ieee");
        reading != "ieee" && reading != "real")
      arguments =
          fail(ErrorKind::Usage, "usage", "reading '" + reading + "' is not available", "use ieee or real");
  Expected<Json> values = arguments ? evaluateOnce(*arguments) : tl::unexpected(arguments.error());
  if (!values)
    return report(values.error(), json);
  return printOut(prettyJson(*values)) ? 0 : 4;
}

} // namespace plumbline::cli

// plumbline import: the graph of a module, or the kernels, contracts and rejections of a CUDA source.
#include "app/cli/commands.h"
#include "app/cli/cuda_coverage.h"
#include "app/cli/ptx_import.h"

#include "core/logic/term_text.h"
#include "core/method/stage_text.h"
#include "core/session/sources.h"
#include "core/workbench/node_cost.h"

#include <algorithm>
#include <cstdio>

namespace plumbline::cli {
namespace {

/// The files of a folder with one of the endings, sorted; or the file itself.
Expected<std::vector<std::string>> filesOf(const std::string& path, const std::vector<std::string>& endings) {
  std::error_code code;
  if (!std::filesystem::is_directory(path, code))
    return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path, code))
    for (const std::string& ending : endings)
      if (entry.is_regular_file(code) && entry.path().string().ends_with(ending))
        files.push_back(entry.path().string());
  if (files.empty())
    return fail(ErrorKind::File, "file-not-found", "no file to import in " + path,
                "name a file or another folder");
  std::sort(files.begin(), files.end());
  return files;
}

std::string shapeText(const logic::TermStore& store, const spec::SpecTensor& tensor) {
  std::string text = "[";
  for (logic::TermId size : tensor.shape)
    text += (text.size() > 1 ? ", " : "") + logic::displayText(store, size);
  return text + "] " + std::string(torch::name(tensor.dtype));
}

/// "sum_1:fold[4, 8] float32: left fold over k < 16 from 0, sum of x[i / 8 + k]".
std::string stageText(const logic::TermStore& store, const spec::Stage& stage) {
  std::string text = "  " + stage.tensor.name + shapeText(store, stage.tensor) +
                     ", element i: left fold over k < " + logic::displayText(store, stage.count) + " from " +
                     logic::displayText(store, stage.init) + "\n    ";
  if (store.boolValue(stage.guard) != true)
    text += "where " + logic::displayText(store, stage.guard) + ": ";
  if (stage.kind == spec::FoldKind::General)
    return text + "acc = " + logic::displayText(store, stage.next) + "\n";
  return text + std::string(spec::name(stage.kind)) + " of " + logic::displayText(store, stage.term) + "\n";
}

/// An integer while a double counts exactly.
Json count(double value) {
  constexpr double exact = 9007199254740992.0; // 2^53
  return value <= exact ? Json(static_cast<int64_t>(value)) : Json(value);
}

/// "  relu = aten.relu.default, 32 operations, 256 bytes, model.py:6".
std::string nodeText(const torch::Graph& graph, const torch::Node& node) {
  std::string text = "  " + node.name + " = " + node.target;
  if (const auto cost = workbench::nodeCost(graph, node))
    text += ", " + workbench::costText(*cost);
  if (node.where.known())
    text += ", " + node.where.file + ":" + std::to_string(node.where.line);
  return text + "\n";
}

Json graphJson(const torch::Graph& graph) {
  Json json = torch::toJson(graph);
  for (size_t k = 0; k < graph.nodes.size(); ++k)
    if (const auto cost = workbench::nodeCost(graph, graph.nodes[k]))
      json["nodes"][k]["cost"] = {{"operations", count(cost->operations)}, {"bytes", count(cost->bytes)}};
  return json;
}

std::string torchText(const std::string& file, const torch::Graph& graph, const logic::TermStore& store,
                      const Expected<spec::Spec>& denoted) {
  std::string text = file + ": " + std::to_string(graph.nodes.size()) + " nodes\n";
  for (const torch::Node& node : graph.nodes)
    text += nodeText(graph, node);
  if (!denoted)
    return text;
  for (const spec::Stage& stage : denoted->stages)
    text += stageText(store, stage);
  for (const spec::SpecOutput& output : denoted->outputs)
    text += "  " + output.tensor.name + shapeText(store, output.tensor) +
            ", element i: " + logic::displayText(store, output.element) + "\n";
  return text;
}

enum class Form : uint8_t { Text, Json, Lean };

int printLean(const logic::TermStore& store, const spec::Spec& denoted) {
  const Expected<std::string> text = method::leanText(store, denoted);
  return !text ? report(text.error(), false) : printOut(*text) ? 0 : 4;
}

int importTorch(const std::string& file, const std::vector<std::string>& inputs, Form form) {
  session::CheckOptions options;
  options.model = file;
  options.inputs = inputs;
  std::fprintf(stderr, "import: reading %s\n", file.c_str());
  session::ImportChildren children;
  Expected<torch::Graph> graph = children.readModel(options, {});
  if (!graph)
    return report(graph.error(), form == Form::Json);
  logic::TermStore store;
  Expected<spec::Spec> denoted = spec::denote(store, *graph);
  if (form == Form::Json) {
    Json result{{"schema", 1}, {"file", file}, {"graph", graphJson(*graph)}};
    if (!denoted)
      result["unsupported"] = {{"id", denoted.error().id}, {"message", denoted.error().message}};
    return printOut(prettyJson(result)) ? (denoted ? 0 : 3) : 4;
  }
  if (form == Form::Lean && denoted)
    return printLean(store, *denoted);
  if (form == Form::Text && !printOut(torchText(file, *graph, store, denoted)))
    return 4;
  return denoted ? 0 : report(denoted.error(), false);
}

/// The C++ function that a node of a recorded class calls.
std::string functionOf(const torch::Node& node) {
  const std::string name = node.target.substr(std::string_view(torch::wrapperNamespace).size());
  return name.substr(0, name.find('.'));
}

std::string cudaText(const std::string& file, const session::ImportChildren::Candidate& candidate) {
  std::string text = file + ":\n";
  for (const ir::Kernel& kernel : candidate.imported.module.kernels) {
    text += "  kernel " + kernel.name + (kernel.rejections.empty() ? "" : ": rejected") + "\n";
    for (const Rejection& rejection : kernel.rejections)
      text += "    " + toString(rejection.where) + ": " + rejection.construct + " [" + rejection.id + "]\n";
    if (kernel.function >= 0 && kernel.rejections.empty())
      text += ir::print(candidate.imported.module.functions[static_cast<size_t>(kernel.function)],
                        candidate.imported.module) +
              "\n";
  }
  for (const ir::LaunchContract& launch : candidate.imported.launches) {
    text += "  launch of " + launch.kernel + " in " + launch.wrapper + ": grid (";
    for (size_t axis = 0; axis < 3; ++axis)
      text += (axis == 0 ? "" : ", ") + ir::print(*launch.grid[axis]);
    text += ") block (";
    for (size_t axis = 0; axis < 3; ++axis)
      text += (axis == 0 ? "" : ", ") + ir::print(*launch.block[axis]);
    text += ")\n";
  }
  for (const ir::HostProgram& program : candidate.imported.programs)
    text += "  program of " + ir::print(program);
  for (const Rejection& unread : candidate.imported.unread)
    text += "  unread: " + toString(unread.where) + ": " + unread.construct + " [" + unread.id + "]\n";
  for (const Rejection& error : candidate.imported.errors)
    text += "  error: " + toString(error.where) + ": " + error.construct + " [" + error.id + "]\n";
  return text;
}

Json cudaJson(const std::string& file, const session::ImportChildren::Candidate& candidate) {
  auto list = [](const std::vector<Rejection>& rejections) {
    Json result = Json::array();
    for (const Rejection& rejection : rejections)
      result.push_back(toJson(rejection));
    return result;
  };
  Json launches = Json::array();
  for (const ir::LaunchContract& launch : candidate.imported.launches)
    launches.push_back(ir::toJson(launch));
  Json programs = Json::array();
  for (const ir::HostProgram& program : candidate.imported.programs)
    programs.push_back(ir::toJson(program));
  Json ways = Json::array();
  for (const ir::UnreadWay& way : candidate.imported.unreadWays)
    ways.push_back(ir::toJson(way));
  return {{"schema", 1},
          {"file", file},
          {"module", ir::toJson(candidate.imported.module)},
          {"launches", launches},
          {"programs", programs},
          {"unread_ways", ways},
          {"unread", list(candidate.imported.unread)},
          {"errors", list(candidate.imported.errors)},
          {"flags", candidate.imported.flags}};
}

int importCuda(const std::string& file, bool json) {
  session::CheckOptions options;
  options.kernel = file;
  session::ImportChildren children;
  Expected<session::ImportChildren::Candidate> candidate = children.readKernel(options, {});
  if (!candidate)
    return report(candidate.error(), json);
  if (!printOut(json ? prettyJson(cudaJson(file, *candidate)) : cudaText(file, *candidate)))
    return 4;
  const auto& kernels = candidate->imported.module.kernels;
  const bool clean = candidate->imported.errors.empty() &&
                     std::all_of(kernels.begin(), kernels.end(),
                                 [](const ir::Kernel& kernel) { return kernel.rejections.empty(); });
  return clean ? 0 : 3;
}

/// "  conv.weight of Model is conv.weight (name)".
std::string parametersText(const torch::RecordedClass& recorded) {
  std::string text;
  for (const torch::RecordedClass::Parameter& parameter : recorded.parameters)
    text += "  parameter " + parameter.key +
            (parameter.model.empty() ? ": none of Model"
                                     : " is Model's " + parameter.model + " by " + parameter.by) +
            "\n";
  for (const std::string& key : recorded.left)
    text += "  Model's " + key + " has no counterpart\n";
  return text;
}

Json recordedJson(const std::string& file, const std::string& name,
                  const session::ImportChildren::Recorded& read) {
  Json calls = Json::array();
  for (const torch::Node& node : read.recorded.graph.nodes)
    if (node.target.starts_with(torch::wrapperNamespace))
      calls.push_back({{"node", node.name}, {"function", functionOf(node)}});
  Json parameters = Json::array();
  for (const torch::RecordedClass::Parameter& parameter : read.recorded.parameters)
    parameters.push_back({{"key", parameter.key}, {"model", parameter.model}, {"by", parameter.by}});
  Json json = cudaJson(file, read.candidate);
  json.update({{"class", name},
               {"graph", graphJson(read.recorded.graph)},
               {"calls", std::move(calls)},
               {"parameters", std::move(parameters)},
               {"model_left", read.recorded.left}});
  return json;
}

int recordClass(const std::string& file, const Arguments& arguments, bool json) {
  session::CheckOptions options;
  options.kernel = file;
  options.model = arguments.value("--model");
  options.mode = arguments.value("--mode", "train");
  const std::string name = arguments.value("--class");
  if (!file.ends_with(".py") || (options.mode != "train" && options.mode != "eval"))
    return report({ErrorKind::Usage, "usage", "--class goes with a .py file, --mode is train or eval",
                   "plumbline import torch FILE.py --class ModelNew [--model MODEL.py]"},
                  json);
  std::fprintf(stderr, "import: executing %s\n", file.c_str());
  session::ImportChildren children;
  Expected<session::ImportChildren::Recorded> read = children.recordClass(options, name, {});
  if (!read)
    return report(read.error(), json);
  std::string text =
      file + ", class " + name + ": " + std::to_string(read->recorded.graph.nodes.size()) + " nodes\n";
  for (const torch::Node& node : read->recorded.graph.nodes)
    text += nodeText(read->recorded.graph, node);
  for (const std::string& flag : read->candidate.imported.flags)
    text += "  compiled with " + flag + "\n";
  return printOut(json ? prettyJson(recordedJson(file, name, *read)) : text + parametersText(read->recorded))
             ? 0
             : 4;
}

} // namespace

int importCommand(const std::vector<std::string>& words) {
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  Expected<Arguments> arguments = parseArguments(words, {{"--json", "--lean", "--ptx"},
                                                         {"--arch", "--nvcc", "--class", "--model", "--mode"},
                                                         {"--input", "--flags"},
                                                         2});
  if (!arguments)
    return report(arguments.error(), json);
  const bool isTorch = arguments->positional[0] == "torch";
  if (!isTorch && arguments->positional[0] != "cuda")
    return report({ErrorKind::Usage, "usage",
                   "import knows torch and cuda, not '" + arguments->positional[0] + "'",
                   "plumbline import torch|cuda FILE"},
                  json);
  if (arguments->has("--lean") && (json || !isTorch))
    return report({ErrorKind::Usage, "usage", "--lean goes with import torch and without --json",
                   "plumbline import torch FILE --lean"},
                  json);
  if (Expected<void> fits = checkPtxOptions(*arguments); !fits)
    return report(fits.error(), json);
  if (isTorch && !arguments->value("--class").empty())
    return recordClass(arguments->positional[1], *arguments, json);
  Expected<std::vector<std::string>> files =
      filesOf(arguments->positional[1],
              isTorch ? std::vector<std::string>{".json", ".pt2"} : std::vector<std::string>{".cu"});
  if (!files)
    return report(files.error(), json);
  const auto given = arguments->values.find("--input");
  const auto inputs = given == arguments->values.end() ? std::vector<std::string>{} : given->second;
  const Form form = json ? Form::Json : arguments->has("--lean") ? Form::Lean : Form::Text;
  std::error_code code;
  int worst = 0;
  if (arguments->has("--ptx")) {
    for (const std::string& file : *files)
      worst = std::max(worst, importPtx(file, *arguments));
    return worst;
  }
  if (!isTorch && std::filesystem::is_directory(arguments->positional[1], code))
    return cudaCoverage(*files, json);
  for (const std::string& file : *files)
    worst = std::max(worst, isTorch ? importTorch(file, inputs, form) : importCuda(file, json));
  return worst;
}

} // namespace plumbline::cli

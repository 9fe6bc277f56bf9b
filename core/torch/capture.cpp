#include "core/torch/capture.h"

#include "core/torch/sizes.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#ifndef PLUMBLINE_RESOURCES
#error "the build defines PLUMBLINE_RESOURCES, the folder of the source tree's resources"
#endif

namespace plumbline::torch {
namespace {

/// Installed below share/, else the source tree this was built from.
std::string scriptPath() {
  namespace fs = std::filesystem;
  const fs::path installed =
      fs::path(executableFolder()) / ".." / "share" / "plumbline" / "capture" / "capture.py";
  std::error_code code;
  return fs::exists(installed, code) ? installed.lexically_normal().string()
                                     : std::string(PLUMBLINE_RESOURCES "/capture/capture.py");
}

/// The first interpreter that exists runs the script, which goes on to the others when it finds no torch.
Expected<ChildProcess> startChild(const std::vector<std::string>& interpreters) {
  std::vector<std::string> arguments;
  for (const std::string& interpreter : interpreters)
    if (!findProgram(interpreter).empty()) {
      if (arguments.empty())
        arguments = {interpreter, "-B", "-u", scriptPath()};
      else
        arguments.push_back(interpreter);
    }
  if (arguments.empty())
    return fail(ErrorKind::Tool, "python-missing", "no Python interpreter was found",
                "install python3 and PyTorch, or name an interpreter in PLUMBLINE_PYTHON");
  return ChildProcess::start(arguments);
}

Error errorFromAnswer(const Json& json) {
  Error error{ErrorKind::Rejected, json.value("id", "capture-failed"), json.value("message", ""), ""};
  if (error.id == "torch-missing") {
    error.kind = ErrorKind::Tool;
    error.next = "install PyTorch 2.6 for it, or name another interpreter in PLUMBLINE_PYTHON";
  } else {
    error.next = "run the file with Python to see the whole message";
  }
  if (json.contains("file"))
    error.where = SourceRange{json.value("file", ""), json.value("line", 0), 0, json.value("line", 0), 0};
  return error;
}

Expected<void> checkFile(const std::string& path) {
  auto content = readFile(path);
  return content ? Expected<void>{} : fail(content.error());
}

tl::unexpected<Error> badAnswer() {
  return fail(ErrorKind::Internal, "capture-answer",
              "the capture script answered something else than it should",
              "check that the script and this program come from the same version");
}

/// Values of lifted constants, which the document names by their key.
void addConstants(Graph& graph, const Json& constants) {
  for (const GraphInput& input : graph.inputs) {
    if (input.kind != InputKind::Constant || !constants.contains(input.key))
      continue;
    const Json& value = constants[input.key];
    graph.constants[input.name] = {value["shape"].get<std::vector<int64_t>>(),
                                   value["bits"].get<std::vector<uint32_t>>()};
  }
}

WrapperCall callFromJson(const Json& json) {
  WrapperCall call{json.value("function", ""), json.value("inputs", 0), {}};
  for (const Json& item : json.value("arguments", Json::array())) {
    WrapperCall::Argument argument;
    argument.input = item.value("input", -1);
    if (item.contains("number"))
      argument.number = item["number"].is_string() ? floatFromText(item["number"].get<std::string>())
                                                   : item["number"].get<double>();
    argument.text = item.value("text", "");
    argument.parameter = item.value("parameter", "");
    if (item.contains("list"))
      argument.list = item["list"].get<std::vector<double>>();
    argument.absent = item.value("absent", false);
    call.arguments.push_back(std::move(argument));
  }
  return call;
}

Expected<Shapes> shapesOf(const Json& inputs) {
  Shapes shapes;
  if (!inputs.is_object())
    return fail(ErrorKind::Usage, "tensor-json", "the inputs are not an object of tensors", "");
  for (const auto& [name, tensor] : inputs.items()) {
    const Json shape = tensor.is_object() ? tensor.value("shape", Json()) : Json();
    if (!shape.is_array() ||
        !std::ranges::all_of(shape, [](const Json& size) { return size.is_number_integer(); }))
      return fail(ErrorKind::Usage, "tensor-json", "the input '" + name + "' has no shape", "");
    shapes[name] = shape.get<std::vector<int64_t>>();
  }
  return shapes;
}

} // namespace

Expected<PythonCapture> PythonCapture::start() {
  if (const char* setting = std::getenv("PLUMBLINE_PYTHON"); setting && *setting)
    return start({setting});
  return start({"python3", "/usr/bin/python3"});
}

Expected<PythonCapture> PythonCapture::start(const std::vector<std::string>& interpreters) {
  auto child = startChild(interpreters);
  if (!child)
    return fail(child.error());
  return PythonCapture(interpreters, std::move(*child));
}

Expected<Json> PythonCapture::request(Json message, const StopToken& stop) {
  if (!m_child.running()) {
    auto child = startChild(m_interpreters);
    if (!child)
      return fail(child.error());
    m_child = std::move(*child);
  }
  message["id"] = ++m_lastId;
  auto sent = m_child.write(message.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n", stop);
  auto line = sent ? m_child.readLine(stop) : fail(sent.error());
  if (!line) {
    m_child.kill();
    return fail(line.error());
  }
  auto answer = parseJson(*line, "the answer of the capture script");
  if (!answer || !answer->is_object() || answer->value("id", Json()) != m_lastId) {
    m_child.kill();
    return badAnswer();
  }
  if (answer->contains("error"))
    return fail(errorFromAnswer((*answer)["error"]));
  return answer->contains("ok") ? Expected<Json>((*answer)["ok"]) : badAnswer();
}

Expected<Graph> PythonCapture::captureModel(const std::string& path, const std::string& mode,
                                            const StopToken& stop) {
  if (auto ok = checkFile(path); !ok)
    return fail(ok.error());
  auto answer = request({{"do", "model"}, {"path", path}, {"mode", mode}}, stop);
  if (!answer)
    return fail(answer.error());
  auto graph = graphFromExportedJson(answer->value("program", Json()), path);
  if (!graph)
    return graph;
  graph->mode = mode;
  addConstants(*graph, answer->value("constants", Json::object()));
  return graph;
}

Expected<Graph> PythonCapture::readScripted(const std::string& path, const std::vector<InputSpec>& inputs,
                                            const StopToken& stop) {
  if (auto ok = checkFile(path); !ok)
    return fail(ok.error());
  Json described = Json::array();
  for (const InputSpec& input : inputs)
    described.push_back({{"name", input.name}, {"dtype", name(input.dtype)}, {"shape", input.shape}});
  auto answer = request({{"do", "scripted"}, {"path", path}, {"inputs", described}}, stop);
  if (!answer)
    return fail(answer.error());
  auto graph = graphFromExportedJson(answer->value("program", Json()), path);
  if (graph)
    addConstants(*graph, answer->value("constants", Json::object()));
  return graph;
}

Expected<CandidateSource> PythonCapture::captureCandidate(const std::string& path, const StopToken& stop) {
  if (auto ok = checkFile(path); !ok)
    return fail(ok.error());
  auto answer = request({{"do", "candidate"}, {"path", path}}, stop);
  if (!answer)
    return fail(answer.error());
  CandidateSource source;
  source.cuda = answer->value("cuda", "");
  source.cpp = answer->value("cpp", "");
  source.flags = answer->value("flags", std::vector<std::string>{});
  source.functions = answer->value("functions", std::map<std::string, std::string>{});
  source.unread = answer->value("unread", "");
  if (answer->contains("call") && (*answer)["call"].is_object())
    source.call = callFromJson((*answer)["call"]);
  return source;
}

Expected<RecordedClass> PythonCapture::recordClass(const std::string& path, const std::string& className,
                                                   const std::string& modelPath, const std::string& mode,
                                                   const Json& wrappers, const StopToken& stop) {
  for (const std::string& each : {path, modelPath})
    if (auto ok = each.empty() ? Expected<void>{} : checkFile(each); !ok)
      return fail(ok.error());
  auto answer = request({{"do", "record"},
                         {"path", path},
                         {"class", className},
                         {"model", modelPath},
                         {"mode", mode},
                         {"wrappers", wrappers}},
                        stop);
  if (!answer)
    return fail(answer.error());
  auto graph = graphFromExportedJson(answer->value("program", Json()), path);
  if (!graph)
    return fail(graph.error());
  graph->mode = mode;
  addConstants(*graph, answer->value("constants", Json::object()));
  RecordedClass recorded{*std::move(graph), {}, {}};
  const Json parameters = answer->value("parameters", Json::object());
  const Json matched = parameters.value("matched", Json::object());
  for (const auto& [key, match] : matched.items()) {
    const auto text = [&](const char* name) {
      return match.contains(name) && match[name].is_string() ? match[name].get<std::string>() : std::string();
    };
    recorded.parameters.push_back({key, text("model"), text("by")});
  }
  recorded.left = parameters.value("left", std::vector<std::string>());
  return recorded;
}

Expected<Json> PythonCapture::evaluate(const Graph& graph, const Json& inputs, const StopToken& stop) {
  auto shapes = shapesOf(inputs);
  auto sizes = shapes ? bindSizes(graph, *shapes) : fail(shapes.error());
  auto fixed = sizes ? instantiate(graph, *sizes) : fail(sizes.error());
  if (!fixed)
    return fail(fixed.error());
  Json values = inputs;
  for (const auto& [name, constant] : graph.constants)
    values[name] = {{"shape", constant.shape}, {"dtype", "float32"}, {"bits", constant.bits}};
  return request({{"do", "evaluate"}, {"graph", toJson(*fixed)}, {"inputs", values}}, stop);
}

} // namespace plumbline::torch

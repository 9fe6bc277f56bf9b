#include "core/cuda/cuda_import.h"

#include <cstdlib>

namespace plumbline::cuda {
namespace {

constexpr const char* importerName = "plumbline-cuda";

std::vector<Rejection> rejectionsFromJson(const Json& list) {
  std::vector<Rejection> result;
  for (const Json& item : list)
    result.push_back(rejectionFromJson(item));
  return result;
}

Error badAnswer(const std::string& why) {
  return Error{ErrorKind::Internal, "importer-answer", std::string(importerName) + " answered " + why,
               "check that both executables come from the same build"};
}

/// The "error" member of an answer.
Error errorFromJson(const Json& json) {
  return Error{ErrorKind::File, json.value("id", "importer-error"), json.value("message", ""),
               json.value("next", "")};
}

Expected<ImportedCuda> importedFromJson(const Json& answer) {
  ImportedCuda imported;
  Expected<ir::Module> module = ir::moduleFromJson(answer.value("module", Json::object()));
  if (!module)
    return fail(module.error());
  imported.module = std::move(*module);
  for (const Json& launch : answer.value("launches", Json::array())) {
    Expected<ir::LaunchContract> contract = ir::launchFromJson(launch.value("kernel", ""), launch);
    if (!contract)
      return fail(contract.error());
    imported.launches.push_back(std::move(*contract));
  }
  for (const Json& item : answer.value("programs", Json::array())) {
    Expected<ir::HostProgram> program = ir::programFromJson(item);
    if (!program)
      return fail(program.error());
    imported.programs.push_back(std::move(*program));
  }
  for (const Json& item : answer.value("unread_ways", Json::array())) {
    Expected<ir::UnreadWay> way = ir::unreadWayFromJson(item);
    if (!way)
      return fail(way.error());
    imported.unreadWays.push_back(std::move(*way));
  }
  imported.unread = rejectionsFromJson(answer.value("unread", Json::array()));
  imported.errors = rejectionsFromJson(answer.value("errors", Json::array()));
  return imported;
}

} // namespace

Expected<ImportedCuda> importedFromAnswer(const std::string& line, const std::string& id) {
  Expected<Json> answer = parseJson(line, importerName);
  if (!answer || !answer->is_object())
    return fail(badAnswer("something that is not a JSON object"));
  try {
    if (answer->contains("error"))
      return fail(errorFromJson(answer->at("error")));
    // A timed-out request leaves its answer in the pipe; a mismatch must not be read as this one's.
    if (answer->value("id", "") != id)
      return fail(badAnswer("another request"));
    return importedFromJson(*answer);
  } catch (const Json::exception& error) {
    return fail(badAnswer(std::string("JSON of another shape: ") + error.what()));
  }
}

Expected<CudaImporter> CudaImporter::start() {
  const std::string path = findCompanion(importerName);
  if (path.empty())
    return fail(ErrorKind::Tool, "tool-missing",
                std::string("cannot find the program '") + importerName + "'",
                "build it, or set PLUMBLINE_LIBEXEC to its folder");
  Expected<ChildProcess> child = ChildProcess::start({path});
  if (!child)
    return fail(child.error());
  return CudaImporter(std::move(*child));
}

Expected<ImportedCuda> CudaImporter::importSource(const std::string& source, const std::string& name,
                                                  const StopToken& stop) {
  if (source.find_first_not_of(" \t\r\n\f\v") == std::string::npos)
    return fail(ErrorKind::File, "empty-source", name + " holds no CUDA source",
                "check that the file is complete");
  const std::string id = std::to_string(++m_requests);
  const Json request{{"id", id}, {"source", source}, {"name", name}};
  const auto invalidUtf8 = Json::error_handler_t::replace;
  Expected<void> sent = m_child.write(request.dump(-1, ' ', true, invalidUtf8) + "\n", stop);
  if (!sent)
    return fail(sent.error());
  Expected<std::string> line = m_child.readLine(stop);
  if (!line)
    return fail(line.error());
  return importedFromAnswer(*line, id);
}

} // namespace plumbline::cuda

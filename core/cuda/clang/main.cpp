// plumbline-cuda: reads one JSON request a line ({"id", "source", "name"}), answers one JSON line.
#include "core/cuda/clang/answer.h"

#include <iostream>
#include <pthread.h>

namespace plumbline::cuda {
namespace {

/// Clang and the translators recurse over the source; the default stack is too small for what they accept.
constexpr size_t stackBytes = size_t{256} << 20U;

Json errorAnswer(const std::string& id, const std::string& error, const std::string& message) {
  return {{"id", id},
          {"error", {{"id", error}, {"message", message}, {"next", "check that the file is complete"}}}};
}

Json rejectionList(const std::vector<Rejection>& rejections) {
  Json list = Json::array();
  for (const Rejection& rejection : rejections)
    list.push_back(toJson(rejection));
  return list;
}

Json answerJson(const std::string& id, const Answer& answer) {
  Json launches = Json::array();
  for (const ir::LaunchContract& launch : answer.launches)
    launches.push_back(ir::toJson(launch));
  Json programs = Json::array();
  for (const ir::HostProgram& program : answer.programs)
    programs.push_back(ir::toJson(program));
  Json ways = Json::array();
  for (const ir::UnreadWay& way : answer.unreadWays)
    ways.push_back(ir::toJson(way));
  return {{"id", id},
          {"module", ir::toJson(answer.module)},
          {"launches", launches},
          {"programs", programs},
          {"unread_ways", ways},
          {"unread", rejectionList(answer.unread)},
          {"errors", rejectionList(answer.errors)}};
}

bool isBlank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string::npos;
}

Json respond(const std::string& line) {
  const Expected<Json> request = parseJson(line, "request");
  if (!request || !request->is_object())
    return errorAnswer("", "request-json", "the request is not a JSON object");
  const auto text = [&](const char* key) {
    const auto found = request->find(key);
    return found != request->end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const std::string id = text("id");
  const std::string source = text("source");
  const std::string name = text("name").empty() ? "source.cu" : text("name");
  if (isBlank(source))
    return errorAnswer(id, "empty-source", name + " holds no CUDA source");
  return answerJson(id, readSource(source, name));
}

void* serve(void*) {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << respond(line).dump(-1, ' ', true, Json::error_handler_t::replace) << std::endl;
  return nullptr;
}

} // namespace

int runServer() {
  std::ios::sync_with_stdio(false);
  pthread_attr_t attributes;
  pthread_t thread = {};
  if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstacksize(&attributes, stackBytes) != 0 ||
      pthread_create(&thread, &attributes, serve, nullptr) != 0)
    return 1;
  pthread_join(thread, nullptr);
  return 0;
}

} // namespace plumbline::cuda

int main() {
  return plumbline::cuda::runServer();
}

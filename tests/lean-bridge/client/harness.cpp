#include "tests/lean-bridge/client/harness.h"

#include "core/base/json.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace plumbline::lsp {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

} // namespace

bool spinUntil(const std::function<bool()>& holds, std::chrono::milliseconds limit) {
  QElapsedTimer spent;
  spent.start();
  while (!holds()) {
    if (spent.elapsed() > limit.count())
      return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
    QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
  }
  return true;
}

void spin(std::chrono::milliseconds time) {
  spinUntil([] { return false; }, time);
}

Json leanInitializeResult() {
  return Json::parse(R"({"serverInfo": {"name": "Lean 4 Server", "version": "0.3.0"}, "capabilities": {
    "textDocumentSync": {"openClose": true, "change": 2, "willSave": false, "willSaveWaitUntil": false,
                         "save": {"includeText": true}},
    "hoverProvider": true, "codeActionProvider": {"resolveProvider": true},
    "experimental": {"rpcProvider": {"rpcWireFormat": "v1"}}}})");
}

std::string following(const std::string& steps, const std::string& more) {
  return R"({"auto": {"initialize": $INIT, "shutdown": null, "textDocument/waitForDiagnostics": {}}, "steps": [)" +
         steps + "]" + (more.empty() ? "" : ", " + more) + "}";
}

Scripted::Scripted(std::string script, std::function<void(LanguageClient::Options&)> adjust) {
  script = replaced(std::move(script), "$INIT", leanInitializeResult().dump());
  script = replaced(std::move(script), "$URI", fileUri);
  const std::string folder = m_folder.path().toStdString();
  std::ofstream(folder + "/script.json") << script;
  LanguageClient::Options options;
  options.name = "Lean";
  options.lean = true;
  options.command = {PLUMBLINE_TEST_PYTHON,
                     {"-S", "-E", "-B", PLUMBLINE_SOURCE_DIR "/tests/lean-bridge/client/scripted_server.py",
                      folder + "/script.json", folder + "/log"},
                     folder,
                     {},
                     {}};
  using namespace std::chrono_literals;
  options.limits.shutdownReply = 400ms;
  options.limits.exitWait = 400ms;
  options.limits.terminateWait = 400ms;
  options.limits.workerAnswer = 300ms;
  options.limits.goalDelay = 5ms;
  if (adjust)
    adjust(options);
  m_client = std::make_unique<LanguageClient>(std::move(options));
}

bool Scripted::run() {
  m_client->start();
  return spinUntil([&] { return m_client->state() == LanguageClient::State::Running; });
}

std::vector<Json> Scripted::entries() const {
  std::vector<Json> found;
  std::ifstream in(m_folder.path().toStdString() + "/log");
  for (std::string line; std::getline(in, line);)
    if (Expected<Json> json = parseJson(line, "log"))
      found.push_back(std::move(*json));
  return found;
}

std::vector<Json> Scripted::received(const std::string& method) const {
  std::vector<Json> found;
  for (Json& entry : entries())
    if (entry.contains("in") && (method.empty() || stringAt(entry["in"], "method") == method))
      found.push_back(std::move(entry["in"]));
  return found;
}

std::vector<Json> Scripted::answers() const {
  std::vector<Json> found;
  for (Json& message : received())
    if (!message.contains("method"))
      found.push_back(std::move(message));
  return found;
}

std::vector<std::string> Scripted::violations() const {
  std::vector<std::string> found;
  for (const Json& entry : entries())
    if (entry.contains("violation"))
      found.push_back(entry["violation"].get<std::string>());
  return found;
}

std::vector<qint64> Scripted::starts() const {
  std::vector<qint64> found;
  for (const Json& entry : entries())
    if (entry.contains("start"))
      found.push_back(entry["start"].get<qint64>());
  return found;
}

bool Scripted::logHas(const std::string& key) const {
  for (const Json& entry : entries())
    if (entry.contains(key))
      return true;
  return false;
}

std::string Scripted::mirroredText(const std::string& uri) {
  std::optional<Reply> reply;
  m_client->request("$/test/text", Json{{"uri", uri}}, [&](Reply&& r) { reply = std::move(r); });
  if (!spinUntil([&] { return reply.has_value(); }) || !reply->ok() || !reply->result.is_string())
    return "(no answer)";
  return reply->result.get<std::string>();
}

bool processExists(qint64 pid) {
  return ::kill(static_cast<pid_t>(pid), 0) == 0;
}

int killPoints(int otherwise) {
  const char* count = std::getenv("PLUMBLINE_KILL_POINTS");
  return count != nullptr ? std::atoi(count) : otherwise;
}

} // namespace plumbline::lsp

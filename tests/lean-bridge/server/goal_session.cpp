#include "tests/lean-bridge/server/goal_session.h"

#include <algorithm>
#include <future>

namespace plumbline::server_test {

GoalSession::GoalSession(const server::GoalOptions& options) {
  m_server = std::make_unique<server::Server>(m_loop, [this](const std::string& body) {
    {
      const std::lock_guard lock(m_mutex);
      m_received.push_back(parseJson(body, "server").value());
    }
    m_wake.notify_all();
  });
  server::installLanguageFeatures(*m_server);
  server::installGoals(*m_server, options);
  m_thread = std::thread([this] { m_loop.run(); });
}

GoalSession::~GoalSession() {
  m_loop.stop();
  m_thread.join();
}

template <class Test> bool GoalSession::waitFor(const Test& test, std::chrono::seconds limit) {
  std::unique_lock lock(m_mutex);
  return m_wake.wait_for(lock, limit, test);
}

void GoalSession::onLoop(const std::function<void(server::Server&)>& action) {
  std::promise<void> done;
  m_loop.post([&] {
    action(*m_server);
    done.set_value();
  });
  done.get_future().wait();
}

void GoalSession::notify(const std::string& method, const Json& params) {
  onLoop([&](server::Server& server) { server.receive(lsp::notificationText(method, params)); });
}

Json GoalSession::request(const std::string& method, const Json& params) {
  const int64_t id = ++m_id;
  onLoop([&](server::Server& server) { server.receive(lsp::requestText(id, method, params)); });
  const auto isAnswer = [id](const Json& each) {
    return !each.contains("method") && each.contains("id") && each["id"] == id;
  };
  Json answer;
  waitFor(
      [&] {
        const auto found = std::ranges::find_if(m_received, isAnswer);
        if (found != m_received.end())
          answer = *found;
        return found != m_received.end();
      },
      std::chrono::seconds(10));
  return answer;
}

Json GoalSession::result(const std::string& method, const Json& params) {
  return lsp::memberOf(request(method, params), "result");
}

void GoalSession::start(const Json& capabilities) {
  request("initialize", {{"processId", nullptr}, {"rootUri", nullptr}, {"capabilities", capabilities}});
  notify("initialized", Json::object());
}

void GoalSession::open(const std::string& uri, const std::string& text, int version) {
  notify("textDocument/didOpen",
         {{"textDocument", {{"uri", uri}, {"languageId", "lean4"}, {"version", version}, {"text", text}}}});
}

void GoalSession::change(const std::string& uri, int version, const Json& changes) {
  notify("textDocument/didChange",
         {{"textDocument", {{"uri", uri}, {"version", version}}}, {"contentChanges", changes}});
}

std::string GoalSession::text(const std::string& uri) {
  std::string result;
  onLoop([&](server::Server& server) { result = server.document(uri)->text.text(); });
  return result;
}

void GoalSession::replace(const std::string& uri, int version, const std::string& from,
                          const std::string& to) {
  const lsp::TextDocument document(text(uri));
  const size_t at = document.text().find(from);
  change(uri, version,
         Json::array({{{"range", lsp::toJson(document.range(at, at + from.size()))}, {"text", to}}}));
}

std::vector<Json> GoalSession::notifications(const std::string& method) {
  const std::lock_guard lock(m_mutex);
  std::vector<Json> found;
  for (const Json& each : m_received)
    if (each.contains("method") && each["method"] == method)
      found.push_back(each["params"]);
  return found;
}

Json GoalSession::goals(const std::string& uri, int version) {
  Json last;
  for (const Json& each : notifications(lsp::DocumentGoals::method))
    if (each["textDocument"]["uri"] == uri && each["textDocument"]["version"] == version)
      last = each;
  return last;
}

Json GoalSession::complete(const std::string& uri, int version) {
  Json last;
  waitFor(
      [&] {
        for (const Json& each : m_received)
          if (each.contains("method") && each["method"] == lsp::DocumentGoals::method &&
              each["params"]["textDocument"]["uri"] == uri &&
              each["params"]["textDocument"]["version"] == version)
            last = each["params"];
        return !last.is_null() && lsp::documentGoalsFromJson(last)->complete;
      },
      std::chrono::seconds(30));
  return last;
}

std::string stateOf(const Json& goals, const std::string& name) {
  const auto list = lsp::documentGoalsFromJson(goals);
  for (const lsp::DocumentGoal& goal : list ? list->goals : std::vector<lsp::DocumentGoal>{})
    if (goal.vouching.goal == name)
      return lsp::toString(goal.vouching.state);
  return {};
}

Json positionOf(const std::string& document, const std::string& text, size_t offset) {
  const lsp::TextDocument lines(document);
  return lsp::toJson(lines.position(document.find(text) + offset));
}

} // namespace plumbline::server_test

// A client of a server whose loop runs on a thread of its own, as in the program.
#pragma once

#include "lean-bridge/server/goal_service.h"
#include "lean-bridge/server/parts.h"

#include <thread>

namespace plumbline::server_test {

class GoalSession {
public:
  explicit GoalSession(const server::GoalOptions& options);
  ~GoalSession();

  void notify(const std::string& method, const Json& params);
  /// The whole answer; null after ten seconds without one.
  Json request(const std::string& method, const Json& params);
  Json result(const std::string& method, const Json& params);

  void start(const Json& capabilities = Json::object());
  void open(const std::string& uri, const std::string& text, int version = 1);
  void change(const std::string& uri, int version, const Json& changes);
  /// Replaces the only occurrence of a text.
  void replace(const std::string& uri, int version, const std::string& from, const std::string& to);

  /// The last list of goals of this version, once nothing is left to settle; null after thirty seconds.
  Json complete(const std::string& uri, int version);
  /// The last list of goals of this version.
  Json goals(const std::string& uri, int version);
  std::vector<Json> notifications(const std::string& method);
  std::string text(const std::string& uri);

  /// Runs something on the server's thread and waits for it.
  void onLoop(const std::function<void(server::Server&)>& action);

private:
  template <class Test> bool waitFor(const Test& test, std::chrono::seconds limit);

  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::vector<Json> m_received;
  int64_t m_id = 0;
  server::EventLoop m_loop;
  std::unique_ptr<server::Server> m_server;
  std::thread m_thread;
};

/// A status of a goal in a list of goals; empty: no such goal.
std::string stateOf(const Json& goals, const std::string& name);
/// Position of the n-th occurrence of a text.
Json positionOf(const std::string& document, const std::string& text, size_t offset = 0);

} // namespace plumbline::server_test

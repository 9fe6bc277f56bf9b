// A client in the same process: sends bodies to a server and keeps what comes back.
#pragma once

#include "lean-bridge/server/parts.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace plumbline::server_test {

class Session {
public:
  explicit Session(const std::vector<server::Install>& parts = server::allParts())
      : m_server(m_loop,
                 [this](const std::string& body) { received.push_back(parseJson(body, "server").value()); }) {
    for (const server::Install& install : parts)
      install(m_server);
  }

  std::vector<Json> received;
  server::Server& server() { return m_server; }

  void raw(const std::string& body) { m_server.receive(body); }
  void notify(const std::string& method, const Json& params) { raw(lsp::notificationText(method, params)); }

  /// The answer, which must be there at once.
  Json request(const std::string& method, const Json& params) {
    const int64_t id = ++m_id;
    raw(lsp::requestText(id, method, params));
    const Json* answer = answerTo(id);
    if (!answer) {
      ADD_FAILURE() << method << " was not answered";
      return {};
    }
    return *answer;
  }
  Json result(const std::string& method, const Json& params) {
    return lsp::memberOf(request(method, params), "result");
  }

  const Json* answerTo(int64_t id) const {
    const auto found = std::ranges::find_if(received, [&](const Json& each) {
      return !each.contains("method") && each.contains("id") && each["id"] == id;
    });
    return found == received.end() ? nullptr : &*found;
  }

  void start(const Json& capabilities = Json::object()) {
    request("initialize", {{"processId", nullptr}, {"rootUri", nullptr}, {"capabilities", capabilities}});
    notify("initialized", Json::object());
  }

  void open(const std::string& uri, const std::string& text, int version = 1) {
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", uri}, {"languageId", "lean4"}, {"version", version}, {"text", text}}}});
  }
  void change(const std::string& uri, int version, const Json& changes) {
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", uri}, {"version", version}}}, {"contentChanges", changes}});
  }

  /// Parameters of the notifications with this method, in order.
  std::vector<Json> notifications(const std::string& method) const {
    std::vector<Json> found;
    for (const Json& each : received)
      if (each.contains("method") && each["method"] == method)
        found.push_back(each["params"]);
    return found;
  }

private:
  server::EventLoop m_loop;
  server::Server m_server;
  int64_t m_id = 0;
};

} // namespace plumbline::server_test

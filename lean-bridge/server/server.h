// Plumbline's language server without its input and output: messages in, messages out.
//
// How a part is added (see language_features.cpp): a function `void installX(Server&)` that calls
//   - onRequest / onNotification with a method and a handler. A request's handler gets a Reply, which it may
//   keep
//     and answer later, from tasks that it posts;
//   - onChange for what happens whenever a document is opened or edited: it gets the new snapshot; onClose;
//   - publish with its own name and its diagnostics: the lists of all parts are merged;
//   - addCodeActions, addHover for lists that several parts contribute to;
//   - capabilities for what `initialize` answers.
// Everything runs on the thread of the event loop; other threads hold a SnapshotPtr and `post` what they
// found.
#pragma once

#include "lean-bridge/protocol/messages.h"
#include "lean-bridge/server/event_loop.h"
#include "lean-bridge/server/snapshot.h"

#include <map>
#include <set>

namespace plumbline::server {

/// The one answer to a request. Copies share it; answers after the first, or after a cancellation, are
/// dropped.
class Reply {
public:
  using Send = std::function<void(std::string body)>;
  Reply(lsp::RequestId id, Send send);

  void result(const Json& result) const;
  void error(lsp::ErrorCode code, std::string_view message) const;
  bool answered() const { return m_state->answered; } ///< also when it was cancelled

private:
  struct State {
    lsp::RequestId id;
    Send send;
    bool answered = false;
  };
  std::shared_ptr<State> m_state;
};

/// What the client said in `initialize`.
struct ClientCapabilities {
  bool incrementalDiagnostics = false;
  bool silentDiagnostics = false;
  bool refsInFormatV1 = false;      ///< rpcWireFormat "v1"
  Json initialize = Json::object(); ///< all parameters
};

class Server {
public:
  using Send = Reply::Send;
  using RequestHandler = std::function<void(const Json& params, const Reply& reply)>;
  using NotificationHandler = std::function<void(const Json& params)>;
  using ChangeHandler = std::function<void(const SnapshotPtr&)>;
  using CloseHandler = std::function<void(const std::string& uri)>;
  using CodeActions = std::function<std::vector<lsp::CodeAction>(const Snapshot&, const lsp::Range&)>;
  using Hover =
      std::function<std::string(const Snapshot&, uint32_t offset)>; ///< Markdown; empty: nothing to say

  /// `send` takes bodies, on the loop's thread.
  Server(EventLoop& loop, Send send);

  // --- For parts ---

  void onRequest(const std::string& method, RequestHandler handler);
  void onNotification(const std::string& method, NotificationHandler handler);
  void onChange(ChangeHandler handler) { m_changeHandlers.push_back(std::move(handler)); }
  void onClose(CloseHandler handler) { m_closeHandlers.push_back(std::move(handler)); }
  void addCodeActions(CodeActions provider) { m_codeActions.push_back(std::move(provider)); }
  void addHover(Hover provider) { m_hovers.push_back(std::move(provider)); }
  Json& capabilities() { return m_capabilities; }

  /// The diagnostics of one part for one version of a document; they replace that part's earlier ones. An
  /// outdated version is ignored.
  void publish(const std::string& part, const std::string& uri, int version,
               std::vector<lsp::Diagnostic> diagnostics);
  void notify(std::string_view method, const Json& params);
  /// From any thread.
  void post(EventLoop::Task task) { m_loop.post(std::move(task)); }

  /// The present version; null when it is not open.
  SnapshotPtr document(const std::string& uri) const;
  const ClientCapabilities& client() const { return m_client; }
  const std::vector<CodeActions>& codeActions() const { return m_codeActions; }
  const std::vector<Hover>& hovers() const { return m_hovers; }

  // --- For the transport ---

  /// One body from the client.
  void receive(std::string_view body);
  /// After `exit`: the status to end with. 0 only after `shutdown`.
  std::optional<int> exitStatus() const { return m_exitStatus; }

private:
  enum class State { Fresh, Running, ShutDown };

  void request(const lsp::Message& message, const lsp::RequestId& id);
  void notification(const lsp::Message& message);
  void initialize(const Json& params, const Reply& reply);
  void cancel(const Json& params);
  void open(const Json& params);
  void change(const Json& params);
  void close(const Json& params);
  void show(const SnapshotPtr& snapshot);

  struct Document {
    SnapshotPtr snapshot;
    std::map<std::string, std::vector<lsp::Diagnostic>> diagnostics; ///< by part
    std::vector<lsp::Diagnostic> published;
    std::optional<int> publishedVersion;
  };
  void send(Document& document);

  EventLoop& m_loop;
  Send m_send;
  State m_state = State::Fresh;
  std::optional<int> m_exitStatus;
  ClientCapabilities m_client;
  Json m_capabilities = Json::object();
  std::map<std::string, RequestHandler> m_requests;
  std::map<std::string, NotificationHandler> m_notifications;
  std::vector<ChangeHandler> m_changeHandlers;
  std::vector<CloseHandler> m_closeHandlers;
  std::vector<CodeActions> m_codeActions;
  std::vector<Hover> m_hovers;
  std::map<std::string, Document> m_documents;
  std::map<std::string, Reply> m_pending; ///< requests that are not answered yet, by the text of their id
};

} // namespace plumbline::server

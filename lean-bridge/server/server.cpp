#include "lean-bridge/server/server.h"

#include <algorithm>

namespace plumbline::server {

using lsp::ErrorCode;

// --- Replies ---

Reply::Reply(lsp::RequestId id, Send send)
    : m_state(std::make_shared<State>(State{std::move(id), std::move(send), false})) {}

void Reply::result(const Json& result) const {
  if (std::exchange(m_state->answered, true))
    return;
  m_state->send(lsp::resultText(m_state->id, result));
}

void Reply::error(ErrorCode code, std::string_view message) const {
  if (std::exchange(m_state->answered, true))
    return;
  m_state->send(lsp::errorText(m_state->id, code, message));
}

// --- Parts ---

Server::Server(EventLoop& loop, Send send) : m_loop(loop), m_send(std::move(send)) {
  m_capabilities["textDocumentSync"] = {
      {"openClose", true}, {"change", 2}, {"willSave", false}, {"willSaveWaitUntil", false}, {"save", true}};
  onNotification("textDocument/didOpen", [this](const Json& params) { open(params); });
  onNotification("textDocument/didChange", [this](const Json& params) { change(params); });
  onNotification("textDocument/didClose", [this](const Json& params) { close(params); });
  onNotification("$/cancelRequest", [this](const Json& params) { cancel(params); });
}

void Server::onRequest(const std::string& method, RequestHandler handler) {
  m_requests[method] = std::move(handler);
}

void Server::onNotification(const std::string& method, NotificationHandler handler) {
  m_notifications[method] = std::move(handler);
}

SnapshotPtr Server::document(const std::string& uri) const {
  const auto found = m_documents.find(uri);
  return found == m_documents.end() ? nullptr : found->second.snapshot;
}

void Server::notify(std::string_view method, const Json& params) {
  m_send(lsp::notificationText(method, params));
}

// --- Messages ---

void Server::receive(std::string_view body) {
  const Expected<lsp::Message> message = lsp::parseMessage(body);
  if (!message) {
    const std::optional<lsp::IdHint> hint = lsp::idOfUnreadable(body);
    if (hint && hint->answer)
      return; // an answer that nobody waits for
    const bool isJson = message.error().id != "json-syntax";
    m_send(lsp::errorText(hint ? std::optional(hint->id) : std::nullopt,
                          isJson ? ErrorCode::InvalidRequest : ErrorCode::ParseError,
                          message.error().message));
    return;
  }
  if (message->kind == lsp::Message::Kind::Request && message->id)
    request(*message, *message->id);
  else if (message->kind == lsp::Message::Kind::Notification)
    notification(*message);
}

void Server::request(const lsp::Message& message, const lsp::RequestId& id) {
  const Reply reply(id, m_send);
  if (m_state == State::ShutDown)
    return reply.error(ErrorCode::InvalidRequest, "the server was told to shut down");
  if (message.method == "initialize")
    return m_state == State::Fresh
               ? initialize(message.params, reply)
               : reply.error(ErrorCode::InvalidRequest, "the server is initialized already");
  if (m_state == State::Fresh)
    return reply.error(ErrorCode::ServerNotInitialized, "the first request is initialize");
  if (message.method == "shutdown") {
    m_state = State::ShutDown;
    return reply.result(nullptr);
  }
  const auto handler = m_requests.find(message.method);
  if (handler == m_requests.end())
    return reply.error(ErrorCode::MethodNotFound, "no such request: " + message.method);
  handler->second(message.params, reply);
  std::erase_if(m_pending, [](const auto& each) { return each.second.answered(); });
  if (!reply.answered())
    m_pending.insert_or_assign(lsp::toJson(id).dump(), reply);
}

void Server::notification(const lsp::Message& message) {
  if (message.method == "exit") {
    m_exitStatus = m_state == State::ShutDown ? 0 : 1;
    return;
  }
  if (m_state != State::Running)
    return;
  if (const auto handler = m_notifications.find(message.method); handler != m_notifications.end())
    handler->second(message.params);
}

void Server::initialize(const Json& params, const Reply& reply) {
  m_state = State::Running;
  const Json& lean = lsp::memberOf(lsp::memberOf(params, "capabilities"), "lean");
  m_client.incrementalDiagnostics = lsp::boolAt(lean, "incrementalDiagnosticSupport");
  m_client.silentDiagnostics = lsp::boolAt(lean, "silentDiagnosticSupport");
  m_client.refsInFormatV1 = lsp::stringAt(lean, "rpcWireFormat") == "v1";
  m_client.initialize = params;
  reply.result(
      {{"capabilities", m_capabilities}, {"serverInfo", {{"name", "plumbline-server"}, {"version", "1"}}}});
}

void Server::cancel(const Json& params) {
  const std::optional<lsp::RequestId> id = lsp::cancelledId(params);
  const auto found = id ? m_pending.find(lsp::toJson(*id).dump()) : m_pending.end();
  if (found == m_pending.end())
    return;
  found->second.error(ErrorCode::RequestCancelled, "cancelled");
  m_pending.erase(found);
}

// --- Documents ---

void Server::open(const Json& params) {
  const Json& document = lsp::memberOf(params, "textDocument");
  const std::string uri = lsp::stringAt(document, "uri");
  if (uri.empty())
    return;
  lsp::TextDocument text(lsp::withLineFeeds(lsp::stringAt(document, "text")));
  show(analyse(uri, lsp::intAt(document, "version").value_or(0), std::move(text)));
}

void Server::change(const Json& params) {
  const Json& identifier = lsp::memberOf(params, "textDocument");
  const SnapshotPtr before = document(lsp::stringAt(identifier, "uri"));
  const Json& changes = lsp::memberOf(params, "contentChanges");
  if (!before || !changes.is_array() || changes.empty())
    return;
  lsp::TextDocument text = before->text;
  for (const Json& each : changes)
    if (Expected<lsp::ContentChange> change = lsp::contentChangeFromJson(each)) {
      change->text = lsp::withLineFeeds(change->text);
      text.apply(*change);
    }
  show(
      analyse(before->uri, lsp::intAt(identifier, "version").value_or(before->version + 1), std::move(text)));
}

void Server::close(const Json& params) {
  const std::string uri = lsp::stringAt(lsp::memberOf(params, "textDocument"), "uri");
  if (m_documents.erase(uri) == 0)
    return;
  for (const CloseHandler& handler : m_closeHandlers)
    handler(uri);
  notify("textDocument/publishDiagnostics",
         lsp::toJson(lsp::PublishDiagnostics{uri, std::nullopt, false, {}}));
}

void Server::show(const SnapshotPtr& snapshot) {
  Document& document = m_documents[snapshot->uri];
  document.snapshot = snapshot;
  document.diagnostics.clear();
  std::vector<velvet::Diagnostic> own;
  for (const auto* list :
       {&snapshot->parsed.diagnostics, &snapshot->typing.diagnostics, &snapshot->sealBreaks})
    own.insert(own.end(), list->begin(), list->end());
  publish("document", snapshot->uri, snapshot->version, diagnosticsOf(*snapshot, std::move(own)));
  for (const ChangeHandler& handler : m_changeHandlers)
    handler(snapshot);
}

// --- Diagnostics ---

void Server::publish(const std::string& part, const std::string& uri, int version,
                     std::vector<lsp::Diagnostic> diagnostics) {
  const auto found = m_documents.find(uri);
  if (found == m_documents.end() || found->second.snapshot->version != version)
    return;
  found->second.diagnostics[part] = std::move(diagnostics);
  send(found->second);
}

namespace {

/// What `after` has beyond `before`; nothing when something of `before` is gone.
std::optional<std::vector<lsp::Diagnostic>> added(const std::vector<lsp::Diagnostic>& before,
                                                  std::vector<lsp::Diagnostic> after) {
  for (const lsp::Diagnostic& each : before) {
    const auto found = std::ranges::find(after, each);
    if (found == after.end())
      return std::nullopt;
    after.erase(found);
  }
  return after;
}

} // namespace

void Server::send(Document& document) {
  std::vector<lsp::Diagnostic> all;
  for (const auto& [part, list] : document.diagnostics)
    for (const lsp::Diagnostic& each : list)
      if (!each.isSilent || m_client.silentDiagnostics)
        all.push_back(each);
  lsp::PublishDiagnostics message{document.snapshot->uri, document.snapshot->version, false, all};
  if (document.publishedVersion == document.snapshot->version) {
    const auto more = added(document.published, all);
    if (more && more->empty())
      return;
    if (more && m_client.incrementalDiagnostics) {
      message.isIncremental = true;
      message.diagnostics = *more;
    }
  }
  document.published = std::move(all);
  document.publishedVersion = document.snapshot->version;
  notify("textDocument/publishDiagnostics", lsp::toJson(message));
}

} // namespace plumbline::server

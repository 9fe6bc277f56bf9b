#include "lean-bridge/client/language_client.h"

#include <csignal>
#include <unistd.h>

namespace plumbline::lsp {
namespace {

constexpr size_t keptErrorBytes = 256U << 10U;
constexpr size_t shownErrorBytes = 2000;

Json clientCapabilities() {
  return Json::parse(R"({
    "textDocument": {"completion": {"completionItem": {"insertReplaceSupport": true}}},
    "workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}},
    "lean": {"incrementalDiagnosticSupport": true, "silentDiagnosticSupport": true, "rpcWireFormat": "v1"}})");
}

ServerCapabilities capabilitiesFrom(const Json& result) {
  ServerCapabilities found;
  found.all = memberOf(result, "capabilities");
  found.name = stringAt(memberOf(result, "serverInfo"), "name");
  found.version = stringAt(memberOf(result, "serverInfo"), "version");
  const Json& sync = memberOf(found.all, "textDocumentSync");
  const int kind = sync.is_number_integer() ? sync.get<int>() : intAt(sync, "change").value_or(0);
  found.incrementalSync = kind == 2;
  found.fullSync = kind == 1;
  const Json& save = memberOf(sync, "save");
  found.saves = save.is_object() || (save.is_boolean() && save.get<bool>());
  found.resolvesCodeActions = boolAt(memberOf(found.all, "codeActionProvider"), "resolveProvider");
  const Json& rpc = memberOf(memberOf(found.all, "experimental"), "rpcProvider");
  found.rpcFormat = stringAt(rpc, "rpcWireFormat") == "v1" ? RpcFormat::V1 : RpcFormat::V0;
  return found;
}

/// Text for people from bytes that may be anything.
std::string readable(const std::string& bytes) {
  return QString::fromUtf8(bytes).toStdString();
}

} // namespace

const char* toString(LanguageClient::State state) {
  switch (state) {
  case LanguageClient::State::Stopped: return "stopped";
  case LanguageClient::State::Starting: return "starting";
  case LanguageClient::State::Running: return "running";
  case LanguageClient::State::Waiting: return "waiting to restart";
  case LanguageClient::State::Stopping: return "stopping";
  case LanguageClient::State::Failed: return "failed";
  }
  return "stopped";
}

LanguageClient::LanguageClient(Options options, QObject* parent)
    : QObject(parent), m_options(std::move(options)),
      m_errors(std::make_shared<BoundedBytes>(keptErrorBytes)) {
  m_restartsLeft = m_options.limits.restarts;
  m_restartDelay = m_options.limits.firstRestart;
  m_thread.setObjectName(QString::fromStdString("streams of " + m_options.name));
  m_thread.start();
  for (QTimer* timer : {&m_restartTimer, &m_forceTimer, &m_stableTimer})
    timer->setSingleShot(true);
  connect(&m_restartTimer, &QTimer::timeout, this, &LanguageClient::launch);
  connect(&m_forceTimer, &QTimer::timeout, this, [this] { forceEnd(m_forceStep + 1); });
  connect(&m_stableTimer, &QTimer::timeout, this, &LanguageClient::becameStable);
  m_deadlineTimer.setInterval(50);
  connect(&m_deadlineTimer, &QTimer::timeout, this, [this] {
    for (const int64_t id : m_pending.expire(PendingRequests::Clock::now()))
      send(cancelText(id));
    if (!m_pending.hasDeadlines())
      m_deadlineTimer.stop();
  });
}

LanguageClient::~LanguageClient() {
  disconnect();
  if (m_transport) {
    m_transport->disconnect(this);
    m_transport->deleteLater(); // which ends the process; a thread deletes such objects before it finishes
  }
  m_thread.quit();
  m_thread.wait();
}

std::string LanguageClient::standardError() const {
  return readable(m_errors->content());
}

void LanguageClient::setState(State state) {
  if (m_state == state)
    return;
  m_state = state;
  logLine(std::string("state: ") + toString(state));
  emit stateChanged();
}

void LanguageClient::start() {
  if (m_state == State::Stopping)
    m_startAgain = true;
  if (m_state != State::Stopped && m_state != State::Failed && m_state != State::Waiting)
    return;
  m_restartsLeft = m_options.limits.restarts;
  m_restartDelay = m_options.limits.firstRestart;
  launch();
}

void LanguageClient::restart() {
  if (m_state == State::Starting || m_state == State::Running)
    stop();
  start();
}

void LanguageClient::launch() {
  m_restartTimer.stop();
  endProcess();
  ++m_generation;
  m_unreadable = 0;
  m_errors->clear();
  m_capabilities = {};
  m_inbox = std::make_shared<Inbox>();
  auto* transport = new Transport(m_inbox, m_errors);
  transport->moveToThread(&m_thread);
  connect(transport, &Transport::ready, this, [this, transport] {
    if (transport == m_transport)
      drain();
  });
  m_transport = transport;
  m_processAlive = true;
  setState(State::Starting);
  onTransport([command = m_options.command](Transport& t) { t.start(command); });
}

void LanguageClient::onTransport(std::function<void(Transport&)> action) {
  if (Transport* transport = m_transport)
    QMetaObject::invokeMethod(transport, [transport, action = std::move(action)] { action(*transport); });
}

/// Lets go of a process without waiting for it; its end is in the thread of the streams.
void LanguageClient::endProcess() {
  if (m_transport) {
    m_transport->disconnect(this);
    m_transport->deleteLater();
    m_transport = nullptr;
  }
  m_processAlive = false;
  m_pid = 0;
}

void LanguageClient::send(const std::string& body) {
  onTransport([body](Transport& t) { t.send(body); });
}

/// Handles what has arrived, but leaves the thread to others after a few milliseconds.
void LanguageClient::drain() {
  constexpr qint64 budget = 8;
  QElapsedTimer spent;
  spent.start();
  const int generation = m_generation;
  while (std::optional<Arrived> event = m_inbox->pop()) {
    handle(std::move(*event));
    if (generation != m_generation || !m_transport)
      return;
    if (spent.elapsed() >= budget) {
      QTimer::singleShot(0, this, [this, generation] {
        if (generation == m_generation && m_transport)
          drain();
      });
      return;
    }
  }
}

void LanguageClient::handle(Arrived&& event) {
  if (auto* message = std::get_if<Message>(&event))
    handleMessage(std::move(*message));
  else if (auto* publish = std::get_if<PublishDiagnostics>(&event))
    applyPublish(std::move(*publish));
  else if (auto* progress = std::get_if<FileProgress>(&event))
    applyProgress(std::move(*progress));
  else if (auto* started = std::get_if<Started>(&event)) {
    m_pid = started->pid;
    if (m_state == State::Starting)
      initialize();
  } else if (auto* unreadable = std::get_if<Unreadable>(&event))
    handleUnreadable(*unreadable);
  else if (auto* broken = std::get_if<StreamBroken>(&event))
    handleBroken(*broken);
  else if (auto* ended = std::get_if<Ended>(&event))
    handleEnded(*ended);
}

void LanguageClient::initialize() {
  Json params{{"processId", ::getpid()},
              {"clientInfo", {{"name", "plumbline"}, {"version", "1"}}},
              {"initializationOptions", {{"hasWidgets", true}}},
              {"capabilities", clientCapabilities()}};
  params["rootUri"] = m_options.rootUri.empty() ? Json(nullptr) : Json(m_options.rootUri);
  const auto deadline = PendingRequests::Clock::now() + m_options.limits.initialize;
  const int64_t id =
      m_pending.add("initialize", [this](Reply&& reply) { initialized(std::move(reply)); }, deadline);
  m_deadlineTimer.start();
  send(requestText(id, "initialize", params));
}

void LanguageClient::initialized(Reply&& reply) {
  if (m_state != State::Starting || reply.local == LocalFailure::ServerEnded)
    return; // handleEnded says what happened
  if (!reply.ok())
    return giveUp({ErrorKind::Tool, "server-initialize",
                   m_options.name + " did not start: " + reply.error->message,
                   "look at what it wrote, then start it again"});
  m_capabilities = capabilitiesFrom(reply.result);
  send(notificationText("initialized", Json::object()));
  setState(State::Running);
  m_stableTimer.start(m_options.limits.stableAfter);
  const std::list<std::string> recent = m_recent;
  for (const std::string& uri : recent)
    if (Opened* opened = find(uri))
      openOnServer(*opened, "never");
}

void LanguageClient::becameStable() {
  m_stableTimer.stop();
  m_restartsLeft = m_options.limits.restarts;
  m_restartDelay = m_options.limits.firstRestart;
}

void LanguageClient::handleMessage(Message&& message) {
  switch (message.kind) {
  case Message::Kind::Request: return handleRequest(message);
  case Message::Kind::Notification: return handleNotification(std::move(message));
  case Message::Kind::Result:
  case Message::Kind::Error: break;
  }
  Reply reply;
  if (message.kind == Message::Kind::Error)
    reply.error = std::move(message.error);
  else
    reply.result = std::move(message.result);
  if (!message.id || !m_pending.settle(*message.id, std::move(reply)))
    logLine("an answer that nobody waits for: " + (message.id ? toString(*message.id) : "without id"));
}

void LanguageClient::handleRequest(const Message& message) {
  static const std::set<std::string> granted = {
      "client/registerCapability", "workspace/semanticTokens/refresh", "workspace/inlayHint/refresh",
      "window/workDoneProgress/create"};
  const RequestId id = message.id.value_or(RequestId(int64_t(0)));
  if (granted.contains(message.method))
    return send(resultText(id, nullptr));
  if (message.method == "workspace/applyEdit") {
    const std::optional<WorkspaceEdit> edit = workspaceEditFromJson(memberOf(message.params, "edit"));
    const bool applied = edit && m_editHandler && m_editHandler(*edit);
    return send(resultText(id, Json{{"applied", applied}}));
  }
  logLine("a request that is not supported: " + message.method);
  send(errorText(id, ErrorCode::MethodNotFound, "not supported: " + message.method));
}

void LanguageClient::handleNotification(Message&& message) {
  if (message.method == DocumentGoals::method) {
    std::optional<DocumentGoals> goals = documentGoalsFromJson(message.params);
    if (!goals)
      return;
    Opened* opened = find(goals->uri);
    if (opened && opened->onServer && opened->state.apply(std::move(*goals)) == Applied::Changed)
      changed(opened->state.uri());
    return;
  }
  if (message.method == "window/logMessage" || message.method == "window/showMessage")
    logLine("server: " + stringAt(message.params, "message"));
  emit notificationReceived(message.method, message.params);
}

void LanguageClient::handleUnreadable(const Unreadable& what) {
  logLine("unreadable: " + what.error.message);
  if (what.hint && what.hint->answer)
    m_pending.settle(what.hint->id, Reply::failure(LocalFailure::Unreadable, what.error.message));
  else if (what.hint)
    send(errorText(what.hint->id, ErrorCode::InvalidRequest, "unreadable request"));
  if (++m_unreadable < m_options.limits.unreadableMessages || m_state == State::Stopping)
    return;
  const Error error{ErrorKind::Tool, "server-unreadable",
                    m_options.name + " sent " + std::to_string(m_unreadable) +
                        " messages that cannot be read, the last because: " + what.error.message,
                    "restart it"};
  scheduleRestart(error);
}

void LanguageClient::handleBroken(const StreamBroken& what) {
  giveUp({ErrorKind::Tool, what.error.id,
          m_options.name + " does not speak the protocol: " + what.error.message,
          "restart it; if that does not help, run its command by hand"});
}

void LanguageClient::handleEnded(const Ended& what) {
  m_processAlive = false;
  if (m_state == State::Stopping) {
    m_forceTimer.stop();
    endProcess();
    m_pending.failAll(LocalFailure::ServerEnded, m_options.name + " was stopped");
    setState(State::Stopped);
    if (std::exchange(m_startAgain, false))
      start();
    return;
  }
  if (!what.started)
    return giveUp(
        {ErrorKind::Tool, "server-missing",
         m_options.name + " could not be started (" + m_options.command.program + "): " + what.reason,
         "plumbline doctor tells what was found and how to get the rest"});
  std::string message = m_options.name + (what.crashed ? " was ended by signal " : " ended with status ") +
                        std::to_string(what.exitCode);
  if (what.cut)
    message += "; " + what.cut->message;
  const std::string errors = standardError();
  if (!errors.empty())
    message += "\n" + errors.substr(errors.size() - std::min(errors.size(), shownErrorBytes));
  scheduleRestart({ErrorKind::Tool, "server-ended", message, "restart it"});
}

void LanguageClient::scheduleRestart(Error error) {
  m_stableTimer.stop();
  if (m_restartsLeft <= 0)
    return giveUp(std::move(error));
  --m_restartsLeft;
  m_lastError = std::move(error);
  logLine(m_lastError->message);
  endProcess();
  for (auto& [uri, opened] : m_documents) {
    opened.onServer = false;
    opened.state.serverLost();
    changed(uri);
  }
  setState(State::Waiting);
  m_restartTimer.start(m_restartDelay);
  m_restartDelay = std::min(m_restartDelay * m_options.limits.restartFactor, m_options.limits.longestRestart);
  m_pending.failAll(LocalFailure::ServerEnded, m_options.name + " ended");
  for (const auto& [uri, opened] : m_documents)
    emit sessionsLost(uri);
}

void LanguageClient::giveUp(Error error) {
  m_restartTimer.stop();
  m_stableTimer.stop();
  m_lastError = std::move(error);
  logLine(m_lastError->message);
  endProcess();
  for (auto& [uri, opened] : m_documents) {
    opened.onServer = false;
    opened.state.serverLost();
    changed(uri);
  }
  setState(State::Failed);
  m_pending.failAll(LocalFailure::ServerEnded, m_options.name + " ended");
  for (const auto& [uri, opened] : m_documents)
    emit sessionsLost(uri);
}

void LanguageClient::stop() {
  m_restartTimer.stop();
  m_stableTimer.stop();
  m_startAgain = false;
  if (m_state == State::Stopping)
    return;
  const bool spoke = m_state == State::Running;
  for (auto& [uri, opened] : m_documents) {
    opened.onServer = false;
    opened.state.serverLost();
    changed(uri);
  }
  if (!m_processAlive) {
    endProcess();
    return setState(State::Stopped);
  }
  setState(State::Stopping);
  m_pending.failAll(LocalFailure::ServerEnded, m_options.name + " is being stopped");
  for (const auto& [uri, opened] : m_documents)
    emit sessionsLost(uri);
  if (!spoke)
    return forceEnd(1);
  const int64_t id = m_pending.add("shutdown", [this](Reply&&) { sendExit(); }, std::nullopt);
  send(requestText(id, "shutdown", nullptr));
  m_forceStep = 0;
  m_forceTimer.start(m_options.limits.shutdownReply);
}

void LanguageClient::sendExit() {
  if (m_state != State::Stopping || !m_processAlive)
    return;
  send(notificationText("exit", nullptr));
  forceEnd(1);
}

/// Closes the input, then asks the process to end, then ends it. Closing the pipes is what reaches the
/// processes that the server has started in groups of their own.
void LanguageClient::forceEnd(int step) {
  m_forceStep = step;
  if (step == 1)
    onTransport([](Transport& t) { t.closeInput(); });
  else
    onTransport([step](Transport& t) { t.signalGroup(step == 2 ? SIGTERM : SIGKILL); });
  m_forceTimer.start(step == 1 ? m_options.limits.exitWait : m_options.limits.terminateWait);
}

int64_t LanguageClient::request(const std::string& method, const Json& params, ReplyHandler handler,
                                std::chrono::milliseconds limit) {
  if (m_state != State::Running) {
    QTimer::singleShot(0, this, [name = m_options.name, handler = std::move(handler)] {
      handler(Reply::failure(LocalFailure::NotRunning, name + " is not running"));
    });
    return -1;
  }
  if (limit == std::chrono::milliseconds::zero())
    limit = m_options.limits.request;
  std::optional<PendingRequests::Clock::time_point> deadline;
  if (limit > std::chrono::milliseconds::zero())
    deadline = PendingRequests::Clock::now() + limit;
  const int64_t id = m_pending.add(method, std::move(handler), deadline);
  if (deadline && !m_deadlineTimer.isActive())
    m_deadlineTimer.start();
  send(requestText(id, method, params));
  return id;
}

int64_t LanguageClient::documentRequest(const std::string& uri, const std::string& method, const Json& params,
                                        ReplyHandler handler, std::chrono::milliseconds limit) {
  Opened* opened = find(uri);
  if (m_state == State::Running && (!opened || opened->state.crashed())) {
    QTimer::singleShot(0, this, [handler = std::move(handler)] {
      handler(Reply::failure(LocalFailure::WorkerDown, "the server's worker for this document has ended"));
    });
    return -1;
  }
  if (opened)
    touch(uri);
  return request(
      method, params,
      [this, uri, handler = std::move(handler)](Reply&& reply) {
        noteWorkerError(uri, reply);
        handler(std::move(reply));
      },
      limit);
}

void LanguageClient::cancel(int64_t id) {
  if (m_pending.contains(id)) {
    // The answer may still come; it is then one that nobody waits for.
    m_pending.forget(id);
    send(cancelText(id));
  }
}

void LanguageClient::notify(const std::string& method, const Json& params) {
  if (m_state == State::Running)
    send(notificationText(method, params));
}

} // namespace plumbline::lsp

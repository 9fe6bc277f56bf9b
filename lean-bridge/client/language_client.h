// The client of a language server, Lean's or Plumbline's.
#pragma once

#include "lean-bridge/client/bounded_log.h"
#include "lean-bridge/client/document_state.h"
#include "lean-bridge/client/requests.h"
#include "lean-bridge/client/server_command.h"
#include "lean-bridge/client/transport.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QThread>
#include <QTimer>
#include <list>
#include <map>
#include <memory>
#include <set>

namespace plumbline::lsp {

/// What the server's reply to `initialize` says that it can do. Absent is unsupported.
struct ServerCapabilities {
  std::string name;
  std::string version;
  bool incrementalSync = false;
  bool fullSync = false;
  bool saves = false;
  bool resolvesCodeActions = false;
  RpcFormat rpcFormat = RpcFormat::V0;
  Json all = Json::object();
};

/// Times and limits. The defaults are for users; tests use shorter ones.
struct ClientLimits {
  std::chrono::milliseconds initialize{std::chrono::minutes(10)}; ///< Lake may fetch and build first
  std::chrono::milliseconds request{
      std::chrono::seconds(60)}; ///< for requests that name no time of their own
  std::chrono::milliseconds shutdownReply{2000};
  std::chrono::milliseconds exitWait{2000};
  std::chrono::milliseconds terminateWait{1000};
  std::chrono::milliseconds firstRestart{50};
  int restartFactor = 4;
  std::chrono::milliseconds longestRestart{std::chrono::seconds(30)};
  int restarts = 5; ///< without the server's having become stable in between
  std::chrono::milliseconds stableAfter{std::chrono::seconds(20)};
  int unreadableMessages = 10;                  ///< in one life of a server, before it is restarted
  size_t openDocuments = 8;                     ///< each costs a Lean server a whole process
  std::chrono::milliseconds workerAnswer{5000}; ///< after an error that is fatal; then it counts as dead
  std::chrono::milliseconds keepAlive{std::chrono::seconds(10)};
  std::chrono::milliseconds releaseDelay{100};
  std::chrono::milliseconds goalDelay{50};
};

/// Starts a server, keeps it alive, keeps documents the same on both sides, asks questions. Everything is
/// asynchronous; signals come in the thread of the client, which must have an event loop. A server may die at
/// any moment: texts stay, pending requests fail once, and the server is started again, each time later,
/// until it is clear that it will not stay.
class LanguageClient : public QObject {
  Q_OBJECT
public:
  enum class State {
    Stopped,  ///< not started, or stopped as asked
    Starting, ///< no answer to `initialize` yet; may take minutes with Lake
    Running,
    Waiting, ///< died; will be restarted by itself
    Stopping,
    Failed, ///< died too often or does not speak the protocol; `start` tries again
  };
  struct Options {
    std::string name; ///< for messages: "Lean", "plumbline-server"
    ServerCommand command;
    ClientLimits limits;
    bool lean = false; ///< speaks with Lean: `dependencyBuildMode` is sent
    std::string rootUri;
  };

  explicit LanguageClient(Options options, QObject* parent = nullptr);
  ~LanguageClient() override;

  void start();
  /// Shuts the server down: `shutdown`, `exit`, then by force. The state becomes Stopped when no process is
  /// left.
  void stop();
  void restart();
  /// Another command for the next start.
  void setCommand(ServerCommand command) { m_options.command = std::move(command); }

  State state() const { return m_state; }
  const std::string& name() const { return m_options.name; }
  const ClientLimits& limits() const { return m_options.limits; }
  /// What ended the last server, with its exit status and the end of what it wrote to standard error.
  const std::optional<Error>& lastError() const { return m_lastError; }
  const ServerCapabilities& capabilities() const { return m_capabilities; }
  std::string standardError() const;
  const BoundedLines& log() const { return m_log; }
  qint64 processId() const { return m_pid; }
  /// Changes with every process: what was received from another one is void.
  int generation() const { return m_generation; }
  size_t pendingRequests() const { return m_pending.size(); }

  /// Documents are kept by the client under the exact spelling of their URI and sent when there is a server.
  void openDocument(const std::string& uri, const std::string& languageId, std::string_view text);
  void closeDocument(const std::string& uri);
  void changeDocument(const std::string& uri, std::vector<ContentChange> changes);
  /// Sends the difference to the present text, if there is one.
  void setText(const std::string& uri, std::string_view text);
  void saveDocument(const std::string& uri);
  /// Closes and opens a document on the server, and lets Lean build what it imports.
  void restartFile(const std::string& uri);
  const DocumentState* document(const std::string& uri) const;

  /// Asks. The handler is called exactly once, later, unless the request is cancelled. A time of zero means
  /// the default, a negative one none. Returns the id for `cancel`, or -1 when it failed at once (the handler
  /// is called then too, from the event loop).
  int64_t request(const std::string& method, const Json& params, ReplyHandler handler,
                  std::chrono::milliseconds limit = {});
  /// The same for a question about a document, which fails at once when its worker is dead or it is not open.
  int64_t documentRequest(const std::string& uri, const std::string& method, const Json& params,
                          ReplyHandler handler, std::chrono::milliseconds limit = {});
  /// Tells the server, and forgets the handler.
  void cancel(int64_t id);
  void notify(const std::string& method, const Json& params);

  /// Code actions for a range; an empty list when there are none or no server can be asked.
  void codeActions(const std::string& uri, const Range& range,
                   std::function<void(std::vector<CodeAction>&&)> handler);
  /// The edit of an action, asked for when the action came without. Errors: "action-without-edit",
  /// "server-refused".
  void resolve(const std::string& uri, const CodeAction& action,
               std::function<void(Expected<WorkspaceEdit>&&)> handler);
  /// The text of a document after an edit. Errors: "edit-outdated" when it was made for another version,
  /// "edit-elsewhere" when it changes other documents or files, "edits-overlap".
  Expected<std::string> edited(const WorkspaceEdit& edit, const std::string& uri) const;

  /// Decides on edits that the server wants to make (`workspace/applyEdit`); without it they are refused.
  void setEditHandler(std::function<bool(const WorkspaceEdit&)> handler) {
    m_editHandler = std::move(handler);
  }

signals:
  void stateChanged();
  /// Diagnostics, progress or goals of a document changed; at most once for each round of the event loop.
  void documentChanged(const std::string& uri);
  /// Any notification that the client does not handle itself.
  void notificationReceived(const std::string& method, const plumbline::Json& params);
  /// The document's worker or the whole server is another one: sessions with it are dead.
  void sessionsLost(const std::string& uri);

private:
  struct Opened {
    explicit Opened(DocumentState&& initial) : state(std::move(initial)) {}
    DocumentState state;
    bool onServer = false;
    int64_t reportQuestion = -1; ///< `textDocument/waitForDiagnostics` that has no answer yet
    int askedVersion = 0;        ///< of that question
  };

  void setState(State state);
  void launch();
  void drain();
  void handle(Arrived&& event);
  void handleMessage(Message&& message);
  void handleRequest(const Message& message);
  void handleNotification(Message&& message);
  void handleUnreadable(const Unreadable& what);
  void handleBroken(const StreamBroken& what);
  void handleEnded(const Ended& what);
  void initialize();
  void initialized(Reply&& reply);
  void scheduleRestart(Error error);
  void giveUp(Error error);
  void sendExit();
  void forceEnd(int step);
  void endProcess();
  void send(const std::string& body);
  void onTransport(std::function<void(Transport&)> action);
  void becameStable();
  void logLine(const std::string& line) { m_log.add(line); }

  Opened* find(const std::string& uri);
  void openOnServer(Opened& opened, const char* buildMode);
  void closeOnServer(Opened& opened);
  void touch(const std::string& uri);
  void changed(const std::string& uri);
  void flushChanges();
  void applyPublish(PublishDiagnostics&& publish);
  void applyProgress(FileProgress&& progress);
  void askForReports(Opened& opened);
  void workerDied(Opened& opened);
  void noteWorkerError(const std::string& uri, const Reply& reply);

  Options m_options;
  State m_state = State::Stopped;
  QThread m_thread; ///< of the streams
  QPointer<Transport> m_transport;
  std::shared_ptr<Inbox> m_inbox;
  std::shared_ptr<BoundedBytes> m_errors;
  int m_generation = 0;
  qint64 m_pid = 0;
  bool m_processAlive = false;
  PendingRequests m_pending;
  ServerCapabilities m_capabilities;
  std::optional<Error> m_lastError;
  BoundedLines m_log;
  int m_unreadable = 0;
  int m_restartsLeft = 0;
  std::chrono::milliseconds m_restartDelay{};
  bool m_startAgain = false; ///< after stopping
  int m_forceStep = 0;
  QTimer m_restartTimer;
  QTimer m_deadlineTimer;
  QTimer m_forceTimer;
  QTimer m_stableTimer;
  std::map<std::string, Opened> m_documents;
  std::list<std::string> m_recent; ///< documents on the server, the most recently used first
  std::map<std::string, int>
      m_lastVersions; ///< of closed documents: versions go on when they are opened again
  std::set<std::string> m_changed;
  std::function<bool(const WorkspaceEdit&)> m_editHandler;
};

/// For messages: "running", "waiting to restart", ...
const char* toString(LanguageClient::State state);

} // namespace plumbline::lsp

// A server process and its three streams, read and parsed in a thread of their own.
#pragma once

#include "lean-bridge/client/bounded_log.h"
#include "lean-bridge/client/server_command.h"
#include "lean-bridge/protocol/framing.h"
#include "lean-bridge/protocol/messages.h"
#include "lean-bridge/protocol/structures.h"

#include <QObject>
#include <QProcess>
#include <deque>
#include <memory>
#include <mutex>
#include <variant>

namespace plumbline::lsp {

/// The process runs.
struct Started {
  qint64 pid = 0;
};
/// A body that is no message; the stream goes on.
struct Unreadable {
  Error error;
  std::optional<IdHint> hint;
};
/// The stream cannot be read any further.
struct StreamBroken {
  Error error;
};
/// The process has ended, or could not be started.
struct Ended {
  bool started = true;
  int exitCode = 0;
  bool crashed = false;     ///< ended by a signal
  std::optional<Error> cut; ///< the stream ended inside a message
  std::string reason;       ///< why it could not be started
};

/// Everything that comes from a server, in order. Diagnostics and progress are read in the thread of the
/// streams, since a message may hold tens of thousands of them.
using Arrived =
    std::variant<Started, Message, PublishDiagnostics, FileProgress, Unreadable, StreamBroken, Ended>;

/// Hands events from the thread of the streams to the thread of the client.
class Inbox {
public:
  /// True when the reader has to be woken.
  bool push(std::vector<Arrived>&& events);
  std::optional<Arrived> pop();

private:
  std::mutex m_mutex;
  std::deque<Arrived> m_events;
  bool m_woken = false;
};

/// One process. Lives in the thread of the streams; call its slots there (queued). Emits `ready` when there
/// are events in the inbox and the reader does not know yet.
class Transport : public QObject {
  Q_OBJECT
public:
  Transport(std::shared_ptr<Inbox> inbox, std::shared_ptr<BoundedBytes> errors);
  ~Transport() override;

  void start(const ServerCommand& command);
  void send(const std::string& body);
  void closeInput();
  /// Asks the process and its group to end, or ends them.
  void signalGroup(int signal);

signals:
  void ready();

private:
  void readOutput();
  void readErrors();
  void finished(int exitCode, QProcess::ExitStatus status);
  void push(Arrived event);
  Arrived read(const std::string& body) const;

  std::shared_ptr<Inbox> m_inbox;
  std::shared_ptr<BoundedBytes> m_errors;
  QProcess* m_process = nullptr;
  FrameReader m_reader;
  qint64 m_pid = 0;
  bool m_broken = false;
  bool m_ended = false;
};

} // namespace plumbline::lsp

// A session of remote calls about one document, with references that are given back.
#pragma once

#include "lean-bridge/client/language_client.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

namespace plumbline::lsp {

class RpcSession;

/// The references of one result. They are released when the last copy goes away, once for each time they were
/// received, unless their session has ended before.
class HeldReferences {
public:
  HeldReferences(RpcSession* session, int serial, std::vector<RpcRef> references);
  HeldReferences(const HeldReferences&) = delete;
  HeldReferences& operator=(const HeldReferences&) = delete;
  ~HeldReferences();

  int serial() const { return m_serial; }

private:
  QPointer<RpcSession> m_session;
  int m_serial;
  std::vector<RpcRef> m_references;
};

/// A reply with what keeps its references alive.
struct RpcReply {
  Reply reply;
  std::shared_ptr<HeldReferences> references;
};
using RpcHandler = std::function<void(RpcReply&&)>;

/// Connects when it is first used, keeps itself alive, and connects again when the server has forgotten it;
/// after several such losses in a row it waits longer each time and then fails its calls.
class RpcSession : public QObject {
  Q_OBJECT
public:
  RpcSession(LanguageClient& client, std::string uri, QObject* parent = nullptr);

  /// Calls a method; the handler is called exactly once unless the call is cancelled. Returns a number for
  /// `cancel`.
  int call(Position position, std::string method, Json params, RpcHandler handler);
  void cancel(int call);
  const std::string& uri() const { return m_uri; }
  /// The present session, or 0. References of another one are void.
  int serial() const { return m_sessionId.empty() ? 0 : m_serial; }
  RpcFormat format() const { return m_client.capabilities().rpcFormat; }

signals:
  /// All references are void; ask again for what is shown.
  void lost();

private:
  friend class HeldReferences;
  struct Call {
    int number = 0;
    Position position;
    std::string method;
    Json params;
    RpcHandler handler;
    bool repeated = false; ///< already sent to a session that was then lost
    int64_t request = -1;
    bool sent = false;
  };
  static constexpr int lossesInARow = 4;
  static constexpr size_t releaseBatch = 100;

  void connectNow();
  void connected(int generation, Reply&& reply);
  void flush();
  void sendCall(Call& call);
  void answered(int number, int serial, Reply&& reply);
  void sessionGone();
  void failAll(const Reply& reply);
  void release(int serial, const std::vector<RpcRef>& references);
  void sendReleases();
  Call* find(int number);
  void finish(int number, Reply&& reply, int serial);

  LanguageClient& m_client;
  std::string m_uri;
  std::string m_sessionId; ///< echoed exactly; empty: none
  int m_serial = 0;
  bool m_connecting = false;
  int m_losses = 0;
  int m_lastNumber = 0;
  std::vector<Call> m_calls;
  std::vector<RpcRef> m_releases;
  QTimer m_keepAlive;
  QTimer m_releaseTimer;
  QTimer m_connectTimer;
};

} // namespace plumbline::lsp

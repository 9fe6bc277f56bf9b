#include "lean-bridge/client/rpc_session.h"

#include <algorithm>

namespace plumbline::lsp {

HeldReferences::HeldReferences(RpcSession* session, int serial, std::vector<RpcRef> references)
    : m_session(session), m_serial(serial), m_references(std::move(references)) {}

HeldReferences::~HeldReferences() {
  if (m_session && !m_references.empty())
    m_session->release(m_serial, m_references);
}

RpcSession::RpcSession(LanguageClient& client, std::string uri, QObject* parent)
    : QObject(parent), m_client(client), m_uri(std::move(uri)) {
  m_keepAlive.setInterval(m_client.limits().keepAlive);
  connect(&m_keepAlive, &QTimer::timeout, this, [this] {
    m_client.notify("$/lean/rpc/keepAlive", Json{{"uri", m_uri}, {"sessionId", m_sessionId}});
  });
  m_releaseTimer.setSingleShot(true);
  m_releaseTimer.setInterval(m_client.limits().releaseDelay);
  connect(&m_releaseTimer, &QTimer::timeout, this, &RpcSession::sendReleases);
  m_connectTimer.setSingleShot(true);
  connect(&m_connectTimer, &QTimer::timeout, this, &RpcSession::connectNow);
  connect(&m_client, &LanguageClient::sessionsLost, this, [this](const std::string& lostUri) {
    if (lostUri == m_uri && !m_sessionId.empty()) {
      sessionGone();
      emit lost();
    }
  });
}

int RpcSession::call(Position position, std::string method, Json params, RpcHandler handler) {
  m_calls.push_back({++m_lastNumber, position, std::move(method), std::move(params), std::move(handler)});
  const int number = m_lastNumber;
  if (m_sessionId.empty())
    connectNow();
  else
    flush();
  return number;
}

RpcSession::Call* RpcSession::find(int number) {
  const auto found =
      std::find_if(m_calls.begin(), m_calls.end(), [&](const Call& c) { return c.number == number; });
  return found != m_calls.end() ? &*found : nullptr;
}

void RpcSession::cancel(int number) {
  const Call* call = find(number);
  if (!call)
    return;
  if (call->sent)
    m_client.cancel(call->request);
  std::erase_if(m_calls, [&](const Call& c) { return c.number == number; });
}

void RpcSession::connectNow() {
  if (m_connecting || m_connectTimer.isActive() || m_calls.empty() || !m_sessionId.empty())
    return;
  m_connecting = true;
  const int generation = m_client.generation();
  m_client.documentRequest(m_uri, "$/lean/rpc/connect", Json{{"uri", m_uri}},
                           [self = QPointer(this), generation](Reply&& reply) {
                             if (self)
                               self->connected(generation, std::move(reply));
                           });
}

void RpcSession::connected(int generation, Reply&& reply) {
  m_connecting = false;
  if (reply.ok() && generation == m_client.generation()) {
    m_sessionId = stringAt(reply.result, "sessionId");
    if (!m_sessionId.empty()) {
      ++m_serial;
      m_keepAlive.start();
      return flush();
    }
    reply = Reply::failure(LocalFailure::Unreadable, "the server named no session");
  }
  failAll(reply);
}

void RpcSession::failAll(const Reply& reply) {
  for (Call& call : std::exchange(m_calls, {}))
    call.handler({reply, nullptr});
}

void RpcSession::flush() {
  for (Call& call : m_calls)
    if (!call.sent)
      sendCall(call);
}

void RpcSession::sendCall(Call& call) {
  call.sent = true;
  Json params = textDocumentPositionJson(m_uri, call.position);
  params["sessionId"] = m_sessionId;
  params["method"] = call.method;
  params["params"] = call.params;
  call.request = m_client.documentRequest(
      m_uri, "$/lean/rpc/call", params,
      [self = QPointer(this), number = call.number, serial = m_serial](Reply&& reply) {
        if (self)
          self->answered(number, serial, std::move(reply));
      });
}

void RpcSession::answered(int number, int serial, Reply&& reply) {
  Call* call = find(number);
  if (!call)
    return;
  if (!reply.is(ErrorCode::RpcNeedsReconnect)) {
    if (reply.ok())
      m_losses = 0;
    return finish(number, std::move(reply), serial);
  }
  const bool first = serial == m_serial && !m_sessionId.empty();
  if (first)
    sessionGone();
  call = find(number);
  call->sent = false;
  const bool again = !std::exchange(call->repeated, true);
  if (!again || m_losses >= lossesInARow)
    finish(number, std::move(reply), 0);
  if (first && m_losses < lossesInARow) // beyond that, asking again would only go on for ever
    emit lost();
  if (m_calls.empty())
    return;
  if (!m_sessionId.empty())
    return flush();
  if (m_losses <= 1)
    connectNow();
  else if (!m_connectTimer.isActive())
    m_connectTimer.start(std::chrono::milliseconds(250) * (1 << std::min(m_losses, 6)));
}

void RpcSession::finish(int number, Reply&& reply, int serial) {
  Call* call = find(number);
  const RpcHandler handler = std::move(call->handler);
  std::erase_if(m_calls, [&](const Call& c) { return c.number == number; });
  std::shared_ptr<HeldReferences> held;
  if (reply.ok())
    held = std::make_shared<HeldReferences>(this, serial, referencesIn(reply.result, format()));
  handler({std::move(reply), std::move(held)});
}

/// The server does not know the session any more: nothing is sent to it again.
void RpcSession::sessionGone() {
  m_sessionId.clear();
  ++m_losses;
  m_keepAlive.stop();
  m_releaseTimer.stop();
  m_releases.clear();
}

void RpcSession::release(int serial, const std::vector<RpcRef>& references) {
  if (m_sessionId.empty() || serial != m_serial)
    return;
  m_releases.insert(m_releases.end(), references.begin(), references.end());
  if (m_releases.size() > releaseBatch)
    sendReleases();
  else if (!m_releaseTimer.isActive())
    m_releaseTimer.start();
}

void RpcSession::sendReleases() {
  m_releaseTimer.stop();
  if (m_releases.empty() || m_sessionId.empty())
    return;
  Json list = Json::array();
  for (const RpcRef& reference : std::exchange(m_releases, {}))
    list.push_back(toJson(reference, format()));
  m_client.notify("$/lean/rpc/release",
                  Json{{"uri", m_uri}, {"sessionId", m_sessionId}, {"refs", std::move(list)}});
}

} // namespace plumbline::lsp

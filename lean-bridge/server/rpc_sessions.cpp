#include "lean-bridge/server/rpc_sessions.h"

namespace plumbline::server {

RpcSessions::RpcSessions(uint64_t seed) : m_random(seed) {}

void RpcSessions::expire(Clock::time_point now) {
  std::erase_if(m_sessions, [now](const auto& entry) { return entry.second.expires <= now; });
}

std::string RpcSessions::connect(const std::string& uri, Clock::time_point now) {
  expire(now);
  // The steps of splitmix64: ids of one process differ, and those of a restarted one most likely do.
  m_random += 0x9e3779b97f4a7c15U;
  uint64_t id = m_random;
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9U;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebU;
  const std::string session = std::to_string(id ^ (id >> 31));
  m_sessions[session] = {uri, now + lifetime, {}};
  return session;
}

bool RpcSessions::isAlive(const std::string& uri, const std::string& session, Clock::time_point now) {
  expire(now);
  const auto found = m_sessions.find(session);
  return found != m_sessions.end() && found->second.uri == uri;
}

void RpcSessions::keepAlive(const std::string& uri, const std::string& session, Clock::time_point now) {
  if (isAlive(uri, session, now))
    m_sessions[session].expires = now + lifetime;
}

void RpcSessions::release(const std::string& uri, const std::string& session,
                          const std::vector<lsp::RpcRef>& refs, Clock::time_point now) {
  if (!isAlive(uri, session, now))
    return;
  Session& held = m_sessions[session];
  held.expires = now + lifetime;
  for (const lsp::RpcRef& ref : refs)
    if (const auto count = held.counts.find(ref.id); count != held.counts.end() && --count->second == 0)
      held.counts.erase(count);
}

void RpcSessions::close(const std::string& uri) {
  std::erase_if(m_sessions, [&uri](const auto& entry) { return entry.second.uri == uri; });
}

lsp::RpcRef RpcSessions::refer(const std::string& session) {
  lsp::RpcRef ref{std::to_string(m_nextRef++)};
  ++m_sessions.at(session).counts[ref.id];
  return ref;
}

bool RpcSessions::knows(const std::string& session, const lsp::RpcRef& ref) const {
  const auto found = m_sessions.find(session);
  return found != m_sessions.end() && found->second.counts.contains(ref.id);
}

size_t RpcSessions::references(const std::string& session) const {
  const auto found = m_sessions.find(session);
  return found != m_sessions.end() ? found->second.counts.size() : 0;
}

} // namespace plumbline::server

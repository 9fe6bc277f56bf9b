// Remote calls of the goal panel: sessions that expire, references that are counted.
#pragma once

#include "lean-bridge/protocol/interactive.h"

#include <chrono>
#include <map>

namespace plumbline::server {

/// Sessions of all documents. Times are given by the caller, so that expiry can be tested.
class RpcSessions {
public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds lifetime{30};

  explicit RpcSessions(uint64_t seed);

  std::string connect(const std::string& uri, Clock::time_point now);
  /// False for a session that is unknown, expired, or of another document. Calls do not extend a session.
  bool isAlive(const std::string& uri, const std::string& session, Clock::time_point now);
  void keepAlive(const std::string& uri, const std::string& session, Clock::time_point now);
  void release(const std::string& uri, const std::string& session, const std::vector<lsp::RpcRef>& refs,
               Clock::time_point now);
  void close(const std::string& uri);

  /// A new reference, held until it is released as often as it was handed out.
  lsp::RpcRef refer(const std::string& session);
  bool knows(const std::string& session, const lsp::RpcRef& ref) const;
  size_t references(const std::string& session) const;

private:
  struct Session {
    std::string uri;
    Clock::time_point expires;
    std::map<std::string, size_t> counts;
  };
  void expire(Clock::time_point now);

  std::map<std::string, Session> m_sessions;
  uint64_t m_random;
  uint64_t m_nextRef = 0;
};

} // namespace plumbline::server

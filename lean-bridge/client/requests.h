// Requests that wait for their answers.
#pragma once

#include "lean-bridge/protocol/messages.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace plumbline::lsp {

/// Why a request failed without the server's saying so.
enum class LocalFailure {
  None,       ///< the server answered with an error
  NotRunning, ///< there is no server to ask
  ServerEnded,
  TimedOut,
  Unreadable, ///< the answer could not be read
  WorkerDown, ///< the document's worker has died; it would never answer
  Superseded, ///< a newer question took its place
};

/// An answer, or why there is none.
struct Reply {
  Json result;
  std::optional<ResponseError> error;
  LocalFailure local = LocalFailure::None;

  bool ok() const { return !error; }
  bool is(ErrorCode code) const { return error && local == LocalFailure::None && error->is(code); }
  static Reply failure(LocalFailure why, std::string message);
};

using ReplyHandler = std::function<void(Reply&&)>;

/// The table of requests that were sent. Every request gets exactly one reply. One thread.
class PendingRequests {
public:
  using Clock = std::chrono::steady_clock;

  /// A new id and its entry.
  int64_t add(std::string method, ReplyHandler handler, std::optional<Clock::time_point> deadline);
  bool contains(int64_t id) const { return m_entries.contains(id); }
  size_t size() const { return m_entries.size(); }
  /// Calls the handler of a request. False when nobody waits for this id (unknown, answered or cancelled).
  bool settle(const RequestId& id, Reply&& reply);
  /// Forgets a request without calling its handler.
  bool forget(int64_t id) { return m_entries.erase(id) > 0; }
  void failAll(LocalFailure why, const std::string& message);
  /// Fails what is past its deadline; the ids, which are to be cancelled.
  std::vector<int64_t> expire(Clock::time_point now);
  bool hasDeadlines() const;

private:
  struct Entry {
    std::string method;
    ReplyHandler handler;
    std::optional<Clock::time_point> deadline;
  };
  std::map<int64_t, Entry> m_entries;
  int64_t m_next = 0;
};

} // namespace plumbline::lsp

#include "lean-bridge/client/requests.h"

#include <utility>

namespace plumbline::lsp {

Reply Reply::failure(LocalFailure why, std::string message) {
  return {nullptr, ResponseError{0, std::move(message), nullptr}, why};
}

int64_t PendingRequests::add(std::string method, ReplyHandler handler,
                             std::optional<Clock::time_point> deadline) {
  const int64_t id = m_next++;
  m_entries.emplace(id, Entry{std::move(method), std::move(handler), deadline});
  return id;
}

bool PendingRequests::settle(const RequestId& id, Reply&& reply) {
  const auto* number = std::get_if<int64_t>(&id);
  const auto found = number ? m_entries.find(*number) : m_entries.end();
  if (found == m_entries.end())
    return false;
  const Entry entry = std::move(found->second);
  m_entries.erase(found);
  if (entry.handler)
    entry.handler(std::move(reply));
  return true;
}

void PendingRequests::failAll(LocalFailure why, const std::string& message) {
  // A handler may ask again; what it asks then is not part of this round.
  for (auto& [id, entry] : std::exchange(m_entries, {}))
    if (entry.handler)
      entry.handler(Reply::failure(why, message));
}

std::vector<int64_t> PendingRequests::expire(Clock::time_point now) {
  std::vector<int64_t> late;
  for (const auto& [id, entry] : m_entries)
    if (entry.deadline && *entry.deadline <= now)
      late.push_back(id);
  for (const int64_t id : late)
    settle(id, Reply::failure(LocalFailure::TimedOut, "the server did not answer in time"));
  return late;
}

bool PendingRequests::hasDeadlines() const {
  for (const auto& [id, entry] : m_entries)
    if (entry.deadline)
      return true;
  return false;
}

} // namespace plumbline::lsp

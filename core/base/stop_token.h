// Cooperative cancellation: a user's cancel and a deadline, composed.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>

namespace plumbline {

/// Copies share the cancel flag. `stopRequested` may be called from any thread.
class StopToken {
public:
  using Clock = std::chrono::steady_clock;

  StopToken() : m_flag(std::make_shared<std::atomic<bool>>(false)) {}

  void requestStop() const { m_flag->store(true); }
  bool stopRequested() const { return m_flag->load() || Clock::now() >= m_deadline; }

  /// The same cancel flag with an additional deadline; the earlier deadline holds.
  StopToken withDeadline(Clock::time_point deadline) const {
    StopToken copy = *this;
    copy.m_deadline = std::min(m_deadline, deadline);
    return copy;
  }
  StopToken withTimeout(std::chrono::milliseconds limit) const { return withDeadline(Clock::now() + limit); }

  /// Time left, never negative.
  std::chrono::milliseconds remaining() const {
    if (m_flag->load())
      return std::chrono::milliseconds(0);
    if (m_deadline == Clock::time_point::max())
      return std::chrono::hours(24 * 365);
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(m_deadline - Clock::now());
    return std::max(left, std::chrono::milliseconds(0));
  }

private:
  std::shared_ptr<std::atomic<bool>> m_flag;
  Clock::time_point m_deadline = Clock::time_point::max();
};

} // namespace plumbline

#include "lean-bridge/server/event_loop.h"

namespace plumbline::server {

void EventLoop::post(Task task) {
  {
    const std::lock_guard lock(m_mutex);
    m_tasks.push_back(std::move(task));
  }
  m_wake.notify_one();
}

void EventLoop::run() {
  while (true) {
    Task task;
    {
      std::unique_lock lock(m_mutex);
      m_wake.wait(lock, [this] { return m_stopped || !m_tasks.empty(); });
      if (m_stopped)
        return;
      task = std::move(m_tasks.front());
      m_tasks.pop_front();
    }
    task();
  }
}

void EventLoop::stop() {
  {
    const std::lock_guard lock(m_mutex);
    m_stopped = true;
  }
  m_wake.notify_one();
}

} // namespace plumbline::server

// One thread that everything of the server happens on, and a queue that other threads put work into.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace plumbline::server {

class EventLoop {
public:
  using Task = std::function<void()>;

  /// From any thread: `task` runs on the loop's thread, in the order of the calls.
  void post(Task task);
  /// Runs tasks until `stop`; what is still queued then is dropped.
  void run();
  /// From any thread.
  void stop();

private:
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::deque<Task> m_tasks;
  bool m_stopped = false;
};

} // namespace plumbline::server

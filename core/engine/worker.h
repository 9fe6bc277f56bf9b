// One thread with a queue. An engine that talks to a child process does so on its worker: children die with
// the thread that started them, so that thread must live as long as the engine does.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

namespace plumbline::engine {

/// Runs jobs in the order they were submitted. `submit` may be called from any thread. The destructor
/// finishes what is queued, then ends the thread.
class Worker {
public:
  Worker() : m_thread([this] { work(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(m_mutex);
      m_ending = true;
    }
    m_wake.notify_one();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  template <class Job> auto submit(Job job) -> std::future<decltype(job())> {
    auto task = std::make_shared<std::packaged_task<decltype(job())()>>(std::move(job));
    auto result = task->get_future();
    {
      const std::lock_guard lock(m_mutex);
      m_jobs.emplace_back([task] { (*task)(); });
    }
    m_wake.notify_one();
    return result;
  }

private:
  void work() {
    while (true) {
      std::function<void()> job;
      {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [&] { return m_ending || !m_jobs.empty(); });
        if (m_jobs.empty())
          return;
        job = std::move(m_jobs.front());
        m_jobs.pop_front();
      }
      job();
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::deque<std::function<void()>> m_jobs;
  bool m_ending = false;
  std::jthread m_thread; // last: it uses the members above
};

} // namespace plumbline::engine

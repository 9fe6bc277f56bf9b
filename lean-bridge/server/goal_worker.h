// The engines, on a thread of their own.
#pragma once

#include "core/goals/cache.h"
#include "lean-bridge/server/elaboration.h"

#include <condition_variable>
#include <deque>
#include <thread>

namespace plumbline::server {

/// One goal to settle, with what must stay alive meanwhile.
struct GoalJob {
  goals::Goal goal;
  ElaborationPtr owner;
};

/// Settles goals one after another and keeps the answers. The newest list of jobs counts: a goal that is
/// being settled and is not wanted any more is given up. All methods may be called from any thread; the
/// destructor stops the engines and waits for the thread.
class GoalWorker {
public:
  /// Called on a thread of the worker when there are new answers; not more often than every `reportEvery`, so
  /// that what is made of them leaves time for edits.
  using Answered = std::function<void()>;
  static constexpr std::chrono::milliseconds reportEvery{150};

  /// `useEngines`: whether solvers and the sweep may be started.
  GoalWorker(goals::Limits limits, bool useEngines, Answered answered);
  ~GoalWorker();
  GoalWorker(const GoalWorker&) = delete;
  GoalWorker& operator=(const GoalWorker&) = delete;

  void want(std::vector<GoalJob> jobs);
  goals::SettledCache& answers() { return m_answers; }
  bool idle() const;

private:
  void run();
  void report();

  goals::Limits m_limits;
  bool m_useEngines;
  Answered m_answered;
  goals::SettledCache m_answers;
  mutable std::mutex m_mutex;
  std::condition_variable m_wake;
  std::deque<GoalJob> m_jobs;
  std::optional<goals::Key> m_running;
  StopToken m_stop; ///< of the job that is running
  bool m_ended = false;
  bool m_unreported = false; ///< there are answers that nobody was told of
  std::thread m_thread;      ///< last: they use the members above
  std::thread m_reporter;
};

} // namespace plumbline::server

#include "lean-bridge/server/goal_worker.h"

#include <algorithm>
#include <sys/resource.h>

namespace plumbline::server {

namespace {

/// Whether requirements contradict each other is nobody's obligation: it may cost less than a goal.
goals::Limits limitsFor(const goals::Goal& goal, const goals::Limits& given) {
  goals::Limits limits = given;
  if (goal.kind == goals::GoalKind::Contradiction) {
    limits.total = std::min(limits.total, std::chrono::milliseconds(3000));
    limits.cases = std::min<size_t>(limits.cases, 50);
  }
  return limits;
}

} // namespace

GoalWorker::GoalWorker(goals::Limits limits, bool useEngines, Answered answered)
    : m_limits(limits), m_useEngines(useEngines), m_answered(std::move(answered)),
      m_thread([this] { run(); }), m_reporter([this] { report(); }) {}

GoalWorker::~GoalWorker() {
  {
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_jobs.clear();
    m_stop.requestStop();
  }
  m_wake.notify_all();
  m_thread.join();
  m_reporter.join();
}

void GoalWorker::want(std::vector<GoalJob> jobs) {
  {
    const std::lock_guard lock(m_mutex);
    const auto isRunning = [this](const GoalJob& job) { return m_running == job.goal.key; };
    if (m_running && std::ranges::none_of(jobs, isRunning))
      m_stop.requestStop();
    std::erase_if(jobs, isRunning);
    m_jobs.assign(std::make_move_iterator(jobs.begin()), std::make_move_iterator(jobs.end()));
  }
  m_wake.notify_all();
}

bool GoalWorker::idle() const {
  const std::lock_guard lock(m_mutex);
  return m_jobs.empty() && !m_running;
}

void GoalWorker::run() {
  // Edits come first: this thread, and the programs that it starts, take what is left of the processor.
  (void)::setpriority(PRIO_PROCESS, 0, 10);
  std::optional<engine::Portfolio> portfolio;
  std::optional<engine::Sweeper> sweeper;
  goals::Engines engines;
  for (;;) {
    GoalJob job;
    StopToken stop;
    {
      std::unique_lock lock(m_mutex);
      m_wake.wait(lock, [this] { return m_ended || !m_jobs.empty(); });
      if (m_ended)
        return;
      job = std::move(m_jobs.front());
      m_jobs.pop_front();
      m_running = job.goal.key;
      m_stop = StopToken();
      stop = m_stop;
    }
    if (m_useEngines && !portfolio) {
      portfolio.emplace();
      sweeper.emplace();
      engines = {&*portfolio, &*sweeper};
    }
    goals::Settled settled =
        goals::settle(job.goal, *job.owner->definitions, engines, limitsFor(job.goal, m_limits), stop);
    {
      const std::lock_guard lock(m_mutex);
      m_running.reset();
      if (m_ended)
        return;
      if (!stop.stopRequested()) // an answer that was cut short is none
        m_answers.put(job.goal.key, std::move(settled));
      m_unreported = true;
    }
    m_wake.notify_all();
  }
}

void GoalWorker::report() {
  std::unique_lock lock(m_mutex);
  for (;;) {
    m_wake.wait(lock, [this] { return m_ended || m_unreported; });
    if (m_ended)
      return;
    m_unreported = false;
    lock.unlock();
    m_answered();
    lock.lock();
    m_wake.wait_for(lock, reportEvery, [this] { return m_ended; });
  }
}

} // namespace plumbline::server

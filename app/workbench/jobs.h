// The background thread that owns the project, and the queue in front of it.
#pragma once

#include "core/base/stop_token.h"
#include "views/shell/session.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace plumbline::workbench {
class Project;
}

namespace plumbline::app {

/// The session of the real program. All calls on the GUI thread; the project lives and dies on a thread of
/// its own, because child processes die with the thread that started them. The destructor stops what runs and
/// joins.
class Jobs : public views::Session {
  Q_OBJECT
public:
  explicit Jobs(QObject* parent = nullptr);
  ~Jobs() override;

  quint64 check(const workbench::Request& request) override;
  void cancelAll() override;
  views::Ticket settle(int caseGoal, const workbench::CasePath& path) override;
  views::Ticket settleMatrix(int caseGoal, int variable) override;
  views::Ticket runInterpreter(int caseGoal, const std::vector<uint32_t>& values) override;
  views::Ticket runPyTorch(int caseGoal, const std::vector<uint32_t>& values) override;
  void cancel(views::Ticket ticket) override;

Q_SIGNALS:
  /// From the worker to the GUI thread.
  void called(const std::function<void()>& call, QPrivateSignal);

private:
  struct Job {
    quint64 number = 0; ///< of a check, or the ticket
    bool isCheck = false;
    QString task;
    StopToken stop;
    std::function<void(workbench::Project&, const Job&)> run; ///< on the worker
  };

  void push(Job job);
  views::Ticket pushTicket(const QString& task, std::function<void(workbench::Project&, const Job&)> run);
  views::Ticket pushRun(const QString& task, int caseGoal, const std::vector<uint32_t>& values, bool pytorch);
  void stopEverything(bool dropWaiting);
  void work();
  /// Runs on the GUI thread, unless this object has gone by then.
  void deliver(const std::function<void()>& call);
  /// Whether results of this ticket are still wanted.
  bool isOpen(views::Ticket ticket) const;
  void endTicket(views::Ticket ticket, bool cancelled);

  // GUI thread
  quint64 m_last = 0;
  quint64 m_newestCheck = 0;
  std::vector<views::Ticket> m_openTickets;

  // Shared, under the mutex
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::deque<Job> m_queue;
  StopToken m_running;         ///< of the job in work
  quint64 m_runningNumber = 0; ///< 0: none
  bool m_quit = false;

  std::thread m_thread;
};

} // namespace plumbline::app

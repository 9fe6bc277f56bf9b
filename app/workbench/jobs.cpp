#include "app/workbench/jobs.h"

#include "core/workbench/project.h"

#include <QFileInfo>

#include <algorithm>
#include <sys/resource.h>

namespace plumbline::app {

using views::Ticket;
using workbench::Project;

namespace {

constexpr int workerNiceness = 5;

} // namespace

Jobs::Jobs(QObject* parent) : Session(parent) {
  connect(this, &Jobs::called, this, [](const std::function<void()>& call) { call(); }, Qt::QueuedConnection);
  m_thread = std::thread([this] { work(); });
}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(m_mutex);
    m_quit = true;
    m_queue.clear();
    m_running.requestStop();
  }
  m_wake.notify_all();
  m_thread.join();
}

void Jobs::work() {
  // The window comes first on a busy machine. Linux keeps the value a thread, and children inherit it.
  setpriority(PRIO_PROCESS, 0, workerNiceness);
  Project project;
  project.warmUp();
  for (;;) {
    Job job;
    {
      std::unique_lock lock(m_mutex);
      m_runningNumber = 0;
      m_wake.wait(lock, [this] { return m_quit || !m_queue.empty(); });
      if (m_quit)
        return;
      job = std::move(m_queue.front());
      m_queue.pop_front();
      m_running = job.stop;
      m_runningNumber = job.number;
    }
    deliver([this, task = job.task] { Q_EMIT taskChanged(task); });
    job.run(project, job);
    bool idle = false;
    {
      const std::lock_guard lock(m_mutex);
      idle = m_queue.empty();
    }
    if (idle)
      deliver([this] { Q_EMIT taskChanged(QString()); });
  }
}

void Jobs::deliver(const std::function<void()>& call) {
  Q_EMIT called(call, QPrivateSignal());
}

void Jobs::push(Job job) {
  {
    const std::lock_guard lock(m_mutex);
    m_queue.push_back(std::move(job));
  }
  m_wake.notify_all();
}

void Jobs::stopEverything(bool dropWaiting) {
  {
    const std::lock_guard lock(m_mutex);
    m_running.requestStop();
    if (dropWaiting)
      m_queue.clear();
    for (const Job& job : m_queue)
      job.stop.requestStop();
  }
  const std::vector<Ticket> open = std::move(m_openTickets);
  m_openTickets.clear();
  for (Ticket ticket : open)
    Q_EMIT ended(ticket, true);
}

quint64 Jobs::check(const workbench::Request& request) {
  stopEverything(true);
  const quint64 number = ++m_last;
  m_newestCheck = number;
  Job job;
  job.number = number;
  job.isCheck = true;
  job.task = tr("Checking %1").arg(QFileInfo(QString::fromStdString(request.kernel)).fileName());
  job.run = [this, request](Project& project, const Job& self) {
    const auto openedSnapshot = project.open(request, self.stop);
    deliver([this, number = self.number, openedSnapshot] {
      if (number == m_newestCheck)
        Q_EMIT opened(number, openedSnapshot);
    });
    const auto result =
        project.check(request, self.stop, [this, number = self.number](const std::string& line) {
          deliver([this, number, line] {
            if (number == m_newestCheck)
              Q_EMIT progress(QString::fromStdString(line));
          });
        });
    deliver([this, number = self.number, result] {
      if (number == m_newestCheck)
        Q_EMIT checked(number, result);
    });
  };
  push(std::move(job));
  return number;
}

void Jobs::cancelAll() {
  // A check that waits still runs, with its stop token set: it answers at once that nothing is known.
  stopEverything(false);
}

bool Jobs::isOpen(Ticket ticket) const {
  return std::find(m_openTickets.begin(), m_openTickets.end(), ticket) != m_openTickets.end();
}

void Jobs::endTicket(Ticket ticket, bool cancelled) {
  if (std::erase(m_openTickets, ticket) > 0)
    Q_EMIT ended(ticket, cancelled);
}

Ticket Jobs::pushTicket(const QString& task, std::function<void(Project&, const Job&)> run) {
  Job job;
  job.number = ++m_last;
  job.task = task;
  job.run = [this, run = std::move(run)](Project& project, const Job& self) {
    if (!self.stop.stopRequested())
      run(project, self);
    deliver([this, ticket = self.number] { endTicket(ticket, false); });
  };
  const Ticket ticket = job.number;
  m_openTickets.push_back(ticket);
  push(std::move(job));
  return ticket;
}

Ticket Jobs::settle(int caseGoal, const workbench::CasePath& path) {
  return pushTicket(tr("Settling a case"), [this, caseGoal, path](Project& project, const Job& self) {
    const auto result = project.settle(caseGoal, path, self.stop, [this](const std::string& line) {
      deliver([this, line] { Q_EMIT progress(QString::fromStdString(line)); });
    });
    deliver([this, ticket = self.number, result] {
      if (isOpen(ticket))
        Q_EMIT caseSettled(ticket, result);
    });
  });
}

Ticket Jobs::settleMatrix(int caseGoal, int variable) {
  return pushTicket(tr("Filling the matrix"), [this, caseGoal, variable](Project& project, const Job& self) {
    project.settleMatrix(caseGoal, variable, self.stop,
                         [this, ticket = self.number](const workbench::MatrixCell& cell) {
                           deliver([this, ticket, cell] {
                             if (isOpen(ticket))
                               Q_EMIT cellSettled(ticket, cell);
                           });
                         });
  });
}

Ticket Jobs::pushRun(const QString& task, int caseGoal, const std::vector<uint32_t>& values, bool pytorch) {
  return pushTicket(task, [this, caseGoal, values, pytorch](Project& project, const Job& self) {
    const auto result = pytorch ? project.runPyTorch(caseGoal, values, self.stop)
                                : project.runInterpreter(caseGoal, values, self.stop);
    deliver([this, ticket = self.number, result] {
      if (isOpen(ticket))
        Q_EMIT runFinished(ticket, result);
    });
  });
}

Ticket Jobs::runInterpreter(int caseGoal, const std::vector<uint32_t>& values) {
  return pushRun(tr("Running the interpreter"), caseGoal, values, false);
}

Ticket Jobs::runPyTorch(int caseGoal, const std::vector<uint32_t>& values) {
  return pushRun(tr("Running PyTorch"), caseGoal, values, true);
}

void Jobs::cancel(Ticket ticket) {
  {
    const std::lock_guard lock(m_mutex);
    if (m_runningNumber == ticket)
      m_running.requestStop();
    std::erase_if(m_queue, [ticket](const Job& job) { return !job.isCheck && job.number == ticket; });
  }
  endTicket(ticket, true);
}

} // namespace plumbline::app

#include "lean-bridge/client/transport.h"

#include <QProcessEnvironment>
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace plumbline::lsp {
namespace {

QProcessEnvironment environmentOf(const ServerCommand& command) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const std::string& name : command.unset)
    environment.remove(QString::fromStdString(name));
  for (const std::string& entry : command.environment) {
    const size_t equals = entry.find('=');
    environment.insert(QString::fromStdString(entry.substr(0, equals)),
                       equals == std::string::npos ? QString()
                                                   : QString::fromStdString(entry.substr(equals + 1)));
  }
  return environment;
}

} // namespace

bool Inbox::push(std::vector<Arrived>&& events) {
  const std::lock_guard lock(m_mutex);
  for (Arrived& event : events)
    m_events.push_back(std::move(event));
  const bool wake = !m_woken && !m_events.empty();
  m_woken = m_woken || wake;
  return wake;
}

std::optional<Arrived> Inbox::pop() {
  const std::lock_guard lock(m_mutex);
  if (m_events.empty()) {
    m_woken = false;
    return std::nullopt;
  }
  Arrived first = std::move(m_events.front());
  m_events.pop_front();
  return first;
}

Transport::Transport(std::shared_ptr<Inbox> inbox, std::shared_ptr<BoundedBytes> errors)
    : m_inbox(std::move(inbox)), m_errors(std::move(errors)) {}

Transport::~Transport() {
  if (!m_process)
    return;
  m_process->disconnect(this);
  if (m_process->state() != QProcess::NotRunning) {
    constexpr int politeMs = 150; // a server that sees its input end cleans up what it has started
    m_process->closeWriteChannel();
    const bool left = !m_broken && m_process->waitForFinished(politeMs);
    signalGroup(SIGKILL);
    if (!left) {
      m_process->kill();
      m_process->waitForFinished(2000);
    }
  }
}

void Transport::start(const ServerCommand& command) {
  m_process = new QProcess(this);
  m_process->setProgram(QString::fromStdString(command.program));
  QStringList arguments;
  for (const std::string& argument : command.arguments)
    arguments.append(QString::fromStdString(argument));
  m_process->setArguments(arguments);
  m_process->setProcessEnvironment(environmentOf(command));
  if (!command.workingDirectory.empty())
    m_process->setWorkingDirectory(QString::fromStdString(command.workingDirectory));
  m_process->setChildProcessModifier([] {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // the thread of the streams ends only with the program
  });
  connect(m_process, &QProcess::started, this, [this] {
    m_pid = m_process->processId();
    push(Started{m_pid});
  });
  connect(m_process, &QProcess::readyReadStandardOutput, this, &Transport::readOutput);
  connect(m_process, &QProcess::readyReadStandardError, this, &Transport::readErrors);
  connect(m_process, &QProcess::finished, this, &Transport::finished);
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart && !std::exchange(m_ended, true))
      push(Ended{false, -1, false, std::nullopt, m_process->errorString().toStdString()});
  });
  m_process->start();
}

void Transport::send(const std::string& body) {
  if (m_process && m_process->state() == QProcess::Running) {
    const std::string bytes = frame(body);
    m_process->write(bytes.data(), static_cast<qint64>(bytes.size()));
  }
}

void Transport::closeInput() {
  if (m_process)
    m_process->closeWriteChannel();
}

void Transport::signalGroup(int signal) {
  if (m_pid > 0 && !m_ended)
    ::kill(static_cast<pid_t>(-m_pid), signal);
}

void Transport::push(Arrived event) {
  std::vector<Arrived> events;
  events.push_back(std::move(event));
  if (m_inbox->push(std::move(events)))
    emit ready();
}

Arrived Transport::read(const std::string& body) const {
  Expected<Message> message = parseMessage(body);
  if (!message)
    return Unreadable{std::move(message.error()), idOfUnreadable(body)};
  if (message->kind == Message::Kind::Notification && message->method == "textDocument/publishDiagnostics")
    if (std::optional<PublishDiagnostics> publish = publishDiagnosticsFromJson(message->params))
      return std::move(*publish);
  if (message->kind == Message::Kind::Notification && message->method == "$/lean/fileProgress")
    if (std::optional<FileProgress> progress = fileProgressFromJson(message->params))
      return std::move(*progress);
  return std::move(*message);
}

void Transport::readOutput() {
  const QByteArray bytes = m_process->readAllStandardOutput();
  if (m_broken)
    return;
  m_reader.feed({bytes.constData(), static_cast<size_t>(bytes.size())});
  std::vector<Arrived> events;
  while (std::optional<FrameReader::Item> item = m_reader.next()) {
    if (const auto* complete = std::get_if<Frame>(&*item)) {
      events.push_back(read(complete->body));
    } else {
      m_broken = true;
      events.emplace_back(StreamBroken{std::get<Error>(*item)});
    }
  }
  if (!events.empty() && m_inbox->push(std::move(events)))
    emit ready();
}

void Transport::readErrors() {
  const QByteArray bytes = m_process->readAllStandardError();
  m_errors->append({bytes.constData(), static_cast<size_t>(bytes.size())});
}

void Transport::finished(int exitCode, QProcess::ExitStatus status) {
  readOutput();
  readErrors();
  // What the server started and left behind in its group goes with it.
  if (m_pid > 0)
    ::kill(static_cast<pid_t>(-m_pid), SIGKILL);
  if (!std::exchange(m_ended, true))
    push(Ended{true, exitCode, status == QProcess::CrashExit, m_reader.end(), {}});
}

} // namespace plumbline::lsp

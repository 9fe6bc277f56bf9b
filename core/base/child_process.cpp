#include "core/base/child_process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace plumbline {
namespace {

constexpr size_t errorTextLimit = 16 * 1024;
constexpr int pollMilliseconds = 20;

/// Moves a descriptor above the standard ones, which a caller may have closed: in the child, dup2 onto itself
/// would leave it closed on exec.
int aboveStandard(int fd) {
  if (fd > STDERR_FILENO)
    return fd;
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(fd);
  return moved;
}

struct Pipe {
  int read = -1;
  int write = -1;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return false;
    read = aboveStandard(ends[0]);
    write = aboveStandard(ends[1]);
    return read >= 0 && write >= 0;
  }
  void close() {
    for (int* end : {&read, &write}) {
      if (*end >= 0)
        ::close(*end);
      *end = -1;
    }
  }
};

void closeFd(int& fd) {
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}

[[noreturn]] void runChild(const std::vector<char*>& argv, const std::vector<char*>& envp,
                           const std::string& program, const ChildProcess::Options& options, const Pipe& in,
                           const Pipe& out, const Pipe& err, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(127);
  ::dup2(in.read, STDIN_FILENO);
  ::dup2(out.write, STDOUT_FILENO);
  ::dup2(err.write, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  if (options.memoryLimitBytes != 0) {
    rlimit limit{options.memoryLimitBytes, options.memoryLimitBytes};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  if (!options.workingDirectory.empty() && ::chdir(options.workingDirectory.c_str()) != 0)
    ::_exit(127);
  ::execve(program.c_str(), argv.data(), envp.data());
  ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& text : strings)
    result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environmentWith(const std::vector<std::string>& extra) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const std::string& added : extra)
      replaced = replaced || std::string_view(added).substr(0, added.find('=')) == name;
    if (!replaced)
      result.emplace_back(text);
  }
  result.insert(result.end(), extra.begin(), extra.end());
  return result;
}

} // namespace

std::string findProgram(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return ::access(name.c_str(), X_OK) == 0 ? name : std::string();
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (folder.empty() ? std::string(".") : folder) + "/" + name;
    std::error_code code;
    if (::access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate, code))
      return candidate;
  }
  return {};
}

std::string findCompanion(const std::string& name) {
  std::vector<std::string> folders;
  if (const char* libexec = std::getenv("PLUMBLINE_LIBEXEC"); libexec != nullptr && *libexec != '\0')
    folders.emplace_back(libexec);
  folders.push_back(executableFolder());
  folders.push_back(executableFolder() + "/../libexec/plumbline");
  for (const std::string& folder : folders)
    if (std::string found = findProgram(folder + "/" + name); !found.empty())
      return found;
  return findProgram(name);
}

std::string executableFolder() {
  std::error_code code;
  return std::filesystem::read_symlink("/proc/self/exe", code).parent_path().string();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept {
  *this = std::move(other);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other)
    return *this;
  kill();
  m_pid = std::exchange(other.m_pid, -1);
  m_input = std::exchange(other.m_input, -1);
  m_output = std::exchange(other.m_output, -1);
  m_errors = std::exchange(other.m_errors, -1);
  m_name = std::move(other.m_name);
  m_buffer = std::move(other.m_buffer);
  m_errorText = std::move(other.m_errorText);
  return *this;
}

ChildProcess::~ChildProcess() {
  kill();
}

Expected<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments,
                                           const Options& options) {
  static const bool ignoreBrokenPipes = ::signal(SIGPIPE, SIG_IGN) != SIG_ERR;
  (void)ignoreBrokenPipes;
  const std::string program = findProgram(arguments.front());
  if (program.empty())
    return fail(ErrorKind::Tool, "tool-missing", "cannot find the program '" + arguments.front() + "'",
                "run `plumbline doctor` to see what is installed");
  Pipe in;
  Pipe out;
  Pipe err;
  if (!in.open() || !out.open() || !err.open()) {
    in.close();
    out.close();
    err.close();
    return fail(ErrorKind::Tool, "tool-start", "cannot create pipes for '" + program + "'");
  }
  // Everything that allocates happens before the fork.
  std::vector<std::string> argumentCopies = arguments;
  std::vector<std::string> environment = environmentWith(options.environment);
  const std::vector<char*> argv = pointers(argumentCopies);
  const std::vector<char*> envp = pointers(environment);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0)
    runChild(argv, envp, program, options, in, out, err, parent);
  if (pid < 0) {
    in.close();
    out.close();
    err.close();
    return fail(ErrorKind::Tool, "tool-start", "cannot start '" + program + "': " + std::strerror(errno));
  }
  ::setpgid(pid, pid);
  ChildProcess child;
  child.m_pid = pid;
  child.m_name = std::filesystem::path(arguments.front()).filename().string();
  child.m_input = std::exchange(in.write, -1);
  child.m_output = std::exchange(out.read, -1);
  child.m_errors = std::exchange(err.read, -1);
  in.close();
  out.close();
  err.close();
  ::fcntl(child.m_input, F_SETFL, O_NONBLOCK);
  ::fcntl(child.m_errors, F_SETFL, O_NONBLOCK);
  return child;
}

void ChildProcess::closeInput() {
  closeFd(m_input);
}

void ChildProcess::closeAll() {
  closeFd(m_input);
  closeFd(m_output);
  closeFd(m_errors);
}

void ChildProcess::drainErrors() {
  char chunk[4096];
  while (m_errors >= 0) {
    const ssize_t count = ::read(m_errors, chunk, sizeof chunk);
    if (count == 0)
      closeFd(m_errors);
    if (count <= 0)
      return;
    m_errorText.append(chunk, static_cast<size_t>(count));
    if (m_errorText.size() > errorTextLimit)
      m_errorText.erase(0, m_errorText.size() - errorTextLimit);
  }
}

Expected<void> ChildProcess::write(std::string_view text, const StopToken& stop) {
  while (!text.empty()) {
    if (m_input < 0)
      return fail(ErrorKind::Tool, "child-died", m_name + " is not running");
    if (stop.stopRequested())
      return fail(ErrorKind::Tool, "timeout", m_name + " did not read its input in time");
    const ssize_t count = ::write(m_input, text.data(), text.size());
    if (count > 0) {
      text.remove_prefix(static_cast<size_t>(count));
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) {
      drainErrors();
      return fail(ErrorKind::Tool, "child-died", m_name + " ended unexpectedly: " + m_errorText,
                  "run the command again; the log above says what the tool printed");
    }
    drainErrors();
    pollfd ready{m_input, POLLOUT, 0};
    ::poll(&ready, 1, pollMilliseconds);
  }
  return {};
}

Expected<bool> ChildProcess::pump(const StopToken& stop) {
  char chunk[65536];
  while (true) {
    if (m_output < 0)
      return false;
    if (stop.stopRequested())
      return fail(ErrorKind::Tool, "timeout", m_name + " did not answer in time");
    pollfd ready[2] = {{m_output, POLLIN, 0}, {m_errors, POLLIN, 0}};
    const int wait = static_cast<int>(std::min<long>(pollMilliseconds, stop.remaining().count() + 1));
    ::poll(ready, 2, wait);
    drainErrors();
    if ((ready[0].revents & (POLLIN | POLLHUP)) == 0)
      continue;
    const ssize_t count = ::read(m_output, chunk, sizeof chunk);
    if (count > 0) {
      m_buffer.append(chunk, static_cast<size_t>(count));
      return true;
    }
    if (count < 0 && errno == EINTR)
      continue;
    drainErrors();
    return false;
  }
}

Expected<std::string> ChildProcess::readLine(const StopToken& stop) {
  size_t searched = 0;
  while (true) {
    const size_t end = m_buffer.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = m_buffer.substr(0, end);
      m_buffer.erase(0, end + 1);
      return line;
    }
    searched = m_buffer.size();
    Expected<bool> more = pump(stop);
    if (!more)
      return fail(more.error());
    if (!*more)
      return fail(ErrorKind::Tool, "child-died", m_name + " ended unexpectedly: " + m_errorText,
                  "run the command again; `plumbline doctor` checks the tools");
  }
}

Expected<std::string> ChildProcess::readAll(const StopToken& stop) {
  while (true) {
    Expected<bool> more = pump(stop);
    if (!more)
      return fail(more.error());
    if (!*more)
      return std::exchange(m_buffer, std::string());
  }
}

int ChildProcess::kill() {
  int status = -1;
  if (m_pid > 0) {
    ::kill(-m_pid, SIGKILL);
    ::kill(m_pid, SIGKILL);
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
    m_pid = -1;
  }
  closeAll();
  return status;
}

Expected<int> ChildProcess::wait(const StopToken& stop) {
  int status = 0;
  while (m_pid > 0) {
    const pid_t done = ::waitpid(m_pid, &status, WNOHANG);
    if (done == m_pid) {
      drainErrors();
      ::kill(-m_pid, SIGKILL);
      m_pid = -1;
      closeAll();
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    if (stop.stopRequested()) {
      kill();
      return fail(ErrorKind::Tool, "timeout", m_name + " did not end in time");
    }
    drainErrors();
    ::usleep(2000);
  }
  return fail(ErrorKind::Tool, "child-died", m_name + " is not running");
}

} // namespace plumbline

// Child processes that answer lines of text on standard output. POSIX.
#pragma once

#include "core/base/error.h"
#include "core/base/stop_token.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace plumbline {

/// A running child in its own process group, with pipes on standard input and output; standard error goes to
/// a bounded buffer. The destructor kills the whole group and reaps it, so none is left over. The child also
/// dies when the thread that started it ends (PR_SET_PDEATHSIG): start children from a thread that outlives
/// them. Used by one thread at a time.
class ChildProcess {
public:
  struct Options {
    std::vector<std::string> environment; ///< extra "NAME=value" entries
    std::string workingDirectory;         ///< empty: the parent's
    size_t memoryLimitBytes = 0;          ///< address-space limit, 0: none
  };

  ChildProcess() = default;
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Starts `arguments[0]` (looked up on PATH). Error: "tool-missing".
  static Expected<ChildProcess> start(const std::vector<std::string>& arguments, const Options& options);
  static Expected<ChildProcess> start(const std::vector<std::string>& arguments) {
    return start(arguments, Options{});
  }

  bool running() const { return m_pid > 0; }
  pid_t pid() const { return m_pid; }

  /// Writes all bytes; a dead child is an error ("child-died"), never a signal.
  Expected<void> write(std::string_view text, const StopToken& stop = {});
  /// Closes standard input.
  void closeInput();
  /// Next line without its newline. Errors: "child-died" (with the end of standard error), "timeout".
  Expected<std::string> readLine(const StopToken& stop);
  /// Everything up to end of file. Errors: "timeout".
  Expected<std::string> readAll(const StopToken& stop);
  /// Kills the group, reaps. Idempotent. Returns the wait status, or -1 when there was nothing to reap.
  int kill();
  /// Waits for the child to end by itself; the exit code, or 128+signal. Error: "timeout" (the child is then
  /// killed).
  Expected<int> wait(const StopToken& stop);
  /// The last part of what the child wrote to standard error.
  const std::string& errorText() const { return m_errorText; }

private:
  Expected<bool> pump(const StopToken& stop); // false at end of file
  void drainErrors();
  void closeAll();

  pid_t m_pid = -1;
  int m_input = -1;
  int m_output = -1;
  int m_errors = -1;
  std::string m_name;
  std::string m_buffer;
  std::string m_errorText;
};

/// The full path of a program on PATH, or empty.
std::string findProgram(const std::string& name);

/// The full path of one of Plumbline's own programs: in the folder PLUMBLINE_LIBEXEC, beside the running
/// executable, in
/// ../libexec/plumbline from there, or on PATH. Empty when it is nowhere.
std::string findCompanion(const std::string& name);

/// The folder of the running executable; importers and resources are found relative to it.
std::string executableFolder();

} // namespace plumbline

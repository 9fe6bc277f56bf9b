// Importing CUDA source: a client of the child process plumbline-cuda, which holds Clang.
#pragma once

#include "core/base/child_process.h"
#include "core/ir/host_program.h"

namespace plumbline::cuda {

/// What one source text contains.
struct ImportedCuda {
  ir::Module module;
  /// Wrappers that are one launch, whatever they are called with.
  std::vector<ir::LaunchContract> launches;
  /// All other wrappers: one program for each way through one. None of them is in `launches`, so that a
  /// launch among several is never taken for all that a wrapper does.
  std::vector<ir::HostProgram> programs;
  std::vector<ir::UnreadWay> unreadWays; ///< whose reasons are in `unread`, too
  /// Launch sites or wrappers that could not be read, by name (the launch is then asked for with --launch).
  std::vector<Rejection> unread;
  /// Compiler messages of errors in device-reachable code: id "cuda-syntax".
  std::vector<Rejection> errors;
  std::vector<std::string> flags; ///< extra_cuda_cflags of a load_inline call
};

/// Reads one line that the child answers with to the request `id`. Errors: those that the answer names,
/// "importer-answer", "kernel-json", "launch-json", "launch-alias".
Expected<ImportedCuda> importedFromAnswer(const std::string& line, const std::string& id);

/// Keeps one plumbline-cuda child warm. One thread at a time.
class CudaImporter {
public:
  /// Starts the child; returns at once, the first request waits for it. Error: "tool-missing".
  static Expected<CudaImporter> start();

  /// `name` is the file name used in source ranges. Errors: "child-died", "timeout", "empty-source".
  /// Constructs outside the fragment are rejections inside the result, not errors.
  Expected<ImportedCuda> importSource(const std::string& source, const std::string& name,
                                      const StopToken& stop);

  /// Process id of the child, -1 when it is not running.
  pid_t pid() const { return m_child.pid(); }

private:
  explicit CudaImporter(ChildProcess child) : m_child(std::move(child)) {}
  ChildProcess m_child;
  long m_requests = 0; ///< number of the last request; an answer must carry it
};

} // namespace plumbline::cuda

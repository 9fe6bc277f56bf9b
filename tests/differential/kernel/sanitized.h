// CUDA sources compiled for this machine with a sanitizer, and what it sees in launches. No proof and no
// interpreter is involved.
#pragma once

#include "core/base/error.h"
#include "core/ir/concrete_launch.h"

#include <filesystem>
#include <set>

namespace plumbline::differential {

/// Threads: races, and barriers that not all threads of the block reach. Addresses: accesses outside of
/// memory or misaligned, and arithmetic without a meaning. Both: elements of outputs that nobody writes or
/// that depend on uninitialised memory.
enum class Sanitizer : uint8_t { Threads, Addresses };

struct SanitizedSource {
  std::string text;
  std::string kernel;
};

struct SanitizedLaunch {
  ir::ConcreteLaunch launch;
  ir::BufferContents contents; ///< of inputs
  bool backward = false;       ///< the last thread runs first
  bool loose = false;          ///< buffers are aligned as the contract says and no better
};

/// Removed at the end.
class TemporaryFolder {
public:
  static Expected<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return m_path; }

private:
  explicit TemporaryFolder(std::filesystem::path path) : m_path(std::move(path)) {}
  std::filesystem::path m_path;
};

/// Many sources in one program; each runs in a process of its own.
class SanitizedKernels {
public:
  /// Errors, with the compiler's words: "native-compile" for the sources, "native-runner" for what runs them.
  static Expected<SanitizedKernels> compile(const std::vector<SanitizedSource>& sources, Sanitizer sanitizer);
  /// The first thing that goes wrong in the launches, empty when nothing does. Errors: "native-run" where
  /// that is not known: the run did not end in time or by itself.
  Expected<std::string> run(size_t source, const ir::Function& kernel,
                            const std::vector<SanitizedLaunch>& launches,
                            std::chrono::milliseconds limit) const;

private:
  explicit SanitizedKernels(TemporaryFolder folder) : m_folder(std::move(folder)) {}
  TemporaryFolder m_folder;
};

/// Whether the compiler and its runtime libraries are on this machine.
bool canSanitize();

} // namespace plumbline::differential

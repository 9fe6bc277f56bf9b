// Finds Lean's programs and says how the server of a document is started.
#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace plumbline::lean {

/// Value of an environment variable, or empty.
using Environment = std::function<std::string(const std::string&)>;
Environment processEnvironment();

/// Lean's programs on this machine; empty where missing.
struct Tools {
  std::string lake;
  std::string lean;
  std::string elan;
  std::string where;                   ///< "setting", "PATH" or "elan": where lake, or else lean, was found
  std::vector<std::string> toolchains; ///< that elan has installed
  bool proxies =
      false; ///< lake and lean choose their version by the project's toolchain file and may download it

  bool any() const { return !lake.empty() || !lean.empty(); }
};

/// Looks in `folder` (a setting; may be empty), then on PATH, then where elan installs.
Tools findTools(const std::string& folder, const Environment& environment);

/// The project that a document belongs to.
struct Project {
  std::filesystem::path root;
  bool hasLakefile = false;
  bool hasToolchain = false;
  std::string toolchain; ///< the first line of `lean-toolchain`

  /// What `lean-toolchain` and the lakefile say: when it changes, the server has to be restarted.
  std::string fingerprint;
};

/// From the document's folder upwards to the first folder with a `lean-toolchain`; from inside
/// `.lake/packages` the search starts at the folder that owns `.lake`. Without one: the workspace if given,
/// else the document's folder. Error: "toolchain-missing" for a lakefile without `lean-toolchain`.
Expected<Project> projectOf(const std::filesystem::path& document,
                            const std::filesystem::path& workspace = {});

/// How to start a server: `lake serve` in a project with a lakefile, else `lean --server`.
struct ServerStart {
  std::string program;
  std::vector<std::string> arguments;
  std::string workingDirectory;
  std::vector<std::string> environment; ///< PATH with the programs' folder in front
  std::vector<std::string> unset;       ///< variables that would mix versions
};

/// `reportDelay` in milliseconds: how long the server waits before it reports after an edit. Error:
/// "lean-missing".
Expected<ServerStart> serverStart(const Tools& tools, const Project& project, int reportDelay,
                                  const Environment& environment);

} // namespace plumbline::lean

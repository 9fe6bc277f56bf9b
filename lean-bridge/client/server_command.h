// How a language server is started.
#pragma once

#include <string>
#include <vector>

namespace plumbline::lsp {

struct ServerCommand {
  std::string program; ///< a path, or a name on PATH
  std::vector<std::string> arguments;
  std::string workingDirectory;         ///< empty: the parent's. A Lean server takes its project from it
  std::vector<std::string> environment; ///< further "NAME=value" entries
  std::vector<std::string> unset;       ///< variables that the server must not inherit
};

} // namespace plumbline::lsp

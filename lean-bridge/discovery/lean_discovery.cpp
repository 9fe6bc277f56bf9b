#include "lean-bridge/discovery/lean_discovery.h"

#include "core/base/json.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace plumbline::lean {
namespace {

namespace fs = std::filesystem;

bool isProgram(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && ::access(path.c_str(), X_OK) == 0;
}

std::string programIn(const fs::path& folder, const char* name) {
  const fs::path path = folder / name;
  return !folder.empty() && isProgram(path) ? path.string() : std::string();
}

std::string programOnPath(const char* name, const Environment& environment) {
  const std::string list = environment("PATH");
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(':', at), list.size());
    if (const std::string found = programIn(list.substr(at, end - at), name); !found.empty())
      return found;
    at = end + 1;
  }
  return {};
}

fs::path elanHome(const Environment& environment) {
  if (const std::string home = environment("ELAN_HOME"); !home.empty())
    return home;
  const std::string home = environment("HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".elan";
}

/// Names as in a toolchain file: elan's folders have "--" for "/" and "---" for ":".
std::vector<std::string> toolchainsIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    std::string name = entry->path().filename().string();
    if (const size_t colon = name.find("---"); colon != std::string::npos)
      name.replace(colon, 3, ":");
    if (const size_t slash = name.find("--"); slash != std::string::npos)
      name.replace(slash, 2, "/");
    names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string firstLineOf(const std::string& text) {
  std::string line = text.substr(0, text.find_first_of("\r\n"));
  while (!line.empty() && line.back() == ' ')
    line.pop_back();
  return line;
}

/// The folder from which the search upwards starts: the owner of `.lake` for a package's file.
fs::path startOf(const fs::path& folder) {
  fs::path owner;
  for (const fs::path& part : folder) {
    if (part == ".lake")
      return owner;
    owner /= part;
  }
  return folder;
}

Project described(const fs::path& root) {
  Project project;
  project.root = root;
  for (const char* name : {"lean-toolchain", "lakefile.lean", "lakefile.toml"}) {
    const Expected<std::string> content = readFile(root / name);
    if (!content)
      continue;
    project.fingerprint += std::string(name) + "\n" + *content + "\n";
    const bool toolchain = std::string(name) == "lean-toolchain";
    project.hasToolchain = project.hasToolchain || toolchain;
    project.hasLakefile = project.hasLakefile || !toolchain;
    if (toolchain)
      project.toolchain = firstLineOf(*content);
  }
  return project;
}

} // namespace

Environment processEnvironment() {
  return [](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value != nullptr ? std::string(value) : std::string();
  };
}

Tools findTools(const std::string& folder, const Environment& environment) {
  Tools tools;
  const fs::path elan = elanHome(environment);
  const fs::path elanPrograms = elan.empty() ? fs::path() : elan / "bin";
  const auto look = [&](const char* where, const std::function<std::string(const char*)>& find) {
    if (tools.any())
      return;
    tools.lake = find("lake");
    tools.lean = find("lean");
    if (tools.any())
      tools.where = where;
  };
  look("setting", [&](const char* name) { return programIn(folder, name); });
  look("PATH", [&](const char* name) { return programOnPath(name, environment); });
  look("elan", [&](const char* name) { return programIn(elanPrograms, name); });
  tools.elan = programOnPath("elan", environment);
  if (tools.elan.empty())
    tools.elan = programIn(elanPrograms, "elan");
  if (!elan.empty())
    tools.toolchains = toolchainsIn(elan / "toolchains");
  // A proxy stands beside elan itself.
  const fs::path program = tools.lake.empty() ? tools.lean : tools.lake;
  tools.proxies = !program.empty() && !programIn(program.parent_path(), "elan").empty();
  return tools;
}

Expected<Project> projectOf(const fs::path& document, const fs::path& workspace) {
  const fs::path folder = fs::absolute(document).lexically_normal().parent_path();
  for (fs::path at = startOf(folder);; at = at.parent_path()) {
    Project project = described(at);
    if (project.hasToolchain)
      return project;
    if (project.hasLakefile)
      return fail(ErrorKind::File, "toolchain-missing",
                  "there is a lakefile but no lean-toolchain in " + at.string(),
                  "write the version of Lean into " + (at / "lean-toolchain").string());
    if (at == at.parent_path())
      break;
  }
  return described(workspace.empty() ? folder : workspace);
}

Expected<ServerStart> serverStart(const Tools& tools, const Project& project, int reportDelay,
                                  const Environment& environment) {
  const bool lake = project.hasLakefile;
  const std::string program = lake ? tools.lake : tools.lean.empty() ? tools.lake : tools.lean;
  if (program.empty() || (!lake && tools.lean.empty()))
    return fail(ErrorKind::Tool, "lean-missing",
                std::string(lake ? "lake" : "lean") + " was not found: goals are not checked by Lean",
                "install Lean through elan, or name the folder of its programs in the settings");
  ServerStart start;
  start.program = program;
  start.workingDirectory = project.root.string();
  const std::string delay = "-Dserver.reportDelayMs=" + std::to_string(reportDelay);
  start.arguments =
      lake ? std::vector<std::string>{"serve", "--", delay} : std::vector<std::string>{"--server", delay};
  const std::string folder = fs::path(program).parent_path().string();
  start.environment = {"PATH=" + folder + ":" + environment("PATH")};
  start.unset = {"LEAN_SYSROOT", "LEAN_WORKER_PATH"};
  return start;
}

} // namespace plumbline::lean

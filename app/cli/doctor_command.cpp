// plumbline doctor: what of the tools is here, and how to get the rest.
#include "app/cli/commands.h"

#include "core/base/child_process.h"
#include "core/cuda/ptx/nvcc.h"
#include "core/torch/capture.h"
#include "lean-bridge/discovery/lean_discovery.h"

#include <algorithm>
#include <cstdlib>

namespace plumbline::cli {
namespace {

struct Tool {
  const char* name;
  std::vector<std::string> versionCommand; ///< its first line of output is shown
  const char* purpose;
  const char* howToGet;
  bool needed; ///< part of what `check` uses on a .json graph
};

const std::vector<Tool>& tools() {
  static const std::vector<Tool> table = {
      {"z3", {"z3", "--version"}, "solver", "apt-get install z3", true},
      {"cvc5", {"cvc5", "--version"}, "solver", "apt-get install cvc5", true},
      {"nvidia-smi",
       {"nvidia-smi", "-L"},
       "names the GPU in this list; no check, run or replay uses one",
       "needs an NVIDIA GPU and driver",
       false},
      {"vercors",
       {"vercors", "--version"},
       "second opinion on safety (gate --vercors)",
       "install VerCors",
       false},
  };
  return table;
}

std::string firstLine(const std::vector<std::string>& command) {
  Expected<ChildProcess> child = ChildProcess::start(command);
  if (!child)
    return {};
  child->closeInput();
  Expected<std::string> line = child->readLine(StopToken().withTimeout(std::chrono::seconds(60)));
  return line ? *line : std::string();
}

struct Finding {
  std::string name;
  std::string found; ///< empty: missing
  std::string purpose;
  std::string howToGet;
  bool needed = false;
};

Finding ownProgram(const std::string& name, const std::string& purpose) {
  if (const std::string path = findCompanion(name); !path.empty())
    return {name, path, purpose, "", true};
  return {name, "", purpose, "build it: ./dev build", true};
}

Finding python() {
  Finding finding{"python3 with torch", "", "capture of .py modules, PyTorch replay",
                  "apt-get install python3-torch, or name an interpreter in PLUMBLINE_PYTHON", false};
  const char* chosen = std::getenv("PLUMBLINE_PYTHON");
  const std::vector<std::string> candidates = chosen != nullptr
                                                  ? std::vector<std::string>{chosen}
                                                  : std::vector<std::string>{"python3", "/usr/bin/python3"};
  for (const std::string& candidate : candidates) {
    const std::string line =
        firstLine({candidate, "-c", "import torch, sys; print(sys.executable, torch.__version__)"});
    if (!line.empty()) {
      finding.found = line;
      break;
    }
  }
  return finding;
}

Finding nvcc() {
  Finding finding{"nvcc", "", "PTX: import cuda --ptx, readings device:nvcc-*", "./dev nvcc", false};
  if (const Expected<std::string> path = cuda::findNvcc({}))
    if (const auto version = cuda::nvccVersion(*path, StopToken().withTimeout(std::chrono::seconds(60))))
      finding.found = *path + " " + *version;
  return finding;
}

/// Lean's programs. Proxies of elan are not run: they might download a toolchain.
std::vector<Finding> leanTools() {
  const lean::Tools tools = lean::findTools({}, lean::processEnvironment());
  const auto described = [&](const std::string& path) -> std::string {
    if (path.empty() || tools.proxies)
      return path.empty() ? "" : path + " (chooses its version by the project's lean-toolchain)";
    const std::string version = firstLine({path, "--version"});
    return path + (version.empty() ? "" : " " + version);
  };
  std::string toolchains;
  for (const std::string& name : tools.toolchains)
    toolchains += (toolchains.empty() ? "" : ", ") + name;
  const char* install = "install Lean through elan; without it goals are not checked by Lean";
  return {{"lake", described(tools.lake), "Lean's build tool: goals checked by Lean in a project", install,
           false},
          {"lean", described(tools.lean), "Lean: goals checked by Lean", install, false},
          {"elan", tools.elan, "installs and chooses versions of Lean", "see Lean's documentation", false},
          {"lean toolchain", toolchains, "a version of Lean, 4.34 or later", "elan toolchain install stable",
           false}};
}

std::vector<Finding> examine() {
  std::vector<Finding> findings{ownProgram("plumbline-cuda", "CUDA importer"),
                                ownProgram("plumbline-sweep", "sweep engine")};
  for (const Tool& tool : tools())
    findings.push_back({tool.name, findProgram(tool.name).empty() ? "" : firstLine(tool.versionCommand),
                        tool.purpose, tool.howToGet, tool.needed});
  for (Finding& finding : leanTools())
    findings.push_back(std::move(finding));
  findings.push_back(nvcc());
  findings.push_back(python());
  return findings;
}

} // namespace

int doctorCommand(const std::vector<std::string>& words) {
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  Expected<Arguments> arguments = parseArguments(words, {{"--json"}, {}, {}, 0});
  if (!arguments)
    return report(arguments.error(), json);
  const std::vector<Finding> findings = examine();
  Json list = Json::array();
  std::string text;
  bool complete = true;
  for (const Finding& finding : findings) {
    complete &= !finding.needed || !finding.found.empty();
    list.push_back({{"name", finding.name},
                    {"found", finding.found},
                    {"purpose", finding.purpose},
                    {"how_to_get", finding.howToGet},
                    {"needed", finding.needed}});
    text += (finding.found.empty() ? (finding.needed ? "MISSING  " : "absent   ") : "found    ") +
            finding.name + ": " +
            (finding.found.empty() ? finding.purpose + " - " + finding.howToGet
                                   : finding.found + " (" + finding.purpose + ")") +
            "\n";
  }
  if (!printOut(json ? prettyJson({{"schema", 1}, {"tools", list}}) : text))
    return 4;
  return complete ? 0 : 4;
}

} // namespace plumbline::cli

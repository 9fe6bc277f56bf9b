#include "tests/differential/spec/cases.h"

#include "core/base/child_process.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>

namespace plumbline::spec {
namespace {

Expected<std::vector<CaseRun>> runsFrom(const Json& json) {
  std::vector<CaseRun> runs;
  for (const Json& each : json) {
    CaseRun run{each["layout"], {}};
    for (const Json& value : each["values"]) {
      auto tensor = ir::tensorFromJson("value", value);
      if (!tensor)
        return fail(tensor.error());
      run.outputs.push_back(*std::move(tensor));
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

Expected<Case> caseFrom(const std::string& line) {
  auto json = parseJson(line, "case");
  if (!json)
    return fail(json.error());
  auto graph = torch::graphFromExportedJson((*json)["program"], (*json)["name"]);
  auto inputs = ir::tensorsFromJson((*json)["inputs"]);
  auto runs = runsFrom((*json)["runs"]);
  if (!graph || !inputs || !runs)
    return fail(!graph ? graph.error() : !inputs ? inputs.error() : runs.error());
  return Case{(*json)["name"],    *std::move(graph),    std::move(inputs->tensors),
              (*json)["outputs"], *std::move(runs),     (*json)["fold"],
              (*json)["slack"],   (*json)["roundings"], (*json)["known"]};
}

std::vector<std::string> command() {
  std::vector<std::string> words = {"/usr/bin/python3", "-B",
                                    PLUMBLINE_SOURCE_DIR "/tests/differential/spec/spec_cases.py"};
  if (const char* seeds = std::getenv("PLUMBLINE_SEEDS")) {
    std::istringstream text(seeds);
    for (std::string word; text >> word;)
      words.push_back(word);
  }
  return words;
}

std::vector<Case> readCases() {
  std::vector<Case> result;
  auto child = ChildProcess::start(command());
  if (!child) {
    ADD_FAILURE() << toString(child.error());
    return result;
  }
  const StopToken stop = StopToken().withTimeout(std::chrono::minutes(30));
  for (auto line = child->readLine(stop);; line = child->readLine(stop)) {
    if (!line) {
      ADD_FAILURE() << "spec_cases.py ended early: " << toString(line.error());
      return result;
    }
    if (line->starts_with("{\"written\""))
      return result;
    auto each = caseFrom(*line);
    if (each)
      result.push_back(*std::move(each));
    else
      ADD_FAILURE() << line->substr(0, 80) << ": " << toString(each.error());
  }
}

} // namespace

const std::vector<Case>& allCases() {
  static const std::vector<Case> all = readCases();
  return all;
}

} // namespace plumbline::spec

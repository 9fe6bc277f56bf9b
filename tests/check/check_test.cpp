// Runs every kernel under cases/ against its model and compares with the expectations written on top of the
// file.
#include "core/session/check_pool.h"
#include "core/session/verdict.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>

namespace plumbline::session {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(PLUMBLINE_SOURCE_DIR) / "tests" / "check";

std::vector<std::string> caseNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / "cases"))
    if (entry.path().extension() == ".cu")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The "// key: value" lines at the start of the file.
std::map<std::string, std::string> expectations(const fs::path& path) {
  std::map<std::string, std::string> result;
  std::istringstream lines(readFile(path).value_or(""));
  for (std::string line; std::getline(lines, line) && line.starts_with("// ");) {
    const size_t colon = line.find(": ");
    if (colon != std::string::npos)
      result[line.substr(3, colon - 3)] = line.substr(colon + 2);
  }
  return result;
}

class CheckCase : public testing::TestWithParam<std::string> {
protected:
  static CheckPool& pool() {
    static CheckPool shared;
    return shared;
  }
};

std::string relationOf(const Verdict& verdict, Reading reading) {
  for (const ReadingResult& result : verdict.readings)
    if (result.reading == reading)
      return std::string(name(result.relation));
  return "none";
}

TEST_P(CheckCase, GivesTheExpectedVerdict) {
  const fs::path path = folder / "cases" / (GetParam() + ".cu");
  const auto expected = expectations(path);
  ASSERT_TRUE(expected.contains("model"));
  CheckOptions options;
  options.model = (folder / "models" / (expected.at("model") + ".json")).string();
  options.kernel = path.string();
  options.readings = {Reading::Ieee, Reading::Real};
  if (expected.contains("torch-cuda"))
    options.readings.push_back(Reading::TorchCuda);
  const Verdict verdict = runCheck(options, pool(), {}, {}).verdict;
  if (expected.contains("ieee")) {
    EXPECT_EQ(relationOf(verdict, Reading::Ieee), expected.at("ieee")) << reasonOf(verdict);
  }
  if (expected.contains("real")) {
    EXPECT_EQ(relationOf(verdict, Reading::Real), expected.at("real"));
  }
  if (expected.contains("torch-cuda")) {
    EXPECT_EQ(relationOf(verdict, Reading::TorchCuda), expected.at("torch-cuda")) << reasonOf(verdict);
  }
  if (expected.contains("gate")) {
    ASSERT_TRUE(verdict.gate.has_value()) << reasonOf(verdict);
    EXPECT_EQ(gate::name(verdict.gate->status), expected.at("gate")) << verdict.gate->reason;
  }
  if (expected.contains("finding")) {
    const auto& findings = verdict.gate->findings;
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [&](const gate::Finding& finding) {
      return finding.kind == expected.at("finding") && finding.replayed;
    }));
  }
  if (expected.contains("error")) {
    ASSERT_TRUE(verdict.error.has_value());
    EXPECT_EQ(verdict.error->id, expected.at("error"));
  }
  if (expected.contains("rejection")) {
    ASSERT_FALSE(verdict.rejections.empty());
    EXPECT_EQ(verdict.rejections.front().id, expected.at("rejection"));
  }
  for (const ReadingResult& result : verdict.readings)
    if (result.relation == Relation::Different) {
      ASSERT_TRUE(result.witness.has_value());
      EXPECT_EQ(result.witness->interpreter, Replay::Confirmed);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, CheckCase, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace plumbline::session

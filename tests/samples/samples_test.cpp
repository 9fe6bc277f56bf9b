// Every bundled sample gives the verdict that its expect.json states. The expectations were worked out by
// hand (the reason stands beside each), not copied from a run.
#include "core/session/check_pool.h"
#include "core/session/verdict.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace plumbline::session {
namespace {

namespace fs = std::filesystem;

const fs::path samplesFolder = fs::path(PLUMBLINE_SOURCE_DIR) / "resources" / "samples";

std::vector<std::string> sampleNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(samplesFolder))
    if (entry.is_directory() && fs::exists(entry.path() / "expect.json"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Json expectation(const std::string& name) {
  Expected<std::string> text = readFile(samplesFolder / name / "expect.json");
  return text ? *parseJson(*text, name) : Json();
}

class Samples : public testing::TestWithParam<std::string> {
protected:
  static CheckPool& pool() {
    static CheckPool shared;
    return shared;
  }

  static Verdict check(const std::string& modelFile, std::vector<Reading> readings) {
    CheckOptions options;
    options.model = (samplesFolder / GetParam() / modelFile).string();
    options.kernel = (samplesFolder / GetParam() / "kernel.cu").string();
    options.readings = std::move(readings);
    return runCheck(options, pool(), {}, {}).verdict;
  }
};

void expectRelation(const Verdict& verdict, size_t position, const Json& expected) {
  if (expected.is_null())
    return;
  ASSERT_LT(position, verdict.readings.size());
  const ReadingResult& result = verdict.readings[position];
  EXPECT_EQ(name(result.relation), expected["relation"].get<std::string>()) << result.reason;
  if (expected.contains("modulo")) {
    EXPECT_EQ(Json(result.modulo), expected["modulo"]);
  }
  if (result.relation == Relation::Equal || result.relation == Relation::EqualModulo) {
    ASSERT_TRUE(result.scope.has_value());
    EXPECT_EQ(result.scope->kind, "all");
  }
  if (result.relation == Relation::Different) {
    ASSERT_TRUE(result.witness.has_value());
    EXPECT_EQ(result.witness->interpreter, Replay::Confirmed);
  }
  if (!expected.contains("input"))
    return;
  ASSERT_TRUE(result.witness.has_value());
  for (const auto& [tensor, bits] : expected["input"].items())
    EXPECT_EQ(result.witness->inputs.at(tensor).bits.at(static_cast<size_t>(result.witness->index)),
              std::stoul(bits.get<std::string>(), nullptr, 16));
}

TEST_P(Samples, VerdictFromGraph) {
  const Json expected = expectation(GetParam());
  std::vector<Reading> readings = {Reading::Ieee, Reading::Real};
  if (expected.contains("device:torch-cuda"))
    readings.push_back(Reading::TorchCuda);
  const Verdict verdict = check("graph.json", readings);
  expectRelation(verdict, 0, expected["ieee"]);
  expectRelation(verdict, 1, expected["real"]);
  expectRelation(verdict, 2, expected.value("device:torch-cuda", Json()));
  if (expected["gate"].is_null()) {
    EXPECT_FALSE(verdict.gate.has_value());
  } else {
    ASSERT_TRUE(verdict.gate.has_value());
    EXPECT_EQ(gate::name(verdict.gate->status), expected["gate"].get<std::string>()) << verdict.gate->reason;
  }
  if (expected.contains("assumptions")) {
    for (const Json& assumption : expected["assumptions"])
      EXPECT_TRUE(verdict.assumptions.contains(assumption.get<std::string>())) << assumption;
  }
  if (expected.contains("opaque")) {
    EXPECT_EQ(Json(verdict.opaque), expected["opaque"]);
  }
  if (expected.contains("finding")) {
    ASSERT_FALSE(verdict.gate->findings.empty());
    EXPECT_EQ(verdict.gate->findings.front().kind, expected["finding"].get<std::string>());
    EXPECT_TRUE(verdict.gate->findings.front().replayed);
  }
  if (expected.contains("rejection")) {
    ASSERT_FALSE(verdict.rejections.empty());
    EXPECT_EQ(verdict.rejections.front().id, expected["rejection"].get<std::string>());
    EXPECT_GT(verdict.rejections.front().where.line, 0);
  }
}

/// The exit status is that of `check` with its default reading.
TEST_P(Samples, ExitStatus) {
  const Verdict verdict = check("graph.json", {Reading::Ieee});
  EXPECT_EQ(exitCode(verdict, {}), expectation(GetParam())["exit"].get<int>());
}

TEST_P(Samples, SameVerdictFromPython) {
  const Verdict verdict = check("model.py", {Reading::Ieee});
  const Json expected = expectation(GetParam());
  EXPECT_EQ(exitCode(verdict, {}), expected["exit"].get<int>()) << reasonOf(verdict);
  if (expected["gate"] == "accepted")
    expectRelation(verdict, 0, expected["ieee"]);
}

INSTANTIATE_TEST_SUITE_P(Bundled, Samples, testing::ValuesIn(sampleNames()), [](const auto& info) {
  std::string text = info.param;
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
});

} // namespace
} // namespace plumbline::session

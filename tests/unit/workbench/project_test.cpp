#include "core/workbench/project.h"
#include "core/workbench/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

namespace plumbline::workbench {
namespace {

Request sample(const std::string& name) {
  const std::string folder = std::string(PLUMBLINE_SOURCE_DIR) + "/resources/samples/" + name;
  Request request;
  request.model = folder + "/graph.json";
  request.kernel = folder + "/kernel.cu";
  return request;
}

/// One project for the whole file, as the window has one.
class ProjectTest : public testing::Test {
protected:
  static void SetUpTestSuite() { project = new Project; }
  static void TearDownTestSuite() {
    delete project;
    project = nullptr;
  }
  static SnapshotPtr check(const std::string& name) { return project->check(sample(name), {}, {}); }
  static Project* project;
};
Project* ProjectTest::project = nullptr;

int nodeNamed(const Snapshot& snapshot, const std::string& name) {
  for (size_t k = 0; k < snapshot.graph.size(); ++k)
    if (snapshot.graph[k].name == name)
      return static_cast<int>(k);
  return -1;
}

TEST_F(ProjectTest, OpensWithoutChecking) {
  const SnapshotPtr snapshot = project->open(sample("relu-guard"), {});
  EXPECT_FALSE(snapshot->cuda.text.empty());
  EXPECT_EQ(snapshot->graph.size(), 3u);
  EXPECT_TRUE(snapshot->readings.empty());
  EXPECT_EQ(snapshot->tone, Tone::Neutral);
}

TEST_F(ProjectTest, ShowsTheDifferenceOfTheGuardedRelu) {
  const SnapshotPtr snapshot = check("relu-guard");
  ASSERT_EQ(snapshot->readings.size(), 1u);
  EXPECT_EQ(snapshot->readings[0].relation, "different");
  EXPECT_EQ(snapshot->tone, Tone::Bad);
  ASSERT_EQ(snapshot->witnesses.size(), 1u);
  EXPECT_EQ(snapshot->witnesses[0].values, std::vector<uint32_t>{0x7FC00000});
  EXPECT_EQ(snapshot->witnesses[0].caseGoal, 0);
  EXPECT_EQ(snapshot->witnesses[0].interpreter, "confirmed");
  ASSERT_EQ(snapshot->caseGoals.size(), 1u);
  EXPECT_EQ(snapshot->cases.nodes[0].result.status, CaseStatus::Witnessed);
}

TEST_F(ProjectTest, EvaluatesBothSidesAndMarksTheDivergence) {
  const SnapshotPtr snapshot = check("relu-guard");
  const StepProgram& program = *snapshot->programs.at(0);
  ASSERT_EQ(program.inputs().size(), 1u);
  const StepTrace atNaN = program.evaluate({0x7FC00000});
  EXPECT_TRUE(atNaN.differs);
  EXPECT_EQ(atNaN.kernelResult, 0u);
  EXPECT_EQ(atNaN.specResult, 0x7FC00000u);
  EXPECT_TRUE(atNaN.kernel.back().diverges);
  const StepTrace atOne = program.evaluate({0x3F800000});
  EXPECT_FALSE(atOne.differs);
  EXPECT_EQ(atOne.kernelResult, 0x3F800000u);
  EXPECT_TRUE(std::none_of(atOne.kernel.begin(), atOne.kernel.end(),
                           [](const StepValue& value) { return value.diverges; }));
}

TEST_F(ProjectTest, MarksTheStepThatLostTheNaN) {
  const SnapshotPtr snapshot = check("hardtanh-fminf");
  const StepProgram& program = *snapshot->programs.at(0);
  const StepTrace trace = program.evaluate({0x7FC00000});
  ASSERT_TRUE(trace.differs);
  const auto marked = std::find_if(trace.kernel.begin(), trace.kernel.end(),
                                   [](const StepValue& value) { return value.diverges; });
  ASSERT_NE(marked, trace.kernel.end());
  EXPECT_EQ(program.steps(Side::Kernel)[static_cast<size_t>(marked - trace.kernel.begin())].text,
            "fmaxf(v, -1.0f)");
  EXPECT_EQ(std::count_if(trace.spec.begin(), trace.spec.end(),
                          [](const StepValue& value) { return value.diverges; }),
            1);
}

TEST_F(ProjectTest, ZeroSignsLeftOpenAreNoDifference) {
  const StepTrace trace = check("relu-fmaxf")->programs.at(0)->evaluate({0x80000000});
  EXPECT_FALSE(trace.differs);
  EXPECT_EQ(trace.allowed.size(), 2u);
}

TEST_F(ProjectTest, StepsAgreeWithNativeArithmetic) {
  const SnapshotPtr snapshot = check("vector-add");
  const StepProgram& program = *snapshot->programs.at(0);
  ASSERT_EQ(program.inputs().size(), 2u);
  uint32_t seed = 7;
  auto next = [&] { return seed = seed * 1664525U + 1013904223U; };
  for (int k = 0; k < 2000; ++k) {
    const uint32_t a = next();
    const uint32_t b = next();
    const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
    const StepTrace trace = program.evaluate({a, b});
    const uint32_t expected = std::isnan(sum) ? 0x7FC00000U : std::bit_cast<uint32_t>(sum);
    EXPECT_EQ(trace.kernelResult, expected);
    EXPECT_FALSE(trace.differs);
  }
}

TEST_F(ProjectTest, TheMatrixIsAPartitionWithTheWitnessAtNaN) {
  const SnapshotPtr snapshot = check("relu-guard");
  std::vector<MatrixCell> cells;
  project->settleMatrix(0, 0, {}, [&](const MatrixCell& cell) { cells.push_back(cell); });
  ASSERT_EQ(cells.size(), snapshot->caseGoals[0].rows.size() * floatClassCount);
  int witnessed = 0;
  for (const MatrixCell& cell : cells) {
    EXPECT_NE(cell.result.status, CaseStatus::Open) << cell.result.reason;
    EXPECT_NE(cell.result.status, CaseStatus::Conflict) << cell.result.reason;
    witnessed += cell.result.status == CaseStatus::Witnessed ? 1 : 0;
    if (cell.result.status == CaseStatus::Witnessed) {
      EXPECT_EQ(cell.floatClass, FloatClass::NaN);
      EXPECT_EQ(cell.result.witness, std::vector<uint32_t>{0x7FC00000});
    }
  }
  EXPECT_EQ(witnessed, 1);
  for (int column = 0; column < floatClassCount; ++column)
    EXPECT_TRUE(std::any_of(cells.begin(), cells.end(), [&](const MatrixCell& cell) {
      return cell.floatClass == static_cast<FloatClass>(column) && cell.result.status != CaseStatus::Empty;
    })) << "every class has values somewhere";
}

TEST_F(ProjectTest, CellsOfADifferentPairAreSettledByTheirClass) {
  // One bit of difference among ordinary values, none at NaN, infinities and zeros.
  const SnapshotPtr snapshot = check("one-bit-square");
  ASSERT_EQ(snapshot->readings[0].relation, "different");
  CasePath nan{{-1, true, 0, FloatClass::NaN}};
  EXPECT_EQ(project->settle(0, nan, {}, {}).status, CaseStatus::Closed);
  CasePath normal{{-1, true, 0, FloatClass::PositiveNormal}};
  const CaseResult result = project->settle(0, normal, {}, {});
  EXPECT_EQ(result.status, CaseStatus::Witnessed) << result.reason;
}

TEST_F(ProjectTest, ContradictoryConditionsAreEmpty) {
  check("relu-guard");
  const CasePath path{{-1, true, 0, FloatClass::NaN}, {-1, true, 0, FloatClass::PositiveZero}};
  EXPECT_EQ(project->settle(0, path, {}, {}).status, CaseStatus::Empty);
  EXPECT_EQ(project->settle(0, {{99, true, -1, FloatClass::NaN}}, {}, {}).status, CaseStatus::Open);
  EXPECT_EQ(project->settle(5, {}, {}, {}).status, CaseStatus::Open);
}

TEST_F(ProjectTest, SelectingTheOperatorFindsTheKernelExpression) {
  const SnapshotPtr snapshot = check("relu-guard");
  const int relu = nodeNamed(*snapshot, "relu");
  ASSERT_GE(relu, 0);
  const Highlight found = counterparts(*snapshot, {Anchor::Kind::Node, relu, 0, {}});
  EXPECT_FALSE(found.cuda.empty());
  EXPECT_FALSE(found.goals.empty());
  const Highlight input = counterparts(*snapshot, {Anchor::Kind::Node, nodeNamed(*snapshot, "x"), 0, {}});
  ASSERT_FALSE(input.cuda.empty());
}

TEST_F(ProjectTest, RunsEditedValues) {
  check("relu-guard");
  const RunResult run = project->runInterpreter(0, {0xC0000000}, {});
  EXPECT_TRUE(run.ran) << run.message;
  EXPECT_EQ(run.bits, 0u);
  EXPECT_FALSE(project->runInterpreter(3, {0}, {}).ran);
  EXPECT_FALSE(project->runInterpreter(0, {0, 1}, {}).ran);
}

TEST_F(ProjectTest, ARejectedKernelIsMarkedAtItsLine) {
  const SnapshotPtr snapshot = check("inline-asm");
  ASSERT_FALSE(snapshot->marks.empty());
  EXPECT_EQ(snapshot->marks[0].kind, MarkKind::Error);
  EXPECT_GT(snapshot->marks[0].where.line, 0);
  EXPECT_EQ(snapshot->marks[0].where.file, snapshot->cuda.file);
  EXPECT_TRUE(snapshot->caseGoals.empty());
  EXPECT_NE(snapshot->tone, Tone::Good);
}

TEST_F(ProjectTest, AnUnsafeKernelIsMarkedAndNotCompared) {
  const SnapshotPtr snapshot = check("vector-add-unguarded");
  EXPECT_EQ(snapshot->tone, Tone::Bad);
  EXPECT_TRUE(std::any_of(snapshot->marks.begin(), snapshot->marks.end(),
                          [](const Mark& mark) { return mark.kind == MarkKind::Finding; }));
  EXPECT_TRUE(snapshot->witnesses.empty());
}

/// A device's reading is shown by its name; the cases stay those of ieee.
TEST_F(ProjectTest, ADeviceReadingStandsBesideTheCases) {
  Request request = sample("third");
  request.readings = {"device:torch-cuda", "ieee"};
  const SnapshotPtr snapshot = project->check(request, {}, {});
  ASSERT_EQ(snapshot->readings.size(), 2U);
  EXPECT_EQ(snapshot->readings[0].reading, "device:torch-cuda");
  EXPECT_EQ(snapshot->readings[0].relation, "equal");
  EXPECT_EQ(snapshot->readings[1].relation, "different");
  ASSERT_EQ(snapshot->caseGoals.size(), 1U);
  EXPECT_EQ(snapshot->cases.nodes.at(0).result.status, CaseStatus::Witnessed);
  ASSERT_EQ(snapshot->witnesses.size(), 1U);
  EXPECT_EQ(snapshot->witnesses[0].reading, "ieee");
  EXPECT_EQ(snapshot->witnesses[0].caseGoal, 0);
  request.readings = {"device:torch-cuda"};
  EXPECT_TRUE(project->check(request, {}, {})->caseGoals.empty());
  request.readings = {"device:none"};
  ASSERT_TRUE(project->check(request, {}, {})->error);
}

TEST_F(ProjectTest, MissingFilesAreNamed) {
  Request request = sample("relu-guard");
  request.kernel = "/nowhere/k.cu";
  const SnapshotPtr snapshot = project->check(request, {}, {});
  ASSERT_TRUE(snapshot->error);
  EXPECT_EQ(snapshot->error->id, "file-not-found");
  EXPECT_FALSE(snapshot->error->next.empty());
}

TEST_F(ProjectTest, ACancelledCheckSaysNothing) {
  StopToken stop;
  stop.requestStop();
  const SnapshotPtr snapshot = project->check(sample("relu-keeps-nan"), stop, {});
  EXPECT_TRUE(snapshot->readings.empty());
  EXPECT_EQ(snapshot->tone, Tone::Neutral);
}

TEST_F(ProjectTest, CancelsASweepSoon) {
  StopToken stop;
  std::chrono::steady_clock::time_point asked;
  auto progress = [&](const std::string& text) {
    if (text.find("sweeping") == std::string::npos)
      return;
    std::thread([stop, &asked] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      asked = std::chrono::steady_clock::now();
      stop.requestStop();
    }).detach();
  };
  const SnapshotPtr snapshot = project->check(sample("leaky-relu-max"), stop, progress);
  ASSERT_NE(asked.time_since_epoch().count(), 0) << "the sample no longer sweeps";
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::milliseconds(1000));
  EXPECT_TRUE(snapshot->readings.empty());
  // The project is whole afterwards.
  EXPECT_EQ(check("relu-guard")->readings.at(0).relation, "different");
}

TEST_F(ProjectTest, EverySampleShowsWhatItPromises) {
  for (const Sample& known : bundledSamples()) {
    const SnapshotPtr snapshot = check(known.name);
    const std::string shown = snapshot->readings.empty() ? "" : snapshot->readings[0].relation;
    if (!known.relation.empty() && !snapshot->error)
      EXPECT_TRUE(shown.starts_with(known.relation)) << known.name << ": " << shown;
    EXPECT_FALSE(snapshot->headline.empty()) << known.name;
    EXPECT_EQ(snapshot->programs.size(), snapshot->caseGoals.size()) << known.name;
  }
}

TEST(Samples, AreFound) {
  EXPECT_GE(bundledSamples().size(), 20u);
}

} // namespace
} // namespace plumbline::workbench

// Whole checks where something is missing: time, files, an accepted gate, satisfiable hypotheses.
#include "core/session/check_pool.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace plumbline::session {
namespace {

namespace fs = std::filesystem;

const fs::path samples = fs::path(PLUMBLINE_SOURCE_DIR) / "resources" / "samples";

CheckPool& pool() {
  static CheckPool shared;
  return shared;
}

CheckOptions sample(const std::string& name) {
  CheckOptions options;
  options.model = (samples / name / "graph.json").string();
  options.kernel = (samples / name / "kernel.cu").string();
  return options;
}

/// The model of the sample with another kernel text, for inputs (x) and outputs (y).
CheckOptions withBody(const std::string& name, const std::string& body) {
  CheckOptions options = sample(name);
  options.kernelText = "#include <torch/extension.h>\n"
                       "__global__ void k(const float* x, float* y, int n) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
                       body +
                       "\n}\ntorch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n"
                       "  int n = x.numel();\n  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), "
                       "y.data_ptr<float>(), n);\n  return y;\n}\n";
  return options;
}

Verdict run(const CheckOptions& options) {
  return runCheck(options, pool(), {}, {}).verdict;
}

Relation relationOf(const Verdict& verdict) {
  return verdict.readings.empty() ? Relation::Error : verdict.readings.front().relation;
}

TEST(CheckRun, AnEqualPairIsTheControl) {
  const Verdict verdict = run(sample("twice"));
  EXPECT_EQ(relationOf(verdict), Relation::Equal) << reasonOf(verdict);
  EXPECT_EQ(exitCode(verdict, {}), 0);
  EXPECT_GT(verdict.timeMs, 0);
}

TEST(CheckRun, WithoutTimeNothingIsEqual) {
  for (const char* name : {"twice", "relu-guard", "vector-add", "leaky-relu-max", "sigmoid-expf"})
    for (const int limit : {0, 1, 20}) {
      CheckOptions options = sample(name);
      options.timeout = std::chrono::milliseconds(limit);
      options.readings = {Reading::Ieee, Reading::Real};
      const Verdict verdict = run(options);
      if (limit <= 1) {
        EXPECT_EQ(overall(verdict), Relation::Undetermined) << name << " in " << limit << " ms";
        EXPECT_FALSE(reasonOf(verdict).empty());
      }
      for (const ReadingResult& result : verdict.readings)
        if (limit <= 1)
          EXPECT_EQ(result.relation, Relation::Undetermined) << name;
      EXPECT_TRUE(exitCode(verdict, {}) != 0 || limit > 1) << name;
    }
  EXPECT_EQ(relationOf(run(sample("twice"))), Relation::Equal) << "the pool recovers";
}

TEST(CheckRun, ACancelledCheckIsUndetermined) {
  StopToken stopped;
  stopped.requestStop();
  const Verdict verdict = runCheck(sample("twice"), pool(), stopped, {}).verdict;
  EXPECT_EQ(overall(verdict), Relation::Undetermined);
  EXPECT_NE(exitCode(verdict, {}), 0);
}

TEST(CheckRun, MissingFilesAreErrors) {
  CheckOptions noModel = sample("twice");
  noModel.model = "/nowhere/graph.json";
  CheckOptions noKernel = sample("twice");
  noKernel.kernel = "/nowhere/kernel.cu";
  CheckOptions emptyKernel = sample("twice");
  emptyKernel.kernelText = "int nothing;";
  CheckOptions noLaunch = sample("twice");
  noLaunch.launchFile = "/nowhere/launch.json";
  for (const CheckOptions& options : {noModel, noKernel, emptyKernel, noLaunch}) {
    const Verdict verdict = run(options);
    ASSERT_TRUE(verdict.error);
    EXPECT_FALSE(verdict.error->message.empty());
    EXPECT_EQ(exitCode(verdict, {}), 4);
    EXPECT_EQ(overall(verdict), Relation::Undetermined);
    ASSERT_EQ(verdict.readings.size(), 1u);
  }
}

TEST(CheckRun, SourcesThatDoNotCompileAreRejected) {
  const Verdict verdict = run(withBody("relu-fmaxf", "y[i] = undeclared;"));
  EXPECT_EQ(exitCode(verdict, {}), 3);
  ASSERT_FALSE(verdict.rejections.empty());
  EXPECT_EQ(verdict.rejections[0].where.line, 4);
}

/// Each thread takes the element of its neighbour: a permutation that the gate does not recognise.
const std::string neighbours = "int j = i % 2 != 0 ? i - 1 : i + 1 < n ? i + 1 : i;\n  ";

/// The gate cannot tell which thread writes which element, yet the kernel runs cleanly and differs.
TEST(CheckRun, AConcreteDifferenceCountsWithoutAnAcceptedGate) {
  const Verdict verdict =
      run(withBody("relu-keeps-nan", neighbours + "if (i < n) y[j] = x[j] > 0.0f ? x[j] : 0.0f;"));
  ASSERT_TRUE(verdict.gate);
  ASSERT_EQ(verdict.gate->status, gate::GateStatus::Undetermined) << verdict.gate->reason;
  ASSERT_EQ(relationOf(verdict), Relation::Different) << reasonOf(verdict);
  ASSERT_TRUE(verdict.readings[0].witness);
  EXPECT_EQ(verdict.readings[0].witness->interpreter, Replay::Confirmed);
  EXPECT_EQ(exitCode(verdict, {}), 1);
}

TEST(CheckRun, AgreementOnSamplesIsNoProofWithoutAnAcceptedGate) {
  const Verdict verdict =
      run(withBody("relu-keeps-nan", neighbours + "if (i < n) y[j] = x[j] < 0.0f ? 0.0f : x[j];"));
  ASSERT_TRUE(verdict.gate);
  ASSERT_EQ(verdict.gate->status, gate::GateStatus::Undetermined) << verdict.gate->reason;
  EXPECT_EQ(relationOf(verdict), Relation::Undetermined);
  EXPECT_EQ(exitCode(verdict, {}), 2);
  EXPECT_NE(reasonOf(verdict).find("gate-undetermined"), std::string::npos) << reasonOf(verdict);
  EXPECT_FALSE(verdict.readings[0].scope);
}

TEST(CheckRun, ContradictoryAssumptionsProveNothing) {
  for (const char* assumption : {"x.numel < 0", "x.numel % 2 == 0 && x.numel % 2 == 1", "1 > 2"}) {
    CheckOptions options = sample("twice");
    options.assume = {assumption};
    const Verdict verdict = run(options);
    EXPECT_EQ(overall(verdict), Relation::Undetermined) << assumption;
    EXPECT_NE(exitCode(verdict, {}), 0);
    EXPECT_FALSE(reasonOf(verdict).empty());
  }
}

} // namespace
} // namespace plumbline::session

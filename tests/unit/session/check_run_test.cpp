// Whole checks where something is missing: time, files, an accepted gate, satisfiable hypotheses.
#include "core/session/check_pool.h"
#include "core/session/comparison.h"
#include "core/session/pytorch_replay.h"

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

CheckOptions thirdUnder(std::vector<Reading> readings, bool divides) {
  CheckOptions options = withBody("third", divides ? "if (i < n) y[i] = x[i] / 3.0f;"
                                                   : "if (i < n) y[i] = x[i] * (1.0f / 3.0f);");
  options.readings = std::move(readings);
  return options;
}

/// x / 3 is a product on CUDA: each kernel is equal under one reading and different under the other.
TEST(CheckRun, TheCudaReadingIsOneOfItsOwn) {
  for (const bool divides : {true, false})
    for (const std::vector<Reading>& readings :
         {std::vector{Reading::TorchCuda}, std::vector{Reading::TorchCuda, Reading::Ieee},
          std::vector{Reading::Ieee, Reading::TorchCuda, Reading::Real}}) {
      const CheckOutcome outcome = runCheck(thirdUnder(readings, divides), pool(), {}, {});
      ASSERT_EQ(outcome.verdict.readings.size(), readings.size()) << reasonOf(outcome.verdict);
      for (const ReadingResult& result : outcome.verdict.readings) {
        const bool equal = result.reading == Reading::Real || (result.reading == Reading::Ieee) == divides;
        EXPECT_EQ(result.relation, equal ? Relation::Equal : Relation::Different) << name(result.reading);
        EXPECT_EQ(result.witness.has_value(), !equal);
        if (result.witness) {
          EXPECT_EQ(result.witness->reading, result.reading);
          EXPECT_EQ(result.witness->interpreter, Replay::Confirmed);
        }
      }
      for (const Reading reading : readings)
        EXPECT_TRUE(std::ranges::any_of(outcome.verdict.goals, [&](const Goal& goal) {
          return goal.reading == name(reading) && goal.name == "value of output 0";
        })) << name(reading);
      // What the window shows as the cases is the denotation.
      EXPECT_EQ(outcome.comparison->elements.size(), readings.size() > 1 ? 1U : 0U);
      EXPECT_TRUE(
          outcome.verdict.assumptions.contains("torch-cuda: div by a number multiplies by its reciprocal"));
    }
}

TEST(CheckRun, OtherReadingsAssumeNothingOfCuda) {
  for (const std::string& assumption : run(thirdUnder({Reading::Ieee, Reading::Real}, true)).assumptions)
    EXPECT_FALSE(assumption.starts_with("torch-cuda")) << assumption;
}

/// The PyTorch here runs CPU kernels: neither a confirmation nor a contradiction of what CUDA does.
TEST(CheckRun, AWitnessOfTheCudaReadingIsNotRunInPyTorch) {
  CheckOutcome outcome = runCheck(thirdUnder({Reading::TorchCuda}, true), pool(), {}, {});
  ASSERT_EQ(relationOf(outcome.verdict), Relation::Different);
  const std::string line = replayInPyTorch(outcome, pool().children, {});
  EXPECT_NE(line.find("not run under device:torch-cuda"), std::string::npos) << line;
  EXPECT_TRUE(outcome.verdict.notes.contains(line));
  EXPECT_EQ(relationOf(outcome.verdict), Relation::Different);
  EXPECT_EQ(outcome.verdict.readings[0].witness->pytorch, Replay::NotRun);
  const Json json = toJson(outcome.verdict);
  EXPECT_EQ(json["readings"][0]["reading"], "device:torch-cuda");
  EXPECT_EQ(json["witness"]["replayed"]["pytorch"], "not run");
  EXPECT_FALSE(json["witness"]["inputs"]["x"]["bits"].empty());
}

TEST(CheckRun, ADifferenceOnCudaCountsWithoutAnAcceptedGate) {
  for (const bool divides : {true, false}) {
    CheckOptions options =
        withBody("third", neighbours + (divides ? "if (i < n) y[j] = x[j] / 3.0f;"
                                                : "if (i < n) y[j] = x[j] * (1.0f / 3.0f);"));
    options.readings = {Reading::TorchCuda};
    const Verdict verdict = run(options);
    ASSERT_EQ(verdict.gate->status, gate::GateStatus::Undetermined) << verdict.gate->reason;
    EXPECT_EQ(relationOf(verdict), divides ? Relation::Different : Relation::Undetermined);
  }
}

TEST(CheckRun, ReadingsByName) {
  for (const Reading reading : {Reading::Ieee, Reading::Real, Reading::TorchCuda})
    EXPECT_EQ(readingFromName(name(reading)).value(), reading);
  EXPECT_EQ(readingFromName("float").error().id, "reading-unknown");
  const auto unknown = readingFromName("device:sm90");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().id, "profile-unknown");
  EXPECT_EQ(unknown.error().kind, ErrorKind::Usage);
  EXPECT_NE(unknown.error().next.find("device:torch-cuda"), std::string::npos);
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

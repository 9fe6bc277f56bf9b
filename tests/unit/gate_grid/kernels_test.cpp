// Every kernel is accepted, or refused for exactly the faults it has, each of them seen in a run.
#include "tests/unit/gate_grid/grid_fixture.h"

#include <gtest/gtest.h>

namespace plumbline::gate::grid {
namespace {

TEST(GridGate, KnownKernelsHaveExactlyTheirFaults) {
  ASSERT_GE(knownKernels().size(), 37U);
  for (const KnownKernel& known : knownKernels()) {
    const Expected<GateReport> report = gateText(known.source, known.contract);
    EXPECT_EQ(outcome(report), known.faults) << known.name;
    if (!report)
      continue;
    for (const Finding& finding : report->findings)
      EXPECT_TRUE(finding.replayed) << known.name << ": " << finding.kind;
  }
}

const KnownKernel& kernel(const std::string& name) {
  for (const KnownKernel& known : knownKernels())
    if (known.name == name)
      return known;
  ADD_FAILURE() << "no kernel " << name;
  return knownKernels().front();
}

TEST(GridGate, WithoutSolversNothingWrongIsAccepted) {
  for (const KnownKernel& known : knownKernels()) {
    const Expected<cuda::ImportedCuda> imported = importText(known.source);
    ASSERT_TRUE(imported) << known.name;
    logic::TermStore store;
    const Expected<GateReport> report =
        checkGrid(store, imported->module, imported->module.kernels.at(0), known.contract, nullptr, {}, {});
    ASSERT_TRUE(report) << known.name;
    if (!known.faults.empty())
      EXPECT_NE(report->status, GateStatus::Accepted) << known.name;
  }
}

// A large run at the edge of what the contract allows shows it; a solver would take long to find such sizes.
TEST(GridGate, FaultsAtTheEdgesNeedNoSolver) {
  const char* source = "__global__ void k(const float* x, float* y, int n, int m) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n) y[i] = x[i * m > 0 ? 0 : 0];\n}\n";
  const Expected<Json> json = parseJson(
      R"J({"block": [256], "grid": ["ceil(n / 256)"], "symbols": {"n": [1, 100000], "m": [1, 100000]},
      "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}})J",
      "test");
  const Expected<ir::LaunchContract> contract = ir::launchFromJson("k", *json);
  ASSERT_TRUE(contract) << contract.error().message;
  const Expected<cuda::ImportedCuda> imported = importText(source);
  ASSERT_TRUE(imported);
  logic::TermStore store;
  const Expected<GateReport> report =
      checkGrid(store, imported->module, imported->module.kernels[0], *contract, nullptr, {}, {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(outcome(report), std::vector<std::string>{"overflow"});
}

TEST(GridGate, ExitedThreadsMayMissABarrierWhenTheUserSaysSo) {
  GridOptions options;
  options.exitedThreadsOk = true;
  const KnownKernel& known = kernel("early_exit");
  EXPECT_EQ(outcome(gateText(known.source, known.contract, options)), std::vector<std::string>{});
  // These threads have not ended when the others shuffle.
  const KnownKernel& split = kernel("warp_split");
  const Expected<GateReport> report = gateText(split.source, split.contract, options);
  ASSERT_TRUE(report);
  EXPECT_NE(report->status, GateStatus::Accepted);
}

/// The known kernel with one text in place of another.
std::vector<std::string> outcomeWith(const std::string& name, const std::string& from,
                                     const std::string& to) {
  const KnownKernel& known = kernel(name);
  std::string source = known.source;
  const size_t at = source.find(from);
  if (at == std::string::npos)
    return {"no such text: " + from};
  return outcome(gateText(source.replace(at, from.size(), to), known.contract));
}

TEST(GridGate, TheWriterMayBeAnyThreadThatItsConditionNames) {
  const std::vector<std::string> accepted;
  EXPECT_EQ(outcomeWith("warp_sum", "(lane == 0) s", "(lane == 5) s"), accepted);
  EXPECT_EQ(outcomeWith("warp_sum", "(lane == 0) out", "(lane == 31) out"), accepted);
  EXPECT_EQ(outcomeWith("warp_sum", "(warp == 0)", "(warp == 7)"), accepted);
  EXPECT_EQ(outcomeWith("vector_tail", "(i == 0 &&", "(i == 255 &&"), accepted);
  // None is that one.
  const std::vector<std::string> incomplete = {"incomplete"};
  EXPECT_EQ(outcomeWith("warp_sum", "(lane == 0) out", "(lane == 32) out"), incomplete);
  EXPECT_EQ(outcomeWith("warp_sum", "(warp == 0)", "(warp == 8)"), incomplete);
  EXPECT_EQ(outcomeWith("vector_tail", "(i == 0 &&", "(i == 256 &&"), incomplete);
}

TEST(GridGate, ChosenBitsOfAnyNumberAreAtMostTheMask) {
  EXPECT_EQ(outcomeWith("histogram", "& 31", "& 26"), std::vector<std::string>{});
  EXPECT_EQ(outcomeWith("histogram", "& 31", "& 33"), std::vector<std::string>{"out-of-bounds"});
  EXPECT_EQ(outcomeWith("histogram", "& 31", "& -2"), std::vector<std::string>{"out-of-bounds"});
}

TEST(GridGate, ContradictoryContractsProveNothing) {
  const Expected<Json> json = parseJson(R"({"block": [256], "grid": [1], "symbols": {"n": [1, 10]},
      "assume": ["n > 20"], "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}})",
                                        "test");
  const Expected<ir::LaunchContract> wrong = ir::launchFromJson("scale", *json);
  ASSERT_TRUE(wrong);
  const Expected<GateReport> report = gateText(kernel("scale").source, *wrong);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().id, "launch-contradiction");
}

TEST(GridGate, EveryObligationSaysHowItWasSettled) {
  const KnownKernel& known = kernel("block_sum");
  const Expected<GateReport> report = gateText(known.source, known.contract);
  ASSERT_TRUE(report);
  EXPECT_GT(report->obligations.size(), 20U);
  for (const ObligationResult& each : report->obligations) {
    EXPECT_FALSE(each.name.empty());
    EXPECT_EQ(each.proof.status, ProofStatus::Proved) << each.name;
    EXPECT_FALSE(each.proof.engine.empty()) << each.name;
    EXPECT_FALSE(each.proof.encoding.empty()) << each.name;
  }
}

} // namespace
} // namespace plumbline::gate::grid

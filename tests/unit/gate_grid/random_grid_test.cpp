// Random kernels, which are safe by construction, are never refused; without one of their barriers, or with a
// changed subscript, they are never accepted when a run shows a fault. PLUMBLINE_RANDOM_GRIDS says how many,
// PLUMBLINE_RANDOM_SEED the first seed.
#include "core/gate/grid/replay.h"
#include "tests/differential/kernel/random_kernel.h"
#include "tests/unit/gate_grid/grid_fixture.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace plumbline::gate::grid {
namespace {

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

Expected<ir::LaunchContract> contractFor(const differential::RandomKernel& kernel) {
  const int64_t threads = kernel.threads();
  const auto buffer = [](int64_t length, int64_t align, const char* role) {
    return Json{{"len", length}, {"align", align}, {"role", role}};
  };
  const Json json{{"block", kernel.block},
                  {"grid", {kernel.grid, 1, 1}},
                  {"symbols", {{"n", {7, 7}}}},
                  {"buffers",
                   {{"x", buffer(differential::kRandomInputs, 4, "input")},
                    {"a", buffer(differential::kRandomInputs, 4, "input")},
                    {"b", buffer(differential::kRandomInputs, 1, "input")},
                    {"y", buffer(threads, 4, "output")},
                    {"out", buffer(threads, 4, "output")},
                    {"wide", buffer(threads, 8, "output")}}}};
  return ir::launchFromJson(kernel.name, json);
}

GridOptions briefly() {
  GridOptions options;
  options.quickLimit = options.fullLimit = std::chrono::milliseconds(100);
  options.solverTime = std::chrono::milliseconds(500);
  return options;
}

std::set<std::string> seenInRuns(const std::string& source, const ir::LaunchContract& contract) {
  std::set<std::string> kinds;
  const Expected<cuda::ImportedCuda> imported = importText(source);
  if (!imported || imported->module.kernels.size() != 1 || imported->module.kernels[0].function < 0)
    return kinds;
  const Replay replay(imported->module, imported->module.kernels[0], contract, false, {});
  for (const Contents contents : {Contents::Small, Contents::Zeros, Contents::Wild})
    for (const ir::Schedule& schedule : {ir::Schedule{}, ir::Schedule{ir::Schedule::Kind::Backward, 0}})
      if (const auto run = replay.run({{"n", 7}}, {}, {}, contents, schedule))
        for (const ir::RunFinding& finding : run->findings)
          kinds.insert(std::string(ir::name(finding.kind)));
  return kinds;
}

/// The source without one barrier each, and with one subscript each that is one higher.
std::vector<std::string> mutantsOf(const std::string& source) {
  std::vector<std::string> result;
  const std::string barrier = "__syncthreads();";
  for (size_t at = source.find(barrier); at != std::string::npos; at = source.find(barrier, at + 1))
    result.push_back(source.substr(0, at) + source.substr(at + barrier.size()));
  for (const std::string cell : {"[thread]", "[tid]", "[threadIdx.x]"})
    for (size_t at = source.find(cell); at != std::string::npos; at = source.find(cell, at + 1))
      result.push_back(source.substr(0, at + cell.size() - 1) + " + 1]" + source.substr(at + cell.size()));
  return result;
}

TEST(RandomGrids, SafeKernelsAreNotRefusedAndFaultyOnesNotAccepted) {
  const uint64_t first = setting("PLUMBLINE_RANDOM_SEED", 1);
  const uint64_t count = setting("PLUMBLINE_RANDOM_GRIDS", 3);
  int accepted = 0, open = 0, faulty = 0, refused = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const differential::RandomKernel kernel = differential::makeRandomKernel(seed);
    const Expected<ir::LaunchContract> contract = contractFor(kernel);
    ASSERT_TRUE(contract);
    const Expected<GateReport> report = gateText(kernel.source(), *contract, briefly());
    ASSERT_TRUE(report) << seed << ": " << toString(report.error());
    EXPECT_NE(report->status, GateStatus::Refused)
        << "seed " << seed << ": " << (report->findings.empty() ? "" : report->findings[0].message) << "\n"
        << kernel.source();
    (report->status == GateStatus::Accepted ? accepted : open) += 1;
    // A few of each kernel's mutants, others for each seed.
    const std::vector<std::string> mutants = mutantsOf(kernel.source());
    const size_t stride = 1 + mutants.size() / 4;
    for (size_t number = seed % stride; number < mutants.size(); number += stride) {
      const std::string& mutant = mutants[number];
      const std::set<std::string> seen = seenInRuns(mutant, *contract);
      if (seen.empty())
        continue;
      ++faulty;
      const Expected<GateReport> judged = gateText(mutant, *contract, briefly());
      if (!judged)
        continue;
      refused += judged->status == GateStatus::Refused ? 1 : 0;
      EXPECT_NE(judged->status, GateStatus::Accepted)
          << "seed " << seed << ", runs show " << *seen.begin() << "\n"
          << mutant;
    }
  }
  std::cout << "random kernels: " << accepted << " accepted, " << open << " left open; " << faulty
            << " faulty mutants, " << refused << " refused\n";
  EXPECT_GT(faulty, 0);
}

} // namespace
} // namespace plumbline::gate::grid

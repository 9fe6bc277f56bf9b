// How many goals of the bundled samples and test kernels are closed, and how long each takes.
#include "tests/goals/documents.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace plumbline::goals_test {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Totals {
  size_t goals = 0;
  size_t closed = 0;
  std::vector<double> times;
};

void report(const TestDocument& document, Totals& totals, bool verbose) {
  const Clock::time_point start = Clock::now();
  const goals::MethodGoals all = goals::generateGoals(*document.tree, methodOf(*document.tree));
  const double generated = since(start);
  const goals::Definitions definitions(*document.tree);
  size_t closed = 0;
  double slowest = 0;
  std::string left;
  for (const goals::Goal& goal : all.goals) {
    const goals::Settled settled = goals::settle(goal, definitions, sharedEngines(), {}, {});
    totals.times.push_back(settled.timeMs);
    slowest = std::max(slowest, settled.timeMs);
    if (settled.status == goals::GoalStatus::Closed)
      ++closed;
    else
      left += " " + goal.name + ":" + std::string(goals::name(settled.status));
    if (verbose) {
      std::printf("%s: %s %.1f ms, %zu cases %s\n", goal.name.c_str(),
                  std::string(goals::name(settled.status)).c_str(), settled.timeMs, settled.closedCases,
                  settled.reason.c_str());
      for (const goals::Evidence& evidence : settled.evidence)
        std::printf("    %s: %s, %.1f ms\n", evidence.engine.c_str(), evidence.result.c_str(),
                    evidence.timeMs);
      for (const goals::OpenCase& open : settled.cases) {
        for (const std::string& condition : open.conditions)
          std::printf("    when %s\n", condition.c_str());
        std::printf("    left: %s\n", open.question.c_str());
      }
      if (settled.witness)
        for (const auto& [name, value] : *settled.witness)
          std::printf("    %s = %s\n", name.c_str(), goals::text(value).c_str());
      if (settled.status != goals::GoalStatus::Closed)
        std::printf("%s\n", goals::text(goal).c_str());
    }
  }
  for (const goals::Problem& problem : all.problems)
    left += " problem:" + problem.id;
  totals.goals += all.goals.size();
  totals.closed += closed;
  std::printf("%-28s %-12s %3zu of %3zu, generated in %.2f ms, slowest %.0f ms%s\n", document.name.c_str(),
              document.ieee.c_str(), closed, all.goals.size(), generated, slowest, left.c_str());
  std::fflush(stdout);
}

int run(const std::string& only) {
  Totals totals;
  const bool verbose = !only.empty() && only != "samples" && only != "kernels" && only != "cases";
  const auto wanted = [&](const std::string& name, bool isSample, bool isKernel) {
    return only.empty() || only == name || (only == "samples" && isSample) ||
           (only == "kernels" && isKernel) || (only == "cases" && !isSample && !isKernel);
  };
  for (const method_test::Pair& pair : method_test::allPairs())
    if (wanted(pair.name, pair.isSample, false))
      if (const auto document = documentOf(pair))
        report(*document, totals, verbose);
  for (const method_test::KernelCase& kernel : method_test::kernelCases())
    if (wanted(kernel.name, false, true))
      if (const auto document = documentOf(kernel))
        report(*document, totals, verbose);
  std::ranges::sort(totals.times);
  const auto at = [&](double part) {
    return totals.times.empty()
               ? 0
               : totals.times[static_cast<size_t>(part * static_cast<double>(totals.times.size() - 1))];
  };
  std::printf("%zu of %zu goals closed; time a goal: median %.1f ms, p95 %.1f ms, slowest %.0f ms\n",
              totals.closed, totals.goals, at(0.5), at(0.95), at(1));
  return EXIT_SUCCESS;
}

} // namespace
} // namespace plumbline::goals_test

int main(int argc, char** argv) {
  return plumbline::goals_test::run(argc > 1 ? argv[1] : "");
}

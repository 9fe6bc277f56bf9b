// Mutants of the known kernels: none that misbehaves in a run may be accepted, be it a run in the interpreter
// or of the kernel compiled for this machine under a sanitizer.
#include "core/gate/grid/replay.h"
#include "tests/unit/gate_grid/mutator.h"
#include "tests/unit/gate_grid/sanitizer_runs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace plumbline::gate::grid {
namespace {

/// Which mutants: every `stride`-th from `first`.
struct Selection {
  size_t first = 0, stride = 20;
  bool thorough = false;
};

/// PLUMBLINE_GRID_MUTANTS=I/N: one of N shares of all mutants.
Selection selection() {
  const char* share = std::getenv("PLUMBLINE_GRID_MUTANTS");
  char slash = 0;
  Selection chosen;
  if (share != nullptr && std::istringstream(share) >> chosen.first >> slash >> chosen.stride)
    return {chosen.first % std::max<size_t>(chosen.stride, 1), std::max<size_t>(chosen.stride, 1), true};
  return {};
}

struct Runs {
  int ended = 0;
  std::set<std::string> kinds; ///< of what went wrong
};

/// Runs at small sizes, in several schedules, on several contents: no proof is involved.
Runs runsOf(const ir::Module& module, const ir::LaunchContract& contract) {
  Runs runs;
  const Replay replay(module, module.kernels[0], contract, false,
                      StopToken().withTimeout(std::chrono::milliseconds(selection().thorough ? 1500 : 1000)));
  for (const std::map<std::string, int64_t>& sizes : replay.smallSizes(30))
    for (const Contents contents : {Contents::Small, Contents::Zeros, Contents::Wild})
      for (const ir::Schedule& schedule : {ir::Schedule{}, ir::Schedule{ir::Schedule::Kind::Backward, 0},
                                           ir::Schedule{ir::Schedule::Kind::Random, 3}})
        if (const auto run = replay.run(sizes, {}, {}, contents, schedule)) {
          ++runs.ended;
          for (const ir::RunFinding& finding : run->findings)
            runs.kinds.insert(std::string(ir::name(finding.kind)));
        }
  return runs;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

struct Judged {
  std::string kernel;
  Mutant mutant;
  GateStatus status = GateStatus::Undetermined;
  std::string reason;
  std::set<std::string> seen; ///< in runs; the gate's own replayed counterexample is one
  bool ended = false;         ///< some run did

  bool misbehaves() const { return !seen.empty(); }
};

bool isVerbose() {
  return std::getenv("PLUMBLINE_GRID_MUTANTS_VERBOSE") != nullptr;
}

int64_t milliseconds(std::chrono::steady_clock::time_point start, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(end - start).count();
}

/// Nothing where the importer refuses the text or no sizes satisfy the changed contract.
std::optional<Judged> judge(const KnownKernel& known, const Mutant& mutant, bool isSampled, bool isThorough,
                            SanitizerRuns& sanitizers) {
  const Expected<cuda::ImportedCuda> imported = importText(mutant.source);
  if (!imported || !imported->errors.empty() || imported->module.kernels.size() != 1 ||
      imported->module.kernels[0].function < 0)
    return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  const Expected<GateReport> report = gateText(mutant.source, mutant.contract);
  if (!report)
    return std::nullopt;
  const auto gated = std::chrono::steady_clock::now();
  Judged judged{known.name, mutant, report->status, report->reason, {}, false};
  if (report->status == GateStatus::Refused) {
    judged.seen.insert("refused");
  } else {
    const Runs runs = runsOf(imported->module, mutant.contract);
    judged.seen = runs.kinds;
    judged.ended = runs.ended > 0;
  }
  if (isVerbose())
    std::cout << known.name << ", " << mutant.what << ": " << name(report->status) << " in "
              << milliseconds(start, gated) << " ms, runs "
              << milliseconds(gated, std::chrono::steady_clock::now()) << " ms, " << report->reason
              << std::endl;
  if (isSampled || (isThorough && report->status != GateStatus::Refused))
    sanitizers.add(mutant.source, imported->module, mutant.contract);
  else
    sanitizers.skip();
  return judged;
}

/// PLUMBLINE_GRID_MUTANT: only those whose title has one of these texts, between bars, in it.
bool isWanted(const std::string& title) {
  const char* texts = std::getenv("PLUMBLINE_GRID_MUTANT");
  if (texts == nullptr)
    return true;
  std::istringstream words(texts);
  for (std::string text; std::getline(words, text, '|');)
    if (title.find(text) != std::string::npos)
      return true;
  return false;
}

std::vector<Judged> judgeEach(const Selection& selection, SanitizerRuns& sanitizers) {
  std::vector<Judged> all;
  size_t number = 0;
  for (const KnownKernel& known : knownKernels()) {
    if (!known.faults.empty())
      continue;
    for (const Mutant& mutant : mutantsOf(known)) {
      if (number++ % selection.stride != selection.first || !isWanted(known.name + ", " + mutant.what))
        continue;
      // What is refused has been seen to misbehave; that the sanitizers see it too is tried now and then.
      const bool isSampled = all.size() % 6 == 0;
      if (std::optional<Judged> judged = judge(known, mutant, isSampled, selection.thorough, sanitizers))
        all.push_back(std::move(*judged));
    }
  }
  std::cout << "mutants: " << number << ", judged " << all.size() << "\n";
  return all;
}

void addSanitized(std::vector<Judged>& all, const SanitizerRuns& sanitizers) {
  const std::vector<SanitizerVerdict> verdicts = sanitizers.run();
  int complete = 0, unknown = 0, found = 0, foundToo = 0;
  ASSERT_EQ(verdicts.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const SanitizerVerdict& verdict = verdicts[i];
    complete += verdict.state == SanitizerVerdict::State::Nothing ? 1 : 0;
    unknown += verdict.state == SanitizerVerdict::State::Unknown ? 1 : 0;
    found += verdict.kinds.empty() ? 0 : 1;
    foundToo += !verdict.kinds.empty() && all[i].misbehaves() ? 1 : 0;
    all[i].ended = all[i].ended || verdict.state == SanitizerVerdict::State::Nothing;
    for (const std::string& kind : verdict.kinds)
      all[i].seen.insert("natively " + kind);
  }
  std::cout << "natively under the sanitizers: " << found << " misbehave, of which " << foundToo
            << " also in the interpreter; " << complete << " do not; " << unknown << " not known\n";
}

struct Tally {
  int wrong = 0, misbehaving = 0, refused = 0, harmless = 0, accepted = 0;
  int endless = 0; ///< no run ends, so that none can show a fault, and the mutant is not harmless
};

void count(const Judged& judged, Tally& tally) {
  if (judged.misbehaves()) {
    ++tally.misbehaving;
    tally.refused += judged.status == GateStatus::Refused ? 1 : 0;
  } else if (!judged.ended) {
    ++tally.endless;
    EXPECT_NE(judged.status, GateStatus::Accepted) << judged.kernel << ", " << judged.mutant.what;
  } else {
    ++tally.harmless;
    tally.accepted += judged.status == GateStatus::Accepted ? 1 : 0;
  }
  const bool wrong = judged.misbehaves() && judged.status == GateStatus::Accepted;
  tally.wrong += wrong ? 1 : 0;
  EXPECT_FALSE(wrong) << judged.kernel << ", " << judged.mutant.what << " was accepted, but runs show "
                      << joined(judged.seen) << "\n"
                      << judged.mutant.source;
  const GateStatus wanted = judged.misbehaves() ? GateStatus::Refused : GateStatus::Accepted;
  if (isVerbose() && judged.status != wanted)
    std::cout << judged.kernel << ", " << judged.mutant.what << ": " << name(judged.status) << ", "
              << judged.reason << "; runs: " << joined(judged.seen) << "\n";
}

TEST(GridMutants, NoneThatMisbehavesIsAccepted) {
  SanitizerRuns sanitizers;
  std::vector<Judged> all = judgeEach(selection(), sanitizers);
  if (differential::canSanitize())
    addSanitized(all, sanitizers);
  else
    std::cout << "no sanitizers on this machine: libclang-rt-19-dev\n";
  Tally tally;
  for (const Judged& judged : all)
    count(judged, tally);
  std::cout << tally.misbehaving << " misbehave, of which " << tally.refused << " refused; " << tally.harmless
            << " harmless, of which " << tally.accepted << " accepted; " << tally.endless << " do not end; "
            << tally.wrong << " wrongly accepted\n";
  if (std::getenv("PLUMBLINE_GRID_MUTANT") != nullptr)
    return; // chosen by hand
  EXPECT_GT(tally.misbehaving, 20);
  EXPECT_GT(tally.harmless, 5);
  EXPECT_GE(tally.refused * 100, tally.misbehaving * 95);
  EXPECT_GE(tally.accepted * 100, tally.harmless * 90);
}

/// The sanitizers see what they can see: the faults of the known kernels, and none in those without.
TEST(GridMutants, SanitizersSeeTheFaultsOfTheKnownKernels) {
  if (!differential::canSanitize())
    GTEST_SKIP() << "no sanitizers on this machine: libclang-rt-19-dev";
  SanitizerRuns sanitizers;
  for (const KnownKernel& known : knownKernels()) {
    const Expected<cuda::ImportedCuda> imported = importText(known.source);
    ASSERT_TRUE(imported && imported->module.kernels.size() == 1) << known.name;
    sanitizers.add(known.source, imported->module, known.contract);
  }
  const std::vector<SanitizerVerdict> verdicts = sanitizers.run();
  ASSERT_EQ(verdicts.size(), knownKernels().size());
  // Not at small sizes, or nothing that these sanitizers watch: memory of one thread, copies of vectors.
  const std::set<std::string> beyond = {"overflow", "illegal-launch", "uninitialised-read", "misaligned"};
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const KnownKernel& known = knownKernels()[i];
    const bool visible =
        std::ranges::any_of(known.faults, [&](const std::string& fault) { return !beyond.contains(fault); });
    if (known.faults.empty())
      EXPECT_EQ(verdicts[i].state, SanitizerVerdict::State::Nothing)
          << known.name << ": " << joined(verdicts[i].kinds) << verdicts[i].why;
    if (visible)
      EXPECT_FALSE(verdicts[i].kinds.empty()) << known.name << verdicts[i].why;
  }
}

} // namespace
} // namespace plumbline::gate::grid

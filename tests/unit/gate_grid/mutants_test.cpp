// Mutants of the known kernels: none that misbehaves in a run may be accepted. A barrier removed or moved, a
// guard taken away, an index or a number off by one, a comparison that admits equality, a length or an extent
// changed.
#include "core/gate/grid/replay.h"
#include "tests/unit/gate_grid/grid_fixture.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace plumbline::gate::grid {
namespace {

struct Mutant {
  std::string what;
  std::string source;
  ir::LaunchContract contract;
};

std::string spliced(const std::string& text, size_t at, size_t length, const std::string& with) {
  return text.substr(0, at) + with + text.substr(at + length);
}

size_t closing(const std::string& text, size_t open, char opened, char closed) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == opened ? 1 : text[i] == closed ? -1 : 0;
    if (depth == 0)
      return i;
  }
  return std::string::npos;
}

class Mutator {
public:
  explicit Mutator(const KnownKernel& kernel) : m_kernel(kernel), m_text(kernel.source) {
    m_body = m_text.find('{');
  }

  std::vector<Mutant> all() {
    for (const char* barrier : {"__syncthreads();", "__syncwarp();"})
      replaceEach(barrier, "", "without a barrier");
    replaceEach(" < ", " <= ", "< becomes <=");
    replaceEach(" <= ", " < ", "<= becomes <");
    replaceEach(" >= ", " > ", ">= becomes >");
    guards();
    indices();
    numbers();
    lines();
    contracts();
    return std::move(m_mutants);
  }

private:
  void add(std::string what, std::string source) {
    m_mutants.push_back({std::move(what), std::move(source), m_kernel.contract});
  }

  void replaceEach(const std::string& from, const std::string& to, const std::string& what) {
    for (size_t at = m_text.find(from, m_body); at != std::string::npos; at = m_text.find(from, at + 1))
      add(what + " at " + std::to_string(at), spliced(m_text, at, from.size(), to));
  }

  void guards() {
    for (size_t at = m_text.find("if (", m_body); at != std::string::npos; at = m_text.find("if (", at + 1)) {
      const size_t end = closing(m_text, at + 3, '(', ')');
      if (end != std::string::npos)
        add("without the guard at " + std::to_string(at), spliced(m_text, at + 4, end - at - 4, "true"));
    }
  }

  void indices() {
    for (size_t at = m_text.find('[', m_body); at != std::string::npos; at = m_text.find('[', at + 1)) {
      const size_t end = closing(m_text, at, '[', ']');
      if (end != std::string::npos)
        add("index shifted at " + std::to_string(at),
            spliced(m_text, at + 1, end - at - 1, "(" + m_text.substr(at + 1, end - at - 1) + ") + 1"));
    }
  }

  void numbers() {
    for (size_t at = m_body; at < m_text.size(); ++at) {
      const auto isWord = [&](size_t i) {
        return std::isalnum(static_cast<unsigned char>(m_text[i])) != 0 || m_text[i] == '_' ||
               m_text[i] == '.';
      };
      if (std::isdigit(static_cast<unsigned char>(m_text[at])) == 0 || isWord(at - 1))
        continue;
      size_t end = at;
      while (isWord(end))
        ++end;
      const std::string number = m_text.substr(at, end - at);
      if (number.find_first_not_of("0123456789") == std::string::npos && number.size() < 6) {
        add("one more at " + std::to_string(at),
            spliced(m_text, at, end - at, std::to_string(std::stoi(number) + 1)));
        if (std::stoi(number) > 1)
          add("one less at " + std::to_string(at),
              spliced(m_text, at, end - at, std::to_string(std::stoi(number) - 1)));
      }
      at = end;
    }
  }

  /// A barrier goes one line up or down.
  void lines() {
    std::vector<std::string> lines;
    std::istringstream in(m_text);
    for (std::string line; std::getline(in, line);)
      lines.push_back(line);
    for (size_t i = 1; i + 2 < lines.size(); ++i)
      for (const size_t other : {i - 1, i + 1}) {
        if (lines[i].find("__sync") == std::string::npos || other == 0)
          continue;
        std::vector<std::string> moved = lines;
        std::swap(moved[i], moved[other]);
        std::string text;
        for (const std::string& line : moved)
          text += line + "\n";
        add("barrier moved to line " + std::to_string(other + 1), std::move(text));
      }
  }

  void contracts() {
    for (size_t axis = 0; axis < 3; ++axis)
      for (const auto& [kind, what] :
           {std::pair(ir::SizeExpr::Kind::Add, "one more"), std::pair(ir::SizeExpr::Kind::Sub, "one less")}) {
        Mutant grid{std::string(what) + " block on axis " + std::to_string(axis), m_text, m_kernel.contract};
        if (!grid.contract.grid[axis])
          continue;
        grid.contract.grid[axis] =
            ir::sizeBinary(ir::SizeExpr::Kind::Max, ir::sizeConstant(1),
                           ir::sizeBinary(kind, grid.contract.grid[axis], ir::sizeConstant(1)));
        m_mutants.push_back(std::move(grid));
      }
    for (size_t i = 0; i < m_kernel.contract.buffers.size(); ++i) {
      Mutant shorter{"shorter " + m_kernel.contract.buffers[i].parameter, m_text, m_kernel.contract};
      ir::BufferContract& buffer = shorter.contract.buffers[i];
      buffer.length =
          ir::sizeBinary(ir::SizeExpr::Kind::Max, ir::sizeConstant(0),
                         ir::sizeBinary(ir::SizeExpr::Kind::Sub, buffer.length, ir::sizeConstant(1)));
      m_mutants.push_back(std::move(shorter));
      Mutant longer{"longer " + m_kernel.contract.buffers[i].parameter, m_text, m_kernel.contract};
      ir::BufferContract& more = longer.contract.buffers[i];
      more.length = ir::sizeBinary(ir::SizeExpr::Kind::Add, more.length, ir::sizeConstant(1));
      m_mutants.push_back(std::move(longer));
    }
  }

  const KnownKernel& m_kernel;
  const std::string& m_text;
  size_t m_body = 0;
  std::vector<Mutant> m_mutants;
};

/// What goes wrong in runs at small sizes, in several schedules, on several contents: no proof is involved.
std::set<std::string> seenInRuns(const ir::Module& module, const ir::LaunchContract& contract) {
  std::set<std::string> kinds;
  const Replay replay(module, module.kernels[0], contract, false,
                      StopToken().withTimeout(std::chrono::seconds(5)));
  for (const std::map<std::string, int64_t>& sizes : replay.smallSizes(30))
    for (const Contents contents : {Contents::Small, Contents::Zeros, Contents::Wild})
      for (const ir::Schedule& schedule : {ir::Schedule{}, ir::Schedule{ir::Schedule::Kind::Backward, 0},
                                           ir::Schedule{ir::Schedule::Kind::Random, 3}})
        if (const auto run = replay.run(sizes, {}, {}, contents, schedule))
          for (const ir::RunFinding& finding : run->findings)
            kinds.insert(std::string(ir::name(finding.kind)));
  return kinds;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

struct Tally {
  int judged = 0, wrong = 0, misbehaving = 0, refused = 0, harmless = 0, accepted = 0;
};

void judge(const KnownKernel& known, const Mutant& mutant, Tally& tally) {
  const Expected<cuda::ImportedCuda> imported = importText(mutant.source);
  if (!imported || !imported->errors.empty() || imported->module.kernels.size() != 1 ||
      imported->module.kernels[0].function < 0)
    return;
  const Expected<GateReport> report = gateText(mutant.source, mutant.contract);
  if (!report)
    return; // no sizes satisfy the changed contract
  const std::set<std::string> seen = seenInRuns(imported->module, mutant.contract);
  const bool isWrong = !seen.empty() || report->status == GateStatus::Refused;
  ++tally.judged;
  if (isWrong) {
    ++tally.misbehaving;
    tally.refused += report->status == GateStatus::Refused ? 1 : 0;
  } else {
    ++tally.harmless;
    tally.accepted += report->status == GateStatus::Accepted ? 1 : 0;
  }
  const bool wrong = !seen.empty() && report->status == GateStatus::Accepted;
  tally.wrong += wrong ? 1 : 0;
  EXPECT_FALSE(wrong) << known.name << ", " << mutant.what << " was accepted, but runs show " << joined(seen)
                      << "\n"
                      << mutant.source;
  if (std::getenv("PLUMBLINE_MUTANTS_VERBOSE") != nullptr &&
      (isWrong ? report->status != GateStatus::Refused : report->status != GateStatus::Accepted))
    std::cout << known.name << ", " << mutant.what << ": " << name(report->status) << ", " << report->reason
              << "; runs: " << joined(seen) << "\n";
}

TEST(GridMutants, NoneThatMisbehavesIsAccepted) {
  const char* chosen = std::getenv("PLUMBLINE_MUTANTS");
  const size_t stride = chosen != nullptr && std::string(chosen) == "all" ? 1 : 6;
  Tally tally;
  size_t number = 0;
  for (const KnownKernel& known : knownKernels()) {
    if (!known.faults.empty())
      continue;
    for (const Mutant& mutant : Mutator(known).all())
      if (number++ % stride == 0)
        judge(known, mutant, tally);
  }
  std::cout << "mutants: " << number << ", judged " << tally.judged << ": " << tally.misbehaving
            << " misbehave, of which " << tally.refused << " refused; " << tally.harmless
            << " harmless, of which " << tally.accepted << " accepted; " << tally.wrong
            << " wrongly accepted\n";
  EXPECT_GT(tally.misbehaving, 40);
  EXPECT_GT(tally.harmless, 10);
  EXPECT_GE(tally.refused * 100, tally.misbehaving * 95);
  EXPECT_GE(tally.accepted * 100, tally.harmless * 90);
}

} // namespace
} // namespace plumbline::gate::grid

// What an arbitrary thread of a kernel reads and writes, between which barriers, in terms of its place in the
// grid, of sizes and of loop counters.
#pragma once

#include "core/gate/grid/launch_terms.h"
#include "core/gate/vercors/pointers.h"

#include <map>
#include <set>

namespace plumbline::gate::vercors {

/// One export: the launch as terms, and a prover that knows what the launch promises. It asks no solver.
class Setting {
public:
  /// Throws Refused.
  Setting(const ir::Module& module, const ir::Kernel& kernel, const ir::LaunchContract& contract);

  const ir::Function& function() const { return module.functions[static_cast<size_t>(kernel.function)]; }
  /// Whether the goal follows; false means nothing.
  bool proves(const std::vector<logic::TermId>& hypotheses, logic::TermId goal);

  const ir::Module& module;
  const ir::Kernel& kernel;
  const ir::LaunchContract& contract;
  logic::TermStore store;
  grid::SymbolTable symbols;
  ArithmeticProver prover;
  ArithmeticProver rangesOnly; ///< knows less, which is often enough and found sooner
  grid::SymbolicLaunch launch;
  std::map<int, logic::TermId> scalars; ///< integer parameters by local
};

/// A value for each local that has one: Int and Bool values, and offsets of pointers.
using Environment = std::map<int, logic::TermId>;

/// How the counter of a loop goes from one turn to the next.
enum class Course : uint8_t {
  None,   ///< no counter was found
  Up,     ///< + step
  Down,   ///< - step
  Shrink, ///< / step, from a start that is not negative
  Grow,   ///< * step, from a start that is positive
};

struct Loop {
  ir::StmtId stmt = ir::StmtId::None;
  Course course = Course::None;
  int counter = -1;         ///< local
  logic::TermId variable{}; ///< its value at the head
  logic::TermId start{};
  logic::TermId step{};
  logic::TermId turn{};      ///< Up, Down: how many turns lie behind
  logic::TermId condition{}; ///< at the head
  bool uniform = false;      ///< all threads of a block have one counter
  bool hasBarrier = false;
  Environment head;                     ///< at the head, of every turn
  std::vector<logic::TermId> range;     ///< of the counter, as VerCors is told
  std::vector<logic::TermId> facts;     ///< the same for our prover
  std::optional<logic::TermId> measure; ///< that every turn decreases
  std::optional<logic::TermId> end;     ///< of the range, where the condition has one
  int region = -1;                      ///< that the thread comes to the head in
};

/// A stretch between barriers. It starts at the start of the kernel, after a barrier, or at the head of a
/// loop that has barriers.
struct Region {
  ir::StmtId start = ir::StmtId::None;
  SourceRange where;
  std::vector<logic::TermId> known; ///< true of every thread that comes here
  Environment environment;
  std::vector<int> loops; ///< around the start, and of Head its own
  int head = -1;          ///< of the start of a loop: that loop
  /// The loop to whose head the thread comes from here without a barrier, with its counter then.
  int flowsTo = -1;
  std::optional<logic::TermId> arrival;
  bool isTail = false; ///< from inside that loop
};

struct Access {
  int object = -1;
  bool write = false;
  logic::TermId cell{};
  std::vector<logic::TermId> guard; ///< conjunction
  std::vector<int> loops;           ///< around it, outermost first
  int region = -1;
  SourceRange where;
};

struct Meeting { ///< a barrier
  ir::StmtId stmt = ir::StmtId::None;
  int before = -1;
  int after = -1;
  SourceRange where;
  Environment environment;
};

struct Walk {
  std::vector<Access> accesses;
  std::vector<Region> regions; ///< 0: from the start
  std::vector<Loop> loops;
  std::vector<Meeting> meetings;
  std::set<int> bitExprs; ///< operations on bits that are exact as / * %: what is negative has been excluded
  std::set<logic::TermId> unknowns;
};

/// Throws Refused.
Walk walk(Setting& setting);

} // namespace plumbline::gate::vercors

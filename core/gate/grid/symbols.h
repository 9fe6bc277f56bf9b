// The symbols of a symbolic grid: sizes, coordinates, loop counters and unknown values, with what is known of
// each and with the threads that agree on it.
#pragma once

#include "core/logic/term.h"
#include "core/vc/int_normal.h"

#include <map>
#include <set>

namespace plumbline::gate::grid {

/// Which threads see one value: all of the grid, those of a block, those of a warp, or each its own.
enum class Level : uint8_t { Grid, Block, Warp, Thread };

inline Level join(Level a, Level b) {
  return a < b ? b : a;
}

/// No loop.
inline constexpr int outside = -1;

/// A loop that is described by one iteration with a symbolic number.
struct LoopInfo {
  int parent = outside;        ///< the enclosing such loop
  Level level = Level::Thread; ///< the threads that go through its iterations together
  logic::TermId counter{};     ///< Int: iterations completed before this one
};

/// Owned by one gate run. Facts about a variable join every question that mentions it.
class SymbolTable {
public:
  explicit SymbolTable(logic::TermStore& store) : m_store(store) {}

  /// A variable that threads of `level` agree on, in an iteration of `loop`.
  logic::TermId make(logic::Sort sort, const std::string& name, Level level, int loop,
                     vc::Bounds bounds = {});
  void addFact(logic::TermId variable, logic::TermId fact);

  int addLoop(LoopInfo loop);
  void setCounter(int loop, logic::TermId counter) { m_loops[static_cast<size_t>(loop)].counter = counter; }
  const LoopInfo& loop(int index) const { return m_loops[static_cast<size_t>(index)]; }
  /// Whether `inner` is `outer` or lies in it.
  bool isWithin(int inner, int outer) const;

  /// The threads that agree on the value of a term.
  Level levelOf(logic::TermId term);
  /// Whether a symbol of an iteration of `loop`, or of a loop in it, occurs.
  bool dependsOn(logic::TermId term, int loop);

  /// Facts of all variables of the terms, and of the variables in these facts.
  std::vector<logic::TermId> factsFor(std::span<const logic::TermId> terms);

  /// Contents of a read-only array are the same for everybody: the range of its elements.
  void setElementRange(const std::string& array, vc::Bounds range) { m_elementRanges[array] = range; }

  /// How a second thread is related to the first one.
  struct Relation {
    bool sameBlock = false;
    bool sameWarp = false;
    bool sameThread = false; ///< one thread at two places
    /// Loops in whose same iteration both are. Only loops that both go through together may stand here.
    std::set<int> sameIteration;
  };
  /// Variables of the second thread, by the first one's. `terms`: what is going to be renamed.
  std::unordered_map<logic::TermId, logic::TermId> secondThread(std::span<const logic::TermId> terms,
                                                                const Relation& relation);
  /// A new variable like this one, with bounds of its own, but without its facts.
  logic::TermId copyOf(logic::TermId variable, const std::string& name);
  /// A coordinate or a loop counter, whose value a thread can be chosen to have.
  bool isChoice(logic::TermId variable) const;

  const std::map<std::string, vc::Bounds>& bounds() const { return m_bounds; }
  /// Name of the variable that stands for `variable` in the second thread.
  static std::string secondName(const std::string& name) { return name + "'"; }

private:
  struct Info {
    Level level = Level::Grid;
    int loop = outside;
    std::vector<logic::TermId> facts;
  };
  bool isShared(const Info& info, const Relation& relation) const;
  std::vector<logic::TermId> variablesOf(std::span<const logic::TermId> terms);
  const Info& infoOf(logic::TermId variable) const;

  logic::TermStore& m_store;
  std::map<logic::TermId, Info> m_info;
  std::map<std::string, vc::Bounds> m_bounds;
  std::map<std::string, vc::Bounds> m_elementRanges;
  std::vector<LoopInfo> m_loops;
  std::unordered_map<logic::TermId, Level> m_levels;
};

} // namespace plumbline::gate::grid

// Who may touch which cells of an array, from one barrier to the next.
#pragma once

#include "core/gate/vercors/term_text.h"

namespace plumbline::gate::vercors {

/// Cells of one array, of an arbitrary thread.
struct Clause {
  logic::TermId cell{};
  std::vector<int> loops;           ///< whose counters range over all their values
  std::vector<logic::TermId> guard; ///< conjunction
  bool write = false;
  bool everybody = false; ///< the same cells for all threads: each has an equal share of them
  bool weakened = false;  ///< the guard leaves out a condition that has no text
  SourceRange where;
};

/// Of one array. Together the threads never have more than one whole permission for a cell.
struct State {
  enum class Kind : uint8_t {
    Absent, ///< never touched again
    Shares, ///< every thread an equal share of every cell
    Cells,
  };
  Kind kind = Kind::Absent;
  std::vector<Clause> clauses;     ///< Cells
  std::vector<logic::TermId> kept; ///< what the first thread keeps: a cell for which none of these holds
  bool keepsRest = false;
};

/// The state of every array in every region, proved to be one that all threads can have together. What the
/// barrier before it collects is enough for it. Throws Refused.
class States {
public:
  States(Setting& setting, const Walk& walk, const SizeText& sizes, const std::vector<std::string>& locals);

  /// Kernel-wide, of a parameter. Absent when it is not touched.
  const State& ofParameter(int object) const { return m_global.at(object); }
  /// From the start of the region, over the variables of `root`.
  const State& ofRegion(int region, int object) const { return m_states.at({rootOf(region), object}); }
  /// A term of such a state over the values at the start of the region.
  logic::TermId atRegion(int region, logic::TermId term);
  /// Elements of an array of a block.
  logic::TermId lengthOf(int object);
  /// The variable of State::kept.
  logic::TermId cellVariable();
  const std::vector<int>& sharedObjects() const { return m_shared; }

private:
  using TermId = logic::TermId;

  /// What is asked about: one kernel-wide state, or one region's.
  struct Scope {
    int root = -1; ///< -1: kernel-wide
    int object = -1;
  };

  int rootOf(int region) const;
  int headRegion(int loop) const;
  State kernelWide(int object);
  State inRegion(int root, int object);
  bool isLive(int root, int object) const;
  bool endsCounter(const Loop& loop, TermId condition) const;
  std::optional<Clause> clauseOf(const Scope& scope, const Access& access, TermText& text);
  std::optional<TermId> atRoot(const Scope& scope, const Access& access, TermId term);
  void addClause(std::vector<Clause>& clauses, Clause clause);
  void alignLoops(const Clause& other, Clause& clause);
  void separate(const Scope& scope, State& state);
  bool apart(const Scope& scope, const Clause& a, const Clause& b, bool sameThread);
  bool apartIn(const Scope& scope, const Clause& a, const Clause& b, bool sameThread, bool sameBlock);
  bool inBounds(const Scope& scope, const Clause& clause);
  void shareIfEqual(Clause& clause) const;
  bool dependsOnThread(TermId term) const;
  std::vector<TermId> factsOf(const Scope& scope, const Clause& clause) const;
  std::unordered_map<TermId, TermId> renamed(const std::vector<TermId>& terms, bool sameThread,
                                             bool sameBlock, const std::set<int>& quantified);
  std::vector<TermId> withoutTurns(const std::vector<TermId>& facts) const;
  std::optional<TermId> turnsApart(int left, int right, const std::unordered_map<TermId, TermId>& other);
  TermId otherThread(bool sameBlock);
  void conserve();
  bool conserves(const Meeting& meeting, int object);
  bool covers(const Meeting& meeting, int object, std::vector<TermId> facts, TermId cell);
  void keepRest(int root, int object, const Meeting& meeting);
  std::optional<TermId> claim(const Scope& scope, const Clause& clause);
  using Values = std::unordered_map<TermId, TermId>; ///< of coordinates and counters
  std::vector<Values> inverses(const Clause& clause);
  Values coordinatesOf(TermId distance, bool twoAxes);
  void pin(const Clause& clause, Values& values);
  TermId without(TermId term, const Clause& clause);
  bool isInverse(const Scope& scope, const Clause& clause, const Values& values);
  std::vector<TermId> axes();
  [[noreturn]] void refuseState(const Scope& scope, const std::string& why, const SourceRange& where) const;

  Setting& m_setting;
  logic::TermStore& m_store;
  const Walk& m_walk;
  const SizeText& m_sizes;
  const std::vector<std::string>& m_locals;
  Objects m_objects;
  std::vector<int> m_shared;
  std::map<int, State> m_global;
  std::map<std::pair<int, int>, State> m_states; ///< by root and object
};

} // namespace plumbline::gate::vercors

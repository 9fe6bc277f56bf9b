// From what the threads of a grid do, what must be proved; and asking for it.
#pragma once

#include "core/gate/arithmetic/arithmetic_prover.h"
#include "core/gate/grid/launch_terms.h"
#include "core/gate/grid/skeleton.h"
#include "core/gate/grid/witness.h"

#include <chrono>
#include <functional>
#include <set>

namespace plumbline::gate::grid {

/// One obligation with its answer.
struct Answer {
  std::string kind; ///< of the finding that a counterexample is: "race-block", "out-of-bounds", ...; "" when
                    ///< no finding of the interpreter can show it
  std::string name; ///< for the report: "bounds: read of x"
  SourceRange where;
  SourceRange otherWhere; ///< races: the other access
  IndexProof proof;
  bool twoThreads = false; ///< the model has a second thread, under SymbolTable::secondName

  bool proved() const { return proof.status == ProofStatus::Proved && !proof.conflict; }
};

/// The obligation that all of a buffer is written, by the buffer's parameter; and back: empty for another
/// one.
std::string completeObligation(const std::string& parameter);
std::string completeParameter(const std::string& obligation);

/// Asks about a program. One run, one thread.
class Obligations {
public:
  Obligations(logic::TermStore& store, SymbolTable& symbols, ArithmeticProver& prover, const Program& program,
              const SymbolicLaunch& launch, std::chrono::steady_clock::time_point deadline,
              const StopToken& stop);

  /// Kinds of findings that a run has shown: obligations that only such a finding can fail are not asked
  /// about.
  void setShown(std::set<std::string> kinds) { m_shown = std::move(kinds); }

  /// Called with each counterexample. A deadline in return says that a run has shown its kind of fault: the
  /// kind is not asked about any more, and the rest has until then.
  using Refuted = std::function<std::optional<std::chrono::steady_clock::time_point>(const Answer&)>;
  void onRefuted(Refuted handler) { m_refuted = std::move(handler); }

  /// All of them, in the order of safety: what the later ones rely on comes first.
  std::vector<Answer> all();

private:
  using TermId = logic::TermId;

  struct Site { ///< accesses that are asked about as one
    Access access;
    size_t order = 0; ///< in program order
  };

  bool isLate() const;
  void mergeLanes();
  bool continues(const Access& last, const Access& access);
  void requirements();
  void bounds();
  void alignment();
  void agreements();
  void races();
  void raceOf(const Site& a, const Site& b);
  struct Pair {
    const Access& a;
    const Access& b;
    SymbolTable::Relation relation;
    Steps steps;
    std::vector<TermId> hypotheses{};
  };
  void raceIn(Pair pair, const char* kind);
  std::set<Steps> meetings(int from, int to, bool stopAtWarps);
  void askBlock(const Access& a, const Access& b);
  void askGrid(const Access& a, const Access& b);
  void initialised();
  void complete();

  /// How a write is related to the read that needs it.
  enum class Order : uint8_t {
    Own,             ///< by the same thread, earlier in its program
    Earlier,         ///< a barrier of the block lies between
    EarlierInWarp,   ///< a barrier of the warp lies between: orders the lanes of one warp
    Racing,          ///< nothing lies between: counts only for another thread, which then races with the read
    RacingOtherWarp, ///< the same, for a thread of another warp
  };
  struct Writer {
    const Site* site;
    Order order = Order::Earlier;
  };
  struct Need { ///< an element that must have been written
    TermId target{};
    TermId guard{};
    const Site* read = nullptr; ///< null: at the end of the kernel
    Object::Space space = Object::Space::Global;
  };
  std::optional<std::pair<TermId, std::vector<TermId>>> writtenBy(const Writer& writer, const Need& need);
  TermId digitwise(const std::vector<TermId>& hypotheses, TermId goal, int depth);
  static std::vector<TermId> commonFactors(const vc::Polynomial& a, const vc::Polynomial& b);
  std::pair<TermId, TermId> splitBy(const vc::Polynomial& polynomial, TermId factor);
  bool distinctByEnumeration(const Access& a, const Access& b);
  std::optional<std::vector<int64_t>> byThread(TermId term);
  std::optional<TermId> byEnumeration(const Site& site, TermId target);
  std::vector<Writer> writersBefore(const Site& read);
  bool meet(const Access& a, const Access& b, bool stopAtWarps);
  TermId orderHolds(Order order, const std::array<TermId, 3>& reader, const std::array<TermId, 3>& writer);
  Answer askWritten(const Need& need, const std::vector<Writer>& writers, Answer answer);

  TermId disjoint(const Access& a, TermId offsetA, const Access& b, TermId offsetB);
  std::optional<TermId> divided(TermId bytes, int64_t by);
  TermId index(const Access& access, int64_t& width);
  Answer ask(Answer answer, std::vector<TermId> hypotheses, TermId goal);
  void add(Answer answer) { m_answers.push_back(std::move(answer)); }
  TermId differ(const std::array<TermId, 3>& a, const std::array<TermId, 3>& b);
  std::array<TermId, 3> coordinates(const char* object, const std::array<TermId, 3>& extents);
  TermId warpOf(const std::array<TermId, 3>& thread);

  logic::TermStore& m_store;
  SymbolTable& m_symbols;
  ArithmeticProver& m_prover;
  const Program& m_program;
  const SymbolicLaunch& m_launch;
  std::chrono::steady_clock::time_point m_deadline; ///< later, nothing is asked
  const StopToken& m_stop;
  std::set<std::string> m_shown;
  Refuted m_refuted;
  Skeleton m_skeleton;
  std::vector<Site> m_sites;
  std::vector<Answer> m_answers;
  std::map<std::pair<TermId, std::vector<TermId>>, IndexProof> m_asked;
  int m_copies = 0;
};

} // namespace plumbline::gate::grid

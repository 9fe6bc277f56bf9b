// The cases of one goal: assertions that must contradict each other, split until they do.
#pragma once

#include "core/engine/normalise.h"
#include "core/goals/settle.h"

#include <set>

namespace plumbline::goals {

/// Values that a case which could not be closed has: a candidate, by the names of terms.
struct CaseModel {
  std::map<std::string, int64_t> numbers; ///< Int and Bool variables, "y.size" among them
  std::map<std::string, std::map<int64_t, int64_t>> integerLoads;
  struct FloatLoad {
    std::string array;
    logic::TermId index{};
    uint64_t bits = 0;
  };
  std::vector<FloatLoad> floatLoads;
  std::map<std::string, uint64_t> floats; ///< variables
};

/// Called with each case that is left open, while its terms are at hand; true: the search may end.
using OnOpenCase = std::function<bool(const CaseModel&)>;

class Tableau {
public:
  Tableau(logic::TermStore& store, Lowering& lowering, const Engines& engines, const Limits& limits,
          const StopToken& stop);

  /// An assertion; what of it is integer arithmetic goes to the prover as well.
  void assume(logic::TermId hypothesis);
  gate::ArithmeticProver& prover() { return m_prover; }
  /// Facts about variables that lowering made since the last call.
  void takeFacts();

  /// Whether the assertions contradict the negation of the goal. What is left goes to `result`.
  bool refutes(logic::TermId negatedGoal, Settled& result, const OnOpenCase& onOpen);

private:
  struct Clause {
    logic::TermId term{};
    bool isGoal = false;
  };
  using Known = std::unordered_map<logic::TermId, logic::TermId>;
  /// One case.
  struct Node {
    std::vector<logic::TermId> facts; ///< literals that the prover is told of
    std::vector<Clause> clauses;
    std::vector<logic::TermId> literals; ///< over floats
    Known known; ///< atoms with their truth, loads and variables with what they are equal to
    std::set<std::pair<logic::TermId, logic::TermId>> instances; ///< flag and value
    std::map<logic::TermId, size_t> tried;                       ///< with that many facts
    std::set<logic::TermId> proved;                              ///< equations that were asked in full
    std::vector<std::string> path;
    size_t rounds = 0;
  };
  enum class Step : uint8_t { Stuck, Progress, Contradiction };

  bool refute(Node node);
  Step simplify(Node& node);
  bool learn(Node& node, logic::TermId literal);
  void define(logic::TermId equation, Known& known);
  logic::TermId replaced(logic::TermId term, const Known& known);
  bool contradictory(Node& node);
  Step decideIntegers(Node& node);
  std::optional<bool> decided(Node& node, logic::TermId atom);
  bool mergeLoads(Node& node);
  bool mergeLoadsByProof(Node& node);
  std::vector<std::pair<logic::TermId, logic::TermId>> pairsOfLoads(const Node& node);
  bool sameIndex(Node& node, logic::TermId a, logic::TermId b);
  bool instantiate(Node& node);
  std::vector<logic::TermId> candidates(const Quantified& quantified, const Node& node);
  bool split(Node& node, logic::TermId atom);
  std::optional<logic::TermId> pendingAtom(const Node& node, bool goalOnly);
  std::vector<logic::TermId> pendingAtoms(const Node& node, bool goalOnly);
  logic::TermId normalAtom(logic::TermId atom);
  bool closedByNormalForm(const Node& node);
  bool closeLeaf(Node& node, CaseModel& model);
  bool closeFloats(const Node& node, CaseModel& model);
  bool askSolvers(const std::vector<logic::TermId>& literals, std::chrono::milliseconds limit,
                  CaseModel& model);
  bool sweep(const std::vector<logic::TermId>& literals);
  bool findFloats(const std::vector<logic::TermId>& literals, CaseModel& model);
  void keepFloat(CaseModel& model, logic::TermId variable, uint64_t bits) const;
  std::vector<logic::TermId> abstracted(const std::vector<logic::TermId>& literals);
  void leaveOpen(const Node& node, const CaseModel& model);
  void closed(const std::string& engine, double timeMs, std::string artefact = {});
  bool isFlag(logic::TermId atom) const;
  bool isFloatAtom(logic::TermId atom) const;
  bool exhausted() const;

  struct Pattern {
    logic::TermId placeholder{};
    std::vector<logic::TermId> terms; ///< loads and unknown functions over the placeholder
    bool isReady = false;
  };
  void collectPatterns(const Quantified& quantified, Pattern& pattern, int depth);
  std::optional<logic::TermId> matched(logic::TermId pattern, logic::TermId ground,
                                       logic::TermId placeholder);

  logic::TermStore& m_store;
  Lowering& m_lowering;
  const Engines& m_engines;
  const Limits& m_limits;
  const StopToken& m_stop;
  gate::ArithmeticProver m_prover;
  engine::Normaliser m_normalise;
  std::vector<Clause> m_clauses;       ///< hypotheses that are more than integer arithmetic
  std::vector<logic::TermId> m_ground; ///< loads in the other hypotheses
  Known m_defined;                     ///< what equations among the hypotheses define
  size_t m_factsTaken = 0;
  size_t m_arrayFactsTaken = 0;
  std::map<logic::TermId, Pattern> m_patterns;                                ///< by flag
  std::map<logic::TermId, std::tuple<std::string, logic::TermId>> m_abstract; ///< variables for loads
  std::unordered_map<logic::TermId, logic::TermId> m_abstraction;
  size_t m_cases = 0;
  size_t m_instances = 0;
  bool m_ended = false;
  Settled* m_result = nullptr;
  const OnOpenCase* m_onOpen = nullptr;
};

} // namespace plumbline::goals

// Proving facts about sizes and thread coordinates: interval arithmetic first, then the solvers.
#pragma once

#include "core/engine/portfolio.h"
#include "core/gate/arithmetic/index_proof.h"
#include "core/gate/problem.h"

namespace plumbline::gate {

/// Proves guard -> goal for all integers that satisfy the facts. Float conditions inside are taken as free
/// Booleans, the same condition as the same Boolean (sound for proving; a model may then be spurious and is
/// replayed by the caller).
class IndexProver {
public:
  /// `portfolio` may be null (no solver): only intervals are used then.
  IndexProver(logic::TermStore& store, engine::Portfolio* portfolio, std::map<std::string, vc::Bounds> bounds,
              std::vector<logic::TermId> facts)
      : m_store(store), m_portfolio(portfolio), m_bounds(std::move(bounds)), m_facts(std::move(facts)) {}

  /// Time for each solver and query.
  void setLimit(std::chrono::milliseconds limit) { m_limit = limit; }

  IndexProof prove(logic::TermId guard, logic::TermId goal, const StopToken& stop);
  /// The conjunction of guard_k -> goal_k in one query.
  IndexProof proveAll(std::span<const std::pair<logic::TermId, logic::TermId>> obligations,
                      const StopToken& stop);

  /// Whether intervals (and the conjuncts of the guard) settle it.
  bool quick(logic::TermId guard, logic::TermId goal);

private:
  bool quickAtom(const std::vector<logic::TermId>& conjuncts, logic::TermId goal);
  IndexProof ask(logic::TermId negated, const StopToken& stop);
  IndexProof askPortfolio(const std::vector<logic::TermId>& assertions, const StopToken& stop);
  std::vector<logic::TermId> relevantFacts(logic::TermId negated);
  void readModel(IndexProof& proof, const engine::SmtQuery& query, const engine::PortfolioResult& result);
  logic::TermId abstractFloats(logic::TermId root, std::vector<logic::TermId>& bounds);
  void collectConjuncts(logic::TermId term, std::vector<logic::TermId>& into);

  logic::TermStore& m_store;
  engine::Portfolio* m_portfolio;
  std::map<std::string, vc::Bounds> m_bounds;
  std::vector<logic::TermId> m_facts;
  std::chrono::milliseconds m_limit{5000};
};

} // namespace plumbline::gate

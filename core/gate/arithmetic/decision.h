// The prover's own decision: case splits over linear arithmetic, with lemmas about products.
#pragma once

#include "core/gate/arithmetic/evaluate.h"
#include "core/gate/arithmetic/lemmas.h"
#include "core/gate/arithmetic/query.h"
#include "core/gate/arithmetic/simplex.h"

namespace plumbline::gate {

struct DecisionLimits {
  size_t checks = 3000;  ///< linear problems
  size_t products = 120; ///< multiplied facts
  size_t rounds = 6;     ///< of lemmas
  bool lemmas = true;
  size_t work = 4000000; ///< coefficients touched by linear arithmetic: some tens of milliseconds
};

/// Looks for a contradiction in a query. It proves or gives up; it never finds a counterexample.
class Decision {
public:
  Decision(ArithmeticQuery& query, DecisionLimits limits)
      : m_query(query), m_limits(limits), m_simplex(limits.work) {}

  /// Whether the query has no solution.
  bool refutes();
  /// Whether a lemma about products was at hand when the contradiction was found.
  bool usedLemmas() const { return m_usedLemmas; }
  /// Values of atoms and Bool variables at the places where it gave up; most are no solutions.
  const std::vector<VariableValues>& candidates() const { return m_candidates; }

private:
  using Clause = std::vector<FormulaId>;
  struct Mark {
    size_t facts = 0;
    size_t choices = 0;
  };

  bool refute(std::vector<Clause> clauses, bool root);
  bool narrow(std::vector<Clause>& clauses, bool& contradiction);
  bool possible(FormulaId part);
  bool require(FormulaId id, std::vector<Clause>& clauses);
  bool require(const Literal& literal, std::vector<Clause>& clauses);
  bool consistent();
  void keepCandidate();
  Mark push();
  void pop(const Mark& mark);

  void startLemmas();
  bool addLemmas(bool& learned);
  void addMonomialBounds();
  void addDivisors();
  bool addProducts();
  bool applySplits();
  bool applySplitsOf(const Literal& fact);
  std::vector<Literal> combinedEquations() const;
  bool applySplit(const SignSplit& split);
  bool impossible(Literal::Kind kind, const std::optional<Polynomial>& p, const Monomial& factor);
  bool implied(const Literal& fact);
  void learn(Literal::Kind kind, const std::optional<Polynomial>& p, const Monomial& factor);
  void learnOne(Literal::Kind kind, const Polynomial& p);
  AtomBounds atomBounds() const;

  ArithmeticQuery& m_query;
  DecisionLimits m_limits;
  Simplex m_simplex;
  std::vector<Literal> m_facts;
  std::vector<logic::TermId> m_chosen; ///< Bool variables with a value, latest last
  std::unordered_map<logic::TermId, bool> m_values;
  std::set<Monomial> m_known;
  std::set<std::pair<Monomial, Monomial>> m_divisors; ///< products and their divisors that are compared
  AtomBounds m_bounds;                                ///< while saturating
  std::set<SignSplit> m_tried;                        ///< in the present round
  std::vector<VariableValues> m_candidates;
  size_t m_checks = 0;
  size_t m_products = 0;
  bool m_usedLemmas = false;
};

} // namespace plumbline::gate

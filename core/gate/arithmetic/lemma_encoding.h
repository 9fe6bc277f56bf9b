// A query for the solvers in which every product is an unknown of its own, with lemmas that say what it is.
#pragma once

#include "core/gate/arithmetic/query.h"

#include <unordered_set>

namespace plumbline::gate {

/// Makes Bool terms without products of unknowns. Whatever solves the query solves them as well, so that
/// unsat proves; sat proves nothing.
class LemmaEncoding {
public:
  explicit LemmaEncoding(logic::TermStore& store) : m_store(store) {}

  std::vector<logic::TermId> assertions(const ArithmeticQuery& query);

  /// What stands for a product of atoms.
  const std::map<Monomial, logic::TermId>& products() const { return m_unknowns; }
  /// The Bool variables for the bits of a number, the lowest first, by the terms of its polynomial.
  const std::map<std::map<Monomial, int64_t>, std::vector<logic::TermId>>& bits() const { return m_bits; }

private:
  logic::TermId unknown(const Monomial& monomial);
  logic::TermId sum(const Polynomial& p);
  logic::TermId literal(const Literal& literal);
  logic::TermId formula(const Formulas& formulas, FormulaId id);
  logic::TermId atLeastZero(const Polynomial& p);
  void collectLiterals(const Formulas& formulas, FormulaId id);
  void addProducts(const ArithmeticQuery& query);
  void addSplits(const ArithmeticQuery& query);
  void addBits(const ArithmeticQuery& query);
  std::vector<logic::TermId> bitsOf(const Polynomial& p, size_t count);
  logic::TermId number(const std::vector<logic::TermId>& bits);

  logic::TermStore& m_store;
  std::map<Monomial, logic::TermId> m_unknowns; ///< kept, so that queries look alike
  std::vector<logic::TermId> m_bitPool;         ///< Bool variables, used anew in each query
  size_t m_usedBits = 0;
  std::map<std::map<Monomial, int64_t>, std::vector<logic::TermId>> m_bits; ///< of the present query
  std::unordered_map<FormulaId, logic::TermId> m_terms;                     ///< of the query's formulas
  std::unordered_set<FormulaId> m_collected;
  std::vector<Literal> m_conditional; ///< literals within clauses
  std::vector<logic::TermId> m_assertions;
};

} // namespace plumbline::gate

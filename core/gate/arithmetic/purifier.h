// From terms to conditions on polynomials: quotients, choices and bit operations become atoms with
// definitions.
#pragma once

#include "core/gate/arithmetic/formula.h"
#include "core/gate/arithmetic/integer_part.h"

namespace plumbline::gate {

/// The atoms for dividend / divisor and dividend % divisor.
struct DivisionAtoms {
  Polynomial dividend;
  Polynomial divisor;
  logic::TermId quotient{};
  logic::TermId remainder{};
};

/// An Int atom that is one of two values.
struct ChoiceAtom {
  FormulaId condition{};
  FormulaId otherwise{};
  Polynomial whenTrue;
  Polynomial whenFalse;
};

struct BitAtom {
  BitOperation operation = BitOperation::None;
  Polynomial left;
  Polynomial right;
};

/// Of `left & (2^k - 1)`: 2^k.
std::optional<int64_t> lowMaskModulus(const BitAtom& bits);

/// Translates terms that IntegerPart made. Keeps what it has translated, so that a term costs once. The atoms
/// and Bool variables that it invents are ordinary variables of the store; what is true of them is not part
/// of the formulas and is read from the definitions.
class Purifier {
public:
  explicit Purifier(logic::TermStore& store) : m_store(store) {}

  Polynomial integer(logic::TermId id);
  FormulaId formula(logic::TermId id, bool positive);

  const logic::TermStore& store() const { return m_store; }
  Formulas& formulas() { return m_formulas; }
  const Formulas& formulas() const { return m_formulas; }
  /// What holds of an invented atom whatever the values: a case split for quotients, choices and bit
  /// operations, true for others.
  FormulaId definition(logic::TermId atom);
  /// The remainder by `lowMaskModulus`.
  Polynomial lowBits(const BitAtom& bits) {
    return divided(bits.left, constantPolynomial(lowMaskModulus(bits).value_or(1)), true);
  }
  const DivisionAtoms* division(logic::TermId atom) const;
  const ChoiceAtom* choice(logic::TermId atom) const;
  const BitAtom* bits(logic::TermId atom) const;
  /// The order in which an atom was invented; nothing for a variable of the terms. Definitions use earlier
  /// atoms only.
  std::optional<size_t> age(logic::TermId atom) const;

private:
  struct Polarities {
    FormulaId positive{};
    FormulaId negative{};
  };

  void translate(logic::TermId root);
  Polynomial translateInteger(logic::TermId id);
  Polarities translateBool(logic::TermId id);
  Polarities comparison(logic::TermId id);
  Polarities literal(Literal literal);
  Polarities wideComparison(const Polynomial& variables, __int128 constant);
  Polarities choiceOf(const Polarities& condition, const Polarities& a, const Polarities& b);
  Polynomial divided(const Polynomial& dividend, const Polynomial& divisor, bool remainder);
  Polynomial bitwise(BitOperation operation, const Polynomial& left, const Polynomial& right);
  logic::TermId invent(logic::Sort sort, const std::string& kind);
  FormulaId variable(logic::TermId id, bool positive);
  FormulaId divisionDefinition(const DivisionAtoms& atoms);
  FormulaId divisionCase(const DivisionAtoms& atoms, int dividendSign, int divisorSign);
  FormulaId choiceDefinition(logic::TermId atom, const ChoiceAtom& choice);
  FormulaId bitDefinition(logic::TermId atom, const BitAtom& bits);

  logic::TermStore& m_store;
  Formulas m_formulas;
  std::unordered_map<logic::TermId, Polynomial> m_integers;
  std::unordered_map<logic::TermId, Polarities> m_bools;
  std::unordered_map<logic::TermId, size_t> m_ages;
  std::unordered_map<logic::TermId, DivisionAtoms> m_divisions; ///< under both atoms
  std::unordered_map<logic::TermId, ChoiceAtom> m_choices;
  std::unordered_map<logic::TermId, BitAtom> m_bits;
  std::unordered_map<logic::TermId, FormulaId> m_definitions;
  std::map<std::pair<std::map<Monomial, int64_t>, std::map<Monomial, int64_t>>, logic::TermId> m_quotients;
  std::map<std::tuple<BitOperation, std::map<Monomial, int64_t>, std::map<Monomial, int64_t>>, logic::TermId>
      m_bitResults;
};

/// What holds of the atoms when the dividend is at least 0 and the divisor at least 1; Zero and AtLeastZero
/// conditions. nullopt when they cannot be written down.
std::optional<std::vector<Literal>> naturalDivision(const DivisionAtoms& atoms);
/// What holds of a bit operation on non-negative operands.
std::optional<std::vector<Literal>> naturalBits(logic::TermId atom, const BitAtom& bits);

} // namespace plumbline::gate

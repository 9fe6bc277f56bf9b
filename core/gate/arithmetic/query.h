// One question to the prover as facts, clauses and definitions over polynomials.
#pragma once

#include "core/gate/arithmetic/purifier.h"

namespace plumbline::gate {

/// value = operation on operands that lie between 0 and a bound, if one is known.
struct BitFact {
  Polynomial value;
  BitAtom operation;
  std::optional<int64_t> leftHigh;
  std::optional<int64_t> rightHigh;
};

/// Conditions that together have a solution exactly when the question has a counterexample; with atoms that
/// equations define eliminated.
struct ArithmeticQuery {
  Formulas formulas;              ///< owns the clauses
  std::vector<Literal> facts;     ///< each holds
  std::vector<FormulaId> clauses; ///< each holds: disjunctions
  AtomBounds bounds;              ///< of atoms, consequences of the facts
  /// In the order of elimination: an atom and what replaced it.
  std::vector<std::pair<logic::TermId, Polynomial>> eliminated;
  /// Bit operations whose operands are certainly not negative.
  std::vector<BitFact> bits;
  bool contradictory = false; ///< the facts alone exclude each other, found by intervals
  /// Some division by a constant has a single atom as its dividend up to a constant: the forms differ.
  bool dividesByConstant = false;
};

/// Which atom goes when a division by a constant is written out: dividend = constant * quotient + remainder.
/// A dividend that is a factor of products is better kept, an index that is taken apart is better replaced.
enum class DivisionForm : uint8_t { ReplaceDividend, ReplaceRemainder };

/// Asks whether the Bool terms, made by IntegerPart, can hold together.
ArithmeticQuery buildQuery(Purifier& purifier, std::span<const logic::TermId> assertions,
                           DivisionForm form = DivisionForm::ReplaceDividend);

} // namespace plumbline::gate

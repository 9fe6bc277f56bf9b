// Facts about sizes, coordinates and loop counters: intervals, own linear arithmetic, then the solvers.
#pragma once

#include "core/engine/portfolio.h"
#include "core/gate/arithmetic/index_proof.h"
#include "core/vc/int_normal.h"

#include <memory>

namespace plumbline::gate {

/// Proves facts about integers (sizes, coordinates, loop counters) valid under assumptions. Terms are Bool
/// structure over Int operators. What a solver of integer arithmetic does not know is read as follows:
///   - a Bool or Int term over floats, and an Opaque term: any value, the same term the same value;
///   - a Load of Int or Bool: an unknown array that nobody writes, so that equal indices give equal values;
///   - Opaque Int terms spelled "bit.and", "bit.or", "bit.xor" with two operands: the operation on
///     non-negative operands, any value when an operand is negative;
///   - a division by zero: any value.
/// Not thread-safe (it makes terms).
class ArithmeticProver {
public:
  /// `portfolio` may be null: no solver is asked then.
  ArithmeticProver(logic::TermStore& store, engine::Portfolio* portfolio);
  ~ArithmeticProver();
  ArithmeticProver(ArithmeticProver&&) noexcept;
  ArithmeticProver(const ArithmeticProver&) = delete;
  ArithmeticProver& operator=(const ArithmeticProver&) = delete;
  ArithmeticProver& operator=(ArithmeticProver&&) = delete;

  /// Time for each solver: with lemmas about the products, then for raw non-linear arithmetic.
  void setLimits(std::chrono::milliseconds quick, std::chrono::milliseconds full);

  /// Whether the solvers are also asked about what the prover proves by itself. `engine` then names all that
  /// agree, e.g. "linear+z3+cvc5"; a confirmed counterexample is a conflict.
  void setSecondOpinion(bool wanted);

  /// A fact that holds in every query.
  void assume(logic::TermId fact);
  /// Bounds of an Int variable, both an assumption and an interval. A second call for a variable intersects.
  void bound(const std::string& variable, vc::Bounds range);

  /// (assumptions && hypotheses) -> goal, for all values of all variables. Proved needs no trust in the
  /// caller. Refuted carries values of all variables for which exact evaluation finds the assumptions and
  /// hypotheses true and the goal false; conditions over floats and opaque terms are free in it, so the
  /// caller replays it.
  IndexProof prove(std::span<const logic::TermId> hypotheses, logic::TermId goal, const StopToken& stop);

  /// The same without the solvers: milliseconds.
  IndexProof proveAlone(std::span<const logic::TermId> hypotheses, logic::TermId goal, const StopToken& stop);

  /// Whether intervals, the hypotheses as they stand and a small linear decision settle it: microseconds, no
  /// solver. False means nothing.
  bool quick(std::span<const logic::TermId> hypotheses, logic::TermId goal);

private:
  class Work;
  std::unique_ptr<Work> m_work;
};

} // namespace plumbline::gate

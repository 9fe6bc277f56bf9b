// A goal at concrete values: exactly what it says there.
#pragma once

#include "core/goals/lowering.h"

namespace plumbline::goals {

/// A value of one of Lean's types.
struct Concrete {
  Kind kind = Kind::Nat;
  int64_t number = 0;                  ///< Nat, Int; Bool as 0 and 1
  uint64_t bits = 0;                   ///< F32, F64
  Kind element = Kind::F32;            ///< of an array
  std::vector<uint64_t> elements = {}; ///< as `number` (two's complement) or `bits`
  std::vector<Concrete> parts = {};    ///< of a pair
  bool operator==(const Concrete&) const = default;
};

/// Values of the arbitrary variables of a context, by name.
using Assignment = std::map<std::string, Concrete>;

/// "x = #[nan (0x7fc00000)]" and the like, one a variable.
std::string text(const Concrete& value);

/// The arbitrary variables of a goal with their types, in order; those of a type that goals do not cover have
/// none.
std::vector<std::pair<std::string, std::optional<Type>>> arbitraryVariables(const Goal& goal);

/// Evaluates expressions over a goal's context at concrete values.
class GoalEvaluator {
public:
  GoalEvaluator(const Goal& goal, const Definitions& definitions, const Assignment& assignment);

  /// The truth of a proposition over the context. Nothing when it has no value that everybody agrees on: it
  /// depends on an unknown function, on Lean's default of a float, or on a quantifier without bounds.
  std::optional<bool> holds(const velvet::Expr& prop);
  /// The value of a scalar expression. Nothing in the same cases.
  std::optional<Concrete> value(const velvet::Expr& expr);

  /// The first hypothesis that does not hold or has no value; null: all hold.
  const Context* brokenHypothesis();
  bool falsified(); ///< all hypotheses hold and the conclusion does not

private:
  std::optional<uint64_t> bitsOf(logic::TermId term);

  const Goal& m_goal;
  std::vector<const Context*> m_lines;
  logic::TermStore m_store;
  Lowering m_lowering;
};

} // namespace plumbline::goals

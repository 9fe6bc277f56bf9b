// Settling a goal: with integer arithmetic, case splits over guards and array accesses, instances of
// quantified hypotheses at the indices that occur, and the engines for what is left of floats.
#pragma once

#include "core/engine/sweep.h"
#include "core/gate/arithmetic/arithmetic_prover.h"
#include "core/goals/evaluate.h"

namespace plumbline::goals {

/// What may be asked; any may be null. Shared by several settlings at once.
struct Engines {
  engine::Portfolio* portfolio = nullptr;
  engine::Sweeper* sweeper = nullptr;
};

struct Limits {
  std::chrono::milliseconds total{10000};
  std::chrono::milliseconds solver{1000}; ///< for each query
  size_t cases = 200;
  size_t instances = 120;
  size_t rounds = 3; ///< of instances that lead to new indices
  /// Whether what was proved is asked of a second engine where there is one.
  bool recheck = true;
  bool findWitness = true;
};

enum class GoalStatus : uint8_t {
  Open,
  Closed,
  Witnessed, ///< false: at the witness all hypotheses hold and the conclusion does not, by exact evaluation
  Conflict   ///< two engines contradict each other
};
std::string_view name(GoalStatus status); ///< "open", "closed", ...

struct Evidence {
  std::string engine;   ///< "linear", "normalise", "z3+cvc5", ...
  std::string result;   ///< for a person
  std::string artefact; ///< a query that can be run again; may be empty
  double timeMs = 0;
};

/// A case that nothing settled.
struct OpenCase {
  std::vector<std::string> conditions; ///< what distinguishes it
  std::string question;                ///< what is left to show
};

/// Born open.
struct Settled {
  GoalStatus status = GoalStatus::Open;
  std::vector<Evidence> evidence;
  size_t closedCases = 0;
  std::vector<OpenCase> cases; ///< at most a few
  std::optional<Assignment> witness;
  std::string reason; ///< of Open and Conflict
  double timeMs = 0;
};

/// Settles one goal. Closed: the conclusion follows from the hypotheses for all values of all variables,
/// under the reading `ieee`. May be called from several threads at once. A stop gives Open.
Settled settle(const Goal& goal, const Definitions& definitions, const Engines& engines, const Limits& limits,
               const StopToken& stop);

} // namespace plumbline::goals

// Settling the scalar goal of one output under one reading.
#pragma once

#include "core/engine/portfolio.h"
#include "core/engine/sweep.h"
#include "core/session/witness_replay.h"

namespace plumbline::session {

/// The engines a check may use. Pointers may be null: the engine is then missing and said so.
struct Engines {
  engine::Sweeper* sweeper = nullptr;
  engine::Portfolio* portfolio = nullptr;
  unsigned jobs = 0;
  std::chrono::milliseconds solverLimit{10000};
  std::function<void(const std::string&)> progress; ///< one line for people; may be empty
};

/// What became of a goal. Born as an error.
struct GoalOutcome {
  Relation relation = Relation::Error;
  std::set<std::string> modulo;      ///< of EqualModulo: "same(exp)"
  std::set<std::string> assumptions; ///< used besides: "rounded-constant"
  std::string reason;
  std::string next;
  std::optional<Witness> witness;
  std::vector<Goal> goals;
};

/// Under `ieee`: normaliser, witness search, cases, sweep, solvers; every witness is replayed.
GoalOutcome settleIeee(logic::TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                       const Engines& engines, const StopToken& stop);

/// Under `real`: exact arithmetic.
GoalOutcome settleReal(logic::TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                       const Engines& engines, const StopToken& stop);

/// The assumptions same(f) for every function that the two terms name by different spellings.
std::set<std::string> joinedFunctions(const logic::TermStore& store, logic::TermId kernel,
                                      logic::TermId spec);

} // namespace plumbline::session

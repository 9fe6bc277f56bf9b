// The loops over blocks and threads, with proposed invariants.
#pragma once

#include "core/method/environment.h"
#include "core/method/spec_text.h"

namespace plumbline::method {

/// What an output's invariants speak about.
struct OutputProgress {
  const Buffer* buffer = nullptr;
  logic::TermId numel{};
  /// When, in the order in which the method runs its threads, the thread for element "i" has its turn;
  /// absent: not recognised.
  std::optional<logic::TermId> turn;
  std::function<velvet::ExprPtr(const velvet::ExprPtr& index)> turnText; ///< the turn at a Nat index
  const OutputText* spec = nullptr;
};

/// The turn of the thread that writes element Var(Int, "i") of the buffer, counted from 0 over blocks z, y, x
/// and then threads z, y, x. Nothing when the thread program writes elements in another pattern than one a
/// thread.
std::optional<logic::TermId> turnOf(logic::TermStore& store, const gate::Problem& problem,
                                    const vc::SymbolicThread& thread, const std::string& tensor);

/// How clauses write a turn. One that is not the index itself gets a definition of its own.
std::function<velvet::ExprPtr(const velvet::ExprPtr&)> turnText(const logic::TermStore& store,
                                                                logic::TermId turn, Environment& environment,
                                                                std::vector<velvet::Definition>& definitions);

/// The thread program inside a loop for every axis of the launch. Invariants are editable.
std::vector<velvet::Stmt> threadLoops(const logic::TermStore& store, const gate::Problem& problem,
                                      Environment& environment, const std::vector<OutputProgress>& outputs,
                                      std::vector<velvet::Stmt> body);

} // namespace plumbline::method

// The loops over blocks and threads, with proposed invariants.
#pragma once

#include "core/method/frame_facts.h"
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

/// Which loops to write.
enum class LoopsOver : uint8_t { BlocksAndThreads, Blocks, Threads };

/// What the loops are made from.
struct LoopParts {
  const logic::TermStore& store;
  const gate::Problem& problem;
  const std::vector<OutputProgress>& outputs;
  /// Facts for the loops of a kernel that is more than one element a thread; null: sizes of outputs and what
  /// `outputs` say.
  const FrameFacts* facts = nullptr;
};

/// The body inside a loop for every axis of the launch. Invariants are editable.
std::vector<velvet::Stmt> launchLoops(const LoopParts& parts, Environment& environment, LoopsOver over,
                                      std::vector<velvet::Stmt> body);

/// Other names for the loops over threads that follow.
void renewThreads(Environment& environment);
/// Threads of a block, and the number of the present one among them, row-major: Nat.
velvet::ExprPtr threadsOfBlock(const Environment& environment);
velvet::ExprPtr threadNumber(const Environment& environment);

} // namespace plumbline::method

// How a kernel with barriers is parted: what is done once for a block, and what in a loop over its threads.
#pragma once

#include "core/gate/problem.h"
#include "core/ir/uniformity.h"
#include "core/method/local_plan.h"

namespace plumbline::method {

/// A statement between barriers that every thread executes on its own is *plain*; plain statements in a row
/// are one phase, a loop over the threads. All other statements (barriers, what contains them, assignments of
/// what their conditions depend on) are executed once for the block, and that is right because each of them
/// is uniform.
struct BlockPlan {
  bool hasBarriers = false;
  FunctionPlan whole;                   ///< of the kernel as one thread's program
  std::set<int> blockLocals;            ///< one variable for the block
  std::map<int, ir::StmtId> recomputed; ///< local -> its one assignment: evaluated anew in each phase
  std::set<int> perThread;              ///< live across a barrier: an array indexed by thread
  std::set<int> perThreadArrays;        ///< arrays of a thread that live across a barrier
};

/// Statements of one list, parted.
struct ListPart {
  bool isPhase = false;
  std::vector<ir::StmtId> statements; ///< one, unless it is a phase
};

/// `tail`: exits that are the same as falling out of the list's end. Assignments of block variables stand
/// before the phase that they interrupt, where its statements do not read the old value.
std::vector<ListPart> partsOf(const ir::Function& function, const ExitAnalysis& exits, const BlockPlan& plan,
                              const std::vector<ir::StmtId>& body, const Exits& tail);

/// For a kernel without barriers only `whole`. Throws Refused: "divergent-barrier" where some threads of a
/// block may reach a barrier that others do not.
BlockPlan planBlocks(const logic::TermStore& store, const gate::Problem& problem,
                     const std::set<std::string>& written);

/// Locals that occur in an expression.
void collectLocals(const ir::Function& function, ir::ExprId id, std::set<int>& locals);

} // namespace plumbline::method

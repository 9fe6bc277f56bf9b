// Running the problem's kernel on concrete sizes and inputs in the interpreter: how findings and witnesses
// are replayed.
#pragma once

#include "core/gate/problem.h"
#include "core/ir/interpreter.h"

namespace plumbline::gate {

/// Values of Problem::sizeVariables (and of free scalars, by kernel parameter name).
using Sizes = std::map<std::string, int64_t>;

/// Size variables, and the products that the problem's definitions name, as numbers: for
/// TermStore::substitute.
std::unordered_map<logic::TermId, logic::TermId> sizeReplacement(logic::TermStore& store,
                                                                 const Problem& problem, const Sizes& sizes);

/// Value of an Int or Bool (0, 1) term at these sizes; nothing when it does not evaluate. Products named by
/// the problem's definitions are computed.
std::optional<int64_t> evaluateAt(logic::TermStore& store, const Problem& problem, logic::TermId term,
                                  const Sizes& sizes);

/// Whether every size hypothesis holds there.
bool admissible(logic::TermStore& store, const Problem& problem, const Sizes& sizes);

/// Small size assignments that satisfy the hypotheses, smallest first, at most `limit`.
std::vector<Sizes> smallSizes(logic::TermStore& store, const Problem& problem, size_t limit,
                              int64_t largestNumel);

/// The launch there. Errors: as ir::bindLaunch.
Expected<ir::ConcreteLaunch> launchAt(logic::TermStore& store, const Problem& problem, const Sizes& sizes);

/// Bits of every graph input by name; elements not given are +0.
using TensorBits = std::map<std::string, std::vector<uint64_t>>;

struct GridRun {
  ir::ConcreteLaunch launch;
  ir::RunResult result;
  TensorBits buffers; ///< after the run: by graph tensor name or "output:<i>"
};

/// Runs the whole grid. `initial` gives what output buffers hold before.
Expected<GridRun> runGrid(logic::TermStore& store, const Problem& problem, const Sizes& sizes,
                          const TensorBits& inputs, const StopToken& stop);

/// Runs single threads against memory of the right lengths that reads as +0 everywhere; for sizes too large
/// to store.
Expected<ir::RunResult> runThreads(logic::TermStore& store, const Problem& problem, const Sizes& sizes,
                                   const std::vector<ir::ThreadId>& threads, const StopToken& stop);

/// The same grid in exact rationals. Inputs by graph input name, one rational per element.
struct RealGridRun {
  ir::RunResult result;
  std::map<std::string, std::vector<ir::RealNumber>> buffers;
};
Expected<RealGridRun> runGridReal(logic::TermStore& store, const Problem& problem, const Sizes& sizes,
                                  const std::map<std::string, std::vector<f32::Rational>>& inputs,
                                  const StopToken& stop);

} // namespace plumbline::gate

// A launch contract as terms: extents, lengths and scalars over its size symbols, with all that is known of
// them.
#pragma once

#include "core/gate/arithmetic/arithmetic_prover.h"
#include "core/gate/grid/program.h"

namespace plumbline::gate::grid {

/// Of a tensor that a wrapper is given, elements at most: the default size range.
constexpr int64_t largestNumel = int64_t{1} << 30;

/// Something that the host does, or that CUDA asks of a launch.
struct HostRequirement {
  std::string kind; ///< "overflow", "illegal-launch", "division-by-zero"; "": nothing can show it
  logic::TermId holds{};
  SourceRange where;
  std::string message;
  int order = 0;      ///< the greatest `order` of the contract's facts that were checked before
  bool traps = false; ///< what it protects ends the wrapper where it stands: later checks are not reached
};

struct LaunchTerms {
  SymbolicLaunch launch;
  std::vector<HostRequirement> requirements; ///< to be shown before the next two are relied on
  std::vector<logic::TermId> legal;          ///< what holds of a launch that meets them
  std::map<std::string, vc::Bounds> legalBounds;
  std::vector<std::string> hypotheses; ///< what was assumed of the sizes, for people
};

/// Makes the size symbols and thread coordinates in `symbols` and tells `prover` what the contract promises,
/// but not yet that the launch is legal. Errors: those of size expressions.
Expected<LaunchTerms> launchTerms(logic::TermStore& store, SymbolTable& symbols, ArithmeticProver& prover,
                                  const ir::LaunchContract& contract, const ir::Function& kernel,
                                  int maxThreadsPerBlock);

/// Tells `prover` what holds of a legal launch.
void assumeLegal(ArithmeticProver& prover, const LaunchTerms& terms);

} // namespace plumbline::gate::grid

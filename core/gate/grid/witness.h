// Which thread writes a given element: candidates found from the shape of the index, for the prover to
// confirm.
#pragma once

#include "core/gate/grid/program.h"

namespace plumbline::gate::grid {

/// Values for the variables of a writing thread.
using WitnessChoice = std::unordered_map<logic::TermId, logic::TermId>;

/// Solves `index` = `target` for the variables in `free`, by division with remainder along falling
/// coefficients: 256 * b + t gives b = target / 256, t = target % 256. Variables that the index does not
/// mention stay open. Nothing when the shape is not understood. A guess only.
///
/// `wanted`: terms with the values that the writer's condition asks for, respected where that can be done:
/// with t % 32 = 1, the index t / 32 gives t = target * 32 + 1.
std::optional<WitnessChoice>
solveIndex(logic::TermStore& store, logic::TermId index, logic::TermId target,
           const std::set<logic::TermId>& free,
           const std::vector<std::pair<logic::TermId, logic::TermId>>& wanted = {});

} // namespace plumbline::gate::grid

// Mutants of a known kernel: a barrier removed or moved, a guard taken away, weakened or made stricter, an
// index or a number off by one, a comparison that admits equality, a tile of another size, a length, an
// extent or a size changed in the launch.
#pragma once

#include "tests/unit/gate_grid/grid_fixture.h"

namespace plumbline::gate::grid {

struct Mutant {
  std::string what;
  std::string source;
  ir::LaunchContract contract;
};

/// The same each time.
std::vector<Mutant> mutantsOf(const KnownKernel& kernel);

} // namespace plumbline::gate::grid

// Everything that stands in annotations of an exported kernel.
#pragma once

#include "core/gate/vercors/states.h"

namespace plumbline::gate::vercors {

/// Clauses with their keyword, without ';'.
using Clauses = std::vector<std::string>;

struct Annotations {
  Clauses contract;
  std::map<ir::StmtId, Clauses> statements; ///< before loops and barriers
};

/// Throws Refused.
Annotations annotate(Setting& setting, const Walk& walk);

} // namespace plumbline::gate::vercors

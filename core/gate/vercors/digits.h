// Two flattened indices that are equal have equal parts: row * n + column with a column below n.
#pragma once

#include "core/gate/vercors/walk.h"

namespace plumbline::gate::vercors {

/// Equations that follow from a = b under the facts.
std::vector<logic::TermId> equalDigits(Setting& setting, const std::vector<logic::TermId>& facts,
                                       logic::TermId a, logic::TermId b);

} // namespace plumbline::gate::vercors

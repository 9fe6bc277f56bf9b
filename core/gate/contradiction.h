// Hypotheses of a comparison that no sizes satisfy: which of them contradict each other.
#pragma once

#include "core/engine/portfolio.h"
#include "core/gate/problem.h"

namespace plumbline::gate {

/// As few of the problem's hypotheses as are enough for no sizes to satisfy them: without any one of them the
/// rest was not shown to be contradictory. What somebody wrote is rather among them than a default. Empty
/// when they were not shown to contradict each other. `portfolio` may be null.
std::vector<Hypothesis> contradictoryHypotheses(logic::TermStore& store, const Problem& problem,
                                                engine::Portfolio* portfolio, const StopToken& stop);

/// "no sizes satisfy both 's0 > 5' (--assume) and 's0 < 3' (--assume)"
std::string contradictionText(const std::vector<Hypothesis>& hypotheses);

/// Which of them to remove or correct.
std::string contradictionRemedy(const std::vector<Hypothesis>& hypotheses);

} // namespace plumbline::gate

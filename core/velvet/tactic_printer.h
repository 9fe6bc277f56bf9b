// Proof scripts as lines of text.
#pragma once

#include "core/velvet/tactic.h"

namespace plumbline::velvet {

/// One line a tactic, blocks two columns deeper; no line ends, indented from column 0.
std::vector<std::string> printScript(const std::vector<Tactic>& script);

} // namespace plumbline::velvet

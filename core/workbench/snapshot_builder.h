// From what a check read and found to what the window shows.
#pragma once

#include "core/session/check.h"
#include "core/session/comparison.h"
#include "core/workbench/snapshot.h"

namespace plumbline::workbench {

/// The boxes of a graph: inputs, nodes in execution order, outputs. `nodeOf` gets the box of every tensor and
/// of every "output:<i>".
std::vector<GraphNode> graphNodes(const torch::Graph& graph, std::map<std::string, int>& nodeOf);

/// The method document with its lines' origins as boxes; a reason when there is none.
MethodText methodText(const session::Comparison& comparison, const std::map<std::string, int>& nodeOf);

/// Readings, headline, tone, goals, marks, assumptions: everything that only needs the verdict.
void showVerdict(const session::Verdict& verdict, Snapshot& snapshot);

/// Tools that are not installed, with what is lost without them.
std::vector<std::string> missingTools();

} // namespace plumbline::workbench

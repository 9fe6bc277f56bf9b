#include "core/workbench/case_forest.h"

#include <algorithm>

namespace plumbline::workbench {

namespace {

CaseNode& at(CaseForest& forest, int node) {
  return forest.nodes[static_cast<size_t>(node)];
}
const CaseNode& at(const CaseForest& forest, int node) {
  return forest.nodes[static_cast<size_t>(node)];
}

bool known(const CaseForest& forest, int node) {
  return node >= 0 && node < static_cast<int>(forest.nodes.size());
}

bool cuts(const CaseCondition& condition, SplitOn on) {
  return on.guard >= 0 ? condition.guard == on.guard : condition.variable == on.variable;
}

std::vector<CaseCondition> branches(SplitOn on) {
  std::vector<CaseCondition> result;
  if (on.guard >= 0)
    return {{on.guard, true, -1, FloatClass::NaN}, {on.guard, false, -1, FloatClass::NaN}};
  for (int k = 0; k < floatClassCount; ++k)
    result.push_back({-1, true, on.variable, static_cast<FloatClass>(k)});
  return result;
}

bool settled(CaseStatus status) {
  return status == CaseStatus::Closed || status == CaseStatus::Empty;
}

/// What a split case is, given what its parts are.
CaseResult combined(const CaseForest& forest, const CaseNode& node) {
  CaseResult result;
  result.status = CaseStatus::Split;
  size_t closed = 0;
  for (int child : node.children) {
    const CaseResult& part = at(forest, child).result;
    if (part.status == CaseStatus::Conflict || part.status == CaseStatus::Witnessed) {
      if (result.status != CaseStatus::Conflict && result.status != CaseStatus::Witnessed)
        result = part;
      else if (part.status == CaseStatus::Conflict)
        result = part;
    }
    closed += settled(part.status) ? 1 : 0;
  }
  if (closed == node.children.size()) {
    result.status = CaseStatus::Closed;
    result.engine = "cases";
    result.result = "all " + std::to_string(closed) + " cases closed";
  }
  return result;
}

/// A proof or witness of the whole case stands whatever its parts say; otherwise the parts decide.
void liftFrom(CaseForest& forest, int node) {
  for (int parent = at(forest, node).parent; parent >= 0; parent = at(forest, parent).parent) {
    CaseNode& above = at(forest, parent);
    const CaseResult parts = combined(forest, above);
    if (above.derived || above.result.status == CaseStatus::Open) {
      above.result = parts;
      above.derived = true;
      continue;
    }
    const CaseStatus own = above.result.status;
    const bool contradiction = (settled(own) && parts.status == CaseStatus::Witnessed) ||
                               (own == CaseStatus::Witnessed && settled(parts.status)) ||
                               parts.status == CaseStatus::Conflict;
    if (!contradiction)
      continue;
    const std::vector<uint32_t> witness = above.result.witness;
    above.result = parts;
    above.result.status = CaseStatus::Conflict;
    above.result.reason = "a part of this case contradicts what was found for the whole";
    if (parts.witness.empty())
      above.result.witness = witness;
  }
}

} // namespace

std::string conditionText(const CaseGoal& goal, const CaseCondition& condition) {
  if (condition.guard >= 0 && condition.guard < static_cast<int>(goal.guards.size())) {
    const std::string& text = goal.guards[static_cast<size_t>(condition.guard)].text;
    return condition.holds ? text : "not (" + text + ")";
  }
  if (condition.variable >= 0 && condition.variable < static_cast<int>(goal.variables.size()))
    return goal.variables[static_cast<size_t>(condition.variable)] + " is " +
           std::string(name(condition.floatClass));
  return {};
}

std::vector<SplitOn> possibleSplits(const CaseGoal& goal, const CaseNode& node) {
  std::vector<SplitOn> result;
  auto offer = [&](SplitOn on) {
    if (std::none_of(node.path.begin(), node.path.end(),
                     [&](const CaseCondition& condition) { return cuts(condition, on); }))
      result.push_back(on);
  };
  for (int k = 0; k < static_cast<int>(goal.guards.size()); ++k)
    offer({k, -1});
  for (int k = 0; k < static_cast<int>(goal.variables.size()); ++k)
    offer({-1, k});
  return result;
}

CaseForest split(CaseForest forest, const std::vector<CaseGoal>& goals, int node, SplitOn on) {
  if (!known(forest, node) || !at(forest, node).children.empty())
    return forest;
  const CaseGoal& goal = goals[static_cast<size_t>(at(forest, node).goal)];
  const std::vector<SplitOn> possible = possibleSplits(goal, at(forest, node));
  if (std::none_of(possible.begin(), possible.end(), [&](const SplitOn& known) {
        return known.guard == on.guard && known.variable == on.variable;
      }))
    return forest;
  for (const CaseCondition& condition : branches(on)) {
    CaseNode child;
    child.goal = at(forest, node).goal;
    child.parent = node;
    child.path = at(forest, node).path;
    child.path.push_back(condition);
    at(forest, node).children.push_back(static_cast<int>(forest.nodes.size()));
    forest.nodes.push_back(std::move(child));
  }
  if (at(forest, node).result.status == CaseStatus::Open) {
    at(forest, node).result = {CaseStatus::Split, {}, {}, {}, {}, 0, {}};
    at(forest, node).derived = true;
  }
  return forest;
}

CaseForest join(const CaseForest& forest, int node) {
  if (!known(forest, node) || at(forest, node).children.empty())
    return forest;
  CaseForest result;
  result.matrices = forest.matrices;
  std::vector<int> moved(forest.nodes.size(), -1);
  for (int k = 0; k < static_cast<int>(forest.nodes.size()); ++k) {
    const int parent = at(forest, k).parent;
    const bool below = parent >= 0 && (parent == node || moved[static_cast<size_t>(parent)] < 0);
    if (below)
      continue;
    moved[static_cast<size_t>(k)] = static_cast<int>(result.nodes.size());
    CaseNode copy = at(forest, k);
    copy.children.clear();
    if (parent >= 0) {
      copy.parent = moved[static_cast<size_t>(parent)];
      at(result, copy.parent).children.push_back(static_cast<int>(result.nodes.size()));
    }
    result.nodes.push_back(std::move(copy));
  }
  CaseNode& joined = at(result, moved[static_cast<size_t>(node)]);
  // What was only the sum of the parts goes with them.
  if (joined.derived) {
    joined.result = {};
    joined.derived = false;
  }
  return result;
}

CaseForest withResult(CaseForest forest, int node, const CaseResult& result) {
  if (!known(forest, node))
    return forest;
  at(forest, node).result = result;
  at(forest, node).derived = false;
  liftFrom(forest, node);
  return forest;
}

const CaseMatrix* findMatrix(const CaseForest& forest, int goal, int variable) {
  for (const CaseMatrix& matrix : forest.matrices)
    if (matrix.goal == goal && matrix.variable == variable)
      return &matrix;
  return nullptr;
}

} // namespace plumbline::workbench

#include "views/models/case_address.h"

#include <algorithm>

namespace plumbline::views {

using workbench::CaseCondition;
using workbench::CaseGoal;
using workbench::CaseNode;
using workbench::CasePath;
using workbench::SplitOn;

namespace {

const CaseNode& at(const CaseScene& scene, int node) {
  return scene.forest.nodes[static_cast<size_t>(node)];
}

bool isRoot(const CaseScene& scene, int goal) {
  return goal >= 0 && goal < static_cast<int>(scene.goals.size()) &&
         goal < static_cast<int>(scene.forest.nodes.size()) && at(scene, goal).parent < 0 &&
         at(scene, goal).goal == goal;
}

int indexOfGuard(const CaseGoal& goal, const std::string& text) {
  const auto found = std::find_if(goal.guards.begin(), goal.guards.end(),
                                  [&](const workbench::Guard& guard) { return guard.text == text; });
  return found == goal.guards.end() ? -1 : static_cast<int>(found - goal.guards.begin());
}

int indexOfVariable(const CaseGoal& goal, const std::string& text) {
  const auto found = std::find(goal.variables.begin(), goal.variables.end(), text);
  return found == goal.variables.end() ? -1 : static_cast<int>(found - goal.variables.begin());
}

} // namespace

NamedCondition named(const CaseGoal& goal, const SplitOn& on) {
  if (on.guard >= 0)
    return {goal.guards[static_cast<size_t>(on.guard)].text, true};
  return {goal.variables[static_cast<size_t>(on.variable)], false};
}

SplitOn splitOn(const CaseGoal& goal, const NamedCondition& name) {
  if (name.isGuard)
    return {indexOfGuard(goal, name.what), -1};
  return {-1, indexOfVariable(goal, name.what)};
}

CaseAddress addressOf(const CaseScene& scene, int node) {
  const CaseNode& found = at(scene, node);
  const CaseGoal& goal = scene.goals[static_cast<size_t>(found.goal)];
  CaseAddress address{goal.name, {}};
  for (const CaseCondition& condition : found.path) {
    NamedCondition name = named(goal, {condition.guard, condition.variable});
    name.holds = condition.holds;
    name.floatClass = condition.floatClass;
    address.conditions.push_back(std::move(name));
  }
  return address;
}

int nearest(const CaseScene& scene, int goal, const CasePath& conditions) {
  if (!isRoot(scene, goal))
    return -1;
  int node = goal;
  while (true) {
    const std::vector<int>& children = at(scene, node).children;
    const auto next = std::find_if(children.begin(), children.end(), [&](int child) {
      const CaseCondition& cut = at(scene, child).path.back();
      return std::find(conditions.begin(), conditions.end(), cut) != conditions.end();
    });
    if (next == children.end())
      return node;
    node = *next;
  }
}

int findCase(const CaseScene& scene, int goal, const CasePath& conditions) {
  const int node = nearest(scene, goal, conditions);
  return node >= 0 && at(scene, node).path.size() == conditions.size() ? node : -1;
}

int findCase(const CaseScene& scene, const CaseAddress& address) {
  const auto goal = std::find_if(scene.goals.begin(), scene.goals.end(),
                                 [&](const CaseGoal& other) { return other.name == address.goal; });
  if (goal == scene.goals.end())
    return -1;
  CasePath path;
  for (const NamedCondition& name : address.conditions) {
    const SplitOn on = splitOn(*goal, name);
    if (on.guard < 0 && on.variable < 0)
      return -1;
    path.push_back({on.guard, name.holds, on.variable, name.floatClass});
  }
  return findCase(scene, static_cast<int>(goal - scene.goals.begin()), path);
}

std::string pathText(const CaseGoal& goal, const CasePath& path, const std::string& whole) {
  std::string line;
  for (const CaseCondition& condition : path)
    line += (line.empty() ? "" : ", ") + conditionText(goal, condition);
  return line.empty() ? whole : line;
}

} // namespace plumbline::views

// Names of cases that outlive a forest: by texts, not by indices.
#pragma once

#include "core/workbench/case_forest.h"

#include <string>
#include <vector>

namespace plumbline::views {

/// A condition by the text of its guard or variable.
struct NamedCondition {
  std::string what;
  bool isGuard = false;
  bool holds = true;
  workbench::FloatClass floatClass = workbench::FloatClass::NaN;
};

/// A case by its goal's name and its conditions in the order of the cuts.
struct CaseAddress {
  std::string goal;
  std::vector<NamedCondition> conditions;
};

/// What is known of case goals and their cases at one time.
struct CaseScene {
  const std::vector<workbench::CaseGoal>& goals;
  const workbench::CaseForest& forest;
};

CaseAddress addressOf(const CaseScene& scene, int node);

/// The node with that address, or -1. Conditions may have been cut in another order.
int findCase(const CaseScene& scene, const CaseAddress& address);

/// The node of the goal that is reached by all of these conditions and no other, or -1.
int findCase(const CaseScene& scene, int goal, const workbench::CasePath& conditions);

/// As `findCase`, but ends at the deepest node whose conditions are all among the given ones; -1 only when
/// there is no such goal.
int nearest(const CaseScene& scene, int goal, const workbench::CasePath& conditions);

/// The same guard or variable in another list of goals; nothing set when it is not there.
NamedCondition named(const workbench::CaseGoal& goal, const workbench::SplitOn& on);
workbench::SplitOn splitOn(const workbench::CaseGoal& goal, const NamedCondition& name);

/// All conditions in one line; `whole` when there are none.
std::string pathText(const workbench::CaseGoal& goal, const workbench::CasePath& path,
                     const std::string& whole);

} // namespace plumbline::views

#include "tests/unit/goals/documents.h"

#include "core/velvet/parser.h"

#include <gtest/gtest.h>

namespace plumbline::goals_test {

Goals goalsOf(const std::string& text) {
  const velvet::Parsed parsed = velvet::parse(text, velvet::Dialect::Velvet2);
  for (const velvet::Diagnostic& diagnostic : parsed.diagnostics)
    ADD_FAILURE() << diagnostic.message << " at byte " << diagnostic.range.begin << " of\n" << text;
  Goals result;
  result.tree = std::make_shared<const velvet::Document>(parsed.document);
  for (const velvet::Item& item : result.tree->items)
    if (const auto* method = std::get_if<velvet::Method>(&item))
      result.all = goals::generateGoals(*result.tree, *method); // the last one
  return result;
}

const goals::Goal& Goals::named(const std::string& name) const {
  for (const goals::Goal& goal : all.goals)
    if (goal.name == name)
      return goal;
  ADD_FAILURE() << "no goal " << name;
  return all.goals.front();
}

std::set<std::string> Goals::names() const {
  std::set<std::string> result;
  for (const goals::Goal& goal : all.goals)
    result.insert(goal.name);
  return result;
}

namespace {

const goals::Engines& engines() {
  static engine::Portfolio portfolio;
  static const goals::Engines result{&portfolio, nullptr};
  return result;
}

} // namespace

goals::Settled settled(const Goals& goals, const std::string& name) {
  goals::Limits limits;
  limits.total = std::chrono::milliseconds(3000);
  return goals::settle(goals.named(name), goals::Definitions(*goals.tree), engines(), limits, {});
}

std::set<std::string> left(const Goals& goals) {
  std::set<std::string> result;
  for (const goals::Goal& goal : goals.all.goals)
    if (settled(goals, goal.name).status != goals::GoalStatus::Closed)
      result.insert(goal.name);
  for (const goals::Problem& problem : goals.all.problems)
    result.insert("problem " + problem.id);
  return result;
}

std::string edited(const std::string& text, const std::string& label, const std::string& prop) {
  const size_t at = text.find(" " + label + ": (");
  if (at == std::string::npos) {
    ADD_FAILURE() << "no clause " << label;
    return text;
  }
  const size_t end = text.find('\n', at);
  if (prop == "-") {
    const size_t begin = text.rfind('\n', at);
    return text.substr(0, begin) + text.substr(end);
  }
  const size_t from = at + label.size() + 3;
  return text.substr(0, from) + "(" + prop + ")" + text.substr(end);
}

} // namespace plumbline::goals_test

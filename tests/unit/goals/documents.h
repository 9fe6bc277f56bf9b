// Documents as text, and what their goals come to.
#pragma once

#include "core/goals/settle.h"

#include <set>

namespace plumbline::goals_test {

/// A parsed document with the goals of its first method. The text must be read without errors.
struct Goals {
  std::shared_ptr<const velvet::Document> tree;
  goals::MethodGoals all;

  const goals::Goal& named(const std::string& name) const;
  std::set<std::string> names() const;
};
Goals goalsOf(const std::string& text);

goals::Settled settled(const Goals& goals, const std::string& name);
/// The names of goals that are not closed.
std::set<std::string> left(const Goals& goals);

/// Removes the clause with this label (`prop` is "-"), or gives it another proposition. Fails the test when
/// there is none.
std::string edited(const std::string& text, const std::string& label, const std::string& prop);

} // namespace plumbline::goals_test

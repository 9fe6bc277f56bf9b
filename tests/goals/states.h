// Random small values for a goal's variables that satisfy its hypotheses, by the tests' own evaluator:
// nothing of core/goals but the goal's text is used.
#pragma once

#include "core/goals/evaluate.h"
#include "tests/method/evaluator.h"

#include <random>

namespace plumbline::goals_test {

using State = std::map<std::string, method_test::Value>;

class States {
public:
  States(const goals::Goal& goal, method_test::Evaluator& evaluator, uint64_t seed);

  /// Values of all variables at which every hypothesis is true. Nothing when none was found in a few
  /// attempts.
  std::optional<State> next();
  /// Values of the arbitrary variables given, those of the others computed. Nothing when something has no
  /// value.
  std::optional<State> completed(const State& arbitrary);
  /// Nothing: it has no value.
  std::optional<bool> holds(const velvet::Expr& prop, const State& state);
  /// The first hypothesis that is not true.
  const goals::Context* broken(const State& state);

private:
  method_test::Value random(const std::string& type);
  bool mend(const velvet::ExprPtr& prop, State& state, int depth);
  bool mendEverywhere(const velvet::Expr& quantified, State& state, int depth);
  bool mendUnfolded(const velvet::Expr& call, State& state, int depth);
  bool assign(const velvet::Expr& target, const method_test::Value& value, State& state);
  std::optional<method_test::Value> value(const velvet::Expr& expr, const State& state);
  int64_t draw(int64_t low, int64_t high);
  uint32_t drawFloat();

  method_test::Evaluator& m_evaluator;
  std::vector<const goals::Context*> m_lines;
  std::mt19937_64 m_random;
};

method_test::Value valueOf(const goals::Concrete& value);

} // namespace plumbline::goals_test

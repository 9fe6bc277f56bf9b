// Proof scripts: which goals stand at which place. Lean's tactics are not simulated: what closes a goal here
// is an engine's answer, and that is said.
#pragma once

#include "core/goals/settle.h"
#include "core/velvet/text_range.h"

#include <set>

namespace plumbline::goals {

/// The answer about a goal, or null when it is not known yet.
using Lookup = std::function<std::shared_ptr<const Settled>(const Goal&)>;

/// The goals before and after one tactic.
struct ScriptStep {
  velvet::TextRange range;
  std::vector<Goal> before;
  std::vector<Goal> after;
};

struct ScriptResult {
  std::vector<ScriptStep> steps; ///< outer ones before inner ones
  std::vector<velvet::Diagnostic> messages;
  std::vector<Goal> left;  ///< goals that nothing has closed
  std::vector<Goal> asked; ///< goals whose answer the script needs and nobody knows yet
  bool usesSorry = false;
  std::set<std::string> admitted; ///< names of the goals that `sorry` closes, also only in part
};

/// Runs the script of a method's proof on its goals. A tactic that is not known leaves its goal as it is,
/// with a message. A lemma named in the solve command's list is assumed where its own goal is closed.
ScriptResult runScript(const velvet::Document& document, const velvet::Proof& proof, const MethodGoals& goals,
                       const Lookup& lookup);

/// The same for a theorem with a script or a term.
ScriptResult runScript(const velvet::Document& document, const velvet::Theorem& theorem,
                       const Lookup& lookup);

/// What a theorem states, as a goal: its parameters are the context.
Goal goalOf(const velvet::Document& document, const velvet::Theorem& theorem);

/// The goal with another hypothesis at the end of its context.
Goal assuming(const velvet::Document& document, const Goal& goal, const std::string& name,
              const velvet::ExprPtr& prop);
/// The goal with another conclusion.
Goal concluding(const velvet::Document& document, const Goal& goal, const velvet::ExprPtr& conclusion);

/// The goal after `intro` of every variable and premise, and the names that they got.
struct Introduced {
  Goal goal;
  std::vector<std::string> names;
};
Introduced introduced(const velvet::Document& document, const Goal& goal);

/// The two cases of a proposition over the goal's context: it holds, it does not.
std::vector<Goal> splitOn(const velvet::Document& document, const Goal& goal, const std::string& name,
                          const velvet::ExprPtr& prop);
/// The condition of the first `if` in the conclusion or in a definition that it names, over the goal's
/// context; null when there is none.
velvet::ExprPtr firstGuard(const velvet::Document& document, const Goal& goal);

} // namespace plumbline::goals

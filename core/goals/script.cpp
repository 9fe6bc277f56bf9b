#include "core/goals/script.h"

#include "core/goals/renaming.h"
#include "core/velvet/parser.h"
#include "core/velvet/printer.h"

#include <algorithm>

namespace plumbline::goals {

using velvet::BinaryOp;
using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;
using velvet::Severity;
using velvet::Tactic;
using velvet::TacticKind;

namespace {

/// Names hash by their text here, which is unique in a context, and definitions by what they say.
Key keyAfter(const velvet::Document& document, const Goal& goal, const Expr& expr) {
  const Key before = goal.context ? goal.context->key : Key{1, 2};
  return combine(before, combine(keyOf("derived"), ExprKeys(document).of(expr)));
}

ContextPtr extended(const ContextPtr& context, Context line) {
  line.before = context;
  line.depth = context ? context->depth + 1 : 0;
  return std::make_shared<const Context>(std::move(line));
}

bool isFree(const Context* line, const std::string& name) {
  for (; line != nullptr; line = line->before.get())
    if (line->name == name)
      return false;
  return true;
}

std::string freshIn(const Goal& goal, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 1; !isFree(goal.context.get(), name); ++i)
    name = wanted + "_" + std::to_string(i);
  return name;
}

const Context* hypothesis(const Goal& goal, const std::string& name) {
  for (const Context* line = goal.context.get(); line != nullptr; line = line->before.get())
    if (line->kind == Context::Kind::Hypothesis && line->name == name)
      return line;
  return nullptr;
}

bool isBinder(const Expr& expr) {
  return expr.form == Form::Forall || expr.form == Form::Exists || expr.form == Form::Lambda ||
         expr.form == Form::Sum;
}

ExprPtr withValue(const ExprPtr& expr, const std::string& name, const ExprPtr& value) {
  if (expr->form == Form::Name)
    return expr->text == name ? value : expr;
  if (isBinder(*expr) && expr->text == name)
    return expr;
  Expr copy = *expr;
  for (ExprPtr& arg : copy.args)
    arg = withValue(arg, name, value);
  return std::make_shared<const Expr>(std::move(copy));
}

/// Every occurrence of `from`, outside of quantifiers that bind one of its names.
ExprPtr rewritten(const ExprPtr& expr, const Expr& from, const ExprPtr& to, bool& changed) {
  if (velvet::equal(*expr, from)) {
    changed = true;
    return to;
  }
  if (isBinder(*expr)) {
    std::set<std::string> names;
    collectNames(from, names);
    collectNames(*to, names);
    if (names.contains(expr->text))
      return expr;
  }
  Expr copy = *expr;
  for (ExprPtr& arg : copy.args)
    arg = rewritten(arg, from, to, changed);
  return std::make_shared<const Expr>(std::move(copy));
}

/// The first `if` whose condition mentions no variable bound around it.
const Expr* firstIf(const Expr& expr, std::set<std::string>& bound) {
  if (expr.form == Form::If) {
    std::set<std::string> names;
    collectNames(*expr.args[0], names);
    const bool isOpen =
        std::ranges::none_of(names, [&](const std::string& name) { return bound.contains(name); });
    if (isOpen)
      return &expr;
  }
  const bool binds = expr.form == Form::Forall || expr.form == Form::Exists || expr.form == Form::Lambda;
  if (binds)
    bound.insert(expr.text);
  for (const ExprPtr& arg : expr.args)
    if (const Expr* found = firstIf(*arg, bound))
      return found;
  return nullptr;
}

ExprPtr withBranch(const ExprPtr& expr, const Expr& condition, bool holds) {
  if (expr->form == Form::If && velvet::equal(*expr->args[0], condition))
    return withBranch(expr->args[holds ? 1 : 2], condition, holds);
  if (isBinder(*expr)) {
    std::set<std::string> names;
    collectNames(condition, names);
    if (names.contains(expr->text))
      return expr; // the same text about another variable
  }
  Expr copy = *expr;
  for (ExprPtr& arg : copy.args)
    arg = withBranch(arg, condition, holds);
  return std::make_shared<const Expr>(std::move(copy));
}

const velvet::Theorem* theoremNamed(const velvet::Document& document, const std::string& name) {
  for (const velvet::Item& item : document.items)
    if (const auto* theorem = std::get_if<velvet::Theorem>(&item); theorem && theorem->name == name)
      return theorem;
  return nullptr;
}

const velvet::Definition* definitionNamed(const velvet::Document& document, const std::string& name) {
  for (const velvet::Item& item : document.items)
    if (const auto* definition = std::get_if<velvet::Definition>(&item);
        definition && definition->name == name)
      return definition;
  return nullptr;
}

/// The statement with its parameters as quantifiers; null when a parameter has no form that goals know.
ExprPtr quantifiedStatement(const velvet::Theorem& theorem) {
  if (!theorem.statement)
    return nullptr;
  ExprPtr result = theorem.statement;
  for (size_t i = theorem.binders.size(); i-- > 0;) {
    const velvet::Binder& binder = theorem.binders[i];
    if (binder.bracket == velvet::Bracket::Square)
      return nullptr;
    if (typeFrom(binder.type)) {
      result = velvet::forall(binder.name, binder.type, result);
      continue;
    }
    const ExprPtr premise = velvet::parseExpression(binder.type);
    if (!premise)
      return nullptr;
    result = velvet::binary(BinaryOp::Implies, premise, result);
  }
  return result;
}

/// One `intro`; the name it got, or nothing when there is nothing to introduce.
std::optional<std::string> introduceOne(const velvet::Document& document, Goal& goal,
                                        const std::string& wanted) {
  const Expr& conclusion = *goal.conclusion;
  if (conclusion.form == Form::Forall) {
    Context line;
    line.name = freshIn(goal, wanted.empty() ? conclusion.text : wanted);
    line.type = conclusion.type;
    line.key = keyAfter(document, goal, *velvet::ascribe(velvet::name(line.name), line.type));
    const ExprPtr body = withValue(conclusion.args[0], conclusion.text, velvet::name(line.name));
    std::string name = line.name;
    goal.context = extended(goal.context, std::move(line));
    goal = concluding(document, goal, body);
    return name;
  }
  if (conclusion.form != Form::Binary || conclusion.binary != BinaryOp::Implies)
    return std::nullopt;
  const ExprPtr premise = conclusion.args[0];
  const ExprPtr rest = conclusion.args[1];
  std::string name = freshIn(goal, wanted.empty() ? "h" : wanted);
  goal = assuming(document, goal, name, premise);
  goal = concluding(document, goal, rest);
  return name;
}

class Runner {
public:
  Runner(const velvet::Document& document, const Lookup& lookup) : m_document(document), m_lookup(lookup) {}

  ScriptResult run(const std::vector<Tactic>& script, std::vector<Goal> start,
                   const std::vector<Goal>* conditions, const std::vector<std::string>& unfold) {
    m_conditions = conditions;
    if (script.empty() && conditions != nullptr)
      solve(start, unfold, {}, true, false);
    for (const Tactic& tactic : script)
      run(tactic, start);
    m_result.left = std::move(start);
    return std::move(m_result);
  }

private:
  using GoalList = std::vector<Goal>;

  void say(velvet::TextRange range, Severity severity, std::string id, std::string text) {
    if (m_silent == 0)
      m_result.messages.push_back({range, severity, std::move(id), std::move(text)});
  }

  std::shared_ptr<const Settled> ask(const Goal& goal) {
    auto answer = m_lookup(goal);
    const bool isNew =
        std::ranges::none_of(m_result.asked, [&](const Goal& known) { return known.key == goal.key; });
    if (!answer && isNew)
      m_result.asked.push_back(goal);
    return answer;
  }

  /// False when the tactic is known to fail, or not known.
  bool run(const Tactic& tactic, GoalList& goals) {
    if (tactic.kind == TacticKind::Comment)
      return true;
    const size_t step = m_result.steps.size();
    if (m_silent == 0)
      m_result.steps.push_back({tactic.range, goals, {}});
    const bool result = dispatch(tactic, goals);
    if (m_silent == 0)
      m_result.steps[step].after = goals;
    return result;
  }

  bool dispatch(const Tactic& tactic, GoalList& goals) {
    switch (tactic.kind) {
    case TacticKind::Comment: return true;
    case TacticKind::Command: return command(tactic, goals);
    case TacticKind::Sequence: return sequence(tactic.body, goals);
    case TacticKind::Bullet:
    case TacticKind::Focus: return focused(tactic, goals, 0);
    case TacticKind::Case: return namedCase(tactic, goals);
    case TacticKind::Then: {
      const bool first = run(tactic.body[0], goals);
      return everyGoal(tactic.body[1], goals) && first;
    }
    case TacticKind::AllGoals:
    case TacticKind::AnyGoals:
      return everyGoal({.kind = TacticKind::Sequence, .body = tactic.body, .range = tactic.range}, goals);
    case TacticKind::Try: sequence(tactic.body, goals); return true;
    case TacticKind::Repeat: return repeated(tactic, goals);
    case TacticKind::First: return first(tactic, goals);
    }
    return false;
  }

  bool sequence(const std::vector<Tactic>& body, GoalList& goals) {
    bool result = true;
    for (const Tactic& tactic : body)
      result = run(tactic, goals) && result;
    return result;
  }

  bool focused(const Tactic& tactic, GoalList& goals, size_t at) {
    if (at >= goals.size()) {
      say(tactic.wordRange, Severity::Error, "no-goals", "no goals are left for this");
      return false;
    }
    GoalList inside{goals[at]};
    const bool result = sequence(tactic.body, inside);
    if (!inside.empty() && tactic.kind != TacticKind::Focus)
      say(tactic.wordRange, Severity::Error, "unsolved-goals",
          std::to_string(inside.size()) + (inside.size() == 1 ? " goal is" : " goals are") + " left here");
    goals.erase(goals.begin() + static_cast<std::ptrdiff_t>(at));
    goals.insert(goals.begin() + static_cast<std::ptrdiff_t>(at), inside.begin(), inside.end());
    return result && inside.empty();
  }

  bool namedCase(const Tactic& tactic, GoalList& goals) {
    auto found = std::ranges::find(goals, tactic.label, &Goal::name);
    if (found == goals.end())
      found = std::ranges::find(goals, tactic.label, &Goal::label);
    if (found != goals.end())
      return focused(tactic, goals, static_cast<size_t>(found - goals.begin()));
    if (m_conditions != nullptr && std::ranges::any_of(*m_conditions, [&](const Goal& goal) {
          return goal.label == tactic.label || goal.name == tactic.label;
        })) {
      say(tactic.labelRange, Severity::Warning, "closed-case", "this goal is closed already");
      return true;
    }
    say(tactic.labelRange, Severity::Error, "unknown-case", "there is no goal '" + tactic.label + "'");
    return false;
  }

  bool everyGoal(const Tactic& tactic, GoalList& goals) {
    GoalList result;
    bool all = true;
    for (const Goal& goal : goals) {
      GoalList one{goal};
      all = run(tactic, one) && all;
      result.insert(result.end(), one.begin(), one.end());
    }
    goals = std::move(result);
    return all;
  }

  bool repeated(const Tactic& tactic, GoalList& goals) {
    constexpr int most = 20;
    for (int i = 0; i < most && !goals.empty(); ++i) {
      const size_t before = goals.size();
      const Key first = goals[0].key;
      if (!sequence(tactic.body, goals) || (goals.size() == before && goals[0].key == first))
        break;
    }
    return true;
  }

  bool first(const Tactic& tactic, GoalList& goals) {
    for (const Tactic& alternative : tactic.body) {
      GoalList copy = goals;
      ++m_silent;
      const bool works = sequence(alternative.body, copy);
      --m_silent;
      if (!works)
        continue;
      return run(alternative, goals);
    }
    say(tactic.wordRange, Severity::Warning, "not-settled",
        "no alternative settles the goal here; Lean may differ");
    return false;
  }

  // --- Commands ---

  bool command(const Tactic& tactic, GoalList& goals) {
    const std::string& word = tactic.word;
    constexpr std::string_view closers[] = {"grind",  "simp", "simp_all", "omega",
                                            "decide", "rfl",  "finish",   "norm_num"};
    if (velvet::isSolveCommand(tactic))
      return solveCommand(tactic, goals);
    if (goals.empty()) {
      say(tactic.wordRange, Severity::Error, "no-goals", "no goals are left for this");
      return false;
    }
    if (std::ranges::find(closers, word) != std::end(closers))
      return settleFirst(tactic, goals);
    if (word == "sorry" || word == "admit") {
      m_result.usesSorry = true;
      say(tactic.wordRange, Severity::Warning, "sorry", "the goal is admitted without a proof");
      goals.erase(goals.begin());
      return true;
    }
    if (word == "intro")
      return intro(tactic, goals);
    if (word == "by_cases")
      return byCases(tactic, goals);
    if (word == "split")
      return split(tactic, goals);
    if (word == "exact" || word == "assumption")
      return inScope(tactic, goals) && exact(tactic, goals);
    if (word == "rw")
      return inScope(tactic, goals) && rewrite(tactic, goals);
    say(tactic.wordRange, Severity::Warning, "unknown-tactic",
        "'" + word + "' is not looked at here: the goal stays open until Lean has checked it");
    return false;
  }

  bool solveCommand(const Tactic& tactic, GoalList& goals) {
    if (m_conditions == nullptr) {
      say(tactic.wordRange, Severity::Error, "no-method", "this is no proof of a method");
      return false;
    }
    std::vector<std::string> names;
    for (const velvet::TacticTerm& term : tactic.list)
      names.push_back(term.expr && term.expr->form == Form::Name ? term.expr->text : term.text);
    const bool tries = tactic.with.starts_with("try") || tactic.word == "loom_solve";
    const bool settles = !tactic.with.empty() || tactic.word.starts_with("loom_solve");
    return solve(goals, names, tactic.wordRange, settles, !tries);
  }

  /// All goals of the method, or those that no engine closes.
  bool solve(GoalList& goals, const std::vector<std::string>& names, velvet::TextRange range, bool settles,
             bool mustClose) {
    std::vector<std::pair<std::string, ExprPtr>> hints = hintsNamed(names, range);
    goals.clear();
    size_t closed = 0;
    for (const Goal& condition : *m_conditions) {
      Goal goal = condition;
      for (const auto& [name, prop] : hints)
        goal = assuming(m_document, goal, name, prop);
      if (settles) {
        const auto answer = ask(goal);
        if (answer && answer->status == GoalStatus::Closed) {
          ++closed;
          continue;
        }
      }
      goals.push_back(std::move(goal));
    }
    if (!settles)
      return true;
    if (closed > 0)
      say(range, Severity::Information, "engine",
          std::to_string(closed) + " of " + std::to_string(m_conditions->size()) +
              " goals: true (engine); tactic not checked by Lean");
    if (mustClose && !goals.empty())
      say(range, Severity::Error, "unsolved-goals", std::to_string(goals.size()) + " goals are not closed");
    return goals.empty() || !mustClose;
  }

  /// Lemmas of the document among the names. One that nothing has closed is not used.
  std::vector<std::pair<std::string, ExprPtr>> hintsNamed(const std::vector<std::string>& names,
                                                          velvet::TextRange range) {
    std::vector<std::pair<std::string, ExprPtr>> result;
    for (const std::string& name : names) {
      const velvet::Theorem* theorem = theoremNamed(m_document, name);
      if (theorem == nullptr)
        continue;
      const ExprPtr prop = quantifiedStatement(*theorem);
      const auto answer = prop ? ask(goalOf(m_document, *theorem)) : nullptr;
      if (answer && answer->status == GoalStatus::Closed)
        result.emplace_back(name, prop);
      else
        say(range, Severity::Information, "unsettled-hint",
            "the lemma '" + name + "' is not used: no engine has shown it");
    }
    return result;
  }

  bool settleFirst(const Tactic& tactic, GoalList& goals) {
    const auto answer = ask(goals[0]);
    if (!answer) {
      say(tactic.wordRange, Severity::Information, "pending", "the engines are at work on this goal");
      return false;
    }
    std::string engines;
    for (const Evidence& evidence : answer->evidence)
      engines += (engines.empty() ? "" : ", ") + evidence.engine;
    switch (answer->status) {
    case GoalStatus::Closed:
      say(tactic.wordRange, Severity::Information, "engine",
          "true (" + engines + "); tactic not checked by Lean");
      goals.erase(goals.begin());
      return true;
    case GoalStatus::Witnessed:
      say(tactic.wordRange, Severity::Error, "false-goal",
          "the goal is false: there are values that show it");
      return false;
    case GoalStatus::Conflict:
      say(tactic.wordRange, Severity::Error, "conflict",
          "two engines contradict each other: " + answer->reason);
      return false;
    case GoalStatus::Open: break;
    }
    say(tactic.wordRange, Severity::Warning, "not-settled",
        "the engines leave the goal open (" + answer->reason + "); tactic not checked by Lean");
    return false;
  }

  bool intro(const Tactic& tactic, GoalList& goals) {
    Goal goal = goals[0];
    const size_t count = std::max<size_t>(tactic.names.size(), 1);
    for (size_t i = 0; i < count; ++i) {
      const std::string wanted = i < tactic.names.size() && tactic.names[i] != "_" ? tactic.names[i] : "";
      if (!introduceOne(m_document, goal, wanted)) {
        say(tactic.wordRange, Severity::Error, "intro", "there is nothing to introduce");
        return false;
      }
    }
    goals[0] = std::move(goal);
    return true;
  }

  bool byCases(const Tactic& tactic, GoalList& goals) {
    if (!tactic.expr) {
      say(tactic.wordRange, Severity::Error, "by_cases", "a proposition is expected");
      return false;
    }
    return replaceFirst(
        goals, splitOn(m_document, goals[0], tactic.label.empty() ? "h" : tactic.label, tactic.expr));
  }

  static bool replaceFirst(GoalList& goals, GoalList with) {
    goals.erase(goals.begin());
    goals.insert(goals.begin(), with.begin(), with.end());
    return true;
  }

  bool split(const Tactic& tactic, GoalList& goals) {
    std::set<std::string> bound;
    const Expr* choice = firstIf(*goals[0].conclusion, bound);
    if (choice == nullptr) {
      say(tactic.wordRange, Severity::Error, "split", "the goal has no 'if' to split");
      return false;
    }
    const ExprPtr condition = choice->args[0];
    GoalList cases = splitOn(m_document, goals[0], "h", condition);
    for (const size_t i : {0U, 1U})
      cases[i] = concluding(m_document, cases[i], withBranch(goals[0].conclusion, *condition, i == 0));
    return replaceFirst(goals, std::move(cases));
  }

  /// The same text says nothing where a name in it has no meaning.
  bool inScope(const Tactic& tactic, const GoalList& goals) {
    const auto name = nameOutOfScope(*goals[0].conclusion);
    if (name)
      say(tactic.wordRange, Severity::Error, "not-in-scope",
          "the goal is not understood: " + *name + " is not in scope where its clause stands");
    return !name;
  }

  bool exact(const Tactic& tactic, GoalList& goals) {
    if (tactic.word == "assumption") {
      for (const Context* line : lines(goals[0].context))
        if (line->kind == Context::Kind::Hypothesis && velvet::equal(*line->expr, *goals[0].conclusion)) {
          goals.erase(goals.begin());
          return true;
        }
      say(tactic.wordRange, Severity::Error, "exact", "no hypothesis says this");
      return false;
    }
    if (!tactic.expr || tactic.expr->form != Form::Name) {
      say(tactic.wordRange, Severity::Warning, "unknown-tactic",
          "'exact' is looked at with the name of a hypothesis or lemma only");
      return false;
    }
    const std::string& name = tactic.expr->text;
    const Context* line = hypothesis(goals[0], name);
    const velvet::Theorem* theorem = line == nullptr ? theoremNamed(m_document, name) : nullptr;
    const ExprPtr prop = line != nullptr      ? line->expr
                         : theorem != nullptr ? quantifiedStatement(*theorem)
                                              : nullptr;
    if (!prop) {
      say(tactic.wordRange, Severity::Error, "unknown-name",
          "no hypothesis or lemma is called '" + name + "'");
      return false;
    }
    if (!velvet::equal(*prop, *goals[0].conclusion)) {
      say(tactic.wordRange, Severity::Error, "exact", "'" + name + "' does not say this");
      return false;
    }
    goals.erase(goals.begin());
    return true;
  }

  bool rewrite(const Tactic& tactic, GoalList& goals) {
    Goal goal = goals[0];
    for (const velvet::TacticTerm& term : tactic.list) {
      const bool backwards = term.text.starts_with("←");
      std::string name = backwards ? term.text.substr(std::string_view("←").size()) : term.text;
      name.erase(0, name.find_first_not_of(' '));
      const Context* line = hypothesis(goal, name);
      const velvet::Theorem* theorem = line == nullptr ? theoremNamed(m_document, name) : nullptr;
      const ExprPtr equation = line != nullptr      ? line->expr
                               : theorem != nullptr ? theorem->statement
                                                    : nullptr;
      const bool isPlain = equation && !nameOutOfScope(*equation) && equation->form == Form::Binary &&
                           equation->binary == BinaryOp::Equal &&
                           (theorem == nullptr || theorem->binders.empty());
      if (!isPlain) {
        say(term.range, Severity::Warning, "unknown-tactic",
            "'rw' is looked at with equations that are hypotheses or lemmas without parameters only");
        return false;
      }
      bool changed = false;
      const ExprPtr result = rewritten(goal.conclusion, *equation->args[backwards ? 1 : 0],
                                       equation->args[backwards ? 0 : 1], changed);
      if (!changed) {
        say(term.range, Severity::Error, "rw", "the goal does not contain this side of '" + name + "'");
        return false;
      }
      goal = concluding(m_document, goal, result);
    }
    const Expr& last = *goal.conclusion;
    const bool isReflexive = last.form == Form::Binary && last.binary == BinaryOp::Equal &&
                             velvet::equal(*last.args[0], *last.args[1]);
    if (isReflexive)
      goals.erase(goals.begin());
    else
      goals[0] = std::move(goal);
    return true;
  }

  const velvet::Document& m_document;
  const Lookup& m_lookup;
  const std::vector<Goal>* m_conditions = nullptr; ///< of a method
  ScriptResult m_result;
  int m_silent = 0; ///< trying an alternative
};

} // namespace

Goal assuming(const velvet::Document& document, const Goal& goal, const std::string& name,
              const ExprPtr& prop) {
  Goal result = goal;
  Context line;
  line.kind = Context::Kind::Hypothesis;
  line.name = name;
  line.expr = prop;
  line.key = keyAfter(document, goal, *prop);
  result.context = extended(goal.context, std::move(line));
  return concluding(document, result, goal.conclusion);
}

Goal concluding(const velvet::Document& document, const Goal& goal, const ExprPtr& conclusion) {
  Goal result = goal;
  result.conclusion = conclusion;
  result.key = keyAfter(document, result, *conclusion);
  return result;
}

Introduced introduced(const velvet::Document& document, const Goal& goal) {
  Introduced result{goal, {}};
  while (auto name = introduceOne(document, result.goal, ""))
    result.names.push_back(std::move(*name));
  return result;
}

std::vector<Goal> splitOn(const velvet::Document& document, const Goal& goal, const std::string& name,
                          const ExprPtr& prop) {
  const std::string own = freshIn(goal, name);
  return {assuming(document, goal, own, prop),
          assuming(document, goal, own, velvet::unary(velvet::UnaryOp::Not, prop))};
}

ExprPtr firstGuard(const velvet::Document& document, const Goal& goal) {
  std::set<std::string> bound;
  if (const Expr* found = firstIf(*goal.conclusion, bound))
    return found->args[0];
  // One step into definitions applied to what stands in the goal.
  std::vector<ExprPtr> work{goal.conclusion};
  while (!work.empty()) {
    const ExprPtr expr = work.back();
    work.pop_back();
    const bool binds = expr->form == Form::Forall || expr->form == Form::Exists;
    if (!binds)
      work.insert(work.end(), expr->args.rbegin(), expr->args.rend());
    if (expr->form != Form::Apply || expr->args[0]->form != Form::Name)
      continue;
    const velvet::Definition* definition = definitionNamed(document, expr->args[0]->text);
    if (definition == nullptr || !definition->value)
      continue;
    ExprPtr body = definition->value;
    for (size_t i = definition->lets.size(); i-- > 0;)
      body = withValue(body, definition->lets[i].name, definition->lets[i].value);
    size_t next = 1;
    for (const velvet::Binder& binder : definition->binders)
      if (binder.bracket == velvet::Bracket::Round && next < expr->args.size())
        body = withValue(body, binder.name, expr->args[next++]);
    std::set<std::string> none;
    if (const Expr* found = firstIf(*body, none))
      return found->args[0];
  }
  return nullptr;
}

Goal goalOf(const velvet::Document& document, const velvet::Theorem& theorem) {
  Goal goal;
  goal.name = goal.label = theorem.name;
  goal.method = theorem.name;
  goal.conclusion = theorem.statement ? theorem.statement : velvet::name("False");
  for (const velvet::Binder& binder : theorem.binders) {
    if (binder.bracket == velvet::Bracket::Square)
      continue;
    Context line;
    line.name = binder.name.empty() ? "h" : binder.name;
    const ExprPtr premise = typeFrom(binder.type) ? nullptr : velvet::parseExpression(binder.type);
    line.kind = premise ? Context::Kind::Hypothesis : Context::Kind::Variable;
    line.type = premise ? "" : binder.type;
    line.expr = premise;
    line.key =
        keyAfter(document, goal, premise ? *premise : *velvet::ascribe(velvet::name(line.name), line.type));
    goal.context = extended(goal.context, std::move(line));
  }
  goal.key = keyAfter(document, goal, *goal.conclusion);
  return goal;
}

ScriptResult runScript(const velvet::Document& document, const velvet::Proof& proof, const MethodGoals& goals,
                       const Lookup& lookup) {
  return Runner(document, lookup).run(proof.script, {}, &goals.goals, proof.unfold);
}

ScriptResult runScript(const velvet::Document& document, const velvet::Theorem& theorem,
                       const Lookup& lookup) {
  std::vector<Tactic> script = theorem.script;
  if (theorem.term) {
    Tactic tactic;
    tactic.word = "exact";
    tactic.expr = theorem.term;
    tactic.range = tactic.wordRange = theorem.byRange;
    script = {tactic};
  }
  return Runner(document, lookup).run(script, {goalOf(document, theorem)}, nullptr, {});
}

} // namespace plumbline::goals

#include "core/goals/script.h"

#include "core/goals/renaming.h"
#include "core/goals/tactics.h"
#include "core/velvet/parser.h"
#include "core/velvet/printer.h"

#include <algorithm>
#include <utility>

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

/// Whether no line has the name or speaks of something else by it.
bool isFree(const Context* line, const std::string& name) {
  for (; line != nullptr; line = line->before.get())
    if (line->name == name || (line->expr && freeNames(*line->expr).contains(name)))
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

/// One that stands before an item of the document; an item of another document has all of them before it.
const velvet::Theorem* theoremBefore(const velvet::Document& document, const void* end,
                                     const std::string& name) {
  for (const velvet::Item& item : document.items) {
    const auto* theorem = std::get_if<velvet::Theorem>(&item);
    if (end != nullptr && (theorem == end || std::get_if<velvet::Proof>(&item) == end))
      return nullptr;
    if (theorem != nullptr && theorem->name == name)
      return theorem;
  }
  return nullptr;
}

const velvet::Definition* definitionNamed(const velvet::Document& document, const std::string& name) {
  for (const velvet::Item& item : document.items)
    if (const auto* definition = std::get_if<velvet::Definition>(&item);
        definition && definition->name == name)
      return definition;
  return nullptr;
}

/// Whether the statement or a later parameter speaks of the parameter: then it is data, of whatever type.
bool isSpokenOf(const velvet::Theorem& theorem, size_t parameter) {
  const std::string& name = theorem.binders[parameter].name;
  if (theorem.statement && freeNames(*theorem.statement).contains(name))
    return true;
  for (size_t i = parameter + 1; i < theorem.binders.size(); ++i)
    if (const ExprPtr type = velvet::parseExpression(theorem.binders[i].type))
      if (freeNames(*type).contains(name))
        return true;
  return false;
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
    if (!premise || isSpokenOf(theorem, i))
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
    const std::set<std::string> meant = freeNames(conclusion);
    const std::string first = wanted.empty() ? conclusion.text : wanted;
    Context line;
    line.name = freshIn(goal, first);
    for (int i = 1; meant.contains(line.name); ++i)
      line.name = freshIn(goal, first + "_" + std::to_string(i));
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
  /// `item`: the proof or theorem whose script it is.
  Runner(const velvet::Document& document, const void* item, const Lookup& lookup)
      : m_document(document), m_item(item), m_lookup(lookup) {}

  /// Of a theorem.
  ScriptResult run(const std::vector<Tactic>& script, Goal goal, velvet::TextRange name) {
    GoalList goals{std::move(goal)};
    sequence(script, goals);
    return finished(script, std::move(goals), name);
  }

  /// Of a method: its goals stand once the solve command has stated them.
  ScriptResult run(const velvet::Proof& proof, const std::vector<Goal>& conditions) {
    m_conditions = &conditions;
    m_isStated = false;
    GoalList goals;
    if (proof.script.empty()) {
      Tactic solve{.word = "loom_solve"};
      for (const std::string& name : proof.unfold)
        solve.list.push_back({name, velvet::name(name), {}});
      solveCommand(solve, goals);
    }
    sequence(proof.script, goals);
    if (!m_isStated)
      goals = conditions;
    return finished(proof.script, std::move(goals), proof.nameRange);
  }

private:
  using GoalList = std::vector<Goal>;

  ScriptResult finished(const std::vector<Tactic>& script, GoalList left, velvet::TextRange name) {
    const std::vector<UnknownTactic> unknown = unknownTactics(script);
    for (const auto& [word, range] : unknown)
      if (m_isStated)
        say(range, Severity::Warning, "unknown-tactic",
            "'" + word + "' is not known here: its goals stay as they are");
      else
        say(range, Severity::Error, "unknown-tactic",
            "unknown tactic '" + word + "': nothing was proved; the goals stay open");
    if (!m_isStated && unknown.empty() && m_early)
      say(*m_early, Severity::Error, "no-goals",
          "no goals are stated yet: 'velvet_vcgen' or 'loom_solve' states them");
    if (m_result.usesSorry)
      say(name, Severity::Warning, "uses-sorry", "declaration uses 'sorry'");
    m_result.left = std::move(m_givenUp);
    m_result.left.insert(m_result.left.end(), left.begin(), left.end());
    if (m_conditions != nullptr) // in the order of the text
      std::ranges::stable_sort(m_result.left, {}, [this](const Goal& goal) {
        return std::ranges::find(*m_conditions, goal.name, &Goal::name) - m_conditions->begin();
      });
    return std::move(m_result);
  }

  /// False, with the reason why there is nothing to do.
  bool noGoals(velvet::TextRange range) {
    if (m_isStated)
      say(range, Severity::Error, "no-goals", "no goals are left for this");
    else if (!m_early)
      m_early = range;
    return false;
  }

  /// Runs an alternative for its goals alone: nothing else remains of it.
  bool tried(const std::vector<Tactic>& script, GoalList& goals) {
    const bool usedSorry = m_result.usesSorry;
    const bool wasStated = m_isStated;
    const std::set<std::string> admitted = m_result.admitted;
    const std::optional<velvet::TextRange> early = m_early;
    ++m_silent;
    const bool works = sequence(script, goals);
    --m_silent;
    m_result.usesSorry = usedSorry;
    m_isStated = wasStated;
    m_result.admitted = admitted;
    m_early = early;
    return works;
  }

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
    case TacticKind::Then: return run(tactic.body[0], goals) && everyGoal(tactic.body[1], goals);
    case TacticKind::AllGoals:
    case TacticKind::AnyGoals:
      return everyGoal({.kind = TacticKind::Sequence, .body = tactic.body, .range = tactic.range}, goals);
    case TacticKind::Try: {
      GoalList before = goals;
      const size_t givenUp = m_givenUp.size();
      if (!sequence(tactic.body, goals)) { // as if it were not there
        goals = std::move(before);
        m_givenUp.erase(m_givenUp.begin() + static_cast<std::ptrdiff_t>(givenUp), m_givenUp.end());
      }
      return true;
    }
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
    if (!m_isStated)
      return sequence(tactic.body, goals);
    if (at >= goals.size())
      return noGoals(tactic.wordRange);
    GoalList inside{goals[at]};
    const bool result = sequence(tactic.body, inside);
    const bool isClosed = inside.empty();
    if (!isClosed && tactic.kind != TacticKind::Focus) {
      say(tactic.wordRange, Severity::Error, "unsolved-goals",
          std::to_string(inside.size()) + (inside.size() == 1 ? " goal is" : " goals are") + " left here");
      // The next bullet is about the next goal.
      if (m_silent == 0) {
        m_givenUp.insert(m_givenUp.end(), inside.begin(), inside.end());
        inside.clear();
      }
    }
    goals.erase(goals.begin() + static_cast<std::ptrdiff_t>(at));
    goals.insert(goals.begin() + static_cast<std::ptrdiff_t>(at), inside.begin(), inside.end());
    return result && isClosed;
  }

  bool namedCase(const Tactic& tactic, GoalList& goals) {
    if (!m_isStated)
      return noGoals(tactic.wordRange);
    auto found = std::ranges::find(goals, tactic.label, &Goal::name);
    if (found == goals.end())
      found = std::ranges::find(goals, tactic.label, &Goal::label);
    if (found != goals.end())
      return focused(tactic, goals, static_cast<size_t>(found - goals.begin()));
    const auto isIt = [&](const Goal& goal) {
      return goal.label == tactic.label || goal.name == tactic.label;
    };
    if (std::ranges::any_of(m_givenUp, isIt)) {
      say(tactic.labelRange, Severity::Error, "unknown-case", "this goal was left open further up");
      return false;
    }
    if (m_conditions != nullptr && std::ranges::any_of(*m_conditions, isIt)) {
      say(tactic.labelRange, Severity::Warning, "closed-case", "this goal is closed already");
      return true;
    }
    say(tactic.labelRange, Severity::Error, "unknown-case", "there is no goal '" + tactic.label + "'");
    return false;
  }

  bool everyGoal(const Tactic& tactic, GoalList& goals) {
    if (!m_isStated)
      return run(tactic, goals);
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
      if (tried(alternative.body, copy))
        return run(alternative, goals);
    }
    say(tactic.wordRange, Severity::Warning, "not-settled",
        "no alternative settles the goal here; Lean may differ");
    return false;
  }

  // --- Commands ---

  bool command(const Tactic& tactic, GoalList& goals) {
    const std::string& word = tactic.word;
    if (velvet::isSolveCommand(tactic))
      return solveCommand(tactic, goals);
    if (admits(word))
      return admit(tactic, goals);
    if (goals.empty())
      return noGoals(tactic.wordRange);
    if (asksEngines(word))
      return settleFirst(tactic, goals);
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
    return false; // said of the whole script
  }

  /// The first goal; all of them where none is stated.
  bool admit(const Tactic& tactic, GoalList& goals) {
    if (m_isStated && goals.empty())
      return noGoals(tactic.wordRange);
    m_result.usesSorry = true;
    if (!m_isStated) {
      m_isStated = true;
      for (const Goal& goal : *m_conditions)
        m_result.admitted.insert(goal.name);
      say(tactic.wordRange, Severity::Warning, "sorry", "admitted (sorry)");
      return true;
    }
    say(tactic.wordRange, Severity::Warning, "sorry", "the goal is admitted without a proof");
    m_result.admitted.insert(goals[0].name);
    goals.erase(goals.begin());
    return true;
  }

  bool solveCommand(const Tactic& tactic, GoalList& goals) {
    if (m_conditions == nullptr) {
      say(tactic.wordRange, Severity::Error, "no-method", "this is no proof of a method");
      return false;
    }
    if (m_isSettling)
      return false; // after its own `with`: said of the whole script
    if (m_isStated && goals.empty())
      return noGoals(tactic.wordRange);
    m_isStated = true;
    const auto hints = hintsNamed(tactic);
    goals.clear();
    std::set<std::string> captured;
    for (const Goal& condition : *m_conditions) {
      goals.push_back(condition);
      for (const auto& [name, prop] : hints)
        if (isCaptured(*prop, condition.context))
          captured.insert(name);
        else
          goals.back() = assuming(m_document, goals.back(), name, prop);
    }
    for (const std::string& name : captured)
      say(tactic.wordRange, Severity::Warning, "captured-hint",
          "the lemma '" + name + "' is not used where a variable has a name that the lemma means otherwise");
    const std::vector<Tactic> script = settlingScript(tactic);
    return script.empty() || settleEach(tactic, script, goals);
  }

  /// Runs what stands after `with` on each goal.
  bool settleEach(const Tactic& tactic, const std::vector<Tactic>& script, GoalList& goals) {
    GoalList left;
    size_t closed = 0;
    size_t admitted = 0;
    size_t failed = 0;
    for (const Goal& goal : goals) {
      GoalList one{goal};
      const bool usedBefore = std::exchange(m_result.usesSorry, false);
      ++m_silent;
      m_isSettling = true;
      failed += sequence(script, one) ? 0 : 1;
      m_isSettling = false;
      --m_silent;
      if (m_result.usesSorry)
        ++admitted;
      else if (one.empty())
        ++closed;
      m_result.usesSorry = m_result.usesSorry || usedBefore;
      left.insert(left.end(), one.begin(), one.end());
    }
    const std::string all = " of " + std::to_string(goals.size()) + " goals";
    goals = std::move(left);
    if (closed > 0)
      say(tactic.wordRange, Severity::Information, "engine",
          std::to_string(closed) + all + ": true (engine); tactic not checked by Lean");
    if (admitted > 0)
      say(tactic.wordRange, Severity::Warning, "sorry",
          std::to_string(admitted) + all + ": admitted (sorry), not proved");
    if (failed > 0)
      say(tactic.wordRange, Severity::Error, "unsolved-goals",
          std::to_string(goals.size()) + (goals.size() == 1 ? " goal is" : " goals are") + " not closed");
    return failed == 0;
  }

  const velvet::Theorem* theoremNamed(const std::string& name) const {
    return theoremBefore(m_document, m_item, name);
  }

  /// Lemmas of the document in the list. One that nothing has closed is not used.
  std::vector<std::pair<std::string, ExprPtr>> hintsNamed(const Tactic& tactic) {
    std::vector<std::pair<std::string, ExprPtr>> result;
    for (const velvet::TacticTerm& term : tactic.list) {
      const bool isName = term.expr && term.expr->form == Form::Name;
      const std::string& name = isName ? term.expr->text : term.text;
      const velvet::Theorem* theorem = theoremNamed(name);
      if (theorem == nullptr) {
        if (theoremBefore(m_document, nullptr, name) != nullptr)
          say(term.range, Severity::Error, "unknown-name", "'" + name + "' is declared only after this");
        else if (isName && !mayDenote(m_document, name))
          say(term.range, Severity::Error, "unknown-name", "'" + name + "' is not declared here");
        continue;
      }
      const ExprPtr prop = quantifiedStatement(*theorem);
      const auto answer = prop ? ask(goalOf(m_document, *theorem)) : nullptr;
      if (answer && answer->status == GoalStatus::Closed)
        result.emplace_back(name, prop);
      else
        say(tactic.wordRange, Severity::Information, "unsettled-hint",
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
      say(tactic.wordRange, Severity::Error, "assumption", "no hypothesis says this");
      return false;
    }
    if (!tactic.expr || tactic.expr->form != Form::Name) {
      say(tactic.wordRange, Severity::Warning, "unknown-tactic",
          "'exact' is looked at with the name of a hypothesis or lemma only");
      return false;
    }
    const std::string& name = tactic.expr->text;
    const Context* line = hypothesis(goals[0], name);
    const velvet::Theorem* theorem = line == nullptr ? theoremNamed(name) : nullptr;
    const ExprPtr prop = line != nullptr      ? line->expr
                         : theorem != nullptr ? quantifiedStatement(*theorem)
                                              : nullptr;
    if (!prop) {
      say(tactic.wordRange, Severity::Error, "unknown-name",
          "no hypothesis or lemma before this is called '" + name + "'");
      return false;
    }
    if (theorem != nullptr && isCaptured(*prop, goals[0].context))
      return captured(tactic.wordRange, name);
    if (!velvet::equal(*prop, *goals[0].conclusion)) {
      say(tactic.wordRange, Severity::Error, "exact", "'" + name + "' does not say this");
      return false;
    }
    goals.erase(goals.begin());
    return true;
  }

  bool captured(velvet::TextRange range, const std::string& name) {
    say(range, Severity::Error, "captured-hint",
        "a variable of the goal has a name that '" + name + "' means otherwise");
    return false;
  }

  bool rewrite(const Tactic& tactic, GoalList& goals) {
    Goal goal = goals[0];
    for (const velvet::TacticTerm& term : tactic.list) {
      const bool backwards = term.text.starts_with("←");
      std::string name = backwards ? term.text.substr(std::string_view("←").size()) : term.text;
      name.erase(0, name.find_first_not_of(' '));
      const Context* line = hypothesis(goal, name);
      const velvet::Theorem* theorem = line == nullptr ? theoremNamed(name) : nullptr;
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
      if (theorem != nullptr && isCaptured(*equation, goal.context))
        return captured(term.range, name);
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
  const void* m_item;
  const Lookup& m_lookup;
  const std::vector<Goal>* m_conditions = nullptr; ///< of a method
  ScriptResult m_result;
  GoalList m_givenUp;                       ///< what bullets and cases have left
  bool m_isStated = true;                   ///< false until a method's goals stand
  std::optional<velvet::TextRange> m_early; ///< what needed goals before
  bool m_isSettling = false;                ///< in what stands after `with`
  int m_silent = 0;                         ///< trying an alternative
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

namespace {

/// Whether a parameter has a name that means something else in what stands before it.
bool hidesSomething(const velvet::Theorem& theorem) {
  std::set<std::string> meant;
  for (const velvet::Binder& binder : theorem.binders) {
    const bool isVariable = typeFrom(binder.type).has_value();
    if (meant.contains(binder.name))
      return true;
    if (!binder.name.empty())
      meant.insert(binder.name);
    if (const ExprPtr premise = isVariable ? nullptr : velvet::parseExpression(binder.type))
      meant.merge(freeNames(*premise));
  }
  return false;
}

} // namespace

Goal goalOf(const velvet::Document& document, const velvet::Theorem& theorem) {
  Goal goal;
  goal.name = goal.label = theorem.name;
  goal.method = theorem.name;
  goal.conclusion = theorem.statement ? theorem.statement : velvet::name("False");
  if (hidesSomething(theorem)) { // with its quantifiers there is no question what is meant
    const ExprPtr whole = quantifiedStatement(theorem);
    goal.conclusion =
        whole ? whole : std::make_shared<const Expr>(Expr{.form = Form::Opaque, .text = theorem.name});
    goal.key = keyAfter(document, goal, *goal.conclusion);
    return goal;
  }
  for (size_t i = 0; i < theorem.binders.size(); ++i) {
    const velvet::Binder& binder = theorem.binders[i];
    if (binder.bracket == velvet::Bracket::Square)
      continue;
    Context line;
    line.name = binder.name.empty() ? "h" : binder.name;
    const bool isData = typeFrom(binder.type) || isSpokenOf(theorem, i);
    const ExprPtr premise = isData ? nullptr : velvet::parseExpression(binder.type);
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
  return Runner(document, &proof, lookup).run(proof, goals.goals);
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
  return Runner(document, &theorem, lookup).run(script, goalOf(document, theorem), theorem.nameRange);
}

} // namespace plumbline::goals

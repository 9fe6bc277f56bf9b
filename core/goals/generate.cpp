// Symbolic execution of a method: contexts grow line by line, clauses become goals.
#include "core/goals/renaming.h"
#include "core/velvet/printer.h"

#include <algorithm>
#include <map>

namespace plumbline::goals {

using velvet::BinaryOp;
using velvet::Clause;
using velvet::ExprPtr;
using velvet::Stmt;
using velvet::StmtKind;

namespace {

/// What is known at a place of the method.
struct State {
  ContextPtr context;
  std::vector<Binding> bindings; ///< innermost last
  std::vector<std::string> path;
};

/// A loop around the statement at hand.
struct Loop {
  const Stmt* stmt = nullptr;
  size_t bindings = 0; ///< in scope at its head
  ExprPtr measure;     ///< at the head of the turn; null where there is none
};

ExprPtr negation(const ExprPtr& prop) {
  return velvet::unary(velvet::UnaryOp::Not, prop);
}

class Generator {
public:
  Generator(const velvet::Document& document, const velvet::Method& method)
      : m_document(document), m_method(method), m_keys(document) {
    m_result.method = method.name;
    for (const velvet::Binder& binder : method.binders)
      m_identifiers.insert(binder.name);
    m_identifiers.insert(method.resultName);
    for (const auto* clauses : {&method.requirements, &method.ensures})
      for (const Clause& clause : *clauses)
        if (clause.prop)
          collectNames(*clause.prop, m_identifiers);
    collectNames(method.body, m_identifiers);
    collectVariables(method, m_variables);
    collectCallees(method.body);
  }

  MethodGoals run() {
    State state;
    for (const velvet::Binder& binder : m_method.binders) {
      if (binder.isMutable)
        problem("mutable-parameter",
                "the parameter '" + binder.name + "' is mutable; copy it into a variable", nullptr, nullptr);
      if (binder.bracket == velvet::Bracket::Round)
        declare(state, binder.name, binder.type, nullptr, nullptr);
    }
    m_parameters = state.bindings;
    int number = 0;
    for (const Clause& clause : m_method.requirements) {
      ++number;
      if (clause.prop)
        assume(state, labelOf(clause, "requires" + std::to_string(number)),
               resolved(clause.prop, state.bindings), &clause, nullptr);
    }
    askForContradiction(state);
    if (block(m_method.body, state))
      atEnd(state);
    return std::move(m_result);
  }

private:
  void askForContradiction(const State& state) {
    const auto first =
        std::ranges::find_if(m_method.requirements, [](const Clause& c) { return c.prop != nullptr; });
    if (first == m_method.requirements.end())
      return;
    Goal goal;
    goal.name = goal.label = "requires";
    goal.method = m_method.name;
    goal.kind = GoalKind::Contradiction;
    goal.context = state.context;
    goal.conclusion = velvet::name("False");
    goal.clause = &*first;
    goal.key = combine(state.context->key, m_keys.of(*goal.conclusion));
    m_result.contradiction = std::move(goal);
  }

  /// An expression of the method's text, or of a callee's, where it is met: a name that no binding gives is
  /// never that of a variable which the contexts of this method may know for other reasons.
  ExprPtr resolved(const ExprPtr& expr, std::span<const Binding> bindings) const {
    return renamed(expr, bindings, m_variables);
  }

  /// No version of a variable gets a name that a clause of a called method has for something else.
  void collectCallees(const std::vector<Stmt>& body) {
    for (const Stmt& stmt : body) {
      if (stmt.kind == StmtKind::Call && stmt.value) {
        const bool isApplied = stmt.value->form == velvet::Form::Apply;
        const velvet::Expr& function = isApplied ? *stmt.value->args[0] : *stmt.value;
        if (const velvet::Method* callee = methodNamed(function.text))
          for (const auto* clauses : {&callee->requirements, &callee->ensures})
            for (const Clause& clause : *clauses)
              if (clause.prop)
                collectNames(*clause.prop, m_identifiers);
      }
      collectCallees(stmt.body);
      collectCallees(stmt.otherwise);
    }
  }

  void problem(std::string id, std::string message, const Clause* clause, const Stmt* stmt) {
    m_result.problems.push_back({std::move(id), std::move(message), clause, stmt});
  }

  static std::string labelOf(const Clause& clause, const std::string& otherwise) {
    return clause.label.empty() ? otherwise : clause.label;
  }

  std::string invariantLabel(const Clause& clause) {
    if (!clause.label.empty())
      return clause.label;
    const auto [entry, isNew] = m_numbers.try_emplace(&clause, static_cast<int>(m_numbers.size()) + 1);
    return "invariant" + std::to_string(entry->second);
  }

  // --- Contexts ---

  void append(State& state, Context line) const {
    const Key before = state.context ? state.context->key : Key{1, 2};
    line.depth = state.context ? state.context->depth + 1 : 0;
    line.before = state.context;
    if (line.kind == Context::Kind::Variable)
      line.key = combine(before, m_keys.variable(line.name));
    else
      line.key = combine(before, combine(keyOf(line.name), line.key));
    state.context = std::make_shared<const Context>(std::move(line));
  }

  std::string freshName(const std::string& program, bool mayKeep) {
    if (mayKeep && m_taken.insert(program).second)
      return program;
    for (int& i = m_versions[program];;) {
      std::string name = program + "_" + std::to_string(++i);
      if (!m_identifiers.contains(name) && m_taken.insert(name).second)
        return name;
    }
  }

  /// A new version of a variable, appended to the context. `value` null: arbitrary.
  std::string version(State& state, const std::string& program, const std::string& type, ExprPtr value,
                      const Stmt* stmt, bool mayKeep) {
    Context line;
    line.name = freshName(program, mayKeep);
    line.type = type;
    line.statement = stmt;
    const Key identity = combine(keyOf(line.name), keyOf(type));
    const Key before = state.context ? state.context->key : Key{1, 2};
    m_keys.setVariable(line.name, combine(identity, value ? m_keys.of(*value) : before));
    line.expr = std::move(value);
    std::string name = line.name;
    append(state, std::move(line));
    return name;
  }

  void declare(State& state, const std::string& program, const std::string& type, ExprPtr value,
               const Stmt* stmt) {
    std::string current = version(state, program, type, std::move(value), stmt, true);
    state.bindings.push_back({program, std::move(current), type});
  }

  void assume(State& state, const std::string& name, ExprPtr prop, const Clause* clause, const Stmt* stmt) {
    Context line;
    line.kind = Context::Kind::Hypothesis;
    line.name = name;
    line.key = m_keys.of(*prop);
    line.expr = std::move(prop);
    line.clause = clause;
    line.statement = stmt;
    append(state, std::move(line));
  }

  static Binding* find(State& state, const std::string& program) {
    for (size_t i = state.bindings.size(); i-- > 0;)
      if (state.bindings[i].program == program)
        return &state.bindings[i];
    return nullptr;
  }

  // --- Goals ---

  void require(const State& state, const std::string& label, GoalKind kind, ExprPtr conclusion,
               const Clause* clause, const Stmt* stmt) {
    Goal goal;
    const bool plain = kind == GoalKind::Assert || kind == GoalKind::Ensures;
    const std::string base = plain ? label : label + "." + std::string(name(kind));
    const int repeats = m_names[base]++;
    goal.name = repeats == 0 ? base : base + "_" + std::to_string(repeats);
    goal.label = label;
    goal.method = m_method.name;
    goal.kind = kind;
    goal.context = state.context;
    goal.key = combine(state.context ? state.context->key : Key{1, 2}, m_keys.of(*conclusion));
    goal.conclusion = std::move(conclusion);
    goal.path = state.path;
    goal.clause = clause;
    goal.statement = stmt;
    m_result.goals.push_back(std::move(goal));
  }

  // --- Statements ---

  /// False when no path reaches the end. Names declared in the block end with it.
  bool block(const std::vector<Stmt>& body, State& state) {
    const size_t before = state.bindings.size();
    for (const Stmt& stmt : body)
      if (!statement(stmt, state))
        return false;
    state.bindings.resize(before);
    return true;
  }

  bool statement(const Stmt& stmt, State& state) {
    switch (stmt.kind) {
    case StmtKind::Let:
      if (!stmt.value)
        return unknown(stmt);
      declare(state, stmt.name, stmt.type, resolved(stmt.value, state.bindings), &stmt);
      return true;
    case StmtKind::Set: return set(stmt, state);
    case StmtKind::Call: return call(stmt, state);
    case StmtKind::If: return branch(stmt, state);
    case StmtKind::While: return loop(stmt, state);
    case StmtKind::Assert: return assertion(stmt, state);
    case StmtKind::Break: return leave(stmt, state, true);
    case StmtKind::Continue: return leave(stmt, state, false);
    case StmtKind::Return: leaveMethod(stmt, state); return false;
    case StmtKind::Comment: return true;
    case StmtKind::Opaque: return unknown(stmt);
    }
    return false;
  }

  /// Nothing is claimed about what comes after a statement without a meaning.
  bool unknown(const Stmt& stmt) {
    problem("unknown-statement", "this statement has no meaning here; what follows it is not looked at",
            nullptr, &stmt);
    return false;
  }

  bool set(const Stmt& stmt, State& state) {
    const Binding* known = find(state, stmt.name);
    if (known == nullptr || !stmt.value) {
      problem("unknown-variable", "no variable '" + stmt.name + "' can be assigned here", nullptr, &stmt);
      return false;
    }
    const std::string type = known->type;
    std::string current = version(state, stmt.name, type, resolved(stmt.value, state.bindings), &stmt, false);
    find(state, stmt.name)->current = std::move(current);
    return true;
  }

  bool assertion(const Stmt& stmt, State& state) {
    const Clause& clause = stmt.clause;
    if (!clause.prop)
      return unknown(stmt);
    const std::string label = labelOf(clause, "assert" + std::to_string(++m_assertions));
    const ExprPtr prop = resolved(clause.prop, state.bindings);
    require(state, label, GoalKind::Assert, prop, &clause, &stmt);
    assume(state, label, prop, &clause, &stmt);
    return true;
  }

  bool branch(const Stmt& stmt, State& state) {
    if (!stmt.value)
      return unknown(stmt);
    const ExprPtr condition = resolved(stmt.value, state.bindings);
    State yes = inBranch(state, stmt, condition, true);
    State no = inBranch(state, stmt, condition, false);
    const bool yesEnds = block(stmt.body, yes);
    const bool noEnds = block(stmt.otherwise, no);
    if (yesEnds && noEnds)
      join(state, condition, yes, no, &stmt);
    else if (yesEnds || noEnds) {
      state.context = (yesEnds ? yes : no).context;
      state.bindings = std::move((yesEnds ? yes : no).bindings);
    }
    return yesEnds || noEnds;
  }

  State inBranch(const State& state, const Stmt& stmt, const ExprPtr& condition, bool holds) {
    State result = state;
    const std::string text = velvet::print(*stmt.value);
    result.path.push_back(holds ? text : "¬ (" + text + ")");
    const std::string& own = stmt.loop.label;
    assume(result,
           !own.empty() ? own
           : holds      ? "if_pos"
                        : "if_neg",
           holds ? condition : negation(condition), nullptr, &stmt);
    return result;
  }

  /// What either branch has found out, under its condition.
  void join(State& state, const ExprPtr& condition, const State& yes, const State& no, const Stmt* stmt) {
    const ContextPtr before = state.context;
    addFacts(state, before, yes.context, condition);
    addFacts(state, before, no.context, negation(condition));
    for (size_t i = 0; i < state.bindings.size(); ++i) {
      Binding& binding = state.bindings[i];
      const std::string& a = yes.bindings[i].current;
      const std::string& b = no.bindings[i].current;
      if (a == b)
        binding.current = a;
      else
        binding.current =
            version(state, binding.program, binding.type,
                    velvet::ifThenElse(condition, velvet::name(a), velvet::name(b)), stmt, false);
    }
  }

  void addFacts(State& state, const ContextPtr& before, const ContextPtr& after, const ExprPtr& condition) {
    std::vector<const Context*> added;
    for (const Context* line = after.get(); line != before.get(); line = line->before.get())
      added.push_back(line);
    added.pop_back(); // the condition itself
    for (size_t i = added.size(); i-- > 0;) {
      Context copy = *added[i];
      if (copy.kind == Context::Kind::Hypothesis) {
        copy.expr = velvet::binary(BinaryOp::Implies, condition, copy.expr);
        copy.key = m_keys.of(*copy.expr);
      }
      append(state, std::move(copy));
    }
  }

  // --- Loops ---

  /// Arbitrary values for the variables that the loop assigns, and what its invariants say of them.
  void forget(State& state, const Stmt& stmt, const std::vector<std::string>& assigned) {
    for (const std::string& program : assigned)
      if (const Binding* binding = find(state, program)) {
        if (binding->type.empty())
          problem("untyped-variable", "give '" + program + "' its type: a loop assigns it", nullptr, &stmt);
        std::string current = version(state, program, std::string(binding->type), nullptr, &stmt, false);
        find(state, program)->current = std::move(current);
      }
    for (const Clause& invariant : stmt.loop.invariants)
      if (invariant.prop)
        assume(state, invariantLabel(invariant), resolved(invariant.prop, state.bindings), &invariant, &stmt);
  }

  void requireInvariants(const State& state, const Stmt& stmt, GoalKind kind,
                         std::span<const Binding> bindings, const Stmt* at) {
    for (const Clause& invariant : stmt.loop.invariants)
      if (invariant.prop)
        require(state, invariantLabel(invariant), kind, resolved(invariant.prop, bindings), &invariant, at);
  }

  /// What holds after the loop besides its invariants; the negated condition where nothing is written.
  static ExprPtr doneProp(const Stmt& stmt) {
    return stmt.loop.doneWith.prop ? stmt.loop.doneWith.prop : negation(stmt.value);
  }
  static std::string doneLabel(const Stmt& stmt) {
    return labelOf(stmt.loop.doneWith, stmt.loop.label.empty() ? "done_with" : stmt.loop.label + "_done");
  }

  bool loop(const Stmt& stmt, State& state) {
    if (!stmt.value)
      return unknown(stmt);
    const Clause* done = stmt.loop.doneWith.prop ? &stmt.loop.doneWith : nullptr;
    const std::vector<std::string> assigned = assignedOutside(stmt.body);
    requireInvariants(state, stmt, GoalKind::Entry, state.bindings, &stmt);

    State turn = state;
    forget(turn, stmt, assigned);
    State exit = turn;
    const ExprPtr condition = resolved(stmt.value, turn.bindings);
    const std::string conditionLabel = stmt.loop.label.empty() ? "while_cond" : stmt.loop.label;
    assume(turn, conditionLabel, condition, nullptr, &stmt);
    turn.path.push_back(velvet::print(*stmt.value));
    Loop frame{&stmt, turn.bindings.size(), nullptr};
    if (stmt.loop.decreasing.prop)
      frame.measure = resolved(stmt.loop.decreasing.prop, turn.bindings);
    else
      problem("no-measure", "this loop has no 'decreasing' clause: that it ends is not shown", nullptr,
              &stmt);
    m_loops.push_back(frame);
    if (block(stmt.body, turn))
      endTurn(turn, nullptr);
    m_loops.pop_back();

    assume(exit, conditionLabel, negation(condition), nullptr, &stmt);
    if (done != nullptr)
      require(exit, doneLabel(stmt), GoalKind::Exit, resolved(done->prop, exit.bindings), done, &stmt);
    forget(state, stmt, assigned);
    assume(state, doneLabel(stmt), resolved(doneProp(stmt), state.bindings), done, &stmt);
    return true;
  }

  /// The end of a turn of the innermost loop; `at`: the `continue`, or null.
  void endTurn(const State& state, const Stmt* at) {
    const Loop& frame = m_loops.back();
    const Stmt& stmt = *frame.stmt;
    const std::span bindings(state.bindings.data(), frame.bindings);
    const Stmt* where = at != nullptr ? at : &stmt;
    if (frame.measure) {
      const Clause& clause = stmt.loop.decreasing;
      const std::string label = labelOf(clause, conditionName(stmt) + "_measure");
      require(state, label, GoalKind::Measure,
              velvet::binary(BinaryOp::Less, resolved(clause.prop, bindings), frame.measure), &clause, where);
    }
    requireInvariants(state, stmt, GoalKind::Step, bindings, where);
  }

  static std::string conditionName(const Stmt& stmt) {
    return stmt.loop.label.empty() ? "while" : stmt.loop.label;
  }

  bool leave(const Stmt& stmt, const State& state, bool breaks) {
    if (m_loops.empty()) {
      problem("outside-loop", "there is no loop around this statement", nullptr, &stmt);
      return false;
    }
    if (!breaks) {
      endTurn(state, &stmt);
      return false;
    }
    const Loop& frame = m_loops.back();
    const std::span bindings(state.bindings.data(), frame.bindings);
    const Clause* done = frame.stmt->loop.doneWith.prop ? &frame.stmt->loop.doneWith : nullptr;
    requireInvariants(state, *frame.stmt, GoalKind::Break, bindings, &stmt);
    require(state, doneLabel(*frame.stmt), GoalKind::Break, resolved(doneProp(*frame.stmt), bindings), done,
            &stmt);
    return false;
  }

  // --- Calls and returns ---

  const velvet::Method* methodNamed(const std::string& wanted) const {
    for (const velvet::Item& item : m_document.items)
      if (const auto* method = std::get_if<velvet::Method>(&item); method && method->name == wanted)
        return method;
    return nullptr;
  }

  /// The callee's requirements must hold; its result is any value that its ensures clauses allow. That it is
  /// proved is its own goals' business, and only of methods before this one.
  bool call(const Stmt& stmt, State& state) {
    const velvet::Expr* value = stmt.value.get();
    const velvet::Expr* function = value;
    if (value != nullptr && value->form == velvet::Form::Apply)
      function = value->args[0].get();
    const velvet::Method* callee = function != nullptr ? methodNamed(function->text) : nullptr;
    if (callee == nullptr || callee == &m_method || callee > &m_method) {
      problem("unknown-method", "no method of this name stands before this one", nullptr, &stmt);
      return unknown(stmt);
    }
    std::vector<Binding> inside;
    size_t next = 1;
    for (const velvet::Binder& binder : callee->binders) {
      if (binder.bracket != velvet::Bracket::Round)
        continue;
      if (value->form != velvet::Form::Apply || next >= value->args.size()) {
        problem("call-arguments", "too few arguments for " + callee->name, nullptr, &stmt);
        return unknown(stmt);
      }
      ExprPtr argument = resolved(value->args[next++], state.bindings);
      std::string current =
          version(state, binder.name + "_arg", binder.type, std::move(argument), &stmt, false);
      inside.push_back({binder.name, std::move(current), binder.type});
    }
    if (value->form == velvet::Form::Apply && next != value->args.size()) {
      problem("call-arguments", "too many arguments for " + callee->name, nullptr, &stmt);
      return unknown(stmt);
    }
    for (const Clause& clause : callee->requirements)
      if (clause.prop)
        require(state, labelOf(clause, callee->name + "_requires"), GoalKind::Requires,
                resolved(clause.prop, inside), &clause, &stmt);
    std::string result = version(state, stmt.name.empty() ? callee->resultName : stmt.name,
                                 callee->resultType, nullptr, &stmt, !stmt.name.empty());
    inside.push_back({callee->resultName, result, callee->resultType});
    for (const Clause& clause : callee->ensures)
      if (clause.prop)
        assume(state, labelOf(clause, callee->name + "_ensures"), resolved(clause.prop, inside), &clause,
               &stmt);
    if (!stmt.name.empty())
      state.bindings.push_back({stmt.name, std::move(result), callee->resultType});
    return true;
  }

  void leaveMethod(const Stmt& stmt, State& state) {
    std::vector<Binding> bindings = m_parameters;
    if (stmt.value) {
      std::string result = version(state, m_method.resultName, m_method.resultType,
                                   resolved(stmt.value, state.bindings), &stmt, true);
      bindings.push_back({m_method.resultName, std::move(result), m_method.resultType});
    } else if (m_method.resultType != "Unit") {
      problem("no-value", "this method returns a value of type " + m_method.resultType, nullptr, &stmt);
      return;
    }
    ensure(state, bindings, &stmt);
  }

  void atEnd(State& state) {
    if (m_method.resultType != "Unit") {
      problem("no-return", "the method ends without a value of type " + m_method.resultType, nullptr,
              nullptr);
      return;
    }
    ensure(state, m_parameters, nullptr);
  }

  void ensure(const State& state, std::span<const Binding> bindings, const Stmt* at) {
    int number = 0;
    for (const Clause& clause : m_method.ensures) {
      ++number;
      if (clause.prop)
        require(state, labelOf(clause, "ensures" + std::to_string(number)), GoalKind::Ensures,
                resolved(clause.prop, bindings), &clause, at);
    }
  }

  const velvet::Document& m_document;
  const velvet::Method& m_method;
  ExprKeys m_keys;
  std::set<std::string> m_identifiers; ///< every name in the method's text
  std::set<std::string> m_variables;   ///< what the method declares anywhere
  std::set<std::string> m_taken;       ///< names of variables of contexts
  std::map<std::string, int> m_versions;
  std::map<std::string, int> m_names; ///< of goals
  std::map<const Clause*, int> m_numbers;
  std::vector<Binding> m_parameters;
  std::vector<Loop> m_loops;
  int m_assertions = 0;
  MethodGoals m_result;
};

} // namespace

MethodGoals generateGoals(const velvet::Document& document, const velvet::Method& method) {
  return Generator(document, method).run();
}

} // namespace plumbline::goals

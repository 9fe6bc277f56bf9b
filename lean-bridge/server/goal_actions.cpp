#include "lean-bridge/server/goal_actions.h"

#include "core/goals/renaming.h"
#include "core/velvet/names.h"
#include "core/velvet/printer.h"
#include "lean-bridge/server/hint_use.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace plumbline::server {

using velvet::BinaryOp;
using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;
using velvet::Stmt;
using velvet::StmtKind;

namespace {

std::string floatLiteral(uint64_t bits) {
  std::array<char, 40> buffer{};
  (void)std::snprintf(buffer.data(), buffer.size(), "0x%08llX", static_cast<unsigned long long>(bits));
  return buffer.data();
}

/// A value as Lean writes it; null for types that a closed fact cannot decide.
ExprPtr scalarLiteral(goals::Kind kind, int64_t number, uint64_t bits) {
  switch (kind) {
  case goals::Kind::Nat: return velvet::ascribe(velvet::number(number), "Nat");
  case goals::Kind::Int: return velvet::ascribe(velvet::number(number), "Int");
  case goals::Kind::Bool: return velvet::name(number != 0 ? "true" : "false");
  case goals::Kind::F32: {
    Expr hex{.form = Form::Number, .text = floatLiteral(bits)};
    return velvet::apply("Float32.ofBits", {std::make_shared<const Expr>(std::move(hex))});
  }
  default: return nullptr;
  }
}

ExprPtr literalOf(const goals::Concrete& value) {
  constexpr size_t longest = 16;
  if (value.kind != goals::Kind::Array)
    return scalarLiteral(value.kind, value.number, value.bits);
  if (value.elements.empty() || value.elements.size() > longest)
    return nullptr;
  std::vector<ExprPtr> elements;
  for (const uint64_t element : value.elements) {
    elements.push_back(scalarLiteral(value.element, static_cast<int64_t>(element), element));
    if (!elements.back())
      return nullptr;
  }
  return velvet::arrayOf(std::move(elements));
}

class Actions {
public:
  Actions(const Elaboration& elaboration, const lsp::Range& range, const goals::Lookup& lookup)
      : m_elaboration(elaboration), m_snapshot(*elaboration.snapshot), m_document(m_snapshot.parsed.document),
        m_lookup(lookup), m_begin(m_snapshot.offset(range.start)), m_end(m_snapshot.offset(range.end)) {}

  std::vector<lsp::CodeAction> run() {
    addGoalActions();
    for (const velvet::Item& item : m_document.items) {
      if (const auto* theorem = std::get_if<velvet::Theorem>(&item); theorem && touched(theorem->range))
        promote(*theorem);
      if (const auto* method = std::get_if<velvet::Method>(&item); method && touched(method->range))
        addInvariants(*method, method->body);
    }
    addCloseCase();
    return std::move(m_result);
  }

private:
  bool touched(velvet::TextRange range) const {
    return !range.empty() && range.begin <= m_end && m_begin <= range.end;
  }

  lsp::TextEdit inserted(uint32_t at, std::string text) const {
    return {m_snapshot.range({at, at}), std::move(text)};
  }

  void add(const std::string& title, const char* kind, uint32_t at, std::string text) {
    add(title, kind, {inserted(at, std::move(text))});
  }

  void add(const std::string& title, const char* kind, std::vector<lsp::TextEdit> edits) {
    lsp::CodeAction action;
    action.title = title;
    action.kind = kind;
    action.edit = lsp::WorkspaceEdit{{{m_snapshot.uri, m_snapshot.version, std::move(edits)}}, false};
    m_result.push_back(std::move(action));
  }

  // --- Goals ---

  const velvet::Proof* proofOf(const goals::Goal& goal) const {
    for (const velvet::Item& item : m_document.items)
      if (const auto* proof = std::get_if<velvet::Proof>(&item); proof && proof->method == goal.method)
        return proof;
    return nullptr;
  }

  void addGoalActions() {
    constexpr size_t most = 3;
    const auto shown = goalsAt(m_elaboration, m_begin, m_lookup);
    size_t count = 0;
    for (const ShownGoal& each : shown.value_or(std::vector<ShownGoal>{})) {
      const velvet::Proof* proof = proofOf(each.goal);
      const bool isClosed = each.settled && each.settled->status == goals::GoalStatus::Closed;
      if (proof == nullptr || (isClosed && !isLeftByScript(each.goal)) || ++count > most)
        continue;
      const bool isFalse = each.settled && each.settled->status == goals::GoalStatus::Witnessed;
      if (!isClosed)
        addSplits(each.goal, *proof);
      if (!isFalse)
        add("Settle '" + each.goal.name + "'", "quickfix", scriptEnd(*proof),
            "\n  case " + velvet::quoted(each.goal.label) + " => grind");
      if (isClosed)
        continue;
      if (const auto witness = each.settled ? each.settled->witness : std::nullopt)
        addWitness(each.goal, *proof, *witness);
      if (count == 1)
        addHints(*proof);
    }
  }

  /// The engines may have closed a goal that the script says nothing about.
  bool isLeftByScript(const goals::Goal& goal) const {
    return std::ranges::any_of(m_elaboration.proofs, [&](const ProofState& proof) {
      return proof.name == goal.method &&
             std::ranges::find(proof.result.left, goal.name, &goals::Goal::name) != proof.result.left.end();
    });
  }

  uint32_t scriptEnd(const velvet::Proof& proof) const {
    uint32_t end = proof.range.end;
    const std::string& text = m_snapshot.text.text();
    while (end > proof.range.begin && (text[end - 1] == '\n' || text[end - 1] == ' '))
      --end;
    return end;
  }

  void addSplits(const goals::Goal& goal, const velvet::Proof& proof) {
    const goals::Introduced inner = goals::introduced(m_document, goal);
    std::string head = "\n  case " + velvet::quoted(goal.label) + " =>";
    if (!inner.names.empty()) {
      head += "\n    intro";
      for (const std::string& name : inner.names)
        head += " " + velvet::quoted(name);
    }
    const auto cases = [&](const std::string& name, const std::string& prop) {
      return head + "\n    by_cases " + name + " : " + prop + "\n    · grind\n    · grind";
    };
    if (const ExprPtr guard = goals::firstGuard(m_document, inner.goal))
      add("Split '" + goal.name + "' on " + velvet::print(*guard), "refactor", scriptEnd(proof),
          cases("guard", velvet::print(*guard)));
    if (const ExprPtr value = firstFloat(inner.goal)) {
      const std::string isNan = velvet::print(
          *velvet::binary(BinaryOp::Equal, velvet::apply("Float32.isNaN", {value}), velvet::name("true")));
      add("Split '" + goal.name + "' on " + isNan, "refactor", scriptEnd(proof), cases("nan", isNan));
    }
  }

  /// A read of a float array in the conclusion.
  ExprPtr firstFloat(const goals::Goal& goal) const {
    std::set<std::string> floats;
    for (const goals::Context* line : goals::lines(goal.context))
      if (line->type == "Array Float32")
        floats.insert(line->name);
    std::vector<ExprPtr> work{goal.conclusion};
    while (!work.empty()) {
      const ExprPtr expr = work.back();
      work.pop_back();
      if (expr->form == Form::Element && expr->args[0]->form == Form::Name &&
          floats.contains(expr->args[0]->text))
        return expr;
      if (expr->form != Form::Forall && expr->form != Form::Exists)
        work.insert(work.end(), expr->args.rbegin(), expr->args.rend());
    }
    return nullptr;
  }

  void addHints(const velvet::Proof& proof) {
    const auto solve = std::ranges::find_if(proof.script, velvet::isSolveCommand);
    if (solve == proof.script.end() || solve->list.empty())
      return;
    const auto isUsed = [&](const std::string& name) {
      return std::ranges::any_of(solve->list,
                                 [&](const velvet::TacticTerm& term) { return term.text == name; });
    };
    const uint32_t end = solve->list.back().range.end;
    for (const velvet::Item& item : m_document.items) {
      if (std::get_if<velvet::Proof>(&item) == &proof)
        break; // what is declared further down is not known yet
      if (const auto* theorem = std::get_if<velvet::Theorem>(&item); theorem && !isUsed(theorem->name))
        add("Use hint '" + theorem->name + "'", "quickfix", end, ", " + velvet::quoted(theorem->name));
    }
    for (const method::Hint* hint : fittingHints(m_snapshot)) {
      if (isUsed(hint->theorem))
        continue;
      std::vector<lsp::TextEdit> edits{inserted(end, ", " + hint->theorem)};
      if (std::optional<lsp::TextEdit> import = importEdit(m_snapshot, *hint))
        edits.insert(edits.begin(), *std::move(import));
      add("Use hint '" + hint->theorem + "'", "quickfix", std::move(edits));
    }
  }

  // --- Witnesses ---

  void addWitness(const goals::Goal& goal, const velvet::Proof& proof, const goals::Assignment& witness) {
    std::string comment = "\n  -- " + goal.name + " is false at";
    for (const auto& [name, value] : witness)
      comment += "\n  --   " + name + " = " + goals::text(value);
    add("Write down the witness of '" + goal.name + "'", "quickfix", scriptEnd(proof), comment);
    const ExprPtr fact = witnessFact(goal, witness);
    if (!fact)
      return;
    for (const velvet::Item& item : m_document.items)
      if (const auto* method = std::get_if<velvet::Method>(&item); method && method->name == goal.method)
        add("Insert the witness of '" + goal.name + "' as a theorem", "quickfix",
            lineStart(method->nameRange.begin),
            "theorem " + velvet::quoted(velvet::identifierFrom(goal.name + "_witness")) + " : " +
                velvet::print(*fact) + " := by\n" + unfolding(*fact) +
                "  first | decide +kernel | decide\n\n");
  }

  /// A line that unfolds the document's propositions in a fact: a definition has no Decidable instance.
  /// Empty: there are none.
  std::string unfolding(const velvet::Expr& fact) const {
    std::set<std::string> names;
    goals::collectNames(fact, names);
    std::string used;
    for (const velvet::Item& item : m_document.items)
      if (const auto* each = std::get_if<velvet::Definition>(&item);
          each && each->type == "Prop" && names.contains(each->name))
        used += " " + velvet::quoted(each->name);
    return used.empty() ? "" : "  unfold" + used + "\n";
  }

  /// The conclusion at the witness with all variables replaced, negated: a closed fact.
  ExprPtr witnessFact(const goals::Goal& goal, const goals::Assignment& witness) const {
    constexpr size_t longest = 4000;
    goals::GoalEvaluator evaluator(goal, *m_elaboration.definitions, witness);
    ExprPtr claim = goal.conclusion;
    while (claim->form == Form::Forall && (claim->type == "Nat" || claim->type == "Int")) {
      const ExprPtr body = falseInstance(evaluator, *claim);
      if (!body)
        return nullptr;
      claim = body;
    }
    while (claim->form == Form::Binary && claim->binary == BinaryOp::Implies)
      claim = claim->args[1];
    if (evaluator.holds(*claim) != false)
      return nullptr;
    const std::vector<const goals::Context*> lines = goals::lines(goal.context);
    for (size_t i = lines.size(); i-- > 0;) {
      if (lines[i]->kind != goals::Context::Kind::Variable)
        continue;
      std::set<std::string> names;
      goals::collectNames(*claim, names);
      if (!names.contains(lines[i]->name))
        continue;
      const auto value = witness.find(lines[i]->name);
      const ExprPtr with = lines[i]->expr           ? lines[i]->expr
                           : value != witness.end() ? literalOf(value->second)
                                                    : nullptr;
      if (!with)
        return nullptr;
      claim = goals::withValue(claim, lines[i]->name, with);
      if (velvet::print(*claim).size() > longest)
        return nullptr;
    }
    return velvet::unary(velvet::UnaryOp::Not, claim);
  }

  static ExprPtr falseInstance(goals::GoalEvaluator& evaluator, const Expr& quantified) {
    constexpr int64_t most = 64;
    for (int64_t k = 0; k < most; ++k) {
      const ExprPtr body = goals::withValue(quantified.args[0], quantified.text,
                                            velvet::ascribe(velvet::number(k), quantified.type));
      if (evaluator.holds(*body) == false)
        return body;
    }
    return nullptr;
  }

  // --- Lemmas, invariants, cases ---

  uint32_t lineStart(uint32_t offset) const {
    const std::string& text = m_snapshot.text.text();
    while (offset > 0 && text[offset - 1] != '\n')
      --offset;
    return offset;
  }

  void promote(const velvet::Theorem& theorem) {
    const std::string attribute = m_snapshot.dialect == velvet::Dialect::Velvet2 ? "grind" : "solverHint";
    if (theorem.attribute.empty() && !theorem.nameRange.empty())
      add("Promote '" + theorem.name + "' to the hint pool", "refactor", lineStart(theorem.nameRange.begin),
          "@[" + attribute + "]\n");
  }

  void addInvariants(const velvet::Method& method, const std::vector<Stmt>& body) {
    for (const Stmt& stmt : body) {
      if (stmt.kind == StmtKind::While && touched(stmt.headRange))
        proposeInvariants(method, stmt);
      addInvariants(method, stmt.body);
      addInvariants(method, stmt.otherwise);
    }
  }

  static const Stmt* declarationOf(const std::vector<Stmt>& body, const std::string& name) {
    for (const Stmt& stmt : body) {
      if (stmt.kind == StmtKind::Let && stmt.name == name)
        return &stmt;
      for (const auto* inner : {&stmt.body, &stmt.otherwise})
        if (const Stmt* found = declarationOf(*inner, name))
          return found;
    }
    return nullptr;
  }

  /// Bounds of the counter and sizes of arrays: what most loops need. They are proposals, checked like any.
  void proposeInvariants(const velvet::Method& method, const Stmt& loop) {
    std::vector<std::pair<std::string, ExprPtr>> proposals;
    if (!loop.value)
      return;
    for (const std::string& name : goals::assignedOutside(loop.body)) {
      const bool isCounter = loop.value->form == Form::Binary && loop.value->binary == BinaryOp::Less &&
                             loop.value->args[0]->form == Form::Name && loop.value->args[0]->text == name;
      if (isCounter)
        proposals.emplace_back(name + "_le",
                               velvet::binary(BinaryOp::LessEqual, loop.value->args[0], loop.value->args[1]));
      const Stmt* declared = declarationOf(method.body, name);
      const bool isCopy = declared != nullptr && declared->type.starts_with("Array ") && declared->value &&
                          declared->value->form == Form::Name;
      if (isCopy)
        proposals.emplace_back(name + "_size",
                               velvet::binary(BinaryOp::Equal, velvet::field(velvet::name(name), "size"),
                                              velvet::field(declared->value, "size")));
    }
    std::string text;
    for (const auto& [label, prop] : proposals) {
      const bool isThere = std::ranges::any_of(loop.loop.invariants, [&](const velvet::Clause& clause) {
        return clause.prop && velvet::equal(*clause.prop, *prop);
      });
      if (!isThere)
        text += invariantLine(loop, freshLabel(label), *prop);
    }
    if (!text.empty())
      add("Generate invariants for this loop", "refactor", endOfLine(loop.value->range.end), text);
  }

  std::string invariantLine(const Stmt& loop, const std::string& label, const Expr& prop) const {
    const int column = static_cast<int>(loop.range.begin - lineStart(loop.range.begin));
    const std::string indent(static_cast<size_t>(column) + 2, ' ');
    const bool isNew = m_snapshot.dialect == velvet::Dialect::Velvet2;
    return "\n" + indent + "invariant " + (isNew ? velvet::quoted(label) + ": " : "\"" + label + "\" ") +
           "(" + velvet::print(prop) + ")";
  }

  std::string freshLabel(const std::string& wanted) const {
    std::string label = wanted;
    for (int i = 1; m_snapshot.text.text().find(label) != std::string::npos; ++i)
      label = wanted + "_" + std::to_string(i);
    return label;
  }

  uint32_t endOfLine(uint32_t offset) const {
    const size_t end = m_snapshot.text.text().find('\n', offset);
    return static_cast<uint32_t>(end == std::string::npos ? m_snapshot.text.text().size() : end);
  }

  /// The innermost bullet or case around the place that leaves a goal.
  void addCloseCase() {
    for (const velvet::Item& item : m_document.items) {
      const auto* proof = std::get_if<velvet::Proof>(&item);
      if (proof == nullptr || !touched(proof->range))
        continue;
      const velvet::Tactic* innermost = nullptr;
      findCase(proof->script, innermost);
      if (innermost == nullptr || innermost->body.empty() || !leavesGoals(innermost->range))
        continue;
      const velvet::TextRange last = innermost->body.back().range;
      const std::string indent(last.begin - lineStart(last.begin), ' ');
      add("Close this case", "quickfix", last.end, "\n" + indent + "grind");
    }
  }

  void findCase(const std::vector<velvet::Tactic>& script, const velvet::Tactic*& innermost) const {
    for (const velvet::Tactic& tactic : script) {
      if (!touched(tactic.range))
        continue;
      if (tactic.kind == velvet::TacticKind::Case || tactic.kind == velvet::TacticKind::Bullet)
        innermost = &tactic;
      findCase(tactic.body, innermost);
    }
  }

  bool leavesGoals(velvet::TextRange range) const {
    for (const ProofState& proof : m_elaboration.proofs)
      for (const velvet::Diagnostic& message : proof.result.messages)
        if (message.id == "unsolved-goals" && range.begin <= message.range.begin &&
            message.range.end <= range.end)
          return true;
    return false;
  }

  const Elaboration& m_elaboration;
  const Snapshot& m_snapshot;
  const velvet::Document& m_document;
  const goals::Lookup& m_lookup;
  uint32_t m_begin;
  uint32_t m_end;
  std::vector<lsp::CodeAction> m_result;
};

} // namespace

std::vector<lsp::CodeAction> goalActions(const Elaboration& elaboration, const lsp::Range& range,
                                         const goals::Lookup& lookup) {
  return Actions(elaboration, range, lookup).run();
}

} // namespace plumbline::server

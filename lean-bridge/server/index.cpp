#include "lean-bridge/server/index.h"

#include "core/velvet/graph_line.h"
#include "core/velvet/printer.h"

#include <algorithm>
#include <map>

namespace plumbline::server {

using velvet::Expr;
using velvet::Form;
using velvet::Stmt;
using velvet::StmtKind;
using velvet::TextRange;

namespace {

class Indexer {
public:
  explicit Indexer(const Snapshot& snapshot)
      : m_snapshot(snapshot), m_end(static_cast<uint32_t>(snapshot.text.text().size())) {}

  DocumentIndex run() {
    for (const velvet::Item& item : m_snapshot.parsed.document.items)
      if (const auto* method = std::get_if<velvet::Method>(&item))
        labels(*method);
    for (const velvet::Item& item : m_snapshot.parsed.document.items)
      std::visit([this](const auto& each) { add(each); }, item);
    std::ranges::stable_sort(m_index.references, {}, [](const Reference& each) { return each.range.begin; });
    return std::move(m_index);
  }

private:
  // --- Declarations ---

  int declare(Declaration declaration) {
    const int index = static_cast<int>(m_index.declarations.size());
    if (!declaration.range.empty())
      m_index.references.push_back({declaration.range, index, declaration.name});
    m_scope.emplace_back(declaration.name, index);
    m_index.declarations.push_back(std::move(declaration));
    return index;
  }

  void refer(const std::string& name, TextRange range) {
    if (range.empty())
      return;
    const auto found =
        std::find_if(m_scope.rbegin(), m_scope.rend(), [&](const auto& each) { return each.first == name; });
    m_index.references.push_back({range, found == m_scope.rend() ? -1 : found->second, name});
  }

  void global(DeclarationKind kind, const std::string& name, TextRange range, uint32_t from,
              const std::string& doc, const std::string& type) {
    Declaration made{kind, name, range, {from, m_end}, type, {}, doc};
    const size_t line = m_snapshot.text.text().find('\n', range.begin);
    made.text = m_snapshot.slice({range.begin, static_cast<uint32_t>(std::min<size_t>(line, m_end))});
    declare(std::move(made));
  }

  void binders(const std::vector<velvet::Binder>& list, TextRange scope) {
    for (const velvet::Binder& binder : list)
      if (!binder.name.empty())
        declare({DeclarationKind::Parameter, binder.name, binder.nameRange, scope, binder.type, {}, {}});
  }

  // --- Items ---

  void add(const velvet::Import&) {}
  void add(const velvet::Comment&) {}
  void add(const velvet::Verbatim& item) { binders(item.binders, {item.range.end, m_end}); }

  void add(const velvet::Definition& item) {
    const size_t outer = m_scope.size();
    binders(item.binders, item.range);
    for (const velvet::Let& let : item.lets) {
      walk(*let.value);
      declare({DeclarationKind::Constant,
               let.name,
               let.nameRange,
               {let.range.end, item.range.end},
               let.type,
               {},
               {}});
    }
    walk(*item.value);
    m_scope.resize(outer);
    global(DeclarationKind::Definition, item.name, item.nameRange, item.range.end, item.doc,
           signature(item.binders, item.type));
  }

  static std::string signature(const std::vector<velvet::Binder>& binders, const std::string& result) {
    std::string text;
    for (const velvet::Binder& binder : binders)
      if (binder.bracket == velvet::Bracket::Round)
        text += "(" + binder.name + " : " + binder.type + ") → ";
    return text + (result.empty() ? "_" : result);
  }

  void add(const velvet::Theorem& item) {
    const size_t outer = m_scope.size();
    binders(item.binders, item.range);
    walk(*item.statement);
    if (item.term)
      walk(*item.term);
    script(item.script);
    m_scope.resize(outer);
    global(DeclarationKind::Theorem, item.name, item.nameRange, item.range.end, item.doc,
           velvet::print(*item.statement));
  }

  void add(const velvet::Method& item) {
    const size_t outer = m_scope.size();
    binders(item.binders, item.range);
    for (const velvet::Clause& clause : item.requirements)
      walk(*clause.prop);
    const uint32_t body = item.body.empty() ? item.range.end : item.body.front().range.begin;
    declare({DeclarationKind::Result,
             item.resultName,
             item.resultRange,
             {item.resultRange.end, body},
             item.resultType,
             {},
             {}});
    for (const velvet::Clause& clause : item.ensures)
      walk(*clause.prop);
    m_scope.pop_back();
    block(item.body, item.range.end);
    m_scope.resize(outer);
    global(DeclarationKind::Method, item.name, item.nameRange, item.range.end, item.doc,
           signature(item.binders, item.resultType));
  }

  // --- Labels: a proof refers to them, wherever it stands ---

  void label(const std::string& name, TextRange range, TextRange clause) {
    if (range.empty())
      return;
    m_labels[name] = static_cast<int>(m_index.declarations.size());
    m_index.references.push_back({range, m_labels[name], name});
    m_index.declarations.push_back(
        {DeclarationKind::Label, name, range, {0, m_end}, {}, std::string(m_snapshot.slice(clause)), {}});
  }

  void label(const velvet::Clause& clause) { label(clause.label, clause.labelRange, clause.range); }

  void labels(const velvet::Method& method) {
    for (const auto* list : {&method.requirements, &method.ensures})
      for (const velvet::Clause& clause : *list)
        label(clause);
    labels(method.body);
  }

  void labels(const std::vector<Stmt>& body) {
    for (const Stmt& stmt : body) {
      label(stmt.clause);
      label(stmt.loop.label, stmt.loop.labelRange, stmt.headRange);
      for (const velvet::Clause& invariant : stmt.loop.invariants)
        label(invariant);
      label(stmt.loop.decreasing);
      label(stmt.loop.doneWith);
      labels(stmt.body);
      labels(stmt.otherwise);
    }
  }

  // --- Statements ---

  void block(const std::vector<Stmt>& body, uint32_t end) {
    const size_t outer = m_scope.size();
    for (const Stmt& stmt : body)
      add(stmt, end);
    m_scope.resize(outer);
  }

  void clause(const velvet::Clause& clause) {
    if (clause.prop)
      walk(*clause.prop);
  }

  void add(const Stmt& stmt, uint32_t end) {
    if (stmt.value)
      walk(*stmt.value);
    clause(stmt.clause);
    for (const velvet::Clause& invariant : stmt.loop.invariants)
      clause(invariant);
    clause(stmt.loop.decreasing);
    clause(stmt.loop.doneWith);
    if (stmt.kind == StmtKind::Set)
      refer(stmt.name, stmt.nameRange);
    block(stmt.body, stmt.body.empty() ? end : std::max(stmt.body.back().range.end, stmt.headRange.end));
    block(stmt.otherwise, stmt.range.end);
    if ((stmt.kind == StmtKind::Let || stmt.kind == StmtKind::Call) && !stmt.name.empty())
      declare({kindOf(stmt), stmt.name, stmt.nameRange, {stmt.range.end, end}, typeOf(stmt), {}, {}});
  }

  static DeclarationKind kindOf(const Stmt& stmt) {
    if (stmt.name.starts_with("g_"))
      return DeclarationKind::Ghost;
    return stmt.isMutable ? DeclarationKind::Variable : DeclarationKind::Constant;
  }

  std::string typeOf(const Stmt& stmt) const {
    if (!stmt.type.empty())
      return stmt.type;
    const auto found = m_snapshot.typing.types.find(stmt.value.get());
    return found == m_snapshot.typing.types.end() ? "" : velvet::print(found->second);
  }

  // --- Expressions ---

  void walk(const Expr& expr) {
    const size_t outer = m_scope.size();
    if (expr.form == Form::Name)
      refer(expr.text, expr.range);
    if (expr.form == Form::Sum) {
      walk(*expr.args[0]);
      declare({DeclarationKind::Bound, expr.text, expr.nameRange, expr.range, {}, {}, {}});
      walk(*expr.args[1]);
      m_scope.resize(outer);
      return;
    }
    if (expr.form == Form::Forall || expr.form == Form::Exists || expr.form == Form::Lambda)
      declare({DeclarationKind::Bound, expr.text, expr.nameRange, expr.range, expr.type, {}, {}});
    if (expr.form == Form::Apply) {
      Application made{expr.range, velvet::print(*expr.args[0]), {}};
      for (size_t i = 1; i < expr.args.size(); ++i)
        made.args.push_back(expr.args[i]->range);
      m_index.applications.push_back(std::move(made));
    }
    for (const velvet::ExprPtr& arg : expr.args)
      walk(*arg);
    m_scope.resize(outer);
  }

  // --- Proofs ---

  void add(const velvet::Proof& item) {
    refer(item.method, item.nameRange);
    script(item.script);
  }

  void script(const std::vector<velvet::Tactic>& tactics) {
    for (const velvet::Tactic& tactic : tactics) {
      for (const velvet::TacticTerm& term : tactic.list)
        if (term.expr)
          walk(*term.expr);
      if (tactic.expr)
        walk(*tactic.expr);
      if (tactic.kind == velvet::TacticKind::Case)
        if (const auto found = m_labels.find(tactic.label); found != m_labels.end())
          m_index.references.push_back({tactic.labelRange, found->second, tactic.label});
      script(tactic.body);
    }
  }

  const Snapshot& m_snapshot;
  uint32_t m_end;
  DocumentIndex m_index;
  std::vector<std::pair<std::string, int>> m_scope;
  std::map<std::string, int> m_labels;
};

} // namespace

const Reference* DocumentIndex::referenceAt(uint32_t offset) const {
  for (const Reference& each : references)
    if (each.range.begin <= offset && offset <= each.range.end)
      return &each;
  return nullptr;
}

const Declaration* DocumentIndex::declarationOf(const Reference& reference) const {
  return reference.declaration < 0 ? nullptr : &declarations[static_cast<size_t>(reference.declaration)];
}

DocumentIndex indexOf(const Snapshot& snapshot) {
  return Indexer(snapshot).run();
}

std::string describe(DeclarationKind kind) {
  switch (kind) {
  case DeclarationKind::Parameter: return "parameter";
  case DeclarationKind::Result: return "result of the method";
  case DeclarationKind::Constant: return "local constant";
  case DeclarationKind::Variable: return "local variable";
  case DeclarationKind::Ghost: return "ghost variable: counts for the proof, no part of the kernel";
  case DeclarationKind::Bound: return "bound variable";
  case DeclarationKind::Definition: return "definition";
  case DeclarationKind::Theorem: return "theorem";
  case DeclarationKind::Method: return "method";
  case DeclarationKind::Label: return "clause";
  }
  return {};
}

namespace {

/// FILE:LINE of CUDA source in a comment.
std::string sourceIn(std::string_view comment) {
  const size_t at = comment.find(".cu:");
  if (at == std::string_view::npos)
    return {};
  const size_t before = comment.find_last_of(" \t", at);
  const size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const size_t end = std::min(comment.find_first_of(" ;,", at), comment.size());
  const std::string_view place = comment.substr(begin, end - begin);
  return std::string(place.substr(0, place.find_last_not_of('.') + 1));
}

/// A comment that names a place counts for the statements after it in its block and in theirs. Clauses have
/// their own comments; ghost variables and the counters of a loop that has no place are no part of the
/// kernel.
class OriginFinder {
public:
  OriginFinder(uint32_t offset) : m_offset(offset) {}

  std::string of(const velvet::Method& method) {
    for (const auto* clauses : {&method.requirements, &method.ensures})
      for (const velvet::Clause& clause : *clauses)
        if (clause.range.contains(m_offset))
          return sourceIn(clause.comment);
    return block(method.body, {});
  }

private:
  std::string block(const std::vector<Stmt>& body, std::string place) {
    for (const Stmt& stmt : body) {
      if (stmt.kind == StmtKind::Comment) {
        if (std::string named = sourceIn(stmt.name); !named.empty())
          place = std::move(named);
      } else if (stmt.range.contains(m_offset)) {
        return within(stmt, place);
      }
    }
    return {};
  }

  std::string within(const Stmt& stmt, const std::string& place) {
    for (const velvet::Clause& invariant : stmt.loop.invariants)
      if (invariant.range.contains(m_offset))
        return {};
    if (stmt.loop.decreasing.range.contains(m_offset) || stmt.loop.doneWith.range.contains(m_offset))
      return {};
    if (stmt.name.starts_with("g_") || std::ranges::find(m_counters, stmt.name) != m_counters.end())
      return {};
    if (stmt.headRange.contains(m_offset) || (stmt.body.empty() && stmt.otherwise.empty()))
      return place;
    if (stmt.kind == StmtKind::While && place.empty() && stmt.value && stmt.value->form == Form::Binary)
      m_counters.push_back(stmt.value->args[0]->text);
    for (const auto* inner : {&stmt.body, &stmt.otherwise})
      if (!inner->empty() && inner->front().range.begin <= m_offset && m_offset <= inner->back().range.end)
        return block(*inner, place);
    return {};
  }

  uint32_t m_offset;
  std::vector<std::string> m_counters;
};

} // namespace

std::string cudaOrigin(const Snapshot& snapshot, uint32_t offset) {
  for (const velvet::Item& item : snapshot.parsed.document.items) {
    const auto* method = std::get_if<velvet::Method>(&item);
    if (method && method->range.contains(offset))
      return OriginFinder(offset).of(*method);
    const auto* definition = std::get_if<velvet::Definition>(&item);
    if (definition && definition->range.contains(offset))
      return sourceIn(definition->doc);
  }
  return {};
}

std::string graphOrigin(const Snapshot& snapshot, uint32_t offset) {
  for (const velvet::Item& item : snapshot.parsed.document.items)
    if (const auto* definition = std::get_if<velvet::Definition>(&item))
      if (definition->range.begin <= offset && offset <= definition->range.end)
        return velvet::graphNodesOf(definition->doc);
  return {};
}

} // namespace plumbline::server

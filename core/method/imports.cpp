#include "core/method/imports.h"

#include "core/method/lean_names.h"

namespace plumbline::method {

namespace {

/// Every name in expressions and types of a document.
class NameCollector {
public:
  std::set<std::string> names;

  void add(const velvet::Item& item) {
    if (const auto* definition = std::get_if<velvet::Definition>(&item))
      add(*definition);
    if (const auto* theorem = std::get_if<velvet::Theorem>(&item))
      add(*theorem);
    if (const auto* method = std::get_if<velvet::Method>(&item))
      add(*method);
  }

private:
  void add(const velvet::ExprPtr& expr) {
    if (!expr)
      return;
    if (expr->form == velvet::Form::Name)
      names.insert(expr->text);
    for (const velvet::ExprPtr& arg : expr->args)
      add(arg);
  }

  void add(const velvet::Binder& binder) { addWords(binder.type); }

  void add(const velvet::Definition& definition) {
    for (const velvet::Binder& binder : definition.binders)
      add(binder);
    for (const velvet::Let& let : definition.lets)
      add(let.value);
    add(definition.value);
  }

  void add(const velvet::Theorem& theorem) {
    for (const velvet::Binder& binder : theorem.binders)
      add(binder);
    add(theorem.statement);
    for (const velvet::Tactic& tactic : theorem.script)
      addWords(tactic.text);
  }

  void addWords(const std::string& text) {
    for (size_t start = 0; start < text.size();) {
      const size_t end = std::min(text.find(' ', start), text.size());
      names.insert(text.substr(start, end - start));
      start = end + 1;
    }
  }

  void add(const velvet::Method& method) {
    for (const velvet::Binder& binder : method.binders)
      add(binder);
    for (const auto* clauses : {&method.requirements, &method.ensures})
      for (const velvet::Clause& clause : *clauses)
        add(clause.prop);
    add(method.body);
  }

  void add(const std::vector<velvet::Stmt>& body) {
    for (const velvet::Stmt& stmt : body) {
      add(stmt.value);
      add(stmt.clause.prop);
      for (const velvet::Clause& invariant : stmt.loop.invariants)
        add(invariant.prop);
      add(stmt.loop.decreasing.prop);
      add(stmt.loop.doneWith.prop);
      add(stmt.body);
      add(stmt.otherwise);
    }
  }
};

std::set<std::string> namesOf(const velvet::Document& document) {
  NameCollector collector;
  for (const velvet::Item& item : document.items)
    collector.add(item);
  return std::move(collector.names);
}

/// Whether a function, or one that it calls, has this operator on binary32.
bool computes(const ir::Module& module, int function, ir::BinaryOp op, std::set<int>& seen) {
  if (!seen.insert(function).second)
    return false;
  for (const ir::Expr& expr : module.functions[static_cast<size_t>(function)].exprs) {
    if (expr.kind == ir::ExprKind::Binary && expr.binary == op && expr.type.scalar == ir::ScalarType::F32)
      return true;
    if (expr.kind == ir::ExprKind::Call && computes(module, expr.callee, op, seen))
      return true;
  }
  return false;
}

bool computes(const ir::Module& module, int function, ir::BinaryOp op) {
  std::set<int> seen;
  return computes(module, function, op, seen);
}

} // namespace

std::set<std::string> usedModules(const velvet::Document& document) {
  std::set<std::string> modules;
  for (const std::string& name : namesOf(document))
    if (std::optional<std::string> module = leanModule(name))
      modules.insert(*std::move(module));
  return modules;
}

std::set<std::string> lemmaModules(const velvet::Document& document, const ir::Module& module, int function) {
  const std::set<std::string> names = namesOf(document);
  std::set<std::string> modules;
  if (names.contains("Plumbline.Scalar.add") && computes(module, function, ir::BinaryOp::Add))
    modules.insert("Plumbline.Lemmas.AddComm");
  if (names.contains("Plumbline.Scalar.mul") && computes(module, function, ir::BinaryOp::Mul))
    modules.insert("Plumbline.Lemmas.MulComm");
  return modules;
}

std::vector<velvet::Item> importItems(const std::set<std::string>& modules, bool method) {
  std::vector<velvet::Item> items;
  if (method)
    items.emplace_back(velvet::Import{"Velvet"});
  for (const std::string& module : modules)
    items.emplace_back(velvet::Import{module});
  return items;
}

} // namespace plumbline::method

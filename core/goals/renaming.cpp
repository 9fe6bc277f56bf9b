#include "core/goals/renaming.h"

#include "core/goals/meaning.h"

#include <algorithm>

namespace plumbline::goals {

using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;
using velvet::Stmt;
using velvet::StmtKind;

namespace {

const Binding* find(std::span<const Binding> bindings, std::string_view name) {
  for (size_t i = bindings.size(); i-- > 0;)
    if (bindings[i].program == name)
      return &bindings[i];
  return nullptr;
}

bool binds(const Expr& expr) {
  return expr.form == Form::Forall || expr.form == Form::Exists || expr.form == Form::Lambda ||
         expr.form == Form::Sum;
}

/// Which argument of a binding form is in the scope of its variable.
size_t scopedArgument(const Expr& expr) {
  return expr.form == Form::Sum ? 1 : 0;
}

/// The type of text that stands for a name without a meaning where it stands.
constexpr std::string_view notInScope = "not in scope";

class Renamer {
public:
  Renamer(std::span<const Binding> bindings, const std::set<std::string>& variables)
      : m_bindings(bindings), m_variables(variables) {}

  ExprPtr run(const ExprPtr& expr) {
    if (expr->form == Form::Name)
      return name(expr);
    std::vector<ExprPtr> args;
    args.reserve(expr->args.size());
    bool same = true;
    for (size_t i = 0; i < expr->args.size(); ++i) {
      const bool scoped = binds(*expr) && i == scopedArgument(*expr);
      if (scoped)
        m_bound.push_back(expr->text);
      // A function has a name of the document or of Lean: no variable of a context is looked up there.
      const bool isFunction = expr->form == Form::Apply && i == 0 && isUnbound(*expr->args[0]);
      args.push_back(isFunction ? expr->args[0] : run(expr->args[i]));
      if (scoped)
        m_bound.pop_back();
      same = same && args.back() == expr->args[i];
    }
    if (same)
      return expr;
    Expr copy = *expr;
    copy.args = std::move(args);
    return std::make_shared<const Expr>(std::move(copy));
  }

private:
  bool isUnbound(const Expr& expr) const {
    if (expr.form != Form::Name)
      return false;
    const std::string head = expr.text.substr(0, expr.text.find('.'));
    return std::ranges::find(m_bound, head) == m_bound.end() && find(m_bindings, head) == nullptr;
  }

  ExprPtr name(const ExprPtr& expr) {
    const std::string& text = expr->text;
    const size_t dot = text.find('.');
    const std::string head = text.substr(0, dot);
    const bool isBound = std::ranges::find(m_bound, head) != m_bound.end();
    const Binding* binding = isBound ? nullptr : find(m_bindings, head);
    if (!isBound && binding == nullptr)
      return m_variables.contains(head) ? outOfScope(*expr) : expr;
    // A bound variable of the same name as the present version would stand for it.
    if (binding != nullptr && std::ranges::find(m_bound, binding->current) != m_bound.end())
      return outOfScope(*expr);
    if (dot == std::string::npos)
      return binding == nullptr || binding->current == text ? expr : withText(*expr, binding->current);
    ExprPtr result = withText(*expr, binding != nullptr ? binding->current : head);
    for (size_t from = dot + 1; from <= text.size();) {
      const size_t next = std::min(text.find('.', from), text.size());
      result = velvet::field(result, text.substr(from, next - from));
      from = next + 1;
    }
    return result;
  }

  static ExprPtr withText(const Expr& expr, std::string text) {
    Expr copy = expr;
    copy.text = std::move(text);
    return std::make_shared<const Expr>(std::move(copy));
  }

  static ExprPtr outOfScope(const Expr& expr) {
    Expr copy = expr;
    copy.form = Form::Opaque;
    copy.type = notInScope;
    return std::make_shared<const Expr>(std::move(copy));
  }

  std::span<const Binding> m_bindings;
  const std::set<std::string>& m_variables;
  std::vector<std::string> m_bound;
};

void collect(const velvet::Clause& clause, std::set<std::string>& into) {
  if (clause.prop)
    collectNames(*clause.prop, into);
}

void assigned(const std::vector<Stmt>& body, std::vector<std::string> declared,
              std::vector<std::string>& result) {
  for (const Stmt& stmt : body) {
    if (stmt.kind == StmtKind::Let || stmt.kind == StmtKind::Call)
      declared.push_back(stmt.name);
    const bool outside =
        stmt.kind == StmtKind::Set && std::ranges::find(declared, stmt.name) == declared.end();
    if (outside && std::ranges::find(result, stmt.name) == result.end())
      result.push_back(stmt.name);
    assigned(stmt.body, declared, result);
    assigned(stmt.otherwise, declared, result);
  }
}

void declaredIn(const std::vector<Stmt>& body, std::set<std::string>& into) {
  for (const Stmt& stmt : body) {
    if ((stmt.kind == StmtKind::Let || stmt.kind == StmtKind::Call) && !stmt.name.empty())
      into.insert(stmt.name);
    declaredIn(stmt.body, into);
    declaredIn(stmt.otherwise, into);
  }
}

Key number(uint64_t value) {
  return {value, value * 31 + 7};
}

} // namespace

ExprPtr renamed(const ExprPtr& expr, std::span<const Binding> bindings,
                const std::set<std::string>& variables) {
  return Renamer(bindings, variables).run(expr);
}

namespace {

class Substitution {
public:
  Substitution(const std::string& variable, const ExprPtr& value) : m_variable(variable), m_value(value) {
    collectNames(*value, m_names);
  }

  ExprPtr run(const ExprPtr& expr) const {
    if (expr->form == Form::Name)
      return expr->text == m_variable ? m_value : expr;
    Expr copy = *expr;
    if (binds(copy) && copy.text != m_variable)
      keepApart(copy);
    for (size_t i = 0; i < copy.args.size(); ++i)
      if (!binds(copy) || i != scopedArgument(copy) || copy.text != m_variable)
        copy.args[i] = run(copy.args[i]);
    return std::make_shared<const Expr>(std::move(copy));
  }

private:
  /// Gives the bound variable another name where the value names it.
  void keepApart(Expr& binder) const {
    ExprPtr& body = binder.args[scopedArgument(binder)];
    std::set<std::string> used;
    collectNames(*body, used);
    if (!m_names.contains(binder.text) || !used.contains(m_variable))
      return;
    used.insert(m_names.begin(), m_names.end());
    std::string fresh = binder.text;
    for (int i = 1; used.contains(fresh); ++i)
      fresh = binder.text + "_" + std::to_string(i);
    body = withValue(body, binder.text, velvet::name(fresh));
    binder.text = fresh;
  }

  const std::string& m_variable;
  const ExprPtr& m_value;
  std::set<std::string> m_names; ///< in the value
};

} // namespace

ExprPtr withValue(const ExprPtr& expr, const std::string& variable, const ExprPtr& value) {
  return Substitution(variable, value).run(expr);
}

std::optional<std::string> nameOutOfScope(const Expr& expr) {
  if (expr.form == Form::Opaque && expr.type == notInScope)
    return expr.text;
  for (const ExprPtr& arg : expr.args)
    if (auto found = nameOutOfScope(*arg))
      return found;
  return std::nullopt;
}

void collectVariables(const velvet::Method& method, std::set<std::string>& into) {
  for (const velvet::Binder& binder : method.binders)
    into.insert(binder.name);
  into.insert(method.resultName);
  declaredIn(method.body, into);
}

void collectNames(const Expr& expr, std::set<std::string>& into) {
  if (expr.form == Form::Name || binds(expr))
    into.insert(expr.text.substr(0, expr.text.find('.')));
  for (const ExprPtr& arg : expr.args)
    collectNames(*arg, into);
}

void collectNames(const std::vector<Stmt>& body, std::set<std::string>& into) {
  for (const Stmt& stmt : body) {
    if (stmt.kind != StmtKind::Comment && stmt.kind != StmtKind::Opaque)
      into.insert(stmt.name);
    if (stmt.value)
      collectNames(*stmt.value, into);
    collect(stmt.clause, into);
    for (const velvet::Clause& invariant : stmt.loop.invariants)
      collect(invariant, into);
    collect(stmt.loop.decreasing, into);
    collect(stmt.loop.doneWith, into);
    collectNames(stmt.body, into);
    collectNames(stmt.otherwise, into);
  }
}

namespace {

void collectFree(const Expr& expr, std::vector<std::string>& bound, std::set<std::string>& into) {
  if (expr.form == Form::Name) {
    const std::string head = expr.text.substr(0, expr.text.find('.'));
    if (std::ranges::find(bound, head) == bound.end())
      into.insert(head);
  }
  for (size_t i = 0; i < expr.args.size(); ++i) {
    const bool scoped = binds(expr) && i == scopedArgument(expr);
    if (scoped)
      bound.push_back(expr.text);
    collectFree(*expr.args[i], bound, into);
    if (scoped)
      bound.pop_back();
  }
}

} // namespace

std::set<std::string> freeNames(const Expr& expr) {
  std::vector<std::string> bound;
  std::set<std::string> result;
  collectFree(expr, bound, result);
  return result;
}

bool isCaptured(const Expr& statement, const ContextPtr& context) {
  const std::set<std::string> names = freeNames(statement);
  for (const Context* line = context.get(); line != nullptr; line = line->before.get())
    if (line->kind == Context::Kind::Variable && names.contains(line->name))
      return true;
  return false;
}

std::vector<std::string> assignedOutside(const std::vector<Stmt>& body) {
  std::vector<std::string> result;
  assigned(body, {}, result);
  return result;
}

// --- Keys ---

ExprKeys::ExprKeys(const velvet::Document& document) : m_unclear(unclearMeaning(document)) {
  for (const velvet::Item& item : document.items)
    if (const auto* definition = std::get_if<velvet::Definition>(&item)) {
      const auto [entry, isNew] = m_definitions.try_emplace(definition->name, definition);
      if (!isNew)
        entry->second = nullptr; // which of them is meant is Lean's to say
    }
}

Key ExprKeys::of(const Expr& expr) {
  std::vector<std::string> bound;
  const Key key = of(expr, bound);
  return m_unclear.empty() ? key : combine(key, keyOf(m_unclear));
}

Key ExprKeys::of(const Expr& expr, std::vector<std::string>& bound) {
  if (expr.form == Form::Name)
    return ofName(expr.text, bound);
  Key key = number(static_cast<uint64_t>(expr.form));
  if (expr.form == Form::Unary)
    key = combine(key, number(static_cast<uint64_t>(expr.unary)));
  if (expr.form == Form::Binary)
    key = combine(key, number(static_cast<uint64_t>(expr.binary)));
  if (!expr.text.empty())
    key = combine(key, keyOf(expr.text));
  if (!expr.type.empty())
    key = combine(key, combine(number(1), keyOf(expr.type)));
  for (size_t i = 0; i < expr.args.size(); ++i) {
    const bool scoped = binds(expr) && i == scopedArgument(expr);
    if (scoped)
      bound.push_back(expr.text);
    key = combine(key, of(*expr.args[i], bound));
    if (scoped)
      bound.pop_back();
  }
  return key;
}

Key ExprKeys::ofName(const std::string& name, const std::vector<std::string>& bound) {
  const std::string head = name.substr(0, name.find('.'));
  if (std::ranges::find(bound, head) != bound.end())
    return combine(number(2), keyOf(name));
  if (const auto found = m_variables.find(name); found != m_variables.end())
    return found->second;
  if (const auto found = m_definitions.find(name); found != m_definitions.end())
    return found->second != nullptr ? ofDefinition(*found->second) : combine(number(4), keyOf(name));
  return combine(number(3), keyOf(name));
}

Key ExprKeys::ofDefinition(const velvet::Definition& definition) {
  const auto [entry, isNew] = m_definitionKeys.try_emplace(definition.name, keyOf(definition.name));
  if (!isNew)
    return entry->second; // within itself: by name
  // Variables of a method are not in scope in a definition.
  std::unordered_map<std::string, Key> outside;
  std::swap(outside, m_variables);
  std::vector<std::string> bound;
  Key key = combine(combine(keyOf(definition.name), keyOf(definition.modifiers)), keyOf(definition.type));
  for (const velvet::Binder& binder : definition.binders) {
    key = combine(key, combine(keyOf(binder.name), keyOf(binder.type)));
    bound.push_back(binder.name);
  }
  for (const velvet::Let& let : definition.lets) {
    key = combine(key, combine(keyOf(let.type), of(*let.value, bound)));
    bound.push_back(let.name);
  }
  if (definition.value)
    key = combine(key, of(*definition.value, bound));
  std::swap(outside, m_variables);
  m_definitionKeys[definition.name] = key;
  return key;
}

} // namespace plumbline::goals

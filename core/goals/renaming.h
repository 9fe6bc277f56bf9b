// The variables of a method at one place: which version of each stands for it there.
#pragma once

#include "core/goals/goal.h"

#include <optional>
#include <set>
#include <span>
#include <unordered_map>

namespace plumbline::goals {

/// A variable of the method's text and the name that its present value has in contexts.
struct Binding {
  std::string program;
  std::string current;
  std::string type; ///< empty: not written
};

/// The expression with the current name of each free variable. Inner bindings (later ones) hide outer ones;
/// "y.size" becomes the field size of y. A name of `variables` without a binding here is not in scope: it
/// gets no meaning. Other names are left to the document and to Lean.
velvet::ExprPtr renamed(const velvet::ExprPtr& expr, std::span<const Binding> bindings,
                        const std::set<std::string>& variables);

/// The expression with `value` for each free occurrence of the variable. Bound variables of `expr` that
/// `value` names are renamed, so that nothing is captured.
velvet::ExprPtr withValue(const velvet::ExprPtr& expr, const std::string& variable,
                          const velvet::ExprPtr& value);

/// The first name in a renamed expression that was not in scope where the expression stands.
std::optional<std::string> nameOutOfScope(const velvet::Expr& expr);

/// Names of the parameters, the result and everything that the body declares, in scope or not.
void collectVariables(const velvet::Method& method, std::set<std::string>& into);

/// Every name below an expression or a statement list: used, declared or bound.
void collectNames(const velvet::Expr& expr, std::set<std::string>& into);
void collectNames(const std::vector<velvet::Stmt>& body, std::set<std::string>& into);

/// The names of an expression that nothing in it binds; "y.size" counts as y.
std::set<std::string> freeNames(const velvet::Expr& expr);

/// Whether a statement about the document's own names would say something else in the context, because a
/// variable there has one of them.
bool isCaptured(const velvet::Expr& statement, const ContextPtr& context);

/// Variables declared outside that the statements assign, in order of first assignment.
std::vector<std::string> assignedOutside(const std::vector<velvet::Stmt>& body);

/// Keys of expressions after renaming. A name counts as what it stands for: a variable of a context by the
/// key it was given, a definition of the document by all of its text.
class ExprKeys {
public:
  explicit ExprKeys(const velvet::Document& document);

  void setVariable(const std::string& name, Key key) { m_variables[name] = key; }
  Key variable(const std::string& name) const { return m_variables.at(name); }
  Key of(const velvet::Expr& expr);

private:
  Key of(const velvet::Expr& expr, std::vector<std::string>& bound);
  Key ofName(const std::string& name, const std::vector<std::string>& bound);
  Key ofDefinition(const velvet::Definition& definition);

  std::unordered_map<std::string, const velvet::Definition*> m_definitions; ///< null: declared twice
  std::unordered_map<std::string, Key> m_definitionKeys;
  std::unordered_map<std::string, Key> m_variables;
  std::string m_unclear; ///< part of every key
};

} // namespace plumbline::goals

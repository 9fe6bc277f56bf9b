// Expressions of a goal as terms, with Lean's types: what they mean under the reading `ieee`.
#pragma once

#include "core/goals/goal.h"
#include "core/goals/values.h"

#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace plumbline::goals {

/// Where an expression stands in what is asserted: quantifiers can then be opened.
enum class Polarity : uint8_t {
  Positive, ///< making it false never makes the assertions true
  Negative,
  Both
};
Polarity flipped(Polarity polarity);

/// Thrown, and caught within this folder: an expression without a meaning here. Leaving an assertion out is
/// sound for proofs.
struct Unsupported {
  std::string what;
};

/// A universal statement that is asserted wherever its flag is true.
struct Quantified {
  logic::TermId flag{};
  Kind kind = Kind::Nat;
  std::string variable;
  /// The statement for one value of the variable, for positive assertion; may throw Unsupported.
  std::function<logic::TermId(logic::TermId)> instance;
};

/// Definitions of the document by name; the document outlives it.
class Definitions {
public:
  explicit Definitions(const velvet::Document& document);
  /// Null where there is none, or more than one.
  const velvet::Definition* find(const std::string& name) const;
  /// One that no proof may unfold.
  static bool isOpaque(const velvet::Definition& definition);
  /// unclearMeaning() of the document.
  const std::string& unclear() const { return m_unclear; }

private:
  std::unordered_map<std::string, const velvet::Definition*> m_definitions;
  std::string m_unclear;
};

/// Local names over those of the context, innermost first. One without a name ends the search: within a
/// definition no variable of a context is in scope.
struct Scope {
  std::string name;
  Value value;
  std::shared_ptr<const Scope> outer;
};
using ScopePtr = std::shared_ptr<const Scope>;

/// Symbolic: unassigned variables of the context are free variables of terms, quantifiers become flags or
/// fresh variables. Concrete: variables have values, and quantifiers range over the bounds that their
/// premises give.
enum class LoweringMode : uint8_t { Symbolic, Concrete };

class Lowering {
public:
  Lowering(logic::TermStore& store, const Definitions& definitions, LoweringMode mode)
      : m_store(store), m_definitions(definitions), m_mode(mode), m_arrays(store) {}

  /// Makes the variable known: arbitrary, or with its value. One without a meaning is remembered as such.
  void addVariable(const Context& line);
  void setVariable(const std::string& name, Value value) {
    m_meaningless.erase(name);
    m_variables[name] = std::move(value);
  }
  /// An arbitrary value of a type.
  Value arbitrary(const std::string& name, const Type& type);

  logic::TermId prop(const velvet::Expr& expr, Polarity polarity) { return prop(expr, nullptr, polarity); }
  Value value(const velvet::Expr& expr) { return value(expr, nullptr, std::nullopt); }

  /// What holds of fresh variables and flags.
  const std::vector<logic::TermId>& facts() const { return m_facts; }
  const std::vector<Quantified>& quantified() const { return m_quantified; }
  Arrays& arrays() { return m_arrays; }
  /// Variables that stand for what a quantified goal speaks about, with the names people know them by.
  const std::vector<std::pair<std::string, Kind>>& skolems() const { return m_skolems; }

private:
  /// Arithmetic whose operands get their common type only when all are known, as Lean does it.
  struct Arithmetic {
    const velvet::Expr* expr = nullptr;
    bool isNumber = false;
    std::optional<Value> leaf;
    std::vector<Arithmetic> args;
  };

  logic::TermId prop(const velvet::Expr& expr, const ScopePtr& scope, Polarity polarity);
  logic::TermId connective(const velvet::Expr& expr, const ScopePtr& scope, Polarity polarity);
  logic::TermId quantifier(const velvet::Expr& expr, const ScopePtr& scope, Polarity polarity);
  logic::TermId expanded(const velvet::Expr& expr, const ScopePtr& scope, const Type& type);
  logic::TermId forall(const std::string& variable, Kind kind,
                       const std::function<logic::TermId(logic::TermId, Polarity)>& body, Polarity polarity);
  std::string freshName(const std::string& variable) const;
  logic::TermId relation(const velvet::Expr& expr, const ScopePtr& scope, Polarity polarity);
  bool hasFloats(const Value& value) const;
  logic::TermId equality(const Value& a, const Value& b, Polarity polarity);
  logic::TermId arraysEqual(const Value& a, const Value& b, Polarity polarity);
  logic::TermId order(velvet::BinaryOp op, const Value& a, const Value& b);

  Value value(const velvet::Expr& expr, const ScopePtr& scope, std::optional<Kind> expected);
  Value name(const velvet::Expr& expr, const ScopePtr& scope);
  bool isLocal(const std::string& name, const ScopePtr& scope) const;
  Value global(const velvet::Expr& expr, const ScopePtr& scope);
  Value number(const velvet::Expr& expr, Kind kind);
  Value field(const velvet::Expr& expr, const ScopePtr& scope);
  Value ascribed(const velvet::Expr& expr, const ScopePtr& scope);
  Value choice(const velvet::Expr& expr, const ScopePtr& scope, std::optional<Kind> expected);
  Value choose(logic::TermId condition, const Value& a, const Value& b);
  Value arrayLiteral(const velvet::Expr& expr, const ScopePtr& scope);
  Value typedArgument(const velvet::Expr& expr, const ScopePtr& scope, const std::string& type);
  Value coerced(Value from, Kind to);
  logic::TermId natural(const Value& index);
  logic::TermId condition(const velvet::Expr& expr, const ScopePtr& scope);

  Arithmetic arithmetic(const velvet::Expr& expr, const ScopePtr& scope);
  static void kindsOf(const Arithmetic& tree, std::vector<Kind>& kinds);
  Kind commonKind(const std::vector<Kind>& kinds, std::optional<Kind> expected) const;
  Value compute(const Arithmetic& tree, Kind kind);
  Value operation(velvet::BinaryOp op, const Value& a, const Value& b);
  logic::TermId euclideanQuotient(logic::TermId a, logic::TermId b);

  Value apply(const velvet::Expr& expr, const ScopePtr& scope, std::optional<Kind> expected);
  Value method(const velvet::Expr& expr, const ScopePtr& scope);
  ScopePtr scopeOfCall(const velvet::Definition& definition, const velvet::Expr& call, const ScopePtr& scope);
  Value callDefinition(const velvet::Definition& definition, const velvet::Expr& call, const ScopePtr& scope);
  logic::TermId callProp(const velvet::Definition& definition, const velvet::Expr& call,
                         const ScopePtr& scope, Polarity polarity);
  Value fold(const velvet::Expr& expr, const ScopePtr& scope);

  logic::TermStore& m_store;
  const Definitions& m_definitions;
  LoweringMode m_mode;
  Arrays m_arrays;
  std::unordered_map<std::string, Value> m_variables;
  std::unordered_set<std::string> m_meaningless; ///< variables of the context without a value here
  std::vector<logic::TermId> m_facts;
  std::vector<Quantified> m_quantified;
  std::vector<std::pair<std::string, Kind>> m_skolems;
  int m_depth = 0; ///< of definitions being unfolded
  size_t m_expanded = 0;
};

} // namespace plumbline::goals

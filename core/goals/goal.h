// Proof obligations of a method document, as a person reads them: named hypotheses and a conclusion.
#pragma once

#include "core/velvet/syntax.h"

#include <array>
#include <optional>

namespace plumbline::goals {

/// A structural hash, long enough to stand for what it was made of.
struct Key {
  uint64_t high = 0;
  uint64_t low = 0;
  bool operator==(const Key&) const = default;
  auto operator<=>(const Key&) const = default;
};

struct KeyHash {
  size_t operator()(const Key& key) const { return key.high ^ key.low; }
};

/// The key of a list: order counts.
Key combine(Key a, Key b);
Key keyOf(std::string_view text);

struct Context;
using ContextPtr = std::shared_ptr<const Context>;

/// One line of a goal's context with everything before it. Goals of a method share their beginnings.
struct Context {
  enum class Kind : uint8_t {
    Variable,  ///< name : type, with a value or arbitrary
    Hypothesis ///< name : prop
  };
  ContextPtr before;
  Kind kind = Kind::Variable;
  std::string name;     ///< unique in the context of a goal, but for hypotheses
  std::string type;     ///< of a variable, as Lean writes it
  velvet::ExprPtr expr; ///< the value of a variable or null; the proposition
  /// Where it comes from; either may be null. They belong to the document.
  const velvet::Clause* clause = nullptr;
  const velvet::Stmt* statement = nullptr;
  size_t depth = 0; ///< lines before it
  Key key;          ///< of it and everything before
};

/// In order, without copying them.
std::vector<const Context*> lines(const ContextPtr& context);

enum class GoalKind : uint8_t {
  Requires, ///< a called method's requirement
  Entry,    ///< an invariant before the first turn
  Step,     ///< an invariant after a turn
  Break,    ///< an invariant, or done_with, where the loop is left by `break`
  Exit,     ///< done_with, when the condition no longer holds
  Measure,  ///< decreasing becomes smaller
  Assert,
  Ensures,
  Contradiction ///< of a method's requirements: where it is closed, every goal of the method holds for
                ///< nothing
};
std::string_view name(GoalKind kind); ///< "entry", "step", ...

struct Goal {
  std::string name;  ///< unique in the method: the clause's label and what it is, "blk_le.entry"
  std::string label; ///< of the clause; the tag for `case`
  std::string method;
  GoalKind kind = GoalKind::Assert;
  ContextPtr context; ///< null when it is empty
  velvet::ExprPtr conclusion;
  std::vector<std::string> path; ///< conditions of the branches around it, as text, outermost first
  /// The clause that must hold and the statement at which it must; they belong to the document.
  const velvet::Clause* clause = nullptr;
  const velvet::Stmt* statement = nullptr;
  Key key; ///< equal keys: the same question, with the same definitions
};

/// What keeps a part of a method from having a meaning.
struct Problem {
  std::string id; ///< kebab-case: "no-measure", "no-return", "unknown-variable", ...
  std::string message;
  const velvet::Clause* clause = nullptr;
  const velvet::Stmt* statement = nullptr;
};

struct MethodGoals {
  std::string method;
  std::vector<Goal> goals;
  std::vector<Problem> problems;
  /// Whether the requirements exclude each other: nobody's obligation. Nothing where nothing is required.
  std::optional<Goal> contradiction;
};

/// The goals of a method of a document, in the order of the text. The document must outlive the result.
/// Linear in the size of the method: branches that meet again are one path from there on.
MethodGoals generateGoals(const velvet::Document& document, const velvet::Method& method);

/// "name : type := value" and "name : prop", one a line, then "⊢ conclusion".
std::string text(const Goal& goal);

} // namespace plumbline::goals

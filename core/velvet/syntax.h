// Syntax tree of a method document, neutral between the dialects of Velvet.
#pragma once

#include "core/base/error.h"
#include "core/velvet/tactic.h"

#include <variant>

namespace plumbline::velvet {

// --- Origins ---

/// Where a part of the document comes from, and who may change it.
struct LineOrigin {
  std::vector<SourceRange> cuda;  ///< CUDA source
  std::vector<std::string> nodes; ///< graph nodes by name (torch::Node::name), or graph inputs
  bool locked = true;             ///< generated and never edited; false: proposals and proofs
  bool operator==(const LineOrigin&) const = default;
};

// --- Statements ---

/// One clause or assertion: its label is unique in the document.
struct Clause {
  std::string label; ///< empty: none was written
  ExprPtr prop;      ///< null: there is no such clause
  LineOrigin origin = {};
  std::string comment = {}; ///< a comment line before it; empty: none
  TextRange range = {};     ///< from its keyword on
  TextRange labelRange = {};
};

struct Stmt;

enum class StmtKind : uint8_t {
  Let,    ///< let [mut] name [: type] := value
  Set,    ///< name := value
  Call,   ///< let [mut] name [: type] ← value; without a name the call stands alone
  If,     ///< condition, body, otherwise (may be empty); loop.label names the hypothesis, where one is named
  While,  ///< condition, loop, body
  Assert, ///< clause
  Break,  ///< no more turns of the innermost loop
  Continue, ///< the next turn of the innermost loop
  Return,   ///< value; null: none
  Comment,  ///< text, one line; "/- ... -/" as it stands
  Opaque,   ///< text: an unknown statement, further lines relative to its column
};

struct LoopClauses {
  std::string label = {}; ///< of the condition
  std::vector<Clause> invariants = {};
  Clause decreasing = {}; ///< prop: the measure, a Nat
  Clause doneWith = {};
  TextRange labelRange = {};
};

struct Stmt {
  StmtKind kind = StmtKind::Comment;
  LineOrigin origin = {};
  std::string name = {}; ///< variable, or the text of Comment and Opaque
  std::string type = {};
  bool isMutable = false;
  ExprPtr value = nullptr; ///< also the condition
  LoopClauses loop = {};
  Clause clause = {};
  std::vector<Stmt> body = {};
  std::vector<Stmt> otherwise = {};
  TextRange range = {};     ///< with its blocks
  TextRange headRange = {}; ///< up to its block: a loop's and a branch's first line
  TextRange nameRange = {};
  TextRange typeRange = {};
};

Stmt letStmt(std::string name, std::string type, ExprPtr value, LineOrigin origin, bool isMutable = false);
Stmt setStmt(std::string name, ExprPtr value, LineOrigin origin);
Stmt ifStmt(ExprPtr condition, std::vector<Stmt> body, std::vector<Stmt> otherwise, LineOrigin origin);
Stmt assertStmt(Clause clause);
Stmt returnStmt(ExprPtr value, LineOrigin origin);
Stmt commentStmt(std::string text, LineOrigin origin);

// --- Items ---

enum class Bracket : uint8_t { Round, Curly, Square };

struct Binder {
  std::string name; ///< empty for a class argument without a name
  std::string type;
  Bracket bracket = Bracket::Round;
  LineOrigin origin = {};
  bool isMutable = false; ///< `(mut name : type)` of the older dialect
  TextRange range = {};   ///< with its brackets
  TextRange nameRange = {};
  TextRange typeRange = {};
};

struct Import {
  std::string module;
  TextRange range = {};
};

/// Comment lines, each printed after "-- "; one that begins with "/-" as it stands.
struct Comment {
  std::vector<std::string> lines;
  LineOrigin origin = {};
  TextRange range = {};
};

/// A line of a definition before its value.
struct Let {
  std::string name;
  std::string type;
  ExprPtr value;
  LineOrigin origin = {};
  TextRange range = {};
  TextRange nameRange = {};
  TextRange typeRange = {};
};

/// @[attribute] modifiers def name binders : type := lets; value
struct Definition {
  std::string name;
  std::string attribute = {};
  std::string doc = {}; ///< one sentence for a comment above it
  std::vector<Binder> binders = {};
  std::string type;
  std::vector<Let> lets = {};
  ExprPtr value;
  LineOrigin origin = {};      ///< of the head
  LineOrigin valueOrigin = {}; ///< of the value's line
  std::string modifiers = {};  ///< "noncomputable", "private"; empty: none
  TextRange range = {};
  TextRange nameRange = {};
  TextRange typeRange = {};
};

/// @[attribute] modifiers theorem name binders : statement := by script. A closed fact with its value is one
/// too (a witness).
struct Theorem {
  std::string name;
  std::string keyword = "theorem"; ///< or "lemma"
  std::string attribute = {};
  std::string doc = {};
  std::string modifiers = {};
  std::vector<Binder> binders = {};
  ExprPtr statement = nullptr;
  std::vector<Tactic> script = {}; ///< after `by`
  WrittenScript written = {};      ///< the script, where it was read
  ExprPtr term = nullptr;          ///< a proof that is a term; null: the script is the proof
  LineOrigin origin = {};          ///< of the statement
  LineOrigin scriptOrigin = {};
  TextRange range = {};
  TextRange nameRange = {};
  TextRange byRange = {}; ///< the word `by`, or the term
};

struct Method {
  std::string name;
  std::vector<Binder> binders;
  std::string resultName;
  std::string resultType;
  std::vector<Clause> requirements;
  std::vector<Clause> ensures;
  std::vector<Stmt> body;
  LineOrigin origin = {};
  std::string doc = {};
  TextRange range = {};
  TextRange nameRange = {};
  TextRange resultRange = {}; ///< the result's name
  TextRange resultTypeRange = {};
};

/// prove_correct of a method by a script; without one, by one call of the dialect's solve command with these
/// definitions.
struct Proof {
  std::string method;
  std::vector<std::string> unfold; ///< read from text: those that the first solve command names
  std::vector<Tactic> script = {};
  WrittenScript written = {}; ///< the script, where it was read
  bool suggests = false;      ///< prove_correct?, which proves nothing
  TextRange range = {};
  TextRange nameRange = {};
  TextRange byRange = {};
};

/// A command that is kept as it stands: section, end, namespace, open, variable, set_option, and helpers of a
/// form that the tree does not have.
struct Verbatim {
  std::string keyword;              ///< "section", "variable", "instance", ...
  std::string name = {};            ///< what it declares or opens, where it does
  std::string text = {};            ///< all of it; without a line end at the end
  std::vector<Binder> binders = {}; ///< of `variable`
  LineOrigin origin = {};
  TextRange range = {};
  TextRange nameRange = {};
};

using Item = std::variant<Import, Comment, Definition, Theorem, Method, Proof, Verbatim>;

struct Document {
  std::vector<Item> items;
};

/// What every item has.
TextRange rangeOf(const Item& item);

} // namespace plumbline::velvet

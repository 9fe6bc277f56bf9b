// Syntax tree of a method document, neutral between the dialects of Velvet.
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace plumbline::velvet {

// --- Expressions: terms and propositions alike, as in Lean ---

enum class Form : uint8_t {
  Name,    ///< text: a name, with dots for qualified ones; quoted where needed when printed
  Number,  ///< text: decimal or "0x..." digits of a natural number
  Apply,   ///< args[0] applied to the others
  Field,   ///< args[0].text ("size", "toNat", "1")
  Element, ///< args[0][args[1]]!
  Ascribe, ///< (args[0] : text)
  Unary,   ///< unary, args[0]
  Binary,  ///< binary, args[0..1]
  If,      ///< args: condition, then, else
  Forall,  ///< text: variable, type; args[0]: body
  Exists,  ///< the same
  Pair,    ///< (args[0], args[1])
  Array,   ///< #[args]
};

enum class UnaryOp : uint8_t { Not, BoolNot, Negate };
enum class BinaryOp : uint8_t {
  Iff,
  Implies,
  Or,
  And,
  BoolOr,
  BoolAnd,
  Equal,
  NotEqual,
  LessEqual,
  Less,
  BoolEqual, ///< "==", a Bool: IEEE equality on floats
  Add,
  Subtract,
  Multiply,
  Divide,
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
  Form form = Form::Name;
  std::string text = {};
  std::string type = {};
  UnaryOp unary = UnaryOp::Not;
  BinaryOp binary = BinaryOp::Equal;
  std::vector<ExprPtr> args = {};
};

ExprPtr name(std::string text);
ExprPtr number(int64_t value);                 ///< a negative one becomes Negate of a Number
ExprPtr hexNumber(uint64_t value, int digits); ///< 0x with that many digits, capital letters
ExprPtr apply(std::string function, std::vector<ExprPtr> args);
ExprPtr applyTo(ExprPtr function, std::vector<ExprPtr> args); ///< "y.set!" is the field set! of y
ExprPtr field(ExprPtr of, std::string text);
ExprPtr element(ExprPtr array, ExprPtr index);
ExprPtr ascribe(ExprPtr value, std::string type);
ExprPtr unary(UnaryOp op, ExprPtr a);
ExprPtr binary(BinaryOp op, ExprPtr a, ExprPtr b);
ExprPtr ifThenElse(ExprPtr condition, ExprPtr a, ExprPtr b);
ExprPtr forall(std::string variable, std::string type, ExprPtr body);
ExprPtr exists(std::string variable, std::string type, ExprPtr body);
ExprPtr pair(ExprPtr a, ExprPtr b);
ExprPtr arrayOf(std::vector<ExprPtr> elements);

bool equal(const Expr& a, const Expr& b); ///< the same tree

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
  std::string label;
  ExprPtr prop;
  LineOrigin origin = {};
  std::string comment = {}; ///< a comment line before it; empty: none
};

struct Stmt;

enum class StmtKind : uint8_t {
  Let,     ///< let [mut] name : type := value
  Set,     ///< name := value
  If,      ///< condition, body, otherwise (may be empty)
  While,   ///< condition, loop, body
  Assert,  ///< clause
  Return,  ///< value
  Comment, ///< text, one line
};

struct LoopClauses {
  std::string label; ///< of the condition
  std::vector<Clause> invariants;
  Clause decreasing; ///< prop: the measure, a Nat
  Clause doneWith;
};

struct Stmt {
  StmtKind kind = StmtKind::Comment;
  LineOrigin origin = {};
  std::string name = {}; ///< variable, or the text of a comment
  std::string type = {};
  bool isMutable = false;
  ExprPtr value = nullptr; ///< also the condition
  LoopClauses loop = {};
  Clause clause = {};
  std::vector<Stmt> body = {};
  std::vector<Stmt> otherwise = {};
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
};

struct Import {
  std::string module;
};

/// Comment lines, each printed after "-- ".
struct Comment {
  std::vector<std::string> lines;
  LineOrigin origin = {};
};

/// A line of a definition before its value.
struct Let {
  std::string name;
  std::string type;
  ExprPtr value;
  LineOrigin origin = {};
};

/// @[attribute] def name binders : type := lets; value
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
};

/// prove_correct of a method by one call of the dialect's solve command with these definitions.
struct Proof {
  std::string method;
  std::vector<std::string> unfold;
};

using Item = std::variant<Import, Comment, Definition, Method, Proof>;

struct Document {
  std::vector<Item> items;
};

} // namespace plumbline::velvet

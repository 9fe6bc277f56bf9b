// Expressions of a method document: terms and propositions alike, as in Lean.
#pragma once

#include "core/velvet/text_range.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace plumbline::velvet {

enum class Form : uint8_t {
  Name,       ///< text: a name, with dots for qualified ones; quoted where needed when printed
  Number,     ///< text: decimal or "0x..." digits of a natural number
  Scientific, ///< text: a decimal fraction or a power of ten, as in "1.5" and "2e3"
  String,     ///< text: a string literal with its quotes
  Unit,       ///< ()
  Apply,      ///< args[0] applied to the others
  Field,      ///< args[0].text ("size", "toNat", "1"); quoted where needed when printed
  Element,    ///< args[0][args[1]]!
  Ascribe,    ///< (args[0] : text)
  Unary,      ///< unary, args[0]
  Binary,     ///< binary, args[0..1]
  If,         ///< args: condition, then, else
  Forall,     ///< text: variable, type (empty: not given); args[0]: body
  Exists,     ///< the same
  Lambda,     ///< fun text => args[0], the variable's type in type (empty: not given)
  Sum,        ///< ∑ text ∈ args[0], args[1]
  Pair,       ///< (args[0], args[1])
  Array,      ///< #[args]
  Opaque,     ///< text: kept as it stands, of unknown structure and meaning; printed in place
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
  GreaterEqual,
  Greater,
  BoolEqual,    ///< "==", a Bool: IEEE equality on floats
  BoolNotEqual, ///< "!=", a Bool
  Add,
  Subtract,
  Append, ///< "++"
  Multiply,
  Divide,
  Modulo,
  Power,
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
  TextRange range = {};     ///< all of it, without parentheses around it
  TextRange nameRange = {}; ///< of a bound variable, a field's name
  TextRange typeRange = {}; ///< of `type`, and of an ascription's type
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
ExprPtr lambda(std::string variable, std::string type, ExprPtr body);
ExprPtr opaque(std::string text);
ExprPtr pair(ExprPtr a, ExprPtr b);
ExprPtr arrayOf(std::vector<ExprPtr> elements);

bool equal(const Expr& a, const Expr& b); ///< the same tree, wherever it stands

} // namespace plumbline::velvet

#include "core/goals/lowering.h"

#include "core/f32/rational.h"
#include "core/goals/meaning.h"
#include "core/goals/renaming.h"

#include <algorithm>
#include <charconv>

namespace plumbline::goals {

using logic::Op;
using logic::Sort;
using logic::TermId;
using velvet::BinaryOp;
using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;
using velvet::UnaryOp;

namespace {

[[noreturn]] void unsupported(std::string what) {
  throw Unsupported{std::move(what)};
}

bool isFloat(Kind kind) {
  return kind == Kind::F32 || kind == Kind::F64;
}

bool isInteger(Kind kind) {
  return kind == Kind::Nat || kind == Kind::Int;
}

bool isArithmetic(const Expr& expr) {
  if (expr.form == Form::Unary)
    return expr.unary == UnaryOp::Negate;
  if (expr.form != Form::Binary)
    return false;
  switch (expr.binary) {
  case BinaryOp::Add:
  case BinaryOp::Subtract:
  case BinaryOp::Multiply:
  case BinaryOp::Divide:
  case BinaryOp::Modulo:
  case BinaryOp::Power: return true;
  default: return false;
  }
}

bool isRelation(const Expr& expr) {
  switch (expr.binary) {
  case BinaryOp::Equal:
  case BinaryOp::NotEqual:
  case BinaryOp::LessEqual:
  case BinaryOp::Less:
  case BinaryOp::GreaterEqual:
  case BinaryOp::Greater:
  case BinaryOp::BoolEqual:
  case BinaryOp::BoolNotEqual: return expr.form == Form::Binary;
  default: return false;
  }
}

/// A literal, whose type its surroundings decide.
bool isLiteral(const Expr& expr) {
  return expr.form == Form::Number || expr.form == Form::Scientific ||
         (expr.form == Form::Unary && expr.unary == UnaryOp::Negate && isLiteral(*expr.args[0]));
}

constexpr int maxUnfolding = 60;

} // namespace

Polarity flipped(Polarity polarity) {
  switch (polarity) {
  case Polarity::Positive: return Polarity::Negative;
  case Polarity::Negative: return Polarity::Positive;
  case Polarity::Both: break;
  }
  return Polarity::Both;
}

Definitions::Definitions(const velvet::Document& document) : m_unclear(unclearMeaning(document)) {
  for (const velvet::Item& item : document.items)
    if (const auto* definition = std::get_if<velvet::Definition>(&item)) {
      const auto [entry, isNew] = m_definitions.try_emplace(definition->name, definition);
      if (!isNew)
        entry->second = nullptr; // declared twice, in two namespaces perhaps
    }
}

bool Definitions::isOpaque(const velvet::Definition& definition) {
  return definition.modifiers.find("partial") != std::string::npos ||
         definition.modifiers.find("unsafe") != std::string::npos;
}

const velvet::Definition* Definitions::find(const std::string& name) const {
  const auto found = m_definitions.find(name);
  return found != m_definitions.end() ? found->second : nullptr;
}

// --- Variables ---

Value Lowering::arbitrary(const std::string& name, const Type& type) {
  Value result{.kind = type.kind};
  switch (type.kind) {
  case Kind::Array: result.array = m_arrays.arbitrary(name, type.parts[0].kind); return result;
  case Kind::Pair:
    result.parts = {arbitrary(name + ".1", type.parts[0]), arbitrary(name + ".2", type.parts[1])};
    return result;
  case Kind::Unit: return result;
  case Kind::Nat:
    result.term = m_store.var(Sort::Int, name);
    m_facts.push_back(m_store.ile(m_store.integer(0), result.term));
    return result;
  default: result.term = m_store.var(sortOf(type.kind), name); return result;
  }
}

void Lowering::addVariable(const Context& line) {
  m_variables.erase(line.name);
  m_meaningless.insert(line.name); // until it has a value: no definition of its name stands for it
  try {
    if (line.expr && nameOutOfScope(*line.expr))
      return;
    const std::optional<Type> type = typeFrom(line.type);
    if (!type && !(line.expr && line.type.empty()))
      return;
    if (!line.expr) {
      setVariable(line.name, arbitrary(line.name, *type));
      return;
    }
    const std::optional<Kind> expected = type ? std::optional(type->kind) : std::nullopt;
    Value made = value(*line.expr, nullptr, expected);
    setVariable(line.name, type ? coerced(std::move(made), type->kind) : std::move(made));
  } catch (const Unsupported&) {
    return; // whatever mentions it is unsupported too
  }
}

// --- Propositions ---

TermId Lowering::condition(const Expr& expr, const ScopePtr& scope) {
  return prop(expr, scope, Polarity::Both);
}

TermId Lowering::prop(const Expr& expr, const ScopePtr& scope, Polarity polarity) {
  switch (expr.form) {
  case Form::Name:
    if (expr.text == "True" || expr.text == "False")
      return m_store.boolean(expr.text == "True");
    break;
  case Form::Unary:
    if (expr.unary == UnaryOp::Not)
      return m_store.lnot(prop(*expr.args[0], scope, flipped(polarity)));
    break;
  case Form::Binary:
    if (isRelation(expr))
      return relation(expr, scope, polarity);
    if (expr.binary <= BinaryOp::And)
      return connective(expr, scope, polarity);
    break;
  case Form::Forall:
  case Form::Exists: return quantifier(expr, scope, polarity);
  case Form::If: {
    const TermId when = condition(*expr.args[0], scope);
    const TermId yes = prop(*expr.args[1], scope, polarity);
    const TermId no = prop(*expr.args[2], scope, polarity);
    return m_store.land(m_store.lor(m_store.lnot(when), yes), m_store.lor(when, no));
  }
  case Form::Apply:
    if (expr.args[0]->form == Form::Name && !isLocal(expr.args[0]->text, scope))
      if (const velvet::Definition* definition = m_definitions.find(expr.args[0]->text))
        if (definition->type == "Prop")
          return callProp(*definition, expr, scope, polarity);
    break;
  default: break;
  }
  const Value made = value(expr, scope, std::nullopt);
  if (made.kind != Kind::Prop && made.kind != Kind::Bool)
    unsupported("a proposition is expected");
  return made.term;
}

TermId Lowering::connective(const Expr& expr, const ScopePtr& scope, Polarity polarity) {
  const Expr& a = *expr.args[0];
  const Expr& b = *expr.args[1];
  switch (expr.binary) {
  case BinaryOp::And: {
    const TermId left = prop(a, scope, polarity);
    return m_store.land(left, prop(b, scope, polarity));
  }
  case BinaryOp::Or: {
    const TermId left = prop(a, scope, polarity);
    return m_store.lor(left, prop(b, scope, polarity));
  }
  case BinaryOp::Implies: {
    const TermId left = m_store.lnot(prop(a, scope, flipped(polarity)));
    if (m_store.boolValue(left) == true) // the premise is false; what follows may have no value
      return left;
    return m_store.lor(left, prop(b, scope, polarity));
  }
  case BinaryOp::Iff: {
    const TermId forth =
        m_store.lor(m_store.lnot(prop(a, scope, flipped(polarity))), prop(b, scope, polarity));
    const TermId back =
        m_store.lor(m_store.lnot(prop(b, scope, flipped(polarity))), prop(a, scope, polarity));
    return m_store.land(forth, back);
  }
  default: unsupported("an unknown connective");
  }
}

TermId Lowering::quantifier(const Expr& expr, const ScopePtr& scope, Polarity polarity) {
  const std::optional<Type> type = typeFrom(expr.type);
  if (!type || type->kind == Kind::Array || type->kind == Kind::Pair || type->kind == Kind::Prop ||
      type->kind == Kind::Unit)
    unsupported(expr.type.empty() ? "the quantified variable '" + expr.text + "' has no type"
                                  : "a quantifier over " + expr.type);
  if (m_mode == LoweringMode::Concrete)
    return expanded(expr, scope, *type);
  const bool isForall = expr.form == Form::Forall;
  // The body may be needed long after the caller's expression is gone.
  const ExprPtr body = expr.args[0];
  const std::string variable = expr.text;
  const Kind kind = type->kind;
  const auto instance = [this, body, variable, kind, scope, isForall](TermId term, Polarity inner) {
    const auto inside = std::make_shared<const Scope>(Scope{variable, {.kind = kind, .term = term}, scope});
    return isForall ? prop(*body, inside, inner) : m_store.lnot(prop(*body, inside, flipped(inner)));
  };
  return isForall ? forall(variable, kind, instance, polarity)
                  : m_store.lnot(forall(variable, kind, instance, flipped(polarity)));
}

/// The name people know a quantified variable by, unless the context has it already.
std::string Lowering::freshName(const std::string& variable) const {
  const auto isTaken = [this](const std::string& name) {
    return m_variables.contains(name) ||
           std::ranges::any_of(m_skolems, [&](const auto& known) { return known.first == name; });
  };
  std::string name = variable;
  for (int i = 1; isTaken(name); ++i)
    name = variable + "_" + std::to_string(i);
  return name;
}

TermId Lowering::forall(const std::string& variable, Kind kind,
                        const std::function<TermId(TermId, Polarity)>& body, Polarity polarity) {
  const auto counterexample = [&] {
    const std::string fresh = freshName(variable);
    const TermId term = m_store.var(sortOf(kind), fresh);
    m_skolems.emplace_back(fresh, kind);
    if (kind == Kind::Nat)
      m_facts.push_back(m_store.ile(m_store.integer(0), term));
    return body(term, Polarity::Negative);
  };
  if (polarity == Polarity::Negative)
    return counterexample();
  Quantified made;
  made.flag = m_store.var(Sort::Bool, "∀" + variable + "!" + std::to_string(m_quantified.size() + 1));
  made.kind = kind;
  made.variable = variable;
  made.instance = [this, body, kind](TermId term) {
    const TermId holds = body(term, Polarity::Positive);
    return kind == Kind::Nat ? m_store.lor(m_store.ilt(term, m_store.integer(0)), holds) : holds;
  };
  const TermId flag = made.flag;
  m_quantified.push_back(std::move(made));
  if (polarity == Polarity::Both)
    m_facts.push_back(m_store.lor(flag, m_store.lnot(counterexample())));
  return flag;
}

// --- Relations ---

TermId Lowering::relation(const Expr& expr, const ScopePtr& scope, Polarity polarity) {
  const BinaryOp op = expr.binary;
  const bool isEquality = op == BinaryOp::Equal || op == BinaryOp::NotEqual || op == BinaryOp::BoolEqual ||
                          op == BinaryOp::BoolNotEqual;
  const bool isBool = op == BinaryOp::BoolEqual || op == BinaryOp::BoolNotEqual;
  const bool negated = op == BinaryOp::NotEqual || op == BinaryOp::BoolNotEqual;
  const Arithmetic left = arithmetic(*expr.args[0], scope);
  const Arithmetic right = arithmetic(*expr.args[1], scope);
  std::vector<Kind> kinds;
  kindsOf(left, kinds);
  kindsOf(right, kinds);
  const bool numeric = std::ranges::all_of(kinds, [](Kind kind) { return isInteger(kind) || isFloat(kind); });
  if (!numeric) {
    if (!left.leaf || !right.leaf || !isEquality)
      unsupported("an order on something else than numbers");
    // That is == of each element, which for floats is not equality.
    if (isBool && (hasFloats(*left.leaf) || hasFloats(*right.leaf)))
      unsupported("== of arrays or pairs of floats");
    const TermId same = equality(*left.leaf, *right.leaf, negated ? flipped(polarity) : polarity);
    return negated ? m_store.lnot(same) : same;
  }
  const Kind kind = commonKind(kinds, std::nullopt);
  const Value a = compute(left, kind);
  const Value b = compute(right, kind);
  if (!isEquality)
    return order(op, a, b);
  const TermId same =
      isBool && isFloat(kind) ? m_store.binary(Op::FEq, a.term, b.term) : equality(a, b, polarity);
  return negated ? m_store.lnot(same) : same;
}

bool Lowering::hasFloats(const Value& value) const {
  if (value.kind == Kind::Array)
    return isFloat(m_arrays.element(value.array));
  return isFloat(value.kind) ||
         std::ranges::any_of(value.parts, [this](const Value& v) { return hasFloats(v); });
}

TermId Lowering::order(BinaryOp op, const Value& a, const Value& b) {
  const bool turned = op == BinaryOp::Greater || op == BinaryOp::GreaterEqual;
  const bool strict = op == BinaryOp::Greater || op == BinaryOp::Less;
  const TermId x = turned ? b.term : a.term;
  const TermId y = turned ? a.term : b.term;
  if (isFloat(a.kind))
    return m_store.binary(strict ? Op::FLt : Op::FLe, x, y);
  return strict ? m_store.ilt(x, y) : m_store.ile(x, y);
}

TermId Lowering::equality(const Value& a, const Value& b, Polarity polarity) {
  if (a.kind == Kind::Array && b.kind == Kind::Array)
    return arraysEqual(a, b, polarity);
  if (a.kind == Kind::Pair && b.kind == Kind::Pair) {
    const TermId first = equality(a.parts[0], b.parts[0], polarity);
    return m_store.land(first, equality(a.parts[1], b.parts[1], polarity));
  }
  const bool truth =
      (a.kind == Kind::Bool || a.kind == Kind::Prop) && (b.kind == Kind::Bool || b.kind == Kind::Prop);
  if (truth)
    return m_store.land(m_store.lor(m_store.lnot(a.term), b.term), m_store.lor(m_store.lnot(b.term), a.term));
  if (isInteger(a.kind) && isInteger(b.kind))
    return m_store.ieq(a.term, b.term);
  if (isFloat(a.kind) && a.kind == b.kind)
    return a.term == b.term ? m_store.boolean(true) : m_store.binary(Op::FSame, a.term, b.term);
  unsupported("an equality of two types");
}

/// The same size and the same elements.
TermId Lowering::arraysEqual(const Value& a, const Value& b, Polarity polarity) {
  if (a.array == b.array)
    return m_store.boolean(true);
  if (m_mode == LoweringMode::Concrete)
    unsupported("an equality of arrays");
  const Kind element = m_arrays.element(a.array);
  if (element != m_arrays.element(b.array))
    unsupported("an equality of two types");
  const ArrayId x = a.array;
  const ArrayId y = b.array;
  const TermId sizes = m_store.ieq(m_arrays.size(x), m_arrays.size(y));
  const auto same = [this, x, y, element](TermId index, Polarity inner) {
    const Value left{.kind = element, .term = m_arrays.read(x, index)};
    const Value right{.kind = element, .term = m_arrays.read(y, index)};
    return m_store.lor(m_store.lnot(m_store.ilt(index, m_arrays.size(x))), equality(left, right, inner));
  };
  return m_store.land(sizes, forall("i", Kind::Nat, same, polarity));
}

// --- Values ---

Value Lowering::coerced(Value from, Kind to) {
  if (from.kind == to)
    return from;
  const bool numbers = from.kind == Kind::Nat && to == Kind::Int;
  const bool truths =
      (from.kind == Kind::Bool || from.kind == Kind::Prop) && (to == Kind::Bool || to == Kind::Prop);
  if (!numbers && !truths)
    unsupported("a value of another type than the one expected");
  from.kind = to;
  return from;
}

Value Lowering::value(const Expr& expr, const ScopePtr& scope, std::optional<Kind> expected) {
  if (isArithmetic(expr) || isLiteral(expr)) {
    const Arithmetic tree = arithmetic(expr, scope);
    std::vector<Kind> kinds;
    kindsOf(tree, kinds);
    return compute(tree, commonKind(kinds, expected));
  }
  switch (expr.form) {
  case Form::Name: return name(expr, scope);
  case Form::Unit: return {.kind = Kind::Unit};
  case Form::Apply: return apply(expr, scope, expected);
  case Form::Field: return field(expr, scope);
  case Form::Element: {
    const Value array = value(*expr.args[0], scope, std::nullopt);
    if (array.kind != Kind::Array)
      unsupported("an element of something that is no array");
    const TermId index = natural(value(*expr.args[1], scope, Kind::Nat));
    return {.kind = m_arrays.element(array.array), .term = m_arrays.read(array.array, index)};
  }
  case Form::Ascribe: return ascribed(expr, scope);
  case Form::If: return choice(expr, scope, expected);
  case Form::Pair: {
    Value result{.kind = Kind::Pair};
    result.parts = {value(*expr.args[0], scope, std::nullopt), value(*expr.args[1], scope, std::nullopt)};
    return result;
  }
  case Form::Array: return arrayLiteral(expr, scope);
  case Form::Unary:
    if (expr.unary == UnaryOp::BoolNot)
      return {.kind = Kind::Bool,
              .term = m_store.lnot(coerced(value(*expr.args[0], scope, Kind::Bool), Kind::Bool).term)};
    break;
  case Form::Binary:
    if (expr.binary == BinaryOp::BoolAnd || expr.binary == BinaryOp::BoolOr) {
      const TermId a = coerced(value(*expr.args[0], scope, Kind::Bool), Kind::Bool).term;
      const TermId b = coerced(value(*expr.args[1], scope, Kind::Bool), Kind::Bool).term;
      return {.kind = Kind::Bool,
              .term = expr.binary == BinaryOp::BoolAnd ? m_store.land(a, b) : m_store.lor(a, b)};
    }
    if (expr.binary == BinaryOp::BoolEqual || expr.binary == BinaryOp::BoolNotEqual)
      return {.kind = Kind::Bool, .term = relation(expr, scope, Polarity::Both)};
    if (expr.binary == BinaryOp::Append)
      unsupported("the concatenation of arrays");
    break;
  case Form::Forall:
  case Form::Exists: break;
  case Form::Lambda: unsupported("a function as a value");
  case Form::Sum: unsupported("a sum over a finite set");
  case Form::String: unsupported("a string");
  case Form::Opaque:
    if (const auto name = nameOutOfScope(expr))
      unsupported(*name + " is not in scope here");
    unsupported("text that is no expression of the fragment");
  default: break;
  }
  return {.kind = Kind::Prop, .term = prop(expr, scope, Polarity::Both)};
}

Value Lowering::name(const Expr& expr, const ScopePtr& scope) {
  for (const Scope* at = scope.get(); at != nullptr; at = at->outer.get()) {
    if (at->name.empty())
      return global(expr, scope);
    if (at->name == expr.text)
      return at->value;
  }
  if (m_meaningless.contains(expr.text))
    unsupported("the name " + expr.text);
  if (const auto found = m_variables.find(expr.text); found != m_variables.end())
    return found->second;
  return global(expr, scope);
}

/// Whether a variable hides what the document or Lean declares under this name.
bool Lowering::isLocal(const std::string& name, const ScopePtr& scope) const {
  for (const Scope* at = scope.get(); at != nullptr; at = at->outer.get()) {
    if (at->name.empty())
      return false;
    if (at->name == name)
      return true;
  }
  return m_meaningless.contains(name) || m_variables.contains(name);
}

/// A name that no variable has.
Value Lowering::global(const Expr& expr, const ScopePtr& scope) {
  if (expr.text == "true" || expr.text == "false")
    return {.kind = Kind::Bool, .term = m_store.boolean(expr.text == "true")};
  if (expr.text == "True" || expr.text == "False")
    return {.kind = Kind::Prop, .term = m_store.boolean(expr.text == "True")};
  return apply(expr, scope, std::nullopt);
}

Value Lowering::number(const Expr& expr, Kind kind) {
  if (isFloat(kind)) {
    const bool isHex = expr.text.starts_with("0x");
    const Expected<f32::Rational> exact =
        isHex ? Expected<f32::Rational>(f32::Rational(mpz_class(expr.text.substr(2), 16)))
              : f32::parseExact(expr.text);
    if (!exact)
      unsupported("the number " + expr.text);
    if (kind == Kind::F32)
      return {.kind = kind, .term = m_store.f32Bits(f32::fromRational<f32::Binary32>(*exact))};
    return {.kind = kind, .term = m_store.f64Bits(f32::fromRational<f32::Binary64>(*exact))};
  }
  const bool isHex = expr.text.starts_with("0x") || expr.text.starts_with("0X");
  const char* begin = expr.text.data() + (isHex ? 2 : 0);
  int64_t result = 0;
  const auto [end, error] =
      std::from_chars(begin, expr.text.data() + expr.text.size(), result, isHex ? 16 : 10);
  if (expr.form != Form::Number || error != std::errc() || end != expr.text.data() + expr.text.size())
    unsupported("the number " + expr.text);
  return {.kind = kind, .term = m_store.integer(result)};
}

TermId Lowering::natural(const Value& index) {
  if (index.kind != Kind::Nat)
    unsupported("an index that is no Nat");
  return index.term;
}

Value Lowering::field(const Expr& expr, const ScopePtr& scope) {
  const Value of = value(*expr.args[0], scope, std::nullopt);
  if (of.kind == Kind::Array && expr.text == "size")
    return {.kind = Kind::Nat, .term = m_arrays.size(of.array)};
  if (of.kind == Kind::Pair && (expr.text == "1" || expr.text == "fst"))
    return of.parts[0];
  if (of.kind == Kind::Pair && (expr.text == "2" || expr.text == "snd"))
    return of.parts[1];
  const TermId zero = m_store.integer(0);
  if (of.kind == Kind::Int && expr.text == "toNat")
    return {.kind = Kind::Nat, .term = m_store.ite(m_store.ile(zero, of.term), of.term, zero)};
  if (of.kind == Kind::Int && expr.text == "natAbs")
    return {.kind = Kind::Nat,
            .term = m_store.ite(m_store.ile(zero, of.term), of.term, m_store.isub(zero, of.term))};
  if (isFloat(of.kind) && expr.text == "isNaN")
    return {.kind = Kind::Bool, .term = m_store.unary(Op::FIsNan, of.term)};
  if (isFloat(of.kind) && (expr.text == "abs" || expr.text == "sqrt"))
    return {.kind = of.kind, .term = m_store.unary(expr.text == "abs" ? Op::FAbs : Op::FSqrt, of.term)};
  unsupported("the field " + expr.text);
}

Value Lowering::ascribed(const Expr& expr, const ScopePtr& scope) {
  const std::optional<Type> type = typeFrom(expr.text);
  if (!type)
    unsupported("the type " + expr.text);
  return coerced(value(*expr.args[0], scope, type->kind), type->kind);
}

Value Lowering::choice(const Expr& expr, const ScopePtr& scope, std::optional<Kind> expected) {
  const TermId when = condition(*expr.args[0], scope);
  if (const auto known = m_store.boolValue(when))
    return value(*expr.args[*known ? 1 : 2], scope, expected);
  if (!expected && isLiteral(*expr.args[1])) {
    const Value no = value(*expr.args[2], scope, std::nullopt);
    return choose(when, value(*expr.args[1], scope, no.kind), no);
  }
  Value yes = value(*expr.args[1], scope, expected);
  Value no = value(*expr.args[2], scope, expected ? expected : std::optional(yes.kind));
  if (yes.kind == Kind::Nat && no.kind == Kind::Int)
    yes = coerced(std::move(yes), Kind::Int);
  return choose(when, yes, coerced(std::move(no), yes.kind));
}

Value Lowering::choose(TermId when, const Value& a, const Value& b) {
  Value result{.kind = a.kind};
  if (a.kind != b.kind)
    unsupported("branches of two types");
  if (a.kind == Kind::Array)
    result.array = m_arrays.choose(when, a.array, b.array);
  else if (a.kind == Kind::Pair)
    result.parts = {choose(when, a.parts[0], b.parts[0]), choose(when, a.parts[1], b.parts[1])};
  else if (a.kind != Kind::Unit)
    result.term = m_store.ite(when, a.term, b.term);
  return result;
}

Value Lowering::arrayLiteral(const Expr& expr, const ScopePtr& scope) {
  std::optional<Kind> kind;
  for (const ExprPtr& each : expr.args)
    if (!kind && !isLiteral(*each))
      kind = value(*each, scope, std::nullopt).kind;
  if (!kind)
    kind = std::ranges::any_of(expr.args, [](const ExprPtr& e) { return e->form == Form::Unary; })
               ? Kind::Int
               : Kind::Nat;
  std::vector<TermId> elements;
  for (const ExprPtr& each : expr.args)
    elements.push_back(coerced(value(*each, scope, kind), *kind).term);
  return {.kind = Kind::Array, .array = m_arrays.literal(*kind, std::move(elements))};
}

// --- Arithmetic ---

Lowering::Arithmetic Lowering::arithmetic(const Expr& expr, const ScopePtr& scope) {
  Arithmetic result;
  result.expr = &expr;
  if (expr.form == Form::Number || expr.form == Form::Scientific) {
    result.isNumber = true;
    return result;
  }
  if (!isArithmetic(expr)) {
    result.leaf = value(expr, scope, std::nullopt);
    return result;
  }
  const bool isPower = expr.form == Form::Binary && expr.binary == BinaryOp::Power;
  for (const ExprPtr& arg : expr.args) {
    result.args.push_back(arithmetic(*arg, scope));
    if (isPower && result.args.size() == 1)
      break; // the exponent is a Nat of its own
  }
  return result;
}

void Lowering::kindsOf(const Arithmetic& tree, std::vector<Kind>& kinds) {
  if (tree.leaf)
    kinds.push_back(tree.leaf->kind);
  for (const Arithmetic& arg : tree.args)
    kindsOf(arg, kinds);
}

/// Lean's rule: the largest type among the operands and what the surroundings expect.
Kind Lowering::commonKind(const std::vector<Kind>& kinds, std::optional<Kind> expected) const {
  std::optional<Kind> result;
  for (const Kind kind : kinds) {
    if (!isInteger(kind) && !isFloat(kind))
      unsupported("arithmetic on something else than numbers");
    if (result && *result != kind && (isFloat(kind) || isFloat(*result)))
      unsupported("operands of two types");
    if (!result || kind == Kind::Int)
      result = kind;
  }
  if (expected && (isInteger(*expected) || isFloat(*expected))) {
    if (!result)
      return *expected;
    if (*expected == Kind::Int && result == Kind::Nat)
      return Kind::Int;
  }
  return result.value_or(Kind::Nat);
}

Value Lowering::compute(const Arithmetic& tree, Kind kind) {
  if (tree.isNumber)
    return number(*tree.expr, kind);
  if (tree.leaf)
    return coerced(*tree.leaf, kind);
  const Expr& expr = *tree.expr;
  const Value a = compute(tree.args[0], kind);
  if (expr.form == Form::Unary) {
    if (isFloat(kind))
      return {.kind = kind, .term = m_store.unary(Op::FNeg, a.term)};
    if (kind == Kind::Nat)
      unsupported("a negative Nat");
    return {.kind = kind, .term = m_store.isub(m_store.integer(0), a.term)};
  }
  if (expr.binary != BinaryOp::Power)
    return operation(expr.binary, a, compute(tree.args[1], kind));
  if (!isInteger(kind) || expr.args[1]->form != Form::Number)
    unsupported("a power whose exponent is no number");
  const std::optional<int64_t> exponent = m_store.intValue(number(*expr.args[1], Kind::Nat).term);
  if (!exponent || *exponent > 64)
    unsupported("a power with a large exponent");
  Value result{.kind = kind, .term = m_store.integer(1)};
  for (int64_t i = 0; i < *exponent; ++i)
    result.term = m_store.imul(result.term, a.term);
  return result;
}

Value Lowering::operation(BinaryOp op, const Value& a, const Value& b) {
  const Kind kind = a.kind;
  Value result{.kind = kind};
  if (isFloat(kind)) {
    switch (op) {
    case BinaryOp::Add: result.term = m_store.binary(Op::FAdd, a.term, b.term); return result;
    case BinaryOp::Subtract: result.term = m_store.binary(Op::FSub, a.term, b.term); return result;
    case BinaryOp::Multiply: result.term = m_store.binary(Op::FMul, a.term, b.term); return result;
    case BinaryOp::Divide: result.term = m_store.binary(Op::FDiv, a.term, b.term); return result;
    default: unsupported("an operator that floats do not have");
    }
  }
  const TermId zero = m_store.integer(0);
  switch (op) {
  case BinaryOp::Add: result.term = m_store.iadd(a.term, b.term); return result;
  case BinaryOp::Multiply: result.term = m_store.imul(a.term, b.term); return result;
  case BinaryOp::Subtract:
    result.term = m_store.isub(a.term, b.term);
    if (kind == Kind::Nat) // truncated at 0
      result.term = m_store.ite(m_store.ile(b.term, a.term), result.term, zero);
    return result;
  case BinaryOp::Divide: result.term = euclideanQuotient(a.term, b.term); return result;
  case BinaryOp::Modulo: {
    const TermId quotient = euclideanQuotient(a.term, b.term);
    const TermId rest = m_store.isub(a.term, m_store.imul(b.term, quotient));
    result.term = m_store.ite(m_store.ieq(b.term, zero), a.term, rest);
    return result;
  }
  default: unsupported("an operator that integers do not have");
  }
}

/// Lean's division of Int and Nat: the remainder is not negative; 0 for a divisor of 0.
TermId Lowering::euclideanQuotient(TermId a, TermId b) {
  const TermId zero = m_store.integer(0);
  const TermId one = m_store.integer(1);
  const TermId truncated = m_store.idiv(a, b);
  const TermId below =
      m_store.ite(m_store.ilt(zero, b), m_store.isub(truncated, one), m_store.iadd(truncated, one));
  const TermId negative = m_store.ilt(m_store.irem(a, b), zero);
  return m_store.ite(m_store.ieq(b, zero), zero, m_store.ite(negative, below, truncated));
}

// --- Definitions ---

Value Lowering::typedArgument(const Expr& expr, const ScopePtr& scope, const std::string& text) {
  const std::optional<Type> type = typeFrom(text);
  if (!type)
    unsupported("a parameter of type " + text);
  return coerced(value(expr, scope, type->kind), type->kind);
}

ScopePtr Lowering::scopeOfCall(const velvet::Definition& definition, const Expr& call,
                               const ScopePtr& scope) {
  if (m_depth >= maxUnfolding)
    unsupported("a definition that unfolds too deeply: " + definition.name);
  auto inside = std::make_shared<const Scope>(); // nothing from outside
  size_t next = 1;
  const size_t count = call.form == Form::Apply ? call.args.size() : 1;
  for (const velvet::Binder& binder : definition.binders) {
    if (binder.bracket != velvet::Bracket::Round)
      continue;
    if (next >= count)
      unsupported("too few arguments for " + definition.name);
    inside = std::make_shared<const Scope>(
        Scope{binder.name, typedArgument(*call.args[next++], scope, binder.type), inside});
  }
  if (next != count)
    unsupported("too many arguments for " + definition.name);
  ++m_depth;
  try {
    for (const velvet::Let& let : definition.lets)
      inside =
          std::make_shared<const Scope>(Scope{let.name, typedArgument(*let.value, inside, let.type), inside});
  } catch (const Unsupported&) {
    --m_depth;
    throw;
  }
  --m_depth;
  return inside;
}

Value Lowering::callDefinition(const velvet::Definition& definition, const Expr& call,
                               const ScopePtr& scope) {
  if (!definition.value || Definitions::isOpaque(definition))
    unsupported("the definition " + definition.name);
  const ScopePtr inside = scopeOfCall(definition, call, scope);
  ++m_depth;
  try {
    Value result = typedArgument(*definition.value, inside, definition.type);
    --m_depth;
    return result;
  } catch (const Unsupported&) {
    --m_depth;
    throw;
  }
}

TermId Lowering::callProp(const velvet::Definition& definition, const Expr& call, const ScopePtr& scope,
                          Polarity polarity) {
  if (!definition.value || Definitions::isOpaque(definition))
    unsupported("the definition " + definition.name);
  const ScopePtr inside = scopeOfCall(definition, call, scope);
  ++m_depth;
  try {
    const TermId result = prop(*definition.value, inside, polarity);
    --m_depth;
    return result;
  } catch (const Unsupported&) {
    --m_depth;
    throw;
  }
}

} // namespace plumbline::goals

#include "tests/method/evaluator.h"

#include "core/f32/elementary.h"
#include "core/f32/rational.h"

#include <algorithm>

namespace plumbline::method_test {

using velvet::BinaryOp;
using velvet::Expr;
using velvet::Form;
using velvet::Stmt;
using velvet::StmtKind;

namespace {

using Soft32 = f32::Soft<f32::Binary32>;
using Soft64 = f32::Soft<f32::Binary64>;

Value makeNumber(Kind kind, Wide number) {
  Value value;
  value.kind = kind;
  value.number = number;
  return value;
}

Value makeFloat(Kind kind, uint64_t bits) {
  Value value;
  value.kind = kind;
  value.bits = kind == Kind::F32 ? Soft32::canonical(static_cast<uint32_t>(bits)) : Soft64::canonical(bits);
  return value;
}

[[noreturn]] void wrong(const std::string& what) {
  throw what;
}

bool isNumber(Kind kind) {
  return kind == Kind::Literal || kind == Kind::Nat || kind == Kind::Int;
}

bool isFloat(Kind kind) {
  return kind == Kind::F32 || kind == Kind::F64;
}

bool truth(const Value& value) {
  if (value.kind != Kind::Bool && value.kind != Kind::Prop)
    wrong("a condition that is neither Bool nor Prop");
  return value.number != 0;
}

bool prop(const Value& value) {
  if (value.kind != Kind::Prop)
    wrong("a connective of propositions on something else");
  return value.number != 0;
}

bool boolean(const Value& value) {
  if (value.kind != Kind::Bool)
    wrong("a connective of Bool on something else");
  return value.number != 0;
}

Value makeProp(bool value) {
  return makeNumber(Kind::Prop, value);
}

std::optional<Kind> kindOfType(const std::string& type) {
  static const std::map<std::string, Kind> kinds{{"Nat", Kind::Nat},     {"Int", Kind::Int},
                                                 {"Bool", Kind::Bool},   {"Prop", Kind::Prop},
                                                 {"Float32", Kind::F32}, {"Float", Kind::F64}};
  if (type.starts_with("Array "))
    return Kind::Array;
  const auto found = kinds.find(type);
  return found != kinds.end() ? std::optional(found->second) : std::nullopt;
}

/// A value where `type` is expected: literals take the type, Nat is lifted to Int only by an ascription.
Value typed(Value value, const std::string& type) {
  const std::optional<Kind> wanted = kindOfType(type);
  if (wanted == Kind::Array && value.kind == Kind::Array) {
    const std::optional<Kind> element = kindOfType(type.substr(std::string_view("Array ").size()));
    if (value.element == Kind::Literal && element == Kind::Int)
      value.element = Kind::Int;
    if (element && value.element != *element)
      wrong("an array of other elements than " + type);
    return value;
  }
  if (!wanted || value.kind == *wanted)
    return value;
  const bool literal = value.kind == Kind::Literal && (*wanted == Kind::Int || *wanted == Kind::Nat);
  const bool negative = *wanted == Kind::Nat && value.number < 0;
  if (!literal || negative)
    wrong("a value of another type than " + type);
  value.kind = *wanted;
  return value;
}

/// The common type of two operands.
Kind common(const Value& a, const Value& b) {
  if (a.kind == b.kind)
    return a.kind;
  if (a.kind == Kind::Literal && isNumber(b.kind))
    return b.kind;
  if (b.kind == Kind::Literal && isNumber(a.kind))
    return a.kind;
  wrong("operands of two types");
}

int64_t small(const Value& value) {
  if (!isNumber(value.kind))
    wrong("a number is needed");
  return static_cast<int64_t>(value.number);
}

bool same(const Value& a, const Value& b) {
  const Kind kind = common(a, b);
  if (isFloat(kind))
    return a.bits == b.bits;
  if (kind == Kind::Array || kind == Kind::Pair)
    wrong("equality of arrays");
  return a.number == b.number;
}

template <class Soft> bool compare(BinaryOp op, uint64_t a, uint64_t b) {
  const auto x = static_cast<typename Soft::Bits>(a);
  const auto y = static_cast<typename Soft::Bits>(b);
  switch (op) {
  case BinaryOp::Less: return Soft::less(x, y);
  case BinaryOp::LessEqual: return Soft::lessEqual(x, y);
  default: return Soft::equal(x, y);
  }
}

template <class Soft> uint64_t floatArithmetic(BinaryOp op, uint64_t a, uint64_t b) {
  const auto x = static_cast<typename Soft::Bits>(a);
  const auto y = static_cast<typename Soft::Bits>(b);
  switch (op) {
  case BinaryOp::Add: return Soft::add(x, y);
  case BinaryOp::Subtract: return Soft::sub(x, y);
  case BinaryOp::Multiply: return Soft::mul(x, y);
  case BinaryOp::Divide: return Soft::div(x, y);
  default: wrong("an operator that floats do not have");
  }
}

/// Truncated and clamped to [low, high]; 0 for NaN.
Value truncated(const Value& value, Wide low, Wide high) {
  const auto exact = value.kind == Kind::F32
                         ? f32::toRational<f32::Binary32>(static_cast<uint32_t>(value.bits))
                         : f32::toRational<f32::Binary64>(value.bits);
  const bool isNan =
      value.kind == Kind::F32 ? Soft32::isNan(static_cast<uint32_t>(value.bits)) : Soft64::isNan(value.bits);
  const bool negative = value.kind == Kind::F32 ? Soft32::isNegative(static_cast<uint32_t>(value.bits))
                                                : Soft64::isNegative(value.bits);
  if (isNan)
    return makeNumber(Kind::Int, 0);
  if (!exact)
    return makeNumber(Kind::Int, negative ? low : high);
  const mpz_class whole = exact->get_num() / exact->get_den(); // GMP truncates
  if (whole < mpz_class(std::to_string(static_cast<int64_t>(low))))
    return makeNumber(Kind::Int, low);
  if (whole > mpz_class(std::to_string(static_cast<int64_t>(high))))
    return makeNumber(Kind::Int, high);
  return makeNumber(Kind::Int, whole.get_si());
}

} // namespace

Value intValue(int64_t value) {
  return makeNumber(Kind::Int, value);
}
Value natValue(int64_t value) {
  return makeNumber(Kind::Nat, value);
}
Value boolValue(bool value) {
  return makeNumber(Kind::Bool, value);
}
Value floatValue(uint32_t bits) {
  return makeFloat(Kind::F32, bits);
}
Value arrayValue(std::vector<uint32_t> bits) {
  for (uint32_t& element : bits)
    element = Soft32::canonical(element);
  Value value;
  value.kind = Kind::Array;
  value.array = std::make_shared<std::vector<uint32_t>>(std::move(bits));
  return value;
}
Value cellsValue(Kind element, std::vector<Wide> cells) {
  Value value;
  value.kind = Kind::Array;
  value.element = element;
  value.cells = std::make_shared<std::vector<Wide>>(std::move(cells));
  return value;
}

namespace {

size_t sizeOf(const Value& array) {
  return array.array ? array.array->size() : array.cells->size();
}

Value elementAt(const Value& array, Wide index) {
  const bool inside = index >= 0 && index < static_cast<Wide>(sizeOf(array));
  const auto at = static_cast<size_t>(index);
  if (array.array)
    return floatValue(inside ? (*array.array)[at] : 0);
  const Wide cell = inside ? (*array.cells)[at] : 0;
  return array.element == Kind::F64 ? makeFloat(Kind::F64, static_cast<uint64_t>(cell))
                                    : makeNumber(array.element, cell);
}

/// Lean's set!: nothing happens outside.
void setElement(Value& array, Wide index, const Value& element) {
  const bool literal = element.kind == Kind::Literal && array.element == Kind::Int;
  if (array.element != element.kind && !literal)
    wrong("an element of another type than the array's");
  if (index < 0 || index >= static_cast<Wide>(sizeOf(array)))
    return;
  const auto at = static_cast<size_t>(index);
  if (array.array)
    (*array.array)[at] = static_cast<uint32_t>(element.bits);
  else
    (*array.cells)[at] = isFloat(element.kind) ? static_cast<Wide>(element.bits) : element.number;
}

/// An array of these elements, of one type.
Value arrayFrom(const std::vector<Value>& elements, Kind element) {
  if (element == Kind::F32) {
    std::vector<uint32_t> bits;
    for (const Value& each : elements)
      bits.push_back(static_cast<uint32_t>(each.bits));
    return arrayValue(std::move(bits));
  }
  std::vector<Wide> cells;
  for (const Value& each : elements)
    cells.push_back(isFloat(each.kind) ? static_cast<Wide>(each.bits) : each.number);
  return cellsValue(element, std::move(cells));
}

} // namespace

bool MethodRun::failed(const std::string& kind) const {
  return std::ranges::any_of(failures, [&](const Failure& failure) { return failure.kind == kind; });
}

Evaluator::Evaluator(const std::vector<LeanFile>& lean, const velvet::Document& document) {
  for (const LeanFile& file : lean) {
    for (const velvet::Definition& definition : file.definitions)
      m_lean[definition.name] = definition;
    m_instance.insert(file.instance.begin(), file.instance.end());
    m_opaque.insert(file.opaque.begin(), file.opaque.end());
  }
  for (const auto& [name, definition] : m_lean)
    m_definitions[name] = &definition;
  for (const velvet::Item& item : document.items) {
    if (const auto* definition = std::get_if<velvet::Definition>(&item))
      m_definitions[definition->name] = definition;
    if (const auto* method = std::get_if<velvet::Method>(&item))
      m_method = method;
  }
}

void Evaluator::fail(const std::string& kind, const std::string& label) {
  const bool known = std::ranges::any_of(
      m_run.failures, [&](const Failure& f) { return f.kind == kind && f.label == label; });
  if (!known)
    m_run.failures.push_back({kind, label});
}

// --- Expressions ---

Value Evaluator::evaluate(const Expr& expr, const std::map<std::string, Value>& variables) {
  Variables copy(variables.begin(), variables.end());
  // Quantifiers range beyond every array and every number at hand.
  m_largest = 0;
  for (const auto& [name, value] : variables) {
    if (value.kind == Kind::Array)
      m_largest = std::max(m_largest, sizeOf(value));
    if ((value.kind == Kind::Nat || value.kind == Kind::Int) && value.number > 0 && value.number < 5000)
      m_largest = std::max(m_largest, static_cast<size_t>(value.number));
  }
  return eval(expr, copy);
}

bool Evaluator::holds(const Expr& expr, Variables& variables) {
  return prop(eval(expr, variables));
}

Value Evaluator::eval(const Expr& expr, Variables& variables) {
  switch (expr.form) {
  case Form::Name: {
    if (const auto found = variables.find(expr.text); found != variables.end())
      return found->second;
    if (expr.text == "true" || expr.text == "false")
      return boolValue(expr.text == "true");
    if (expr.text == "True" || expr.text == "False")
      return makeProp(expr.text == "True");
    return call(expr.text, {});
  }
  case Form::Number: {
    const bool hex = expr.text.starts_with("0x");
    return makeNumber(Kind::Literal, static_cast<Wide>(std::stoull(expr.text, nullptr, hex ? 16 : 10)));
  }
  case Form::Apply: return apply(expr, variables);
  case Form::Field: {
    const Value of = eval(*expr.args[0], variables);
    if (expr.text == "size" && of.kind == Kind::Array)
      return natValue(static_cast<int64_t>(sizeOf(of)));
    if (expr.text == "toNat" && of.kind == Kind::Int)
      return makeNumber(Kind::Nat, std::max<Wide>(of.number, 0));
    if ((expr.text == "1" || expr.text == "2") && of.kind == Kind::Pair)
      return of.parts[expr.text == "1" ? 0 : 1];
    wrong("field " + expr.text);
  }
  case Form::Element: {
    const Value array = eval(*expr.args[0], variables);
    const Value index = typed(eval(*expr.args[1], variables), "Nat");
    if (array.kind != Kind::Array)
      wrong("an element of something that is no array");
    return elementAt(array, index.number);
  }
  case Form::Ascribe: {
    Value value = eval(*expr.args[0], variables);
    if (expr.text == "Int" && value.kind == Kind::Nat)
      value.kind = Kind::Int;
    return typed(value, expr.text);
  }
  case Form::Unary: {
    const Value a = eval(*expr.args[0], variables);
    if (expr.unary == velvet::UnaryOp::Not)
      return makeProp(!prop(a));
    if (expr.unary == velvet::UnaryOp::BoolNot)
      return boolValue(!boolean(a));
    if (a.kind == Kind::F32)
      return floatValue(Soft32::neg(static_cast<uint32_t>(a.bits)));
    if (a.kind == Kind::F64)
      return makeFloat(Kind::F64, Soft64::neg(a.bits));
    if (a.kind == Kind::Nat || !isNumber(a.kind))
      wrong("a negation of something that has none");
    return makeNumber(Kind::Int, -a.number);
  }
  case Form::Binary: return binary(expr, variables);
  case Form::If: return eval(*expr.args[truth(eval(*expr.args[0], variables)) ? 1 : 2], variables);
  case Form::Forall:
  case Form::Exists: return quantified(expr, variables);
  case Form::Scientific:
  case Form::String:
  case Form::Unit:
  case Form::Lambda:
  case Form::Sum:
  case Form::Opaque: wrong("an expression that no generated text has");
  case Form::Pair: {
    Value value;
    value.kind = Kind::Pair;
    value.parts = {eval(*expr.args[0], variables), eval(*expr.args[1], variables)};
    return value;
  }
  case Form::Array: {
    std::vector<Value> elements;
    for (const velvet::ExprPtr& each : expr.args)
      elements.push_back(eval(*each, variables));
    // A negative literal is an Int already.
    const auto known = std::ranges::find_if(elements, [](const Value& v) { return v.kind != Kind::Literal; });
    const Kind kind = known != elements.end() ? known->kind : Kind::Literal;
    for (const Value& each : elements)
      if (common(each, elements.front()) != kind && each.kind != Kind::Literal)
        wrong("elements of several types");
    return arrayFrom(elements, kind);
  }
  }
  wrong("an unknown form");
}

/// Over Nat as far as any array reaches and a little more, over Bool, or over special values of Float32.
Value Evaluator::quantified(const Expr& expr, Variables& variables) {
  const bool isForall = expr.form == Form::Forall;
  std::vector<Value> domain;
  if (expr.type == "Nat")
    for (size_t k = 0; k < m_largest + 3; ++k)
      domain.push_back(natValue(static_cast<int64_t>(k)));
  else if (expr.type == "Bool")
    domain = {boolValue(false), boolValue(true)};
  else if (expr.type == "Float32")
    for (const uint32_t bits :
         {0x7fc00000U, 0x7f800000U, 0xff800000U, 0U, 0x80000000U, 0x3f800000U, 0xbf800000U, 1U})
      domain.push_back(floatValue(bits));
  else
    wrong("a quantifier over " + expr.type);
  const auto hidden = variables.find(expr.text);
  const std::optional<Value> before =
      hidden != variables.end() ? std::optional(hidden->second) : std::nullopt;
  bool result = isForall;
  for (Value& value : domain) {
    variables[expr.text] = value;
    if (holds(*expr.args[0], variables) != isForall) {
      result = !isForall;
      break;
    }
  }
  if (before)
    variables[expr.text] = *before;
  else
    variables.erase(expr.text);
  return makeProp(result);
}

Value Evaluator::binary(const Expr& expr, Variables& variables) {
  const Value a = eval(*expr.args[0], variables);
  auto right = [&] { return eval(*expr.args[1], variables); };
  switch (expr.binary) {
  case BinaryOp::Iff: return makeProp(prop(a) == prop(right()));
  case BinaryOp::Implies: return makeProp(!prop(a) || prop(right()));
  case BinaryOp::Or: return makeProp(prop(a) || prop(right()));
  case BinaryOp::And: return makeProp(prop(a) && prop(right()));
  case BinaryOp::BoolOr: return boolValue(boolean(a) || boolean(right()));
  case BinaryOp::BoolAnd: return boolValue(boolean(a) && boolean(right()));
  case BinaryOp::Equal: return makeProp(same(a, right()));
  case BinaryOp::NotEqual: return makeProp(!same(a, right()));
  default: break;
  }
  const Value b = right();
  const Kind kind = common(a, b);
  switch (expr.binary) {
  case BinaryOp::Less:
  case BinaryOp::LessEqual:
    if (kind == Kind::F32)
      return makeProp(compare<Soft32>(expr.binary, a.bits, b.bits));
    if (kind == Kind::F64)
      return makeProp(compare<Soft64>(expr.binary, a.bits, b.bits));
    if (!isNumber(kind))
      wrong("an order on something else than numbers");
    return makeProp(expr.binary == BinaryOp::Less ? a.number < b.number : a.number <= b.number);
  case BinaryOp::BoolEqual:
    if (!isFloat(kind))
      wrong("== on something else than floats");
    return boolValue(kind == Kind::F32 ? compare<Soft32>(expr.binary, a.bits, b.bits)
                                       : compare<Soft64>(expr.binary, a.bits, b.bits));
  default: return arithmetic(expr.binary, a, b);
  }
}

Value Evaluator::arithmetic(BinaryOp op, const Value& a, const Value& b) {
  const Kind kind = common(a, b);
  if (kind == Kind::F32)
    return makeFloat(kind, floatArithmetic<Soft32>(op, a.bits, b.bits));
  if (kind == Kind::F64)
    return makeFloat(kind, floatArithmetic<Soft64>(op, a.bits, b.bits));
  if (!isNumber(kind))
    wrong("arithmetic on something else than numbers");
  switch (op) {
  case BinaryOp::Add: return makeNumber(kind, a.number + b.number);
  case BinaryOp::Multiply: return makeNumber(kind, a.number * b.number);
  case BinaryOp::Subtract:
    return makeNumber(kind, kind == Kind::Nat ? std::max<Wide>(a.number - b.number, 0) : a.number - b.number);
  default: wrong("Lean's own division of integers, which is not C's");
  }
}

// --- Functions ---

Value Evaluator::apply(const Expr& expr, Variables& variables) {
  const Expr& function = *expr.args[0];
  if (function.form == Form::Name && function.text == "Plumbline.fold" && expr.args.size() == 4)
    return fold(expr, variables);
  std::vector<Value> args;
  for (size_t i = 1; i < expr.args.size(); ++i)
    args.push_back(eval(*expr.args[i], variables));
  if (function.form == Form::Name)
    return call(function.text, std::move(args));
  if (function.form != Form::Field || function.text != "set!" || args.size() != 2)
    wrong("an application of something that is no function");
  Value array = eval(*function.args[0], variables);
  if (array.kind != Kind::Array)
    wrong("set! of something that is no array");
  if (array.array)
    array.array = std::make_shared<std::vector<uint32_t>>(*array.array);
  else
    array.cells = std::make_shared<std::vector<Wide>>(*array.cells);
  setElement(array, typed(args[0], "Nat").number, args[1]);
  return array;
}

/// The same for `a := a.set! i v`, without a copy where nobody else has the array.
bool Evaluator::setInPlace(const Stmt& stmt, Variables& variables) {
  const Expr& expr = *stmt.value;
  if (expr.form != Form::Apply || expr.args.size() != 3 || expr.args[0]->form != Form::Field ||
      expr.args[0]->text != "set!" || expr.args[0]->args[0]->form != Form::Name ||
      expr.args[0]->args[0]->text != stmt.name)
    return false;
  const Value index = typed(eval(*expr.args[1], variables), "Nat");
  const Value element = eval(*expr.args[2], variables);
  Value& array = variables.at(stmt.name);
  if (array.kind != Kind::Array)
    wrong("set! of something that is no array");
  if (array.array && array.array.use_count() > 1)
    array.array = std::make_shared<std::vector<uint32_t>>(*array.array);
  if (array.cells && array.cells.use_count() > 1)
    array.cells = std::make_shared<std::vector<Wide>>(*array.cells);
  setElement(array, index.number, element);
  return true;
}

/// Plumbline.fold init (function arguments) count: the function takes the step and the accumulator besides.
Value Evaluator::fold(const Expr& expr, Variables& variables) {
  const Expr& partial = *expr.args[2];
  if (partial.form != Form::Apply || partial.args[0]->form != Form::Name)
    wrong("a fold over something else than a partial application");
  std::vector<Value> args;
  for (size_t i = 1; i < partial.args.size(); ++i)
    args.push_back(eval(*partial.args[i], variables));
  Value accumulator = eval(*expr.args[1], variables);
  const Wide count = typed(eval(*expr.args[3], variables), "Nat").number;
  for (Wide n = 0; n < count; ++n) {
    std::vector<Value> all = args;
    all.push_back(makeNumber(Kind::Int, n));
    all.push_back(std::move(accumulator));
    accumulator = call(partial.args[0]->text, std::move(all));
  }
  return accumulator;
}

Value Evaluator::call(const std::string& name, std::vector<Value> args) {
  constexpr std::string_view scalar = "Plumbline.Scalar.";
  if (const auto found = m_definitions.find(name); found != m_definitions.end())
    return callDefinition(*found->second, std::move(args));
  if (name.starts_with(scalar)) {
    const auto member = m_instance.find(name.substr(scalar.size()));
    if (member == m_instance.end())
      wrong("no member " + name);
    const Expr& value = *member->second.value;
    if (member->second.binders.empty() && value.form == Form::Name)
      return call(value.text, std::move(args));
    return callDefinition(member->second, std::move(args));
  }
  if (const auto found = m_opaque.find(name); found != m_opaque.end()) {
    if (found->second != static_cast<int>(args.size()))
      wrong("another number of arguments than " + name + " has");
    return opaque(name, args);
  }
  if (std::optional<Value> result = primitive(name, args))
    return *result;
  wrong("a name that nothing defines: " + name);
}

Value Evaluator::callDefinition(const velvet::Definition& definition, std::vector<Value> args) {
  Variables variables;
  size_t next = 0;
  for (const velvet::Binder& binder : definition.binders) {
    if (binder.bracket != velvet::Bracket::Round)
      continue;
    if (next >= args.size())
      wrong("too few arguments for " + definition.name);
    const std::string type = binder.type == "Array S" ? "Array Float32" : binder.type;
    variables[binder.name] = typed(std::move(args[next++]), type);
  }
  if (next != args.size())
    wrong("too many arguments for " + definition.name);
  for (const velvet::Let& let : definition.lets)
    variables[let.name] = typed(eval(*let.value, variables), let.type == "S" ? "Float32" : let.type);
  return typed(eval(*definition.value, variables), definition.type == "S" ? "Float32" : definition.type);
}

std::optional<Value> Evaluator::primitive(const std::string& name, const std::vector<Value>& args) {
  constexpr Wide two32 = Wide{1} << 32;
  constexpr Wide two31 = Wide{1} << 31;
  constexpr Wide max64 = INT64_MAX;
  auto is = [&](const char* text, size_t count) { return name == text && args.size() == count; };
  if (is("Array.replicate", 2))
    return arrayFrom(std::vector<Value>(static_cast<size_t>(typed(args[0], "Nat").number), args[1]),
                     args[1].kind);
  if (is("decide", 1))
    return boolValue(prop(args[0]));
  if (is("Int.tdiv", 2) || is("Int.tmod", 2)) {
    const Wide a = typed(args[0], "Int").number;
    const Wide b = typed(args[1], "Int").number;
    if (b == 0) // as Lean defines them
      return makeNumber(Kind::Int, name == "Int.tdiv" ? 0 : a);
    return makeNumber(Kind::Int, name == "Int.tdiv" ? a / b : a % b);
  }
  if (is("Float32.ofBits", 1))
    return floatValue(static_cast<uint32_t>(small(args[0])));
  if (is("Float32.toBits", 1))
    return makeNumber(Kind::Nat, static_cast<Wide>(typed(args[0], "Float32").bits));
  if (is("UInt32.land", 2))
    return makeNumber(Kind::Nat, small(args[0]) & small(args[1]));
  if (is("Plumbline.fma32", 3)) // Plumbline/Model/Fma.lean, on Lean's model
    return floatValue(Soft32::fma(static_cast<uint32_t>(typed(args[0], "Float32").bits),
                                  static_cast<uint32_t>(typed(args[1], "Float32").bits),
                                  static_cast<uint32_t>(typed(args[2], "Float32").bits)));
  if (is("Float.ofBits", 1))
    return makeFloat(Kind::F64, static_cast<uint64_t>(args[0].number));
  if (is("Float32.ofInt", 1))
    return floatValue(
        f32::fromRational<f32::Binary32>(f32::rationalFromInteger(small(typed(args[0], "Int")))));
  if (is("Float.ofInt", 1))
    return makeFloat(
        Kind::F64, f32::fromRational<f32::Binary64>(f32::rationalFromInteger(small(typed(args[0], "Int")))));
  if (is("Float32.isNaN", 1))
    return boolValue(Soft32::isNan(static_cast<uint32_t>(typed(args[0], "Float32").bits)));
  if (is("Float.isNaN", 1))
    return boolValue(Soft64::isNan(typed(args[0], "Float").bits));
  if (is("Float32.abs", 1))
    return floatValue(Soft32::abs(static_cast<uint32_t>(typed(args[0], "Float32").bits)));
  if (is("Float.abs", 1))
    return makeFloat(Kind::F64, Soft64::abs(typed(args[0], "Float").bits));
  if (is("Float32.sqrt", 1))
    return floatValue(Soft32::sqrt(static_cast<uint32_t>(typed(args[0], "Float32").bits)));
  if (is("Float.sqrt", 1))
    return makeFloat(Kind::F64, Soft64::sqrt(typed(args[0], "Float").bits));
  if (is("Float32.toInt32", 1) || is("Float.toInt32", 1))
    return truncated(args[0], -two31, two31 - 1);
  if (is("Float32.toUInt32", 1) || is("Float.toUInt32", 1))
    return truncated(args[0], 0, two32 - 1);
  if (is("Float32.toInt64", 1) || is("Float.toInt64", 1))
    return truncated(args[0], -max64 - 1, max64);
  if (is("Int32.toInt", 1) || is("Int64.toInt", 1) || is("Int.ofNat", 1) || is("UInt32.toNat", 1))
    return makeNumber(Kind::Int, args[0].number);
  return std::nullopt;
}

/// An unknown function: here, as in the kernel interpreter, the correctly rounded one.
Value Evaluator::opaque(const std::string& name, const std::vector<Value>& args) {
  std::string spelling = name.substr(std::string_view("Plumbline.").size());
  const bool isDouble = spelling.ends_with("_f64");
  if (spelling == "fma_f64")
    return makeFloat(Kind::F64, Soft64::fma(args[0].bits, args[1].bits, args[2].bits));
  if (spelling == "widen")
    return makeFloat(Kind::F64,
                     f32::convert<f32::Binary32, f32::Binary64>(static_cast<uint32_t>(args[0].bits)));
  if (spelling == "narrow")
    return floatValue(f32::convert<f32::Binary64, f32::Binary32>(args[0].bits));
  if (isDouble)
    spelling.resize(spelling.size() - 4);
  if (spelling.starts_with("fast_"))
    spelling = "__" + spelling.substr(5);
  if (spelling.starts_with("aten_"))
    spelling[4] = '.';
  const auto function = f32::canonicalFunction(spelling);
  if (!function)
    wrong("no function is known by the spelling " + spelling);
  std::vector<uint64_t> bits;
  bits.reserve(args.size());
  for (const Value& arg : args)
    bits.push_back(arg.bits);
  const auto value =
      f32::elementaryValue(*function, isDouble ? f32::Width::Binary64 : f32::Width::Binary32, bits);
  if (!value)
    wrong("no value of " + spelling);
  return makeFloat(isDouble ? Kind::F64 : Kind::F32, *value);
}

// --- Statements ---

void Evaluator::check(const char* kind, const velvet::Clause& clause, Variables& variables) {
  if (!holds(*clause.prop, variables))
    fail(kind, clause.label);
}

void Evaluator::block(const std::vector<Stmt>& body, Variables& variables) {
  std::vector<std::string> declared;
  for (const Stmt& stmt : body) {
    if (stmt.kind == StmtKind::Let) {
      if (variables.contains(stmt.name))
        wrong("a second declaration of " + stmt.name);
      declared.push_back(stmt.name);
    }
    statement(stmt, variables);
  }
  for (const std::string& name : declared)
    variables.erase(name);
}

void Evaluator::statement(const Stmt& stmt, Variables& variables) {
  switch (stmt.kind) {
  case StmtKind::Let: variables[stmt.name] = typed(eval(*stmt.value, variables), stmt.type); return;
  case StmtKind::Set: {
    if (setInPlace(stmt, variables))
      return;
    Value& old = variables.at(stmt.name);
    Value made = eval(*stmt.value, variables);
    if (made.kind == Kind::Literal && isNumber(old.kind))
      made.kind = old.kind;
    if (made.kind != old.kind)
      wrong("a new value of another type for " + stmt.name);
    variables[stmt.name] = std::move(made);
    return;
  }
  case StmtKind::If:
    block(truth(eval(*stmt.value, variables)) ? stmt.body : stmt.otherwise, variables);
    return;
  case StmtKind::While: loop(stmt, variables); return;
  case StmtKind::Assert: check("assert", stmt.clause, variables); return;
  case StmtKind::Return: m_run.result = eval(*stmt.value, variables); return;
  case StmtKind::Comment: return;
  case StmtKind::Call:
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Opaque: wrong("a statement that no generated text has");
  }
}

void Evaluator::loop(const Stmt& stmt, Variables& variables) {
  auto invariants = [&] {
    for (const velvet::Clause& invariant : stmt.loop.invariants)
      check("invariant", invariant, variables);
  };
  for (int turn = 0;; ++turn) {
    const bool more = holds(*stmt.value, variables);
    if (turn % m_every == 0 || !more)
      invariants();
    if (!more)
      break;
    const Value before = typed(eval(*stmt.loop.decreasing.prop, variables), "Nat");
    block(stmt.body, variables);
    const Value after = typed(eval(*stmt.loop.decreasing.prop, variables), "Nat");
    if (after.number >= before.number) {
      fail("decreasing", stmt.loop.decreasing.label);
      return;
    }
  }
  check("done_with", stmt.loop.doneWith, variables);
}

MethodRun Evaluator::run(const std::map<std::string, Value>& arguments, int every) {
  m_run = {};
  m_every = every;
  m_largest = 0;
  try {
    Variables variables;
    for (const velvet::Binder& binder : m_method->binders) {
      variables[binder.name] = typed(arguments.at(binder.name), binder.type);
      if (const Value& value = variables[binder.name]; value.kind == Kind::Array)
        m_largest = std::max(m_largest, sizeOf(value));
    }
    for (const velvet::Clause& clause : m_method->requirements)
      check("requires", clause, variables);
    Variables inside = variables;
    block(m_method->body, inside);
    variables[m_method->resultName] = m_run.result;
    for (const velvet::Clause& clause : m_method->ensures)
      check("ensures", clause, variables);
  } catch (const std::string& what) {
    fail("type", what);
  }
  return std::move(m_run);
}

} // namespace plumbline::method_test

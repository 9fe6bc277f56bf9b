#include "core/method/expressions.h"

#include "core/f32/rational.h"
#include "core/method/lean_names.h"
#include "core/method/refusal.h"
#include "core/method/size_text.h"
#include "core/velvet/printer.h"

#include <algorithm>

namespace plumbline::method {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::ScalarType;
using velvet::ExprPtr;

ExprPtr floatConstant(ScalarType type, uint64_t bits) {
  return type == ScalarType::F64 ? velvet::apply("Float.ofBits", {velvet::hexNumber(bits, 16)})
                                 : velvet::apply("Float32.ofBits", {velvet::hexNumber(bits, 8)});
}

namespace {

ExprPtr isTrue(ExprPtr value, bool truth = true) {
  return velvet::binary(velvet::BinaryOp::Equal, std::move(value), velvet::name(truth ? "true" : "false"));
}

std::optional<uint64_t> literalValue(const ExprPtr& value) {
  if (value->form != velvet::Form::Number || value->text.size() > 18)
    return std::nullopt;
  return std::stoull(value->text);
}

bool mentions(const velvet::Expr& expr, const std::string& variable) {
  return (expr.form == velvet::Form::Name && expr.text == variable) ||
         std::ranges::any_of(expr.args, [&](const ExprPtr& arg) { return mentions(*arg, variable); });
}

uint64_t convertBits(ScalarType from, ScalarType to, uint64_t bits) {
  if (from == to)
    return bits;
  return to == ScalarType::F32 ? f32::convert<f32::Binary64, f32::Binary32>(bits)
                               : f32::convert<f32::Binary32, f32::Binary64>(static_cast<uint32_t>(bits));
}

uint64_t integerBits(ScalarType to, int64_t value) {
  const f32::Rational exact = f32::rationalFromInteger(value);
  return to == ScalarType::F32 ? f32::fromRational<f32::Binary32>(exact)
                               : f32::fromRational<f32::Binary64>(exact);
}

bool comparesIntegers(const Frame& frame, const Expr& expr) {
  return expr.kind == ExprKind::Binary && ir::isInteger(frame.function[expr.args[0]].type.scalar);
}

/// Reads an element of the array.
bool readsElement(const velvet::Expr& expr, const std::string& array) {
  return (expr.form == velvet::Form::Element && expr.args[0]->form == velvet::Form::Name &&
          expr.args[0]->text == array) ||
         std::ranges::any_of(expr.args, [&](const ExprPtr& arg) { return readsElement(*arg, array); });
}

} // namespace

std::optional<uint64_t> constantBits(const ir::Function& function, ExprId id) {
  const Expr& expr = function[id];
  if (!ir::isFloat(expr.type.scalar) || expr.type.pointer)
    return std::nullopt;
  if (expr.kind == ExprKind::FloatLiteral)
    return expr.bits;
  if (expr.kind == ExprKind::Unary && expr.unary == ir::UnaryOp::Neg) {
    const auto bits = constantBits(function, expr.args[0]);
    const uint64_t sign = uint64_t{1} << (ir::bitWidth(expr.type.scalar) - 1);
    return bits ? std::optional(*bits ^ sign) : std::nullopt;
  }
  if (expr.kind != ExprKind::Cast)
    return std::nullopt;
  const Expr& from = function[expr.args[0]];
  if (from.kind == ExprKind::IntLiteral && !(from.type.scalar == ScalarType::U64 && from.intValue < 0))
    return integerBits(expr.type.scalar, from.intValue);
  const auto bits = constantBits(function, expr.args[0]);
  return bits ? std::optional(convertBits(from.type.scalar, expr.type.scalar, *bits)) : std::nullopt;
}

Translator::Translator(const gate::Problem& problem, Environment& environment)
    : m_problem(problem), m_module(*problem.module), m_environment(environment) {}

// --- Output ---

bool onlyComments(const std::vector<velvet::Stmt>& body) {
  return std::ranges::all_of(body,
                             [](const velvet::Stmt& each) { return each.kind == velvet::StmtKind::Comment; });
}

void Translator::emit(velvet::Stmt stmt) {
  // A branch of comments alone is no block in Lean: they stand without it.
  if (stmt.kind == velvet::StmtKind::If && onlyComments(stmt.body) && stmt.otherwise.empty()) {
    for (velvet::Stmt& comment : stmt.body) {
      comment.origin.cuda.insert(comment.origin.cuda.end(), stmt.origin.cuda.begin(), stmt.origin.cuda.end());
      m_sink->push_back(std::move(comment));
    }
    return;
  }
  if (stmt.kind == velvet::StmtKind::If && onlyComments(stmt.otherwise))
    stmt.otherwise.clear();
  if (!m_comment.empty() && m_comment != m_lastComment) {
    m_sink->push_back(velvet::commentStmt(m_comment, stmt.origin));
    m_lastComment = m_comment;
  }
  m_comment.clear();
  m_sink->push_back(std::move(stmt));
}

void Translator::require(const std::string& what, const ExprPtr& fact, const SourceRange& where) {
  if (m_isMuted)
    return;
  auto known = [this](const ExprPtr& prop) {
    const std::string text = velvet::print(*prop);
    return std::ranges::any_of(m_facts, [&](const auto& scope) { return scope.contains(text); });
  };
  if (known(fact))
    return;
  ExprPtr prop = fact;
  for (size_t i = m_guards.size(); i-- > 0;)
    prop = velvet::binary(velvet::BinaryOp::Implies, m_guards[i], prop);
  if (known(prop))
    return;
  m_facts.back().emplace(velvet::print(*prop), prop);
  emit(velvet::assertStmt({m_environment.fresh(what), prop, {{where}, {}, true}, {}}));
}

void Translator::forget(const std::string& variable) {
  for (auto& scope : m_facts)
    std::erase_if(scope, [&](const auto& fact) { return mentions(*fact.second, variable); });
}

void Translator::forgetElements(const std::string& array) {
  for (auto& scope : m_facts)
    std::erase_if(scope, [&](const auto& fact) { return readsElement(*fact.second, array); });
}

void Translator::note(const std::string& what, const SourceRange& where) {
  const bool known = std::ranges::any_of(m_inexpressible, [&](const Inexpressible& part) {
    return part.what == what && part.where.file == where.file && part.where.line == where.line;
  });
  if (!known)
    m_inexpressible.push_back({what, where});
}

ExprPtr Translator::fits(ScalarType type, ExprPtr value, const SourceRange& where) {
  // The smallest type holds 127.
  if (literalValue(value).value_or(128) > 127)
    require("fits", velvet::apply(fitsName(type), {value}), where);
  return value;
}

// --- Values ---

ExprPtr Translator::value(Frame& frame, ExprId id) {
  const Expr& expr = frame.function[id];
  if (const auto bits = constantBits(frame.function, id); bits && expr.type.scalar == ScalarType::F32)
    return floatConstant(expr.type.scalar, *bits);
  if (expr.type.scalar == ScalarType::F64 && !expr.type.pointer)
    note("binary64 arithmetic", expr.where);
  if (expr.type.scalar == ScalarType::Bool && expr.kind != ExprKind::Local &&
      expr.kind != ExprKind::BoolLiteral && expr.kind != ExprKind::Call &&
      expr.kind != ExprKind::Conditional && expr.kind != ExprKind::Load)
    return velvet::apply("decide", {prop(frame, id)});
  switch (expr.kind) {
  case ExprKind::IntLiteral: return velvet::number(expr.intValue);
  case ExprKind::FloatLiteral: return floatConstant(expr.type.scalar, expr.bits);
  case ExprKind::BoolLiteral: return velvet::name(expr.intValue != 0 ? "true" : "false");
  case ExprKind::Local: return readLocal(frame, expr);
  case ExprKind::Builtin: return builtin(expr);
  case ExprKind::Unary: return unary(frame, expr);
  case ExprKind::Binary: return binary(frame, expr);
  case ExprKind::Conditional: return conditional(frame, expr);
  case ExprKind::Cast: return cast(frame, expr);
  case ExprKind::Load: return load(frame, expr);
  case ExprKind::Intrinsic: return intrinsic(frame, expr);
  case ExprKind::Call: return call(frame, expr);
  case ExprKind::LogicalAnd:
  case ExprKind::LogicalOr:
  case ExprKind::Array:
  case ExprKind::PointerCast:
  case ExprKind::PointerAdd: break;
  }
  refuse("method-pointer", "a pointer where a number is needed", expr.where);
}

std::vector<ExprPtr> Translator::values(Frame& frame, const std::vector<ExprId>& ids) {
  std::vector<ExprPtr> result;
  result.reserve(ids.size());
  for (ExprId id : ids)
    result.push_back(value(frame, id));
  return result;
}

ExprPtr Translator::readLocal(Frame& frame, const Expr& expr) {
  const LocalText& local = frame.locals[static_cast<size_t>(expr.local)];
  requireValue(local, expr.where);
  return local.value;
}

void Translator::requireValue(const LocalText& local, const SourceRange& where) {
  if (local.flag.empty())
    return;
  const ExprPtr flag = velvet::name(local.flag);
  require("has_value", isTrue(local.slot ? velvet::element(flag, local.slot) : flag), where);
}

ExprPtr Translator::builtin(const Expr& expr) const {
  if (expr.text == "warpSize")
    return velvet::number(32);
  const size_t dot = expr.text.find('.');
  const std::string object = expr.text.substr(0, dot);
  const size_t number = dot == std::string::npos ? 3 : static_cast<size_t>(expr.text[dot + 1] - 'x');
  if (number > 2)
    refuse("builtin", "built-in variable '" + expr.text + "'", expr.where);
  const Axis& axis = m_environment.axes[number];
  auto parameter = [](const std::string& text) {
    return text.empty() ? velvet::number(1) : velvet::ascribe(velvet::name(text), "Int");
  };
  auto coordinate = [](const std::string& text) {
    return text.empty() ? velvet::number(0) : velvet::name(text);
  };
  if (object == "blockDim")
    return parameter(axis.blockDim);
  if (object == "gridDim")
    return parameter(axis.gridDim);
  return coordinate(object == "blockIdx" ? axis.blockIdx : axis.threadIdx);
}

ExprPtr Translator::unary(Frame& frame, const Expr& expr) {
  if (expr.unary == ir::UnaryOp::BitNot)
    refuse("bit-operation", "operator ~", expr.where);
  ExprPtr result = velvet::unary(velvet::UnaryOp::Negate, value(frame, expr.args[0]));
  return ir::isFloat(expr.type.scalar) ? result : fits(expr.type.scalar, result, expr.where);
}

ExprPtr Translator::binary(Frame& frame, const Expr& expr) {
  if (ir::isInteger(expr.type.scalar))
    return integerBinary(frame, expr);
  const ExprPtr a = value(frame, expr.args[0]);
  const ExprPtr b = value(frame, expr.args[1]);
  switch (expr.binary) {
  case BinaryOp::Add: return velvet::binary(velvet::BinaryOp::Add, a, b);
  case BinaryOp::Sub: return velvet::binary(velvet::BinaryOp::Subtract, a, b);
  case BinaryOp::Mul: return velvet::binary(velvet::BinaryOp::Multiply, a, b);
  case BinaryOp::Div: return velvet::binary(velvet::BinaryOp::Divide, a, b);
  default: refuse("float-operator", "a bit operator on floats", expr.where);
  }
}

ExprPtr Translator::integerBinary(Frame& frame, const Expr& expr) {
  const ExprPtr a = value(frame, expr.args[0]);
  const ExprPtr b = value(frame, expr.args[1]);
  auto nonZero = [&] {
    if (literalValue(b).value_or(0) == 0)
      require("divisor", velvet::binary(velvet::BinaryOp::NotEqual, b, velvet::number(0)), expr.where);
  };
  switch (expr.binary) {
  case BinaryOp::Add: return fits(expr.type.scalar, velvet::binary(velvet::BinaryOp::Add, a, b), expr.where);
  case BinaryOp::Sub:
    return fits(expr.type.scalar, velvet::binary(velvet::BinaryOp::Subtract, a, b), expr.where);
  case BinaryOp::Mul:
    return fits(expr.type.scalar, velvet::binary(velvet::BinaryOp::Multiply, a, b), expr.where);
  case BinaryOp::Div:
    nonZero();
    return fits(expr.type.scalar, velvet::apply("Plumbline.cDiv", {a, b}), expr.where);
  case BinaryOp::Rem: nonZero(); return velvet::apply("Plumbline.cMod", {a, b});
  default: return bitOperation(expr, a, b);
  }
}

/// Shifts by a constant and masks 2^k - 1 of numbers that are not negative are arithmetic.
ExprPtr Translator::bitOperation(const Expr& expr, ExprPtr a, ExprPtr b) {
  if (expr.binary == BinaryOp::BitAnd && !literalValue(b))
    std::swap(a, b);
  const std::optional<uint64_t> constant = literalValue(b);
  auto factor = [](uint64_t value) { return velvet::number(static_cast<int64_t>(value)); };
  auto nonNegative = [&] {
    if (!literalValue(a))
      require("shifted", velvet::binary(velvet::BinaryOp::LessEqual, velvet::number(0), a), expr.where);
  };
  if (constant && expr.binary == BinaryOp::BitAnd && ((*constant + 1) & *constant) == 0) {
    nonNegative();
    return velvet::apply("Plumbline.cMod", {a, factor(*constant + 1)});
  }
  const bool inRange =
      constant && *constant <= 61 && *constant < static_cast<uint64_t>(ir::bitWidth(expr.type.scalar));
  if (inRange && expr.binary == BinaryOp::Shr) {
    nonNegative();
    return velvet::apply("Plumbline.cDiv", {a, factor(uint64_t{1} << *constant)});
  }
  if (inRange && expr.binary == BinaryOp::Shl) {
    nonNegative();
    return fits(expr.type.scalar,
                velvet::binary(velvet::BinaryOp::Multiply, a, factor(uint64_t{1} << *constant)), expr.where);
  }
  refuse("bit-operation", "a bit operator that is no shift by a constant and no mask 2^k - 1", expr.where);
}

ExprPtr Translator::conditional(Frame& frame, const Expr& expr) {
  const ExprPtr condition = prop(frame, expr.args[0]);
  const ExprPtr a = under(condition, [&] { return value(frame, expr.args[1]); });
  const ExprPtr b =
      under(negated(frame, expr.args[0], condition), [&] { return value(frame, expr.args[2]); });
  return velvet::ifThenElse(condition, a, b);
}

// --- Conditions ---

ExprPtr Translator::negated(Frame& frame, ExprId id, const ExprPtr& prop) const {
  return negation(prop, comparesIntegers(frame, frame.function[id]));
}

ExprPtr Translator::prop(Frame& frame, ExprId id) {
  const Expr& expr = frame.function[id];
  switch (expr.kind) {
  case ExprKind::BoolLiteral: return velvet::name(expr.intValue != 0 ? "True" : "False");
  case ExprKind::Unary: return negated(frame, expr.args[0], prop(frame, expr.args[0]));
  case ExprKind::Binary: return comparison(frame, expr);
  case ExprKind::LogicalAnd:
  case ExprKind::LogicalOr: return boolProp(frame, expr);
  case ExprKind::Cast: return truthOf(frame.function[expr.args[0]].type, value(frame, expr.args[0]));
  case ExprKind::Intrinsic: return isTrue(intrinsic(frame, expr));
  default: return isTrue(value(frame, id));
  }
}

ExprPtr Translator::boolProp(Frame& frame, const Expr& expr) {
  const bool isAnd = expr.kind == ExprKind::LogicalAnd;
  const ExprPtr a = prop(frame, expr.args[0]);
  const ExprPtr guard = isAnd ? a : negated(frame, expr.args[0], a);
  const ExprPtr b = under(guard, [&] { return prop(frame, expr.args[1]); });
  return velvet::binary(isAnd ? velvet::BinaryOp::And : velvet::BinaryOp::Or, a, b);
}

ExprPtr Translator::comparison(Frame& frame, const Expr& expr) {
  const ScalarType type = frame.function[expr.args[0]].type.scalar;
  if (type == ScalarType::Bool)
    return boolBinary(frame, expr);
  const ExprPtr a = value(frame, expr.args[0]);
  const ExprPtr b = value(frame, expr.args[1]);
  const bool isFloat = ir::isFloat(type);
  switch (expr.binary) {
  case BinaryOp::Lt: return velvet::binary(velvet::BinaryOp::Less, a, b);
  case BinaryOp::Le: return velvet::binary(velvet::BinaryOp::LessEqual, a, b);
  case BinaryOp::Gt: return velvet::binary(velvet::BinaryOp::Less, b, a);
  case BinaryOp::Ge: return velvet::binary(velvet::BinaryOp::LessEqual, b, a);
  case BinaryOp::Eq:
    return isFloat ? isTrue(velvet::binary(velvet::BinaryOp::BoolEqual, a, b))
                   : velvet::binary(velvet::BinaryOp::Equal, a, b);
  case BinaryOp::Ne:
    return isFloat ? isTrue(velvet::binary(velvet::BinaryOp::BoolEqual, a, b), false)
                   : velvet::binary(velvet::BinaryOp::NotEqual, a, b);
  default: refuse("bit-operation", "a bit operator where a condition is needed", expr.where);
  }
}

ExprPtr Translator::boolBinary(Frame& frame, const Expr& expr) {
  switch (expr.binary) {
  case BinaryOp::Eq:
    return velvet::binary(velvet::BinaryOp::Equal, value(frame, expr.args[0]), value(frame, expr.args[1]));
  case BinaryOp::Ne:
  case BinaryOp::BitXor:
    return velvet::binary(velvet::BinaryOp::NotEqual, value(frame, expr.args[0]), value(frame, expr.args[1]));
  case BinaryOp::BitAnd:
    return velvet::binary(velvet::BinaryOp::And, prop(frame, expr.args[0]), prop(frame, expr.args[1]));
  case BinaryOp::BitOr:
    return velvet::binary(velvet::BinaryOp::Or, prop(frame, expr.args[0]), prop(frame, expr.args[1]));
  default: refuse("bool-operator", "arithmetic on bool", expr.where);
  }
}

/// C's conversion to bool.
ExprPtr Translator::truthOf(ir::Type from, ExprPtr value) const {
  if (from.scalar == ScalarType::Bool)
    return isTrue(std::move(value));
  if (ir::isFloat(from.scalar))
    return isTrue(
        velvet::binary(velvet::BinaryOp::BoolEqual, std::move(value), floatConstant(from.scalar, 0)), false);
  return velvet::binary(velvet::BinaryOp::NotEqual, std::move(value), velvet::number(0));
}

// --- Conversions ---

ExprPtr Translator::cast(Frame& frame, const Expr& expr) {
  const ir::Type from = frame.function[expr.args[0]].type;
  const ScalarType to = expr.type.scalar;
  if (from.pointer || expr.type.pointer)
    refuse("pointer-cast", "a cast of a pointer", expr.where);
  if (ir::isFloat(to))
    return toFloat(frame, expr, from);
  if (ir::isFloat(from.scalar)) {
    if (to != ScalarType::I32 && to != ScalarType::U32 && to != ScalarType::I64)
      refuse("narrow-float-to-int", "a conversion of a float to this integer type", expr.where);
    std::string type(ir::name(to));
    type[0] = type[0] == 'i' ? 'I' : 'U';
    return velvet::apply("Plumbline.trunc" + type + (from.scalar == ScalarType::F64 ? "_f64" : ""),
                         {value(frame, expr.args[0])});
  }
  if (from.scalar == ScalarType::Bool)
    return velvet::ifThenElse(prop(frame, expr.args[0]), velvet::number(1), velvet::number(0));
  return fits(to, value(frame, expr.args[0]), expr.where);
}

ExprPtr Translator::toFloat(Frame& frame, const Expr& expr, ir::Type from) {
  const bool isDouble = expr.type.scalar == ScalarType::F64;
  const std::string ofInt = isDouble ? "Float.ofInt" : "Float32.ofInt";
  if (from.scalar == ScalarType::Bool)
    return velvet::apply(
        ofInt, {velvet::ifThenElse(prop(frame, expr.args[0]), velvet::number(1), velvet::number(0))});
  ExprPtr a = value(frame, expr.args[0]);
  if (ir::isInteger(from.scalar))
    return velvet::apply(ofInt, {a});
  if (from.scalar == expr.type.scalar)
    return a;
  return velvet::apply(isDouble ? "Plumbline.widen" : "Plumbline.narrow", {a});
}

// --- Memory ---

Pointer Translator::pointer(Frame& frame, ExprId id) {
  const Expr& expr = frame.function[id];
  switch (expr.kind) {
  case ExprKind::Local: {
    const LocalText& local = frame.locals[static_cast<size_t>(expr.local)];
    requireValue(local, expr.where);
    return {local.buffer, local.value};
  }
  case ExprKind::Array: return {arrayKey(expr.array), nullptr};
  case ExprKind::PointerCast: return castPointer(frame, expr);
  case ExprKind::PointerAdd: {
    Pointer base = pointer(frame, expr.args[0]);
    const ExprPtr offset = value(frame, expr.args[1]);
    base.offset = base.offset ? velvet::binary(velvet::BinaryOp::Add, base.offset, offset) : offset;
    return base;
  }
  case ExprKind::Conditional: {
    const ExprPtr condition = prop(frame, expr.args[0]);
    Pointer a = under(condition, [&] { return pointer(frame, expr.args[1]); });
    Pointer b = under(negated(frame, expr.args[0], condition), [&] { return pointer(frame, expr.args[2]); });
    if (a.memory != b.memory)
      refuse("method-pointer", "a pointer that may point into two different buffers", expr.where);
    auto offset = [](const Pointer& p) { return p.offset ? p.offset : velvet::number(0); };
    return {a.memory, velvet::ifThenElse(condition, offset(a), offset(b))};
  }
  default: refuse("method-pointer", "a pointer that a function returns", expr.where);
  }
}

/// Dynamic shared memory has one name and may be read as another type than its declared one: offsets are
/// counted in elements of the type that the kernel reads.
Pointer Translator::castPointer(Frame& frame, const Expr& expr) {
  const ir::Type from = frame.function[expr.args[0]].type;
  Pointer result = pointer(frame, expr.args[0]);
  const std::optional<int> array = arrayOfKey(result.memory);
  const bool isDynamic = array && frame.function.arrays[static_cast<size_t>(*array)].extents.empty();
  const bool sameLayout = from.scalar == expr.type.scalar && from.lanes == expr.type.lanes;
  if (!sameLayout && (!isDynamic || expr.type.lanes != 1 || from.lanes != 1 ||
                      expr.type.scalar != memory(result.memory).element))
    refuse("reinterpret-cast", "memory accessed as another type", expr.where);
  const int64_t before = ir::byteSize(from.scalar);
  const int64_t after = ir::byteSize(expr.type.scalar);
  if (before == after || !result.offset)
    return result;
  const ExprPtr bytes =
      before == 1 ? result.offset
                  : velvet::binary(velvet::BinaryOp::Multiply, result.offset, velvet::number(before));
  require("aligned",
          velvet::binary(velvet::BinaryOp::Equal,
                         velvet::apply("Plumbline.cMod", {bytes, velvet::number(after)}), velvet::number(0)),
          expr.where);
  result.offset = velvet::apply("Plumbline.cDiv", {bytes, velvet::number(after)});
  return result;
}

Memory Translator::memory(const std::string& key) const {
  const std::optional<int> array = arrayOfKey(key);
  if (!array) {
    const std::string& name = m_environment.buffers.at(key).name;
    return {name, ScalarType::F32, velvet::ascribe(velvet::field(velvet::name(name), "size"), "Int"),
            nullptr};
  }
  const ArrayText& text = m_environment.arrays[static_cast<size_t>(*array)];
  const ir::Function& kernel = m_module.functions[static_cast<size_t>(m_problem.kernel->function)];
  const int64_t length = kernel.arrays[static_cast<size_t>(*array)].length();
  Memory result{text.name, text.element, velvet::number(length), nullptr};
  if (text.perThread)
    result.first =
        velvet::binary(velvet::BinaryOp::Multiply, velvet::ascribe(m_thread, "Int"), velvet::number(length));
  else if (!text.entry.empty())
    result.size = velvet::ascribe(velvet::field(velvet::name(text.name), "size"), "Int");
  return result;
}

ExprPtr Translator::inBounds(const Pointer& pointer, const SourceRange& where) {
  const Memory place = memory(pointer.memory);
  const ExprPtr offset = pointer.offset ? pointer.offset : velvet::number(0);
  if (!literalValue(offset))
    require("bound", velvet::binary(velvet::BinaryOp::LessEqual, velvet::number(0), offset), where);
  if (literalValue(offset).value_or(UINT64_MAX) >= literalValue(place.size).value_or(0))
    require("bound", velvet::binary(velvet::BinaryOp::Less, offset, place.size), where);
  return asIndex(place.first ? velvet::binary(velvet::BinaryOp::Add, place.first, offset) : offset);
}

ExprPtr Translator::load(Frame& frame, const Expr& expr) {
  const ir::Type type = frame.function[expr.args[0]].type;
  const Pointer from = pointer(frame, expr.args[0]);
  const Memory place = memory(from.memory);
  requireElement(place, type, expr.where);
  const ExprPtr index = inBounds(from, expr.where);
  return velvet::element(velvet::name(place.name), index);
}

/// One access, one element.
void Translator::requireElement(const Memory& place, const ir::Type& pointer, const SourceRange& where) {
  if (pointer.lanes != 1 || pointer.scalar != place.element)
    refuse("reinterpret-cast", "memory accessed as another type", where);
}

// --- Functions ---

ExprPtr Translator::intrinsic(Frame& frame, const Expr& expr) {
  const ir::Intrinsic* row = ir::findIntrinsic(expr.text);
  if (row == nullptr)
    refuse("intrinsic", "function '" + expr.text + "'", expr.where);
  const std::vector<ExprPtr> args = values(frame, expr.args);
  const std::string type = leanType(row->arguments[0]);
  switch (row->meaning) {
  case ir::Meaning::Add: return velvet::binary(velvet::BinaryOp::Add, args[0], args[1]);
  case ir::Meaning::Sub: return velvet::binary(velvet::BinaryOp::Subtract, args[0], args[1]);
  case ir::Meaning::Mul: return velvet::binary(velvet::BinaryOp::Multiply, args[0], args[1]);
  case ir::Meaning::Div: return velvet::binary(velvet::BinaryOp::Divide, args[0], args[1]);
  case ir::Meaning::Reciprocal:
    return velvet::binary(velvet::BinaryOp::Divide, floatConstant(ScalarType::F32, 0x3f800000), args[0]);
  case ir::Meaning::Sqrt: return velvet::apply(type + ".sqrt", args);
  case ir::Meaning::Abs: return velvet::apply(type + ".abs", args);
  case ir::Meaning::IsNan: return velvet::apply(type + ".isNaN", args);
  case ir::Meaning::IntAbs: return fits(row->result, velvet::apply(intrinsicName(*row), args), expr.where);
  default: return velvet::apply(intrinsicName(*row), args);
  }
}

} // namespace plumbline::method

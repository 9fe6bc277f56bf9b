// Expressions: integers exactly as C++ computes them, floats as symbols.
#include "core/gate/grid/executor_impl.h"

#include "core/ir/integer_ops.h"
#include "core/ir/intrinsics.h"

#include <bit>

namespace plumbline::gate::grid {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::ScalarType;
using logic::Sort;
using logic::TermId;

namespace {

constexpr int deepestCall = 32;

bool isIntegerLike(ScalarType type) {
  return ir::isInteger(type);
}

int64_t powerOfTwo(int64_t exponent) {
  return int64_t{1} << exponent;
}

} // namespace

TermId Executor::opaque(Sort sort, const std::string& spelling, std::vector<TermId> args) {
  return m_store.opaque(sort, spelling, args);
}

Value Executor::value(Frame& frame, ExprId id, TermId path) {
  const Expr& expr = frame.function[id];
  switch (expr.kind) {
  case ExprKind::Local: return readLocal(frame, expr, path);
  case ExprKind::PointerAdd: return pointerAdd(frame, expr, path);
  case ExprKind::PointerCast: return value(frame, expr.args[0], path);
  case ExprKind::Array: return {m_arrayObjects[static_cast<size_t>(expr.array)], zero(), m_true};
  case ExprKind::Call: return call(frame, expr, path);
  case ExprKind::Conditional: return conditional(frame, expr, path);
  default: return {-1, scalarValue(frame, expr, path), m_true};
  }
}

TermId Executor::scalarValue(Frame& frame, const Expr& expr, TermId path) {
  switch (expr.kind) {
  case ExprKind::IntLiteral:
    if (expr.type.scalar == ScalarType::U64 && expr.intValue < 0)
      return unknownOf(ScalarType::U64, "literal", Level::Grid);
    return m_store.integer(expr.intValue);
  case ExprKind::BoolLiteral: return m_store.boolean(expr.intValue != 0);
  case ExprKind::FloatLiteral: return opaque(Sort::F32, "literal:" + std::to_string(expr.bits), {});
  case ExprKind::Builtin: return builtin(expr);
  case ExprKind::Unary: return unary(frame, expr, path);
  case ExprKind::Binary: return binary(frame, expr, path);
  case ExprKind::LogicalAnd:
  case ExprKind::LogicalOr: return shortCircuit(frame, expr, path);
  case ExprKind::Cast: return cast(frame, expr, path);
  case ExprKind::Load: return load(frame, expr, path);
  case ExprKind::Intrinsic: return intrinsic(frame, expr, path);
  default: unsupported("expression", std::string(ir::name(expr.kind)), expr.where);
  }
}

Value Executor::readLocal(Frame& frame, const Expr& expr, TermId path) {
  const Value& local = frame.locals[static_cast<size_t>(expr.local)];
  const ir::Local& variable = frame.function.locals[static_cast<size_t>(expr.local)];
  require(Requirement::Kind::Uninitialised, path, local.initialised, expr.where,
          "'" + variable.name + "' may have no value here");
  if (m_store.boolValue(local.initialised) != false)
    return {local.object, local.term, m_true};
  if (variable.type.pointer)
    unsupported("uninitialised-read", "'" + variable.name + "' is read before it has a value", expr.where);
  return {-1, unknownOf(variable.type.scalar, variable.name, Level::Thread), m_true};
}

Value Executor::pointerAdd(Frame& frame, const Expr& expr, TermId path) {
  Value pointer = value(frame, expr.args[0], path);
  const TermId count = scalar(frame, expr.args[1], path);
  const TermId bytes = m_store.imul(m_store.integer(ir::byteSize(expr.type)), count);
  pointer.term = vc::normaliseIntegers(m_store, m_store.iadd(pointer.term, bytes));
  return pointer;
}

TermId Executor::builtin(const Expr& expr) {
  if (expr.text == "warpSize")
    return m_store.integer(32);
  const size_t dot = expr.text.find('.');
  const size_t axis = static_cast<size_t>(expr.text.at(dot + 1) - 'x');
  const std::string object = expr.text.substr(0, dot);
  if (object == "blockDim")
    return m_launch.blockDim[axis];
  if (object == "gridDim")
    return m_launch.gridDim[axis];
  const TermId extent = object == "threadIdx" ? m_launch.blockDim[axis] : m_launch.gridDim[axis];
  return m_store.intValue(extent) == 1 ? zero() : m_store.var(Sort::Int, expr.text);
}

Value Executor::conditional(Frame& frame, const Expr& expr, TermId path) {
  const TermId condition = scalar(frame, expr.args[0], path);
  const Waiting waits = std::max(m_structure.waitingInExpr(frame.function, expr.args[1]),
                                 m_structure.waitingInExpr(frame.function, expr.args[2]));
  agree(path, condition, waits, expr.where);
  const Value a = value(frame, expr.args[1], m_store.land(path, condition));
  const Value b = value(frame, expr.args[2], m_store.land(path, m_store.lnot(condition)));
  return merge(condition, a, b, "conditional expression", expr.where);
}

TermId Executor::shortCircuit(Frame& frame, const Expr& expr, TermId path) {
  const bool isAnd = expr.kind == ExprKind::LogicalAnd;
  const TermId a = scalar(frame, expr.args[0], path);
  agree(path, a, m_structure.waitingInExpr(frame.function, expr.args[1]), expr.where);
  const TermId b = scalar(frame, expr.args[1], m_store.land(path, isAnd ? a : m_store.lnot(a)));
  return isAnd ? m_store.land(a, b) : m_store.lor(a, b);
}

/// The value of unsigned arithmetic: the exact one modulo the width, written without a division where one
/// step of it is enough.
TermId Executor::modular(TermId exact, ScalarType type, TermId guard) {
  if (proves(guard, fits(exact, type), true))
    return exact;
  const int bits = ir::bitWidth(type);
  if (bits > 32)
    return unknownOf(type, "wrapped", m_symbols.levelOf(exact));
  const int64_t period = powerOfTwo(bits);
  const int64_t low = ir::lowestValue(type);
  const int64_t high = ir::highestValue(type);
  const auto within = [&](int64_t from, int64_t to) {
    return m_store.land(m_store.ile(m_store.integer(from), exact), m_store.ile(exact, m_store.integer(to)));
  };
  if (proves(guard, within(low - period, high + period), true)) {
    const TermId above = m_store.isub(exact, m_store.integer(period));
    const TermId below = m_store.iadd(exact, m_store.integer(period));
    return m_store.ite(m_store.ilt(exact, m_store.integer(low)), below,
                       m_store.ite(m_store.ilt(m_store.integer(high), exact), above, exact));
  }
  if (!ir::isSigned(type) && proves(guard, m_store.ile(zero(), exact), true))
    return m_store.irem(exact, m_store.integer(period));
  return unknownOf(type, "wrapped", m_symbols.levelOf(exact));
}

/// The result of integer arithmetic: signed overflow is an obligation, unsigned arithmetic wraps.
TermId Executor::inType(const Expr& expr, TermId exact, TermId guard) {
  exact = vc::normaliseIntegers(m_store, exact);
  const ScalarType type = expr.type.scalar;
  if (!ir::isSigned(type))
    return modular(exact, type, guard);
  require(Requirement::Kind::Overflow, guard, fits(exact, type), expr.where,
          "a result does not fit " + std::string(ir::name(type)));
  return exact;
}

TermId Executor::unary(Frame& frame, const Expr& expr, TermId path) {
  const TermId a = scalar(frame, expr.args[0], path);
  if (expr.unary == ir::UnaryOp::LogicalNot)
    return m_store.lnot(a);
  if (!isIntegerLike(expr.type.scalar))
    return opaque(Sort::F32, std::string(ir::name(expr.unary)), {a});
  if (expr.unary == ir::UnaryOp::Neg)
    return inType(expr, m_store.isub(zero(), a), path);
  const TermId complement = m_store.isub(m_store.integer(-1), a);
  if (ir::isSigned(expr.type.scalar))
    return complement;
  if (ir::bitWidth(expr.type.scalar) > 32)
    return unknownOf(expr.type.scalar, "complement", m_symbols.levelOf(a));
  return m_store.iadd(complement, m_store.integer(powerOfTwo(ir::bitWidth(expr.type.scalar))));
}

TermId Executor::compare(BinaryOp op, TermId a, TermId b) {
  switch (op) {
  case BinaryOp::Lt: return m_store.ilt(a, b);
  case BinaryOp::Le: return m_store.ile(a, b);
  case BinaryOp::Gt: return m_store.ilt(b, a);
  case BinaryOp::Ge: return m_store.ile(b, a);
  case BinaryOp::Eq: return m_store.ieq(a, b);
  default: return m_store.lnot(m_store.ieq(a, b));
  }
}

TermId Executor::binary(Frame& frame, const Expr& expr, TermId path) {
  const TermId a = scalar(frame, expr.args[0], path);
  const TermId b = scalar(frame, expr.args[1], path);
  const ScalarType type = frame.function[expr.args[0]].type.scalar;
  const bool comparison = expr.binary >= BinaryOp::Lt;
  if (isIntegerLike(type))
    return comparison ? compare(expr.binary, a, b) : integerBinary(expr, a, b, path);
  if (type == ScalarType::Bool) {
    const TermId same = m_store.lor(m_store.land(a, b), m_store.land(m_store.lnot(a), m_store.lnot(b)));
    if (expr.binary == BinaryOp::Eq)
      return same;
    if (expr.binary == BinaryOp::Ne)
      return m_store.lnot(same);
    return unknownOf(ScalarType::Bool, "bool", Level::Thread);
  }
  return opaque(comparison ? Sort::Bool : Sort::F32, std::string(ir::name(expr.binary)), {a, b});
}

TermId Executor::integerBinary(const Expr& expr, TermId a, TermId b, TermId path) {
  switch (expr.binary) {
  case BinaryOp::Add: return inType(expr, m_store.iadd(a, b), path);
  case BinaryOp::Sub: return inType(expr, m_store.isub(a, b), path);
  case BinaryOp::Mul: return inType(expr, m_store.imul(a, b), path);
  case BinaryOp::Div:
  case BinaryOp::Rem: return divide(expr, a, b, path);
  case BinaryOp::Shl:
  case BinaryOp::Shr: return shift(expr, a, b, path);
  default: return bitOperation(expr, a, b, path);
  }
}

TermId Executor::divide(const Expr& expr, TermId a, TermId b, TermId path) {
  require(Requirement::Kind::DivisionByZero, path, m_store.lnot(m_store.ieq(b, zero())), expr.where,
          "an integer is divided by zero");
  const TermId quotient = m_store.idiv(a, b);
  const TermId result = expr.binary == BinaryOp::Div ? quotient : m_store.irem(a, b);
  const ScalarType type = expr.type.scalar;
  if (ir::isSigned(type) && !proves(path, m_store.ile(zero(), b), false))
    require(Requirement::Kind::Overflow, path,
            m_store.lnot(m_store.land(m_store.ieq(b, m_store.integer(-1)),
                                      m_store.ieq(a, m_store.integer(ir::lowestValue(type))))),
            expr.where, "a result does not fit " + std::string(ir::name(type)));
  return vc::normaliseIntegers(m_store, result);
}

TermId Executor::shift(const Expr& expr, TermId a, TermId b, TermId path) {
  const ScalarType type = expr.type.scalar;
  const int bits = ir::bitWidth(type);
  require(Requirement::Kind::ShiftRange, path,
          m_store.land(m_store.ile(zero(), b), m_store.ilt(b, m_store.integer(bits))), expr.where,
          "a shift count out of range");
  const auto count = m_store.intValue(b);
  const auto unknown = [&] {
    return unknownOf(type, "shifted", join(m_symbols.levelOf(a), m_symbols.levelOf(b)));
  };
  if (!count || *count < 0 || *count >= bits || *count > 61)
    return unknown();
  const TermId factor = m_store.integer(powerOfTwo(*count));
  if (expr.binary == BinaryOp::Shl) {
    if (!ir::isSigned(type))
      return modular(vc::normaliseIntegers(m_store, m_store.imul(a, factor)), type, path);
    require(Requirement::Kind::Overflow, path, m_store.ile(zero(), a), expr.where,
            "a negative value is shifted to the left");
    return inType(expr, m_store.imul(a, factor), path);
  }
  if (proves(path, m_store.ile(zero(), a), true))
    return m_store.idiv(a, factor);
  // Rounds down: -((-1 - a) / 2^count) - 1 for a negative a.
  const TermId below =
      m_store.isub(m_store.integer(-1), m_store.idiv(m_store.isub(m_store.integer(-1), a), factor));
  return m_store.ite(m_store.ile(zero(), a), m_store.idiv(a, factor), below);
}

TermId Executor::bitOperation(const Expr& expr, TermId a, TermId b, TermId guard) {
  const ScalarType type = expr.type.scalar;
  const Level level = join(m_symbols.levelOf(a), m_symbols.levelOf(b));
  if (expr.binary == BinaryOp::BitAnd && m_store.intValue(a))
    std::swap(a, b);
  const auto constant = m_store.intValue(b);
  const bool lowBits =
      constant && *constant >= 0 && std::has_single_bit(static_cast<uint64_t>(*constant) + 1);
  if (expr.binary == BinaryOp::BitAnd && lowBits && proves(guard, m_store.ile(zero(), a), true))
    return m_store.irem(a, m_store.integer(*constant + 1));
  if (!proves(guard, m_store.land(m_store.ile(zero(), a), m_store.ile(zero(), b)), true)) {
    // Some bits of a negative number are some number up to all of them.
    if (expr.binary == BinaryOp::BitAnd && constant && *constant >= 0)
      return fresh(Sort::Int, "bits", level, {0, constant});
    return unknownOf(type, "bits", level);
  }
  const char* spelling = expr.binary == BinaryOp::BitAnd  ? "bit.and"
                         : expr.binary == BinaryOp::BitOr ? "bit.or"
                                                          : "bit.xor";
  return opaque(Sort::Int, spelling, {a, b});
}

TermId Executor::cast(Frame& frame, const Expr& expr, TermId path) {
  const TermId a = scalar(frame, expr.args[0], path);
  const ScalarType from = frame.function[expr.args[0]].type.scalar;
  const ScalarType to = expr.type.scalar;
  if (from == to)
    return a;
  const Level level = m_symbols.levelOf(a);
  if (isIntegerLike(to)) {
    if (from == ScalarType::Bool)
      return m_store.ite(a, m_store.integer(1), zero());
    if (isIntegerLike(from))
      return modular(a, to, path);
    // The interpreter reports a conversion that does not fit; the value is any.
    return unknownOf(to, "converted", level);
  }
  if (to == ScalarType::Bool)
    return isIntegerLike(from) ? m_store.lnot(m_store.ieq(a, zero())) : opaque(Sort::Bool, "nonzero", {a});
  return opaque(Sort::F32, "convert:" + std::string(ir::name(to)), {a});
}

TermId Executor::load(Frame& frame, const Expr& expr, TermId path) {
  const Value pointer = value(frame, expr.args[0], path);
  const ir::Type& type = frame.function[expr.args[0]].type;
  access(pointer, type, false, path, expr.where, static_cast<int>(expr.intValue));
  const Object& object = m_program.objects[static_cast<size_t>(pointer.object)];
  const bool fixed = object.space == Object::Space::Constant || m_options.readOnly.contains(object.name);
  const int64_t size = ir::byteSize(type.scalar);
  const auto quotient = [&](TermId bytes) -> std::optional<TermId> {
    auto polynomial = vc::polynomialOf(m_store, bytes);
    if (!polynomial)
      return std::nullopt;
    for (auto& [atoms, coefficient] : polynomial->terms) {
      if (coefficient % size != 0)
        return std::nullopt;
      coefficient /= size;
    }
    return vc::toTerm(m_store, *polynomial);
  };
  const auto index = quotient(m_store.iadd(pointer.term, m_store.integer(expr.intValue * size)));
  if (!fixed || object.element != type.scalar || !index)
    return unknownOf(type.scalar, object.name, Level::Thread);
  const Sort sort = type.scalar == ScalarType::Bool ? Sort::Bool
                    : isIntegerLike(type.scalar)    ? Sort::Int
                                                    : Sort::F32;
  return m_store.load(sort, object.name, *index);
}

TermId Executor::intrinsic(Frame& frame, const Expr& expr, TermId path) {
  std::vector<TermId> args;
  for (ExprId arg : expr.args)
    args.push_back(scalar(frame, arg, path));
  const ir::Intrinsic* row = ir::findIntrinsic(expr.text);
  if (row != nullptr && row->meaning == ir::Meaning::IntMax)
    return m_store.ite(m_store.ilt(args[0], args[1]), args[1], args[0]);
  if (row != nullptr && row->meaning == ir::Meaning::IntMin)
    return m_store.ite(m_store.ilt(args[1], args[0]), args[1], args[0]);
  if (row != nullptr && row->meaning == ir::Meaning::IntAbs)
    return m_store.ite(m_store.ilt(args[0], zero()), inType(expr, m_store.isub(zero(), args[0]), path),
                       args[0]);
  if (expr.type.scalar == ScalarType::Bool)
    return opaque(Sort::Bool, expr.text, args);
  if (isIntegerLike(expr.type.scalar)) {
    Level level = Level::Grid;
    for (TermId arg : args)
      level = join(level, m_symbols.levelOf(arg));
    return unknownOf(expr.type.scalar, expr.text, level);
  }
  return opaque(Sort::F32, expr.text, args);
}

Value Executor::call(Frame& frame, const Expr& expr, TermId path) {
  if (m_depth >= deepestCall)
    unsupported("call-depth", "calls nested too deeply", expr.where);
  const ir::Function& callee = m_module.functions[static_cast<size_t>(expr.callee)];
  Frame inner{callee, std::vector<Value>(callee.locals.size(), Value{-1, zero(), m_false}), m_false};
  for (size_t i = 0; i < expr.args.size(); ++i)
    inner.locals[i] = value(frame, expr.args[i], path);
  ++m_depth;
  statements(inner, callee.body, path);
  --m_depth;
  if (callee.returnType.scalar == ScalarType::Void && !callee.returnType.pointer)
    return {-1, zero(), m_true};
  if (inner.returnValues.empty())
    unsupported("no-return-value", "'" + callee.name + "' returns no value", expr.where);
  require(Requirement::Kind::NoReturnValue, path, inner.returned, expr.where,
          "'" + callee.name + "' may end without a value");
  Value result = inner.returnValues.back().second;
  for (size_t i = inner.returnValues.size() - 1; i-- > 0;)
    result =
        merge(inner.returnValues[i].first, inner.returnValues[i].second, result, callee.name, expr.where);
  return result;
}

} // namespace plumbline::gate::grid

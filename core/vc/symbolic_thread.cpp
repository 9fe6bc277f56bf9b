#include "core/vc/symbolic_thread.h"

#include "core/ir/integer_ops.h"
#include "core/ir/intrinsics.h"

#include <cstring>
#include <limits>
#include <set>

namespace plumbline::vc {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::ScalarType;
using ir::Stmt;
using ir::StmtKind;
using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

std::string_view name(ObligationKind kind) {
  switch (kind) {
  case ObligationKind::Bounds: return "bounds";
  case ObligationKind::SignedOverflow: return "signed-overflow";
  case ObligationKind::UnsignedWrap: return "unsigned-wrap";
  case ObligationKind::Narrowing: return "narrowing";
  case ObligationKind::DivisionByZero: return "division-by-zero";
  case ObligationKind::ShiftRange: return "shift-range";
  case ObligationKind::UninitialisedRead: return "uninitialised-read";
  case ObligationKind::NoReturnValue: return "no-return-value";
  case ObligationKind::NoAlias: return "no-alias";
  }
  return "unknown";
}

namespace {

constexpr int maxCallDepth = 64;
constexpr size_t maxTerms = 2'000'000;

/// Thrown inside this file only: the construct has no symbolic meaning here.
struct Unsupported {
  Rejection rejection;
};

/// A value of a local: a scalar term, or a pointer as buffer and element offset.
struct Value {
  std::string buffer;
  TermId term{};
  TermId initialised{}; ///< Bool
};

struct Frame {
  const ir::Function& function;
  std::vector<Value> locals;
  TermId returned;                                      ///< Bool: this call has returned
  std::vector<std::pair<TermId, Value>> returnValues{}; ///< with the condition, relative to the call
};

Sort sortOf(ScalarType type) {
  if (type == ScalarType::F32)
    return Sort::F32;
  if (type == ScalarType::F64)
    return Sort::F64;
  return type == ScalarType::Bool ? Sort::Bool : Sort::Int;
}

class Executor {
public:
  Executor(TermStore& store, const ir::Module& module,
           const std::map<std::string, ParameterBinding>& parameters, const ThreadGeometry& geometry)
      : m_store(store), m_module(module), m_parameters(parameters), m_geometry(geometry),
        m_true(store.boolean(true)), m_false(store.boolean(false)), m_base(m_true) {}

  SymbolicThread run(const ir::Function& function) {
    Frame frame{function, std::vector<Value>(function.locals.size(), Value{{}, {}, m_false}), m_false};
    for (int i = 0; i < function.parameterCount; ++i)
      frame.locals[static_cast<size_t>(i)] = bindParameter(function, i);
    statements(frame, function.body, m_true);
    return std::move(m_result);
  }

private:
  // --- Helpers ---

  [[noreturn]] void unsupported(std::string id, std::string construct, const SourceRange& where) {
    throw Unsupported{{std::move(id), std::move(construct), where}};
  }

  Value bindParameter(const ir::Function& function, int index) {
    const ir::Local& local = function.locals[static_cast<size_t>(index)];
    const auto found = m_parameters.find(local.name);
    if (found == m_parameters.end())
      unsupported("unbound-parameter",
                  "kernel parameter '" + local.name + "' has no value in the launch contract", local.where);
    if (local.type.pointer)
      return {found->second.buffer, m_store.integer(0), m_true};
    return {{}, found->second.scalar, m_true};
  }

  /// The condition under which the current point is reached, from the start of the kernel.
  TermId reached(const Frame& frame, TermId path) {
    return m_store.land(m_base, m_store.land(path, m_store.lnot(frame.returned)));
  }

  void require(ObligationKind kind, TermId guard, TermId holds, const SourceRange& where, std::string message,
               std::string buffer = {}) {
    if (m_store.boolValue(holds) == true || m_store.boolValue(guard) == false)
      return;
    if (!m_seen.emplace(kind, guard, holds).second)
      return;
    m_result.obligations.push_back({kind, guard, holds, where, std::move(message), std::move(buffer)});
  }

  TermId fits(TermId value, ScalarType type) {
    return m_store.land(m_store.ile(m_store.integer(ir::lowestValue(type)), value),
                        m_store.ile(value, m_store.integer(ir::highestValue(type))));
  }

  TermId nonNegative(TermId value) { return m_store.ile(m_store.integer(0), value); }

  // --- Statements ---

  void statements(Frame& frame, const std::vector<ir::StmtId>& body, TermId path) {
    for (ir::StmtId id : body) {
      if (m_store.boolValue(reached(frame, path)) == false)
        return;
      if (m_store.size() > maxTerms)
        unsupported("too-large", "the thread program has too many cases", frame.function[id].where);
      statement(frame, frame.function[id], path);
    }
  }

  void statement(Frame& frame, const Stmt& stmt, TermId path) {
    switch (stmt.kind) {
    case StmtKind::Assign:
      frame.locals[static_cast<size_t>(stmt.local)] = value(frame, stmt.value, path);
      return;
    case StmtKind::Store: storeTo(frame, stmt, path); return;
    case StmtKind::If: branch(frame, stmt, path); return;
    case StmtKind::Return: leave(frame, stmt, path); return;
    case StmtKind::Eval: value(frame, stmt.value, path); return;
    case StmtKind::Declare: frame.locals[static_cast<size_t>(stmt.local)] = Value{{}, {}, m_false}; return;
    default: unsupported("unsupported-construct", std::string(ir::name(stmt.kind)), stmt.where);
    }
  }

  void leave(Frame& frame, const Stmt& stmt, TermId path) {
    const TermId now = m_store.land(path, m_store.lnot(frame.returned));
    if (stmt.value != ExprId::None)
      frame.returnValues.emplace_back(now, value(frame, stmt.value, path));
    frame.returned = m_store.lor(frame.returned, path);
  }

  void branch(Frame& frame, const Stmt& stmt, TermId path) {
    const TermId condition = scalar(frame, stmt.condition, path);
    const std::vector<Value> before = frame.locals;
    const TermId returnedBefore = frame.returned;
    statements(frame, stmt.thenBody, m_store.land(path, condition));
    std::vector<Value> afterThen = std::exchange(frame.locals, before);
    const TermId returnedThen = std::exchange(frame.returned, returnedBefore);
    statements(frame, stmt.elseBody, m_store.land(path, m_store.lnot(condition)));
    frame.returned = m_store.ite(condition, returnedThen, frame.returned);
    for (size_t i = 0; i < frame.locals.size(); ++i)
      frame.locals[i] = merge(condition, afterThen[i], frame.locals[i], frame.function.locals[i]);
  }

  Value merge(TermId condition, const Value& a, const Value& b, const ir::Local& local) {
    if (m_store.boolValue(a.initialised) == false)
      return {b.buffer, b.term, m_store.land(m_store.lnot(condition), b.initialised)};
    if (m_store.boolValue(b.initialised) == false)
      return {a.buffer, a.term, m_store.land(condition, a.initialised)};
    if (a.buffer != b.buffer)
      unsupported("pointer-merge", "'" + local.name + "' may point into two different buffers", local.where);
    return {a.buffer, m_store.ite(condition, a.term, b.term),
            m_store.ite(condition, a.initialised, b.initialised)};
  }

  void storeTo(Frame& frame, const Stmt& stmt, TermId path) {
    const Value pointer = value(frame, stmt.pointer, path);
    const Value stored = value(frame, stmt.value, path);
    const TermId guard = reached(frame, path);
    requireInBounds(pointer, guard, stmt.where, "write");
    m_result.stores.push_back({guard, pointer.buffer, pointer.term, stored.term, stmt.where});
  }

  void requireInBounds(const Value& pointer, TermId guard, const SourceRange& where, const char* what) {
    const TermId length = bufferBinding(pointer.buffer).length;
    const TermId inside = m_store.land(nonNegative(pointer.term), m_store.ilt(pointer.term, length));
    require(ObligationKind::Bounds, guard, inside, where, std::string(what) + " of " + pointer.buffer,
            pointer.buffer);
  }

  const ParameterBinding& bufferBinding(const std::string& buffer) {
    for (const auto& [parameter, binding] : m_parameters)
      if (binding.buffer == buffer)
        return binding;
    throw Unsupported{{"unbound-parameter", "buffer '" + buffer + "' is not in the launch contract", {}}};
  }

  // --- Expressions ---

  TermId scalar(Frame& frame, ExprId id, TermId path) { return value(frame, id, path).term; }

  Value value(Frame& frame, ExprId id, TermId path) {
    const Expr& expr = frame.function[id];
    Value result = valueOf(frame, expr, path);
    noteOrigin(expr, result.term);
    return result;
  }

  void noteOrigin(const Expr& expr, TermId term) {
    if (expr.type.pointer || expr.type.scalar == ScalarType::Void || m_store[term].sort == Sort::Int ||
        m_store.isConst(term) || !expr.where.known())
      return;
    TermOrigin origin{term, expr.where, expr.kind == ExprKind::Local};
    if (m_seenOrigins.emplace(term, expr.where.line, expr.where.column, expr.where.endColumn).second)
      m_result.origins.push_back(std::move(origin));
  }

  Value valueOf(Frame& frame, const Expr& expr, TermId path) {
    switch (expr.kind) {
    case ExprKind::Local: return readLocal(frame, expr, path);
    case ExprKind::PointerAdd: return pointerAdd(frame, expr, path);
    case ExprKind::Call: return call(frame, expr, path);
    case ExprKind::Conditional: return conditional(frame, expr, path);
    default: return {{}, scalarValue(frame, expr, path), m_true};
    }
  }

  TermId scalarValue(Frame& frame, const Expr& expr, TermId path) {
    switch (expr.kind) {
    case ExprKind::IntLiteral:
      if (expr.type.scalar == ScalarType::U64 && expr.intValue < 0)
        unsupported("large-literal", "a literal above 2^63 - 1", expr.where);
      return m_store.integer(expr.intValue);
    case ExprKind::BoolLiteral: return m_store.boolean(expr.intValue != 0);
    case ExprKind::FloatLiteral:
      return expr.type.scalar == ScalarType::F32
                 ? m_store.f32Bits(static_cast<uint32_t>(expr.bits), expr.text)
                 : m_store.f64Bits(expr.bits, expr.text);
    case ExprKind::Builtin: return builtin(expr);
    case ExprKind::Unary: return unary(frame, expr, path);
    case ExprKind::Binary: return binary(frame, expr, path);
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr: return shortCircuit(frame, expr, path);
    case ExprKind::Cast: return cast(frame, expr, path);
    case ExprKind::Load: return load(frame, expr, path);
    case ExprKind::Intrinsic: return intrinsic(frame, expr, path);
    default: break;
    }
    unsupported("expression", "an expression without a symbolic meaning", expr.where);
  }

  Value readLocal(Frame& frame, const Expr& expr, TermId path) {
    const Value& local = frame.locals[static_cast<size_t>(expr.local)];
    const std::string& localName = frame.function.locals[static_cast<size_t>(expr.local)].name;
    if (m_store.boolValue(local.initialised) == false)
      unsupported("uninitialised-read", "'" + localName + "' is read before it has a value", expr.where);
    require(ObligationKind::UninitialisedRead, reached(frame, path), local.initialised, expr.where,
            "'" + localName + "' may have no value here");
    return {local.buffer, local.term, m_true};
  }

  Value pointerAdd(Frame& frame, const Expr& expr, TermId path) {
    Value pointer = value(frame, expr.args[0], path);
    pointer.term = m_store.iadd(pointer.term, scalar(frame, expr.args[1], path));
    return pointer;
  }

  TermId builtin(const Expr& expr) {
    if (expr.text == "warpSize")
      return m_store.integer(32);
    const size_t dot = expr.text.find('.');
    const size_t axis = dot == std::string::npos ? 3 : static_cast<size_t>(expr.text[dot + 1] - 'x');
    const std::string object = expr.text.substr(0, dot);
    if (axis < 3 && object == "blockDim")
      return m_geometry.blockDim[axis];
    if (axis < 3 && object == "gridDim")
      return m_geometry.gridDim[axis];
    if (axis < 3 && (object == "threadIdx" || object == "blockIdx"))
      return m_store.var(Sort::Int, expr.text);
    unsupported("builtin", "built-in variable '" + expr.text + "'", expr.where);
  }

  Value conditional(Frame& frame, const Expr& expr, TermId path) {
    const TermId condition = scalar(frame, expr.args[0], path);
    const Value a = value(frame, expr.args[1], m_store.land(path, condition));
    const Value b = value(frame, expr.args[2], m_store.land(path, m_store.lnot(condition)));
    return merge(condition, a, b, {"conditional expression", expr.type, expr.where});
  }

  TermId shortCircuit(Frame& frame, const Expr& expr, TermId path) {
    const bool isAnd = expr.kind == ExprKind::LogicalAnd;
    const TermId a = scalar(frame, expr.args[0], path);
    const TermId b = scalar(frame, expr.args[1], m_store.land(path, isAnd ? a : m_store.lnot(a)));
    return isAnd ? m_store.land(a, b) : m_store.lor(a, b);
  }

  TermId unary(Frame& frame, const Expr& expr, TermId path) {
    const TermId a = scalar(frame, expr.args[0], path);
    if (expr.unary == ir::UnaryOp::LogicalNot)
      return m_store.lnot(a);
    if (expr.unary == ir::UnaryOp::BitNot)
      unsupported("bit-operation", "operator ~", expr.where);
    if (ir::isFloat(expr.type.scalar))
      return m_store.unary(Op::FNeg, a);
    return inRange(frame, expr, m_store.isub(m_store.integer(0), a), path);
  }

  /// An integer result with the obligation that it is exact in its C type.
  TermId inRange(Frame& frame, const Expr& expr, TermId exact, TermId path) {
    const bool isSigned = ir::isSigned(expr.type.scalar);
    require(isSigned ? ObligationKind::SignedOverflow : ObligationKind::UnsignedWrap, reached(frame, path),
            fits(exact, expr.type.scalar), expr.where,
            "arithmetic in " + std::string(ir::name(expr.type.scalar)) + " must not leave the type's range");
    return exact;
  }

  TermId binary(Frame& frame, const Expr& expr, TermId path) {
    const TermId a = scalar(frame, expr.args[0], path);
    const TermId b = scalar(frame, expr.args[1], path);
    switch (m_store[a].sort) {
    case Sort::F32:
    case Sort::F64: return floatBinary(expr, a, b);
    case Sort::Bool: return boolBinary(expr, a, b);
    case Sort::Int: return intBinary(frame, expr, a, b, path);
    }
    unsupported("expression", "an operator without a symbolic meaning", expr.where);
  }

  TermId floatBinary(const Expr& expr, TermId a, TermId b) {
    switch (expr.binary) {
    case BinaryOp::Add: return m_store.binary(Op::FAdd, a, b);
    case BinaryOp::Sub: return m_store.binary(Op::FSub, a, b);
    case BinaryOp::Mul: return m_store.binary(Op::FMul, a, b);
    case BinaryOp::Div: return m_store.binary(Op::FDiv, a, b);
    case BinaryOp::Lt: return m_store.binary(Op::FLt, a, b);
    case BinaryOp::Le: return m_store.binary(Op::FLe, a, b);
    case BinaryOp::Gt: return m_store.binary(Op::FLt, b, a);
    case BinaryOp::Ge: return m_store.binary(Op::FLe, b, a);
    case BinaryOp::Eq: return m_store.binary(Op::FEq, a, b);
    case BinaryOp::Ne: return m_store.lnot(m_store.binary(Op::FEq, a, b));
    default: unsupported("float-operator", "a bit operator on floats", expr.where);
    }
  }

  TermId boolBinary(const Expr& expr, TermId a, TermId b) {
    switch (expr.binary) {
    case BinaryOp::Eq: return m_store.ite(a, b, m_store.lnot(b));
    case BinaryOp::BitXor:
    case BinaryOp::Ne: return m_store.ite(a, m_store.lnot(b), b);
    case BinaryOp::BitAnd: return m_store.land(a, b);
    case BinaryOp::BitOr: return m_store.lor(a, b);
    default: unsupported("bool-operator", "arithmetic on bool", expr.where);
    }
  }

  TermId intBinary(Frame& frame, const Expr& expr, TermId a, TermId b, TermId path) {
    switch (expr.binary) {
    case BinaryOp::Add: return inRange(frame, expr, m_store.iadd(a, b), path);
    case BinaryOp::Sub: return inRange(frame, expr, m_store.isub(a, b), path);
    case BinaryOp::Mul: return inRange(frame, expr, m_store.imul(a, b), path);
    case BinaryOp::Div: return inRange(frame, expr, m_store.idiv(a, nonZero(frame, expr, b, path)), path);
    case BinaryOp::Rem: return m_store.irem(a, nonZero(frame, expr, b, path));
    case BinaryOp::Lt: return m_store.ilt(a, b);
    case BinaryOp::Le: return m_store.ile(a, b);
    case BinaryOp::Gt: return m_store.ilt(b, a);
    case BinaryOp::Ge: return m_store.ile(b, a);
    case BinaryOp::Eq: return m_store.ieq(a, b);
    case BinaryOp::Ne: return m_store.lnot(m_store.ieq(a, b));
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::BitAnd: return bitOperation(frame, expr, a, b, path);
    case BinaryOp::BitOr:
    case BinaryOp::BitXor: break;
    }
    unsupported("bit-operation", "a bit operator on integers", expr.where);
  }

  TermId nonZero(Frame& frame, const Expr& expr, TermId divisor, TermId path) {
    require(ObligationKind::DivisionByZero, reached(frame, path),
            m_store.lnot(m_store.ieq(divisor, m_store.integer(0))), expr.where,
            "the divisor must not be zero");
    return divisor;
  }

  /// Shifts by a constant and masks 2^k - 1 of non-negative operands are multiplication, division and
  /// remainder.
  TermId bitOperation(Frame& frame, const Expr& expr, TermId a, TermId b, TermId path) {
    auto amount = m_store.intValue(b);
    if (expr.binary == BinaryOp::BitAnd) {
      if (!amount) {
        std::swap(a, b);
        amount = m_store.intValue(b);
      }
      if (!amount || *amount < 0 || *amount == std::numeric_limits<int64_t>::max() ||
          ((*amount + 1) & *amount) != 0)
        unsupported("bit-operation", "& with anything but a constant 2^k - 1", expr.where);
      require(ObligationKind::ShiftRange, reached(frame, path), nonNegative(a), expr.where,
              "the masked value must not be negative");
      return m_store.irem(a, m_store.integer(*amount + 1));
    }
    if (!amount || *amount < 0 || *amount >= ir::bitWidth(expr.type.scalar) || *amount > 61)
      unsupported("bit-operation", "a shift by anything but a constant in range", expr.where);
    require(ObligationKind::ShiftRange, reached(frame, path), nonNegative(a), expr.where,
            "the shifted value must not be negative");
    const TermId factor = m_store.integer(int64_t{1} << *amount);
    return expr.binary == BinaryOp::Shl ? inRange(frame, expr, m_store.imul(a, factor), path)
                                        : m_store.idiv(a, factor);
  }

  TermId cast(Frame& frame, const Expr& expr, TermId path) {
    const ir::Type from = frame.function[expr.args[0]].type;
    const TermId a = scalar(frame, expr.args[0], path);
    const ScalarType to = expr.type.scalar;
    if (from.pointer || expr.type.pointer)
      unsupported("pointer-cast", "a cast of a pointer", expr.where);
    if (ir::isFloat(to))
      return toFloat(sortOf(to), a);
    if (to == ScalarType::Bool)
      return toBool(a);
    if (ir::isFloat(from.scalar)) {
      if (ir::bitWidth(to) < 32)
        unsupported("narrow-float-to-int", "a conversion of a float to a type narrower than 32 bits",
                    expr.where);
      if (to == ScalarType::U64)
        unsupported("float-to-u64", "a conversion of a float to an unsigned 64-bit integer", expr.where);
      return m_store.floatToInt(a, ir::bitWidth(to), ir::isSigned(to));
    }
    if (from.scalar == ScalarType::Bool)
      return m_store.ite(a, m_store.integer(1), m_store.integer(0));
    require(ObligationKind::Narrowing, reached(frame, path), fits(a, to), expr.where,
            "the conversion from " + std::string(ir::name(from.scalar)) + " to " + std::string(ir::name(to)) +
                " must keep the value");
    return a;
  }

  TermId toFloat(Sort to, TermId a) {
    switch (m_store[a].sort) {
    case Sort::Bool: return m_store.intToFloat(to, m_store.ite(a, m_store.integer(1), m_store.integer(0)));
    case Sort::Int: return m_store.intToFloat(to, a);
    default: return m_store.convert(to, a);
    }
  }

  TermId toBool(TermId a) {
    switch (m_store[a].sort) {
    case Sort::Bool: return a;
    case Sort::Int: return m_store.lnot(m_store.ieq(a, m_store.integer(0)));
    case Sort::F32: return m_store.lnot(m_store.binary(Op::FEq, a, m_store.f32Bits(0)));
    case Sort::F64: return m_store.lnot(m_store.binary(Op::FEq, a, m_store.f64Bits(0)));
    }
    return a;
  }

  TermId load(Frame& frame, const Expr& expr, TermId path) {
    const Value pointer = value(frame, expr.args[0], path);
    const TermId guard = reached(frame, path);
    requireInBounds(pointer, guard, expr.where, "read");
    if (!ir::isFloat(expr.type.scalar))
      unsupported("buffer-type", "a read of a buffer that is not float or double", expr.where);
    return readCell(pointer, sortOf(expr.type.scalar), guard, expr.where);
  }

  /// The newest own store to the cell, else what the buffer held at the start.
  TermId readCell(const Value& pointer, Sort sort, TermId guard, const SourceRange& where) {
    const ParameterBinding& binding = bufferBinding(pointer.buffer);
    TermId unwritten = guard;
    std::vector<const ThreadStore*> seen;
    for (const ThreadStore& earlier : m_result.stores) {
      if (earlier.buffer != pointer.buffer)
        continue;
      if (earlier.index == pointer.term) {
        unwritten = m_store.land(unwritten, m_store.lnot(earlier.guard));
        seen.push_back(&earlier);
        continue;
      }
      require(ObligationKind::NoAlias, m_store.land(guard, earlier.guard),
              m_store.lnot(m_store.ieq(earlier.index, pointer.term)), where,
              "the cell must not be one that this thread wrote under another index", pointer.buffer);
    }
    TermId result = initialCell(pointer, sort, binding);
    for (const ThreadStore* earlier : seen)
      result = m_store.ite(earlier->guard, earlier->value, result);
    if (m_store.boolValue(unwritten) != false) {
      if (!binding.initialReadable && !binding.zeroInitialised)
        require(ObligationKind::UninitialisedRead, unwritten, m_false, where,
                "a read of " + pointer.buffer + " before anything was written there", pointer.buffer);
      m_result.loads.push_back({unwritten, pointer.buffer, pointer.term, where});
    }
    return result;
  }

  TermId initialCell(const Value& pointer, Sort sort, const ParameterBinding& binding) {
    if (binding.zeroInitialised)
      return sort == Sort::F32 ? m_store.f32Bits(0) : m_store.f64Bits(0);
    return m_store.load(sort, pointer.buffer, pointer.term);
  }

  TermId intrinsic(Frame& frame, const Expr& expr, TermId path) {
    const ir::Intrinsic* row = ir::findIntrinsic(expr.text);
    if (row == nullptr)
      unsupported("intrinsic", "function '" + expr.text + "'", expr.where);
    std::vector<TermId> args;
    for (ExprId arg : expr.args)
      args.push_back(scalar(frame, arg, path));
    switch (row->meaning) {
    case ir::Meaning::Add: return m_store.binary(Op::FAdd, args[0], args[1]);
    case ir::Meaning::Sub: return m_store.binary(Op::FSub, args[0], args[1]);
    case ir::Meaning::Mul: return m_store.binary(Op::FMul, args[0], args[1]);
    case ir::Meaning::Div: return m_store.binary(Op::FDiv, args[0], args[1]);
    case ir::Meaning::Sqrt: return m_store.unary(Op::FSqrt, args[0]);
    case ir::Meaning::Fma: return m_store.fma(args[0], args[1], args[2]);
    case ir::Meaning::Abs: return m_store.unary(Op::FAbs, args[0]);
    case ir::Meaning::Reciprocal: return m_store.binary(Op::FDiv, one(row->result), args[0]);
    case ir::Meaning::IsNan: return m_store.unary(Op::FIsNan, args[0]);
    case ir::Meaning::PtxMax: return m_store.ptxMax(args[0], args[1]);
    case ir::Meaning::PtxMin: return m_store.ptxMin(args[0], args[1]);
    case ir::Meaning::StdMax: return m_store.ite(m_store.binary(Op::FLt, args[0], args[1]), args[1], args[0]);
    case ir::Meaning::StdMin: return m_store.ite(m_store.binary(Op::FLt, args[1], args[0]), args[1], args[0]);
    case ir::Meaning::IntMax: return m_store.ite(m_store.ilt(args[0], args[1]), args[1], args[0]);
    case ir::Meaning::IntMin: return m_store.ite(m_store.ilt(args[1], args[0]), args[1], args[0]);
    case ir::Meaning::IntAbs:
      return inRange(frame, expr,
                     m_store.ite(nonNegative(args[0]), args[0], m_store.isub(m_store.integer(0), args[0])),
                     path);
    case ir::Meaning::Opaque: return m_store.opaque(sortOf(row->result), expr.text, args);
    default: break; // refused before, as it has no term
    }
    unsupported("intrinsic", "function '" + expr.text + "'", expr.where);
  }

  TermId one(ScalarType type) {
    return type == ScalarType::F32 ? m_store.f32Bits(0x3f800000) : m_store.f64Bits(0x3ff0000000000000);
  }

  Value call(Frame& frame, const Expr& expr, TermId path) {
    const ir::Function& callee = m_module.functions[static_cast<size_t>(expr.callee)];
    if (++m_depth > maxCallDepth)
      unsupported("recursion", "calls nested too deeply", expr.where);
    Frame inner{callee, std::vector<Value>(callee.locals.size(), Value{{}, {}, m_false}), m_false};
    for (size_t i = 0; i < expr.args.size(); ++i)
      inner.locals[i] = value(frame, expr.args[i], path);
    const TermId outerBase = std::exchange(m_base, reached(frame, path));
    statements(inner, callee.body, m_true);
    const TermId guard = std::exchange(m_base, outerBase);
    --m_depth;
    if (callee.returnType.scalar == ScalarType::Void && !callee.returnType.pointer)
      return {{}, m_false, m_true};
    return returnValue(inner, guard, expr);
  }

  Value returnValue(const Frame& inner, TermId guard, const Expr& expr) {
    if (inner.returnValues.empty())
      unsupported("no-return-value", "'" + inner.function.name + "' returns no value", expr.where);
    require(ObligationKind::NoReturnValue, guard, inner.returned, expr.where,
            "'" + inner.function.name + "' must return a value on every path");
    Value result = inner.returnValues.back().second;
    for (size_t i = inner.returnValues.size() - 1; i-- > 0;) {
      const auto& [condition, returned] = inner.returnValues[i];
      result = merge(condition, returned, result, {inner.function.name, expr.type, expr.where});
    }
    return result;
  }

  TermStore& m_store;
  const ir::Module& m_module;
  const std::map<std::string, ParameterBinding>& m_parameters;
  const ThreadGeometry& m_geometry;
  const TermId m_true;
  const TermId m_false;
  TermId m_base; ///< condition under which the current call is reached
  int m_depth = 0;
  std::set<std::tuple<ObligationKind, TermId, TermId>> m_seen;
  std::set<std::tuple<TermId, int, int, int>> m_seenOrigins;
  SymbolicThread m_result;
};

} // namespace

Expected<SymbolicThread> executeThread(TermStore& store, const ir::Module& module, const ir::Kernel& kernel,
                                       const std::map<std::string, ParameterBinding>& parameters,
                                       const ThreadGeometry& geometry) {
  try {
    if (std::optional<Rejection> beyond = ir::beyondScalarCode(module, kernel.function))
      throw Unsupported{std::move(*beyond)};
    return Executor(store, module, parameters, geometry)
        .run(module.functions[static_cast<size_t>(kernel.function)]);
  } catch (Unsupported& unsupported) {
    Error error{ErrorKind::Rejected,
                unsupported.rejection.id,
                "kernel '" + kernel.name + "' uses " + unsupported.rejection.construct,
                "rewrite the construct, or check the kernel another way",
                unsupported.rejection.where,
                {}};
    error.rejections.push_back(std::move(unsupported.rejection));
    return fail(std::move(error));
  }
}

} // namespace plumbline::vc

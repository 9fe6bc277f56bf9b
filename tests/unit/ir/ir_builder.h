// Building small kernel IR functions for tests. Every node gets its own line number, so that a finding's
// position tells which node it belongs to.
#pragma once

#include "core/ir/kernel.h"

namespace plumbline::ir::test {

inline constexpr Type kVoid{};
inline constexpr Type kBool{ScalarType::Bool, false};
inline constexpr Type kI32{ScalarType::I32, false};
inline constexpr Type kU32{ScalarType::U32, false};
inline constexpr Type kI64{ScalarType::I64, false};
inline constexpr Type kF32{ScalarType::F32, false};
inline constexpr Type kF64{ScalarType::F64, false};
inline constexpr Type kF32Pointer{ScalarType::F32, true};
inline constexpr Type kI32Pointer{ScalarType::I32, true};

class Builder {
public:
  explicit Builder(std::string name, Type returns = kVoid) {
    m_function.name = std::move(name);
    m_function.returnType = returns;
    m_function.where = next();
  }

  /// Parameters come before other locals.
  int parameter(const std::string& name, Type type) {
    ++m_function.parameterCount;
    return local(name, type);
  }
  int local(const std::string& name, Type type) {
    m_function.locals.push_back({name, type, next()});
    return static_cast<int>(m_function.locals.size()) - 1;
  }

  ExprId expr(Expr e) {
    e.where = next();
    m_function.exprs.push_back(std::move(e));
    return static_cast<ExprId>(m_function.exprs.size() - 1);
  }
  ExprId integer(int64_t value, Type type = kI32) {
    return expr({.kind = ExprKind::IntLiteral, .type = type, .intValue = value});
  }
  ExprId f32(uint32_t bits, const std::string& text = {}) {
    return expr({.kind = ExprKind::FloatLiteral, .type = kF32, .bits = bits, .text = text});
  }
  ExprId f64(uint64_t bits, const std::string& text = {}) {
    return expr({.kind = ExprKind::FloatLiteral, .type = kF64, .bits = bits, .text = text});
  }
  ExprId get(int local) {
    return expr({.kind = ExprKind::Local,
                 .type = m_function.locals[static_cast<size_t>(local)].type,
                 .local = local});
  }
  ExprId builtin(const std::string& text) {
    return expr({.kind = ExprKind::Builtin, .type = text == "warpSize" ? kI32 : kU32, .text = text});
  }
  ExprId unary(UnaryOp op, ExprId a) {
    return expr({.kind = ExprKind::Unary, .type = typeOf(a), .args = {a}, .unary = op});
  }
  ExprId binary(BinaryOp op, ExprId a, ExprId b) {
    const Type type = op >= BinaryOp::Lt ? kBool : typeOf(a);
    return expr({.kind = ExprKind::Binary, .type = type, .args = {a, b}, .binary = op});
  }
  ExprId logical(ExprKind kind, ExprId a, ExprId b) {
    return expr({.kind = kind, .type = kBool, .args = {a, b}});
  }
  ExprId select(ExprId condition, ExprId a, ExprId b) {
    return expr({.kind = ExprKind::Conditional, .type = typeOf(a), .args = {condition, a, b}});
  }
  ExprId cast(Type type, ExprId a) { return expr({.kind = ExprKind::Cast, .type = type, .args = {a}}); }
  ExprId at(ExprId pointer, ExprId index) {
    return expr({.kind = ExprKind::PointerAdd, .type = typeOf(pointer), .args = {pointer, index}});
  }
  ExprId load(ExprId pointer) {
    return expr({.kind = ExprKind::Load, .type = {typeOf(pointer).scalar, false}, .args = {pointer}});
  }
  ExprId intrinsic(const std::string& spelling, Type type, std::vector<ExprId> args) {
    return expr({.kind = ExprKind::Intrinsic, .type = type, .args = std::move(args), .text = spelling});
  }
  ExprId call(int callee, Type type, std::vector<ExprId> args) {
    return expr({.kind = ExprKind::Call, .type = type, .args = std::move(args), .callee = callee});
  }
  /// The lane of a vector pointer.
  ExprId loadLane(ExprId pointer, int lane) {
    return expr({.kind = ExprKind::Load,
                 .type = {typeOf(pointer).scalar, false},
                 .args = {pointer},
                 .intValue = lane});
  }
  ExprId pointerCast(Type type, ExprId pointer) {
    return expr({.kind = ExprKind::PointerCast, .type = type, .args = {pointer}});
  }
  int array(const std::string& name, ScalarType element, ArraySpace space, std::vector<int64_t> extents,
            std::vector<uint64_t> cells = {}) {
    m_function.arrays.push_back({name, element, space, std::move(extents), next(), std::move(cells)});
    return static_cast<int>(m_function.arrays.size()) - 1;
  }
  int shared(const std::string& name, int64_t length, ScalarType element = ScalarType::F32) {
    return array(name, element, ArraySpace::Shared, {length});
  }
  ExprId arrayAt(int array, ExprId index) {
    const Type type{m_function.arrays[static_cast<size_t>(array)].element, true};
    return at(expr({.kind = ExprKind::Array, .type = type, .array = array}), index);
  }
  /// threadIdx.x as int.
  ExprId thread() { return cast(kI32, builtin("threadIdx.x")); }
  ExprId add(ExprId a, ExprId b) { return binary(BinaryOp::Add, a, b); }
  ExprId less(ExprId a, ExprId b) { return binary(BinaryOp::Lt, a, b); }
  ExprId equal(ExprId a, ExprId b) { return binary(BinaryOp::Eq, a, b); }
  /// blockIdx.x * blockDim.x + threadIdx.x as int.
  ExprId globalIndex() {
    ExprId block = binary(BinaryOp::Mul, builtin("blockIdx.x"), builtin("blockDim.x"));
    return cast(kI32, binary(BinaryOp::Add, block, builtin("threadIdx.x")));
  }

  StmtId stmt(Stmt s) {
    s.where = next();
    m_function.stmts.push_back(std::move(s));
    return static_cast<StmtId>(m_function.stmts.size() - 1);
  }
  StmtId assign(int local, ExprId value) {
    return stmt({.kind = StmtKind::Assign, .local = local, .value = value});
  }
  StmtId store(ExprId pointer, ExprId value) {
    return stmt({.kind = StmtKind::Store, .pointer = pointer, .value = value});
  }
  StmtId branch(ExprId condition, std::vector<StmtId> thenBody, std::vector<StmtId> elseBody = {}) {
    return stmt({.kind = StmtKind::If,
                 .condition = condition,
                 .thenBody = std::move(thenBody),
                 .elseBody = std::move(elseBody)});
  }
  StmtId ret(ExprId value = ExprId::None) { return stmt({.kind = StmtKind::Return, .value = value}); }
  StmtId storeLane(ExprId pointer, int lane, ExprId value) {
    return stmt({.kind = StmtKind::Store, .pointer = pointer, .value = value, .lane = lane});
  }
  StmtId declareLocal(int local) { return stmt({.kind = StmtKind::Declare, .local = local}); }
  StmtId declareArray(int array) { return stmt({.kind = StmtKind::Declare, .array = array}); }
  StmtId loop(ExprId condition, std::vector<StmtId> body, std::vector<StmtId> step = {},
              bool testAfter = false) {
    return stmt({.kind = StmtKind::Loop,
                 .condition = condition,
                 .thenBody = std::move(body),
                 .elseBody = std::move(step),
                 .testAfter = testAfter});
  }
  StmtId block(std::vector<StmtId> body) {
    return stmt({.kind = StmtKind::Block, .thenBody = std::move(body)});
  }
  StmtId leave(int level = 0) { return stmt({.kind = StmtKind::Break, .level = level}); }
  StmtId next(int level) { return stmt({.kind = StmtKind::Continue, .level = level}); }
  StmtId barrier() { return stmt({.kind = StmtKind::Barrier, .sync = SyncOp::BlockBarrier}); }
  StmtId warpBarrier(ExprId mask) {
    return stmt({.kind = StmtKind::Barrier, .sync = SyncOp::WarpBarrier, .args = {mask}});
  }
  StmtId collective(int local, SyncOp op, std::vector<ExprId> args) {
    return stmt({.kind = StmtKind::Collective, .local = local, .sync = op, .args = std::move(args)});
  }
  StmtId atomic(int local, SyncOp op, ExprId pointer, ExprId value, std::vector<ExprId> compared = {}) {
    return stmt({.kind = StmtKind::Atomic,
                 .local = local,
                 .pointer = pointer,
                 .value = value,
                 .sync = op,
                 .args = std::move(compared)});
  }
  StmtId eval(ExprId value) { return stmt({.kind = StmtKind::Eval, .value = value}); }

  void body(std::vector<StmtId> statements) { m_function.body = std::move(statements); }
  const Function& function() const { return m_function; }
  int lineOf(ExprId id) const { return m_function[id].where.line; }
  int lineOf(StmtId id) const { return m_function[id].where.line; }

  /// A module with the given helpers first and this function as its only kernel.
  Module kernelModule(std::vector<Function> helpers = {}) const {
    Module module;
    module.functions = std::move(helpers);
    module.functions.push_back(m_function);
    module.kernels.push_back({m_function.name, static_cast<int>(module.functions.size()) - 1, 0, {}});
    return module;
  }

private:
  Type typeOf(ExprId id) const { return m_function[id].type; }
  SourceRange next() {
    ++m_line;
    return {"test.cu", m_line, 1, m_line, 2};
  }

  Function m_function;
  int m_line = 0;
};

/// if (i < n) y[i] = <value of x[i]>, the shape of most element-wise kernels. Parameters: x, y, n.
template <class MakeValue> Module elementwise(MakeValue makeValue, std::vector<Function> helpers = {}) {
  Builder b("elementwise");
  const int x = b.parameter("x", kF32Pointer);
  const int y = b.parameter("y", kF32Pointer);
  const int n = b.parameter("n", kI32);
  const int i = b.local("i", kI32);
  StmtId index = b.assign(i, b.globalIndex());
  ExprId value = makeValue(b, b.load(b.at(b.get(x), b.get(i))));
  StmtId write = b.store(b.at(b.get(y), b.get(i)), value);
  b.body({index, b.branch(b.binary(BinaryOp::Lt, b.get(i), b.get(n)), {write})});
  return b.kernelModule(std::move(helpers));
}

} // namespace plumbline::ir::test

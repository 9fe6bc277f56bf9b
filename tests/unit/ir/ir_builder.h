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

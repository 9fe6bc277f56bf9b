#include "core/cuda/clang/function_builder.h"

#include <algorithm>

namespace plumbline::cuda {

using namespace ir;

namespace {

bool anyRefused(const std::vector<ExprId>& args) {
  return std::find(args.begin(), args.end(), ExprId::None) != args.end();
}

Expr makeExpr(ExprKind kind, Type type, std::vector<ExprId> args, const SourceRange& where) {
  Expr expr;
  expr.kind = kind;
  expr.type = type;
  expr.args = std::move(args);
  expr.where = where;
  return expr;
}

Stmt makeStmt(StmtKind kind, const SourceRange& where) {
  Stmt stmt;
  stmt.kind = kind;
  stmt.where = where;
  return stmt;
}

} // namespace

ExprId FunctionBuilder::add(Expr expr) {
  if (anyRefused(expr.args))
    return ExprId::None;
  m_function.exprs.push_back(std::move(expr));
  return static_cast<ExprId>(m_function.exprs.size() - 1);
}

void FunctionBuilder::add(Stmt stmt) {
  m_function.stmts.push_back(std::move(stmt));
  m_bodies.back()->push_back(static_cast<StmtId>(m_function.stmts.size() - 1));
}

int FunctionBuilder::addLocal(std::string name, Type type, const SourceRange& where) {
  m_function.locals.push_back({std::move(name), type, where});
  return static_cast<int>(m_function.locals.size()) - 1;
}

ExprId FunctionBuilder::intLiteral(int64_t value, ScalarType type, const SourceRange& where) {
  Expr expr = makeExpr(ExprKind::IntLiteral, {type, false}, {}, where);
  expr.intValue = value;
  return add(std::move(expr));
}

ExprId FunctionBuilder::floatLiteral(uint64_t bits, ScalarType type, std::string text,
                                     const SourceRange& where) {
  Expr expr = makeExpr(ExprKind::FloatLiteral, {type, false}, {}, where);
  expr.bits = bits;
  expr.text = std::move(text);
  return add(std::move(expr));
}

ExprId FunctionBuilder::boolLiteral(bool value, const SourceRange& where) {
  Expr expr = makeExpr(ExprKind::BoolLiteral, {ScalarType::Bool, false}, {}, where);
  expr.intValue = value ? 1 : 0;
  return add(std::move(expr));
}

ExprId FunctionBuilder::local(int index, const SourceRange& where) {
  Expr expr = makeExpr(ExprKind::Local, m_function.locals[static_cast<size_t>(index)].type, {}, where);
  expr.local = index;
  return add(std::move(expr));
}

ExprId FunctionBuilder::builtin(std::string text, ScalarType type, const SourceRange& where) {
  Expr expr = makeExpr(ExprKind::Builtin, {type, false}, {}, where);
  expr.text = std::move(text);
  return add(std::move(expr));
}

ExprId FunctionBuilder::unary(UnaryOp op, ExprId operand, const SourceRange& where) {
  if (operand == ExprId::None)
    return operand;
  Expr expr = makeExpr(ExprKind::Unary, typeOf(operand), {operand}, where);
  expr.unary = op;
  return add(std::move(expr));
}

ExprId FunctionBuilder::binary(BinaryOp op, ExprId left, ExprId right, const SourceRange& where) {
  if (left == ExprId::None || right == ExprId::None)
    return ExprId::None;
  const bool comparison = op >= BinaryOp::Lt;
  const Type type = comparison ? Type{ScalarType::Bool, false} : typeOf(left);
  Expr expr = makeExpr(ExprKind::Binary, type, {left, right}, where);
  expr.binary = op;
  return add(std::move(expr));
}

ExprId FunctionBuilder::logical(ExprKind kind, ExprId left, ExprId right, const SourceRange& where) {
  return add(makeExpr(kind, {ScalarType::Bool, false}, {left, right}, where));
}

ExprId FunctionBuilder::conditional(ExprId condition, ExprId yes, ExprId no, const SourceRange& where) {
  if (yes == ExprId::None)
    return yes;
  return add(makeExpr(ExprKind::Conditional, typeOf(yes), {condition, yes, no}, where));
}

ExprId FunctionBuilder::cast(ExprId operand, ScalarType type, const SourceRange& where) {
  if (operand == ExprId::None || typeOf(operand) == Type{type, false})
    return operand;
  return add(makeExpr(ExprKind::Cast, {type, false}, {operand}, where));
}

ExprId FunctionBuilder::pointerAdd(ExprId pointer, ExprId offset, const SourceRange& where) {
  if (pointer == ExprId::None)
    return pointer;
  return add(makeExpr(ExprKind::PointerAdd, typeOf(pointer), {pointer, offset}, where));
}

ExprId FunctionBuilder::pointerSub(ExprId pointer, ExprId offset, const SourceRange& where) {
  return pointerAdd(pointer, unary(UnaryOp::Neg, cast(offset, ScalarType::I64, where), where), where);
}

ExprId FunctionBuilder::load(ExprId pointer, const SourceRange& where, int lane) {
  if (pointer == ExprId::None)
    return pointer;
  Expr expr = makeExpr(ExprKind::Load, {typeOf(pointer).scalar, false}, {pointer}, where);
  expr.intValue = lane;
  return add(std::move(expr));
}

ExprId FunctionBuilder::array(int index, const SourceRange& where) {
  const ScalarType element = m_function.arrays[static_cast<size_t>(index)].element;
  Expr expr = makeExpr(ExprKind::Array, {element, true}, {}, where);
  expr.array = index;
  return add(std::move(expr));
}

ExprId FunctionBuilder::pointerCast(ExprId pointer, Type type, const SourceRange& where) {
  if (pointer == ExprId::None || typeOf(pointer) == type)
    return pointer;
  return add(makeExpr(ExprKind::PointerCast, type, {pointer}, where));
}

ExprId FunctionBuilder::intrinsic(std::string row, ScalarType type, std::vector<ExprId> args,
                                  const SourceRange& where) {
  Expr expr = makeExpr(ExprKind::Intrinsic, {type, false}, std::move(args), where);
  expr.text = std::move(row);
  return add(std::move(expr));
}

ExprId FunctionBuilder::call(int callee, Type type, std::vector<ExprId> args, const SourceRange& where) {
  Expr expr = makeExpr(ExprKind::Call, type, std::move(args), where);
  expr.callee = callee;
  return add(std::move(expr));
}

void FunctionBuilder::assign(int local, ExprId value, const SourceRange& where) {
  if (value == ExprId::None)
    return;
  Stmt stmt = makeStmt(StmtKind::Assign, where);
  stmt.local = local;
  stmt.value = value;
  add(std::move(stmt));
}

void FunctionBuilder::store(ExprId pointer, ExprId value, const SourceRange& where, int lane) {
  if (pointer == ExprId::None || value == ExprId::None)
    return;
  Stmt stmt = makeStmt(StmtKind::Store, where);
  stmt.pointer = pointer;
  stmt.value = value;
  stmt.lane = lane;
  add(std::move(stmt));
}

void FunctionBuilder::declareLocal(int local, const SourceRange& where) {
  Stmt stmt = makeStmt(StmtKind::Declare, where);
  stmt.local = local;
  add(std::move(stmt));
}

void FunctionBuilder::declareArray(int array, const SourceRange& where) {
  Stmt stmt = makeStmt(StmtKind::Declare, where);
  stmt.array = array;
  add(std::move(stmt));
}

void FunctionBuilder::evaluate(ExprId value, const SourceRange& where) {
  if (value == ExprId::None)
    return;
  Stmt stmt = makeStmt(StmtKind::Eval, where);
  stmt.value = value;
  add(std::move(stmt));
}

void FunctionBuilder::returnValue(ExprId value, const SourceRange& where) {
  Stmt stmt = makeStmt(StmtKind::Return, where);
  stmt.value = value;
  add(std::move(stmt));
}

void FunctionBuilder::branch(ExprId condition, std::vector<StmtId> yes, std::vector<StmtId> no,
                             const SourceRange& where) {
  Stmt stmt = makeStmt(StmtKind::If, where);
  stmt.condition = condition;
  stmt.thenBody = std::move(yes);
  stmt.elseBody = std::move(no);
  add(std::move(stmt));
}

void FunctionBuilder::loop(ExprId condition, std::vector<StmtId> body, std::vector<StmtId> step,
                           bool testAfter, const SourceRange& where) {
  Stmt stmt = makeStmt(StmtKind::Loop, where);
  stmt.condition = condition;
  stmt.thenBody = std::move(body);
  stmt.elseBody = std::move(step);
  stmt.testAfter = testAfter;
  add(std::move(stmt));
}

void FunctionBuilder::block(std::vector<StmtId> body, const SourceRange& where) {
  Stmt stmt = makeStmt(StmtKind::Block, where);
  stmt.thenBody = std::move(body);
  add(std::move(stmt));
}

void FunctionBuilder::breakOut(int level, const SourceRange& where) {
  Stmt stmt = makeStmt(StmtKind::Break, where);
  stmt.level = level;
  add(std::move(stmt));
}

void FunctionBuilder::goOn(int level, const SourceRange& where) {
  Stmt stmt = makeStmt(StmtKind::Continue, where);
  stmt.level = level;
  add(std::move(stmt));
}

void FunctionBuilder::splice(const std::vector<StmtId>& body) {
  m_bodies.back()->insert(m_bodies.back()->end(), body.begin(), body.end());
}

bool FunctionBuilder::dropFinalBreak(std::vector<StmtId>& body) {
  const auto last = static_cast<StmtId>(m_function.stmts.size() - 1);
  if (body.empty() || body.back() != last || m_function.stmts.back().kind != StmtKind::Break ||
      m_function.stmts.back().level != 0)
    return false;
  body.pop_back();
  m_function.stmts.pop_back();
  return true;
}

ExprId FunctionBuilder::zero(ScalarType type, const SourceRange& where) {
  if (isFloat(type))
    return floatLiteral(0, type, "0", where);
  if (isSixteenBitFloat(type))
    return cast(zero(ScalarType::F32, where), type, where);
  return type == ScalarType::Bool ? boolLiteral(false, where) : intLiteral(0, type, where);
}

void FunctionBuilder::meet(Stmt stmt) {
  if (!anyRefused(stmt.args))
    add(std::move(stmt));
}

namespace {

/// Whether a break leaves the statement that encloses `body` at `level`.
bool breaksOut(const Function& function, const std::vector<StmtId>& body, int level) {
  return std::ranges::any_of(body, [&](StmtId id) {
    const Stmt& stmt = function[id];
    const int inner = level + (stmt.kind == StmtKind::Loop || stmt.kind == StmtKind::Block ? 1 : 0);
    return (stmt.kind == StmtKind::Break && stmt.level == level) ||
           breaksOut(function, stmt.thenBody, inner) || breaksOut(function, stmt.elseBody, inner);
  });
}

bool isEndless(const Function& function, const Stmt& loop) {
  if (loop.condition == ExprId::None)
    return true;
  const Expr& condition = function[loop.condition];
  return condition.kind == ExprKind::BoolLiteral && condition.intValue == 1;
}

} // namespace

bool mayFallThrough(const Function& function, const std::vector<StmtId>& body) {
  for (StmtId id : body) {
    const Stmt& stmt = function[id];
    if (stmt.kind == StmtKind::Loop && isEndless(function, stmt) && !breaksOut(function, stmt.thenBody, 0))
      return false;
    if (stmt.kind == StmtKind::Block && !mayFallThrough(function, stmt.thenBody) &&
        !breaksOut(function, stmt.thenBody, 0))
      return false;
    if (stmt.kind == StmtKind::Return || stmt.kind == StmtKind::Break || stmt.kind == StmtKind::Continue)
      return false;
    if (stmt.kind == StmtKind::If && !mayFallThrough(function, stmt.thenBody) &&
        !mayFallThrough(function, stmt.elseBody))
      return false;
  }
  return true;
}

} // namespace plumbline::cuda

// Builds the arena of one ir::Function. ExprId::None stands for "already refused" and is passed through. No
// Clang here.
#pragma once

#include "core/ir/kernel.h"

namespace plumbline::cuda {

class FunctionBuilder {
public:
  explicit FunctionBuilder(ir::Function& function) : m_function(function) {
    m_bodies.push_back(&function.body);
  }

  ir::Type typeOf(ir::ExprId id) const { return m_function[id].type; }
  const ir::Expr& expr(ir::ExprId id) const { return m_function[id]; }

  int addLocal(std::string name, ir::Type type, const SourceRange& where);

  ir::ExprId intLiteral(int64_t value, ir::ScalarType type, const SourceRange& where);
  ir::ExprId floatLiteral(uint64_t bits, ir::ScalarType type, std::string text, const SourceRange& where);
  ir::ExprId boolLiteral(bool value, const SourceRange& where);
  ir::ExprId local(int index, const SourceRange& where);
  ir::ExprId builtin(std::string text, ir::ScalarType type, const SourceRange& where);
  ir::ExprId unary(ir::UnaryOp op, ir::ExprId operand, const SourceRange& where);
  /// Comparisons give Bool, everything else the left operand's type.
  ir::ExprId binary(ir::BinaryOp op, ir::ExprId left, ir::ExprId right, const SourceRange& where);
  ir::ExprId logical(ir::ExprKind kind, ir::ExprId left, ir::ExprId right, const SourceRange& where);
  ir::ExprId conditional(ir::ExprId condition, ir::ExprId yes, ir::ExprId no, const SourceRange& where);
  /// The operand itself when it has that type already.
  ir::ExprId cast(ir::ExprId operand, ir::ScalarType type, const SourceRange& where);
  ir::ExprId pointerAdd(ir::ExprId pointer, ir::ExprId offset, const SourceRange& where);
  /// pointer - offset, for an offset of any integer type.
  ir::ExprId pointerSub(ir::ExprId pointer, ir::ExprId offset, const SourceRange& where);
  ir::ExprId load(ir::ExprId pointer, const SourceRange& where, int lane = 0);
  ir::ExprId array(int index, const SourceRange& where);
  /// The pointer itself when it has that type already.
  ir::ExprId pointerCast(ir::ExprId pointer, ir::Type type, const SourceRange& where);
  ir::ExprId intrinsic(std::string row, ir::ScalarType type, std::vector<ir::ExprId> args,
                       const SourceRange& where);
  ir::ExprId call(int callee, ir::Type type, std::vector<ir::ExprId> args, const SourceRange& where);

  void assign(int local, ir::ExprId value, const SourceRange& where);
  void store(ir::ExprId pointer, ir::ExprId value, const SourceRange& where, int lane = 0);
  void declareLocal(int local, const SourceRange& where);
  void declareArray(int array, const SourceRange& where);
  void evaluate(ir::ExprId value, const SourceRange& where);
  void returnValue(ir::ExprId value, const SourceRange& where);
  /// The branches are bodies made between openBody and closeBody.
  void branch(ir::ExprId condition, std::vector<ir::StmtId> yes, std::vector<ir::StmtId> no,
              const SourceRange& where);

  /// `condition` None: always.
  void loop(ir::ExprId condition, std::vector<ir::StmtId> body, std::vector<ir::StmtId> step, bool testAfter,
            const SourceRange& where);
  void block(std::vector<ir::StmtId> body, const SourceRange& where);
  void breakOut(int level, const SourceRange& where);
  void goOn(int level, const SourceRange& where);
  /// Moves the statements of a finished body to the present one.
  void splice(const std::vector<ir::StmtId>& body);
  /// Takes a last `break` of the innermost level away; false when the body does not end with it.
  bool dropFinalBreak(std::vector<ir::StmtId>& body);
  /// +0, 0 or false.
  ir::ExprId zero(ir::ScalarType type, const SourceRange& where);

  /// A barrier, a collective (with a local) or a fence, whole.
  void meet(ir::Stmt stmt);

  /// Statements go into `body` until the matching closeBody.
  void openBody(std::vector<ir::StmtId>& body) { m_bodies.push_back(&body); }
  void closeBody() { m_bodies.pop_back(); }

private:
  ir::ExprId add(ir::Expr expr);
  void add(ir::Stmt stmt);

  ir::Function& m_function;
  std::vector<std::vector<ir::StmtId>*> m_bodies;
};

/// True when control may reach the end of the body.
bool mayFallThrough(const ir::Function& function, const std::vector<ir::StmtId>& body);

} // namespace plumbline::cuda

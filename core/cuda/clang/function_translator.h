// Device functions of one source, from the instantiated AST to ir::Function. Every switch over AST classes
// refuses by default: what is not listed here or in expressions.cpp never passes silently.
#pragma once

#include "core/cuda/clang/ast.h"
#include "core/cuda/clang/function_builder.h"
#include "core/cuda/clang/source_notes.h"

#include <map>
#include <set>

namespace plumbline::cuda {

/// Deeper nesting is refused, so that no input can exhaust the stack.
inline constexpr int maximumDepth = 1000;

/// What is known about a device function once it was translated.
struct DeviceFunction {
  int index = -1; ///< in ir::Module::functions; -1 when anything in it was refused
  bool inProgress = true;
  bool writesMemory = false;
  bool takesReferences = false;
  std::vector<Rejection> rejections; ///< of it and everything it calls
  std::vector<Rejection> errors;     ///< "cuda-syntax", of the same
};

/// Translates each reachable device function once, callees first.
class DeviceCode {
public:
  DeviceCode(clang::ASTContext& ast, const SourceMap& sources, const SourceNotes& notes, ir::Module& module)
      : ast(ast), sources(sources), notes(notes), module(module) {}

  /// `definition` has a body. Returns a state with `inProgress` set when it is being translated already
  /// (recursion).
  const DeviceFunction& translate(const clang::FunctionDecl* definition);

  clang::ASTContext& ast;
  const SourceMap& sources;
  const SourceNotes& notes;
  ir::Module& module;

private:
  void addNotes(const clang::FunctionDecl* definition, DeviceFunction& state) const;

  std::map<const clang::FunctionDecl*, DeviceFunction> m_functions;
};

class FunctionTranslator {
public:
  FunctionTranslator(DeviceCode& code, DeviceFunction& state, ir::Function& function)
      : m_code(code), m_sources(code.sources), m_ast(code.ast), m_state(state), m_function(function),
        m_builder(function) {}

  void run(const clang::FunctionDecl* definition);

private:
  using ExprId = ir::ExprId;

  /// What an lvalue denotes. `value` is for constants and temporaries, which can only be read.
  struct Place {
    int local = -1;
    ExprId pointer = ExprId::None;
    ExprId value = ExprId::None;
  };

  // function_translator.cpp
  void signature(const clang::FunctionDecl* definition);
  void parameter(const clang::ParmVarDecl* parameter);
  void checkAttributes(const clang::Decl* decl);
  void statement(const clang::Stmt* stmt);
  void statementInBody(const clang::Stmt* stmt, std::vector<ir::StmtId>& body);
  void declarations(const clang::DeclStmt* stmt);
  void variable(const clang::VarDecl* variable);
  void branch(const clang::IfStmt* stmt);
  void returnStatement(const clang::ReturnStmt* stmt);
  void expressionStatement(const clang::Expr* expr);
  void assignment(const clang::BinaryOperator* expr);
  void compoundAssignment(const clang::CompoundAssignOperator* expr);
  void increment(const clang::UnaryOperator* expr);
  void write(const Place& place, ExprId value, const clang::Expr* at);

  // expressions.cpp
  /// The value of an expression without side effects.
  ExprId value(const clang::Expr* expr);
  /// The value of a right-hand side: an assignment or a writing call may stand at its root, and happens
  /// first.
  ExprId sequencedValue(const clang::Expr* expr);
  ExprId valueOf(const clang::Expr* expr);
  Place place(const clang::Expr* expr);
  ExprId read(const Place& place, const SourceRange& where);
  ExprId castExpr(const clang::CastExpr* expr);
  ExprId reference(const clang::DeclRefExpr* expr);
  ExprId constantVariable(const clang::VarDecl* variable, const clang::Expr* at);
  ExprId unary(const clang::UnaryOperator* expr);
  ExprId binary(const clang::BinaryOperator* expr);
  ExprId arithmetic(clang::BinaryOperatorKind op, ExprId left, ExprId right, const clang::Expr* at);
  ExprId pointerArithmetic(clang::BinaryOperatorKind op, ExprId left, ExprId right, const clang::Expr* at);
  ExprId member(const clang::MemberExpr* expr);
  ExprId floatLiteral(const clang::FloatingLiteral* expr);
  ExprId constant(const llvm::APFloat& value, const SourceRange& where);
  ExprId zero(const clang::Expr* expr);
  ExprId refuseExpr(const clang::Expr* expr);
  bool isRefused(const clang::Expr* expr) const;

  // expression_calls.cpp
  ExprId call(const clang::CallExpr* expr);
  ExprId shimCall(const clang::CallExpr* expr, const clang::FunctionDecl* callee);
  ExprId intrinsic(const clang::CallExpr* expr, const clang::FunctionDecl* callee, std::string row);
  ExprId expansion(const clang::CallExpr* expr, const std::string& name);
  ExprId bitsToFloat(const clang::CallExpr* expr);
  ExprId evaluated(const clang::Expr* expr);
  ExprId userCall(const clang::CallExpr* expr, const clang::FunctionDecl* callee);

  SourceRange where(const clang::Stmt* stmt) const { return m_sources.range(stmt->getSourceRange()); }
  ExprId reject(std::string id, std::string construct, SourceRange at);
  ExprId reject(std::string id, std::string construct, const clang::Stmt* at) {
    return reject(std::move(id), std::move(construct), where(at));
  }
  ExprId rejectType(clang::QualType type, const SourceRange& at);

  DeviceCode& m_code;
  const SourceMap& m_sources;
  clang::ASTContext& m_ast;
  DeviceFunction& m_state;
  ir::Function& m_function;
  FunctionBuilder m_builder;
  std::map<const clang::VarDecl*, int> m_locals;
  std::set<const clang::VarDecl*> m_refused;
  const clang::Expr* m_sequenced = nullptr; ///< the one node whose side effect is in order
  int m_depth = 0;
};

} // namespace plumbline::cuda

// Device functions of one source, from the instantiated AST to ir::Function. Every switch over AST classes
// refuses by default: what is not listed here or in expressions.cpp never passes silently.
#pragma once

#include "core/cuda/clang/ast.h"
#include "core/cuda/clang/effects.h"
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
  std::vector<Rejection> rejections; ///< of it and everything it calls
  std::vector<Rejection> errors;     ///< "cuda-syntax", of the same
};

/// Translates each reachable device function once, callees first.
class DeviceCode {
public:
  DeviceCode(clang::ASTContext& ast, const SourceMap& sources, const SourceNotes& notes, ir::Module& module)
      : ast(ast), sources(sources), notes(notes), module(module), effects(sources) {}

  /// `definition` has a body. Returns a state with `inProgress` set when it is being translated already
  /// (recursion).
  const DeviceFunction& translate(const clang::FunctionDecl* definition);

  clang::ASTContext& ast;
  const SourceMap& sources;
  const SourceNotes& notes;
  ir::Module& module;
  EffectAnalysis effects;

  bool isTranslating(const clang::FunctionDecl* definition) const {
    const auto known = m_functions.find(definition);
    return known != m_functions.end() && known->second.inProgress;
  }

  /// What the compiler noticed inside the function goes into `state`.
  void addNotes(const clang::FunctionDecl* definition, DeviceFunction& state) const;

private:
  std::map<const clang::FunctionDecl*, DeviceFunction> m_functions;
};

/// Sub-expression of the wrappers that mean nothing by themselves; the expression itself otherwise.
const clang::Expr* unwrap(const clang::Expr* expr);
/// A temporary to which a reference is bound.
bool isTemporary(const clang::Expr* expr);

class FunctionTranslator {
public:
  FunctionTranslator(DeviceCode& code, DeviceFunction& state, ir::Function& function)
      : m_code(code), m_sources(code.sources), m_ast(code.ast), m_state(state), m_function(function),
        m_builder(function) {}

  void run(const clang::FunctionDecl* definition);

private:
  using ExprId = ir::ExprId;
  using ScalarType = ir::ScalarType;

  /// What an lvalue, or a value of class type, denotes. A value of class type is its scalar members in order:
  /// consecutive locals, or the lanes at a pointer to a vector.
  struct Place {
    int local = -1;
    ExprId pointer = ExprId::None;
    ExprId value = ExprId::None; ///< a constant or a temporary, which can only be read
    int lane = 0;                ///< of `pointer`
  };

  class CapturedScope;

  /// A call whose body is translated in its place.
  struct Inlined {
    const clang::FunctionDecl* function;
    Place result;
    Place object; ///< of a member function
  };

  /// What `break`, `continue` and an inlined `return` leave.
  struct Breakable {
    enum class Kind : uint8_t { Loop, Switch, Call } kind;
    size_t inlineDepth;
    int uses = 0; ///< how often something leaves it
  };

  // function_translator.cpp
  void signature(const clang::FunctionDecl* definition);
  void parameter(const clang::ParmVarDecl* parameter);
  void checkAttributes(const clang::Decl* decl);
  void statement(const clang::Stmt* stmt);
  void statementInBody(const clang::Stmt* stmt, std::vector<ir::StmtId>& body);
  void declarations(const clang::DeclStmt* stmt);
  void variable(const clang::VarDecl* variable);
  void referenceVariable(const clang::VarDecl* variable);
  void recordVariable(const clang::VarDecl* variable);
  Place temporary(const clang::Expr* initial, const SourceRange& at);
  void branch(const clang::IfStmt* stmt);
  void returnStatement(const clang::ReturnStmt* stmt);
  void expressionStatement(const clang::Expr* expr);
  /// Assignments give the place they wrote. Their effects have happened when the functions return.
  /// Where the place is `kept`, it stays the same whatever was written.
  Place assignment(const clang::BinaryOperator* expr, bool kept = false);
  Place compoundAssignment(const clang::CompoundAssignOperator* expr, bool kept = false);
  /// The place; `old`, if given, receives what it held before.
  Place increment(const clang::UnaryOperator* expr, ExprId* old = nullptr, bool kept = false);
  void write(const Place& place, ExprId value, const clang::Expr* at);

  // control_flow.cpp
  bool loopStatement(const clang::Stmt* stmt);
  void loop(const clang::Stmt* stmt, const clang::Expr* condition, const clang::Stmt* body,
            const clang::Expr* step, bool testAfter);
  void switchStatement(const clang::SwitchStmt* stmt);
  void leaveLoop(const clang::Stmt* stmt, bool goesOn);
  /// Leaves the block of the innermost inlined call.
  void leaveCall(const SourceRange& at);

  // effects inside expressions (control_flow.cpp)
  bool hasEffects(const clang::Expr* expr) { return m_code.effects.of(expr).any(); }
  /// `second` is evaluated after `first` and may change what that looked at.
  bool ordered(const clang::Expr* first, const clang::Expr* second) {
    return hasEffects(second) &&
           conflict(resolved(m_code.effects.of(first)), resolved(m_code.effects.of(second)));
  }
  Effects resolved(const Effects& found) const;
  const clang::VarDecl* ownerOf(int local) const;
  /// False, with a rejection, when C++ fixes no order and the order matters.
  bool orderFree(const clang::Expr* a, const clang::Expr* b);
  bool orderFree(llvm::ArrayRef<const clang::Expr*> arguments);
  /// The present value in a new local, so that later effects do not change it. Constants stay themselves.
  ExprId materialise(ExprId id, const SourceRange& at);
  Place pin(Place place, const SourceRange& at);
  bool readsMemory(ExprId id) const;
  ExprId valueInto(const clang::Expr* expr, std::vector<ir::StmtId>& body);
  /// A reference cannot be bound to a value that later changes; constants and temporaries never do.
  bool isBindable(const Place& place, const clang::Expr* initial) const;
  ExprId chosen(const clang::ConditionalOperator* expr);
  ExprId shortCircuit(const clang::BinaryOperator* expr);

  // expressions.cpp
  ExprId value(const clang::Expr* expr);
  ExprId valueOf(const clang::Expr* expr);
  Place place(const clang::Expr* expr);
  /// What a variable of the functions being translated is; nothing for others.
  std::optional<Place> lookup(const clang::VarDecl* variable) const;
  ExprId read(const Place& place, const SourceRange& where);
  ExprId castExpr(const clang::CastExpr* expr);
  ExprId assignedValue(const clang::BinaryOperator* expr);
  ExprId pointerCast(const clang::CastExpr* expr);
  Place reinterpreted(const clang::CastExpr* expr);
  ExprId reference(const clang::DeclRefExpr* expr);
  ExprId constantVariable(const clang::VarDecl* variable, const clang::Expr* at);
  ExprId unary(const clang::UnaryOperator* expr);
  ExprId binary(const clang::BinaryOperator* expr);
  ExprId comparedWithNull(const clang::Expr* pointer, bool isNullWanted, const clang::Expr* at);
  ExprId arithmetic(clang::BinaryOperatorKind op, ExprId left, ExprId right, const clang::Expr* at);
  ExprId pointerArithmetic(clang::BinaryOperatorKind op, ExprId left, ExprId right, const clang::Expr* at);
  std::optional<Place> member(const clang::MemberExpr* expr);
  ExprId floatLiteral(const clang::FloatingLiteral* expr);
  ExprId constant(const llvm::APFloat& value, const SourceRange& where);
  /// A conversion that the AST has, of the value of `inner`.
  ExprId converted(const clang::Expr* inner, ScalarType type, const clang::Expr* at);
  /// True, with a rejection, for a sixteen-bit float that is calculated with.
  bool isHalfArithmetic(ExprId operand, const clang::Expr* at);
  ExprId zero(const clang::Expr* expr);
  ExprId refuseExpr(const clang::Expr* expr);
  bool isRefused(const clang::Expr* expr) const;

  // arrays.cpp
  Place subscript(const clang::ArraySubscriptExpr* expr);
  bool arrayVariable(const clang::VarDecl* variable);
  int addArray(const clang::VarDecl* variable, ir::ArraySpace space);
  /// The place of the first element; a new array for each declaration, one for each shared or constant one.
  Place arrayPlace(int array, const clang::VarDecl* variable, const SourceRange& at);
  void initialise(const Place& first, clang::QualType type, const clang::Expr* value, int64_t& element,
                  const clang::Expr* at);
  std::optional<Place> constantArray(const clang::VarDecl* variable, const clang::Expr* at);

  // aggregates.cpp
  /// Scalar members in order, of structures of structures too; nothing for other types.
  std::optional<std::vector<ir::Type>> leavesOf(clang::QualType type) const;
  Place newRecord(clang::QualType type, const std::string& name, const SourceRange& at);
  void renameRecord(const Place& record, clang::QualType type, const std::string& name);
  /// With `toCopy` it may be another variable's place: the caller copies it at once.
  Place recordValue(const clang::Expr* expr, bool toCopy = false);
  Place constructed(const clang::CXXConstructExpr* expr, bool toCopy);
  Place recordList(const clang::InitListExpr* expr);
  void initialiseRecord(const Place& target, clang::QualType type, const clang::InitListExpr* list);
  void copyRecord(const Place& to, const Place& from, clang::QualType type, const clang::Expr* at);
  Place leaf(const Place& record, int index) const;

  // expression_calls.cpp
  ExprId call(const clang::CallExpr* expr);
  ExprId shimCall(const clang::CallExpr* expr, const clang::FunctionDecl* callee);
  ExprId intrinsic(const clang::CallExpr* expr, const clang::FunctionDecl* callee, std::string row);
  ExprId expansion(const clang::CallExpr* expr, const std::string& name);
  ExprId bitsToFloat(const clang::CallExpr* expr);
  ExprId roundedCast(const clang::CallExpr* expr, ExprId operand, const std::string& name);
  ExprId evaluated(const clang::Expr* expr);
  ExprId userCall(const clang::CallExpr* expr, const clang::FunctionDecl* callee);

  // inlining.cpp
  /// The definition when the call must be translated in place: references, classes, arrays, meeting points.
  bool mustInline(const clang::FunctionDecl* definition);
  /// `captured`: what the variables that a lambda copied are in its body.
  Place inlineCall(const clang::FunctionDecl* definition, llvm::ArrayRef<const clang::Expr*> arguments,
                   const Place& object, const clang::Expr* at,
                   const std::map<const clang::VarDecl*, Place>& captured = {});
  /// A call whose value is of class type.
  Place recordCall(const clang::CallExpr* expr);
  Place madeVector(const clang::CallExpr* expr);
  Place inlineMember(const clang::CallExpr* expr, const clang::CXXMethodDecl* method);
  bool canInline(const clang::FunctionDecl* definition, const clang::Expr* at);
  std::optional<Place> bindArgument(const clang::ParmVarDecl* parameter, const clang::Expr* argument);
  void memberInitialisers(const clang::CXXConstructorDecl* constructor, const Place& object);
  void lambdaCaptures(const clang::LambdaExpr* lambda);

  // synchronisation.cpp
  ExprId synchronise(const clang::CallExpr* expr, const clang::FunctionDecl* callee, const std::string& name);
  ExprId collective(const clang::CallExpr* expr, ir::SyncOp op);
  ExprId atomic(const clang::CallExpr* expr, ir::SyncOp op);

  /// What the compiler or a default argument of the shim added stands where the statement around it does.
  SourceRange where(const clang::Stmt* stmt) const {
    const SourceRange own = m_sources.range(stmt->getSourceRange());
    return own.known() && !m_sources.inShim(stmt->getBeginLoc()) ? own : m_near;
  }
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
  std::map<const clang::VarDecl*, int> m_locals;   ///< the local, or the first of a class's
  std::map<const clang::VarDecl*, Place> m_places; ///< references and arrays
  std::map<const clang::VarDecl*, int> m_arrays;   ///< shared and constant ones
  /// By-copy captures of each lambda.
  std::map<const clang::CXXRecordDecl*, std::map<const clang::VarDecl*, Place>> m_captures;
  std::set<const clang::VarDecl*> m_refused;
  std::vector<Inlined> m_inlined;
  std::vector<Breakable> m_breakables;
  const clang::Expr* m_discarded = nullptr; ///< its value is not used
  SourceRange m_near;                       ///< of the present statement
  int m_depth = 0;
};

} // namespace plumbline::cuda

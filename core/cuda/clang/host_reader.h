// Reads the C++ function around <<<...>>>: straight-line host code, interpreted over abstract values
// (host_state.h). What it does not understand makes the whole wrapper unread; it never guesses.
#pragma once

#include "core/cuda/clang/answer.h"
#include "core/cuda/clang/ast.h"
#include "core/cuda/clang/host_state.h"
#include "core/cuda/clang/source_notes.h"

#include <map>
#include <set>

namespace plumbline::cuda {

/// Index of each kernel in ir::Module::kernels, by canonical declaration.
using KernelNames = std::map<const clang::FunctionDecl*, size_t>;

struct HostContext {
  clang::ASTContext& ast;
  const SourceMap& sources;
  const SourceNotes& notes;
  const KernelNames& kernels;
  Answer& answer;
};

/// True when a launch stands in the function or in a function it calls.
bool launches(const clang::Stmt* stmt);

/// The shim's annotation of a function or of the template it comes from.
std::string hostName(const SourceMap& sources, const clang::FunctionDecl* callee, llvm::StringRef prefix);

/// What a function returns whose body is one return statement; null for any other.
const clang::Expr* onlyResult(const clang::FunctionDecl* callee);

/// Adds the contract of the function's launch, or why it cannot be read. A function without a launch adds
/// nothing.
void readWrapper(const HostContext& context, const clang::FunctionDecl* function);

class HostReader {
public:
  HostReader(const HostContext& context, HostState& state)
      : m_context(context), m_sources(context.sources), m_ast(context.ast), m_state(state) {}

  /// Notes the compiler's errors inside the function as problems; true when there are some.
  bool hasErrors(const clang::FunctionDecl* function);
  void run(const clang::FunctionDecl* function);

private:
  // host_reader.cpp
  void parameter(const clang::ParmVarDecl* parameter);
  void scanEffects(const clang::Stmt* stmt, int depth = 0);
  void scanCall(const clang::CallExpr* expr, int depth);
  void statement(const clang::Stmt* stmt);
  void declaration(const clang::DeclStmt* stmt);
  void expression(const clang::Expr* expr);
  void call(const clang::CallExpr* expr);
  void body(const clang::Stmt* stmt);
  void result(const clang::ReturnStmt* stmt);
  void assignment(const clang::Expr* target, const clang::Expr* source, const clang::Expr* at);
  void dispatch(const clang::CallExpr* expr);
  void pin(const clang::Stmt* stmt, bool writable);
  void launch(const clang::CUDAKernelCallExpr* expr);
  void kernelArgument(LaunchSite& site, const clang::ParmVarDecl* parameter, const clang::Expr* expr);
  void inlineCall(const clang::CallExpr* expr, const clang::FunctionDecl* callee);

  // host_conditions.cpp
  void check(const clang::Expr* condition, std::string text, bool holds);
  void branch(const clang::IfStmt* stmt);
  bool earlyReturn(const clang::IfStmt* stmt);
  bool isHarmless(const clang::Stmt* stmt) const;
  bool alwaysThrows(const clang::Stmt* stmt) const;
  void scanHarmless(const clang::Stmt* stmt);
  HostValue condition(const HostValue& value) const;
  HostValue logical(const clang::BinaryOperator* expr);
  HostValue negation(const HostValue& value) const;
  HostValue comparison(ir::SizeExpr::Kind kind, const HostValue& left, const HostValue& right) const;
  HostValue sameSizes(const clang::CallExpr* expr);
  HostValue enumerator(const clang::Expr* expr) const;

  // host_values.cpp
  HostValue value(const clang::Expr* expr);
  HostValue valueOf(const clang::Expr* expr);
  HostValue cast(const clang::CastExpr* expr);
  HostValue binary(const clang::BinaryOperator* expr);
  HostValue callValue(const clang::CallExpr* expr);
  HostValue namedCall(const clang::CallExpr* expr, const std::string& name);
  HostValue extremum(const clang::CallExpr* expr, bool maximum);
  HostValue ceilDiv(const clang::CallExpr* expr);
  HostValue dimension(const clang::MemberExpr* expr);
  HostValue size(const clang::CallExpr* expr);
  HostValue deviceCall(const clang::CallExpr* expr, const std::string& name);
  HostValue newTensor(const clang::CallExpr* expr, HostTensor::Origin origin, bool like);
  HostValue construction(const clang::CXXConstructExpr* expr);
  HostValue dim3Of(const clang::CXXConstructExpr* expr);
  HostValue list(const clang::InitListExpr* expr);
  HostValue returnedBy(const clang::CallExpr* expr, const clang::FunctionDecl* callee);
  HostValue tensorCall(const clang::CallExpr* expr, HostValue object, const std::string& name);
  HostValue optionsOf(const clang::Expr* expr);
  HostValue optionsCall(const clang::CallExpr* expr, HostValue options, const std::string& name);
  std::optional<int64_t> constantInteger(const clang::Expr* expr) const;
  /// The exact value as a double; nothing when there is none.
  std::optional<double> constantFloat(const clang::Expr* expr) const;
  /// A literal as written, without its suffix; any other constant in digits that give back `value`.
  std::string numberText(const clang::Expr* expr, double value) const;
  /// Object or first argument of a call.
  const clang::Expr* subject(const clang::CallExpr* expr) const;
  HostValue unknown(const clang::Expr* expr, std::string id = "host-value") const;

  SourceRange where(const clang::Stmt* stmt) const { return m_sources.range(stmt->getSourceRange()); }
  std::string text(const clang::Stmt* stmt) const { return m_sources.text(stmt->getSourceRange()); }
  void problem(std::string id, std::string construct, const clang::Stmt* at);

  const HostContext& m_context;
  const SourceMap& m_sources;
  clang::ASTContext& m_ast;
  HostState& m_state;
  std::map<const clang::ValueDecl*, HostValue> m_values;
  /// Variables that a reference or a pointer names too: a change is seen, or made, under another name.
  std::set<const clang::ValueDecl*> m_pinned;
  int m_depth = 0;
  int m_nesting = 0;       ///< calls and lambdas that are being read
  bool m_finished = false; ///< a return was read; what follows does not run
};

} // namespace plumbline::cuda

// Reads the C++ function around <<<...>>>: host code, interpreted over abstract values (host_state.h), once
// for each way through its branches. What it does not understand makes that way unread; it never guesses.
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

inline constexpr int maximumInlining = 8;      ///< calls within calls that are read in place
inline constexpr int maximumSearchDepth = 400; ///< of nested expressions
inline constexpr int64_t longestList = 64;

/// A value that is nothing but its kind.
inline HostValue simple(HostValue::Kind kind) {
  HostValue value;
  value.kind = kind;
  return value;
}

/// True when a launch stands in the function or in a function it calls.
bool launches(const clang::Stmt* stmt);

/// The shim's annotation of a function or of the template it comes from.
std::string hostName(const SourceMap& sources, const clang::FunctionDecl* callee, llvm::StringRef prefix);

/// What a function returns whose body is one return statement; null for any other.
const clang::Expr* onlyResult(const clang::FunctionDecl* callee);

/// The expression without parentheses and what keeps temporaries alive.
const clang::Expr* stripped(const clang::Expr* expr);
/// The call whose value an initialiser, an operand of `return` or a statement is; null when it is none.
const clang::CallExpr* wholeCall(const clang::Expr* expr);
const clang::FunctionDecl* definitionOf(const clang::FunctionDecl* function);
bool isTensor(clang::QualType type);
/// The variable that the expression names; null for anything else.
const clang::ValueDecl* namedVariable(const clang::Expr* expr);

/// Adds the contract of the function's launch, or programs for the ways through it, or why they cannot be
/// read. A function without a launch adds nothing.
void readWrapper(const HostContext& context, const clang::FunctionDecl* function);
/// Whether the code, or a function that it calls, launches a kernel.
bool launchesKernel(const clang::Stmt* code);

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
  bool tensorParameter(const clang::ParmVarDecl* parameter, WrapperParameter& made, HostValue& value);
  void statement(const clang::Stmt* stmt);
  void declaration(const clang::DeclStmt* stmt);
  void variable(const clang::VarDecl* variable, const clang::DeclStmt* stmt);
  void expression(const clang::Expr* expr);
  void call(const clang::CallExpr* expr);
  void body(const clang::Stmt* stmt);
  void result(const clang::ReturnStmt* stmt);
  void dispatch(const clang::CallExpr* expr);
  void launch(const clang::CUDAKernelCallExpr* expr);
  void kernelArgument(LaunchSite& site, const clang::ParmVarDecl* parameter, const clang::Expr* expr);
  HostValue inlined(const clang::CallExpr* expr, const clang::FunctionDecl* callee);
  void failure(std::string construct, const clang::Stmt* at);
  bool stopped() const { return m_finished || m_state.threw || m_jump != Jump::None; }

  // host_effects.cpp
  void scanEffects(const clang::Stmt* stmt, int depth = 0);
  void scanCall(const clang::CallExpr* expr, int depth);
  void scanArguments(const clang::CallExpr* expr, int depth = 0);
  void pin(const clang::Stmt* stmt, bool writable);
  void assignment(const clang::Expr* target, const clang::Expr* source, const clang::Expr* at);
  void assign(const clang::ValueDecl* variable, HostValue value, const clang::Expr* at);
  bool canAssign(const clang::ValueDecl* variable) const;
  bool elementAssignment(const clang::Expr* target, const clang::Expr* source, const clang::Expr* at);
  void compound(const clang::CompoundAssignOperator* expr);
  void increment(const clang::UnaryOperator* expr);
  void listCall(const clang::CallExpr* expr, const std::string& name);
  std::optional<size_t> iteratorIndex(const clang::Expr* expr, const clang::ValueDecl* list);

  // host_loops.cpp
  void loop(const clang::Stmt* stmt, const clang::Expr* condition, const clang::Stmt* body,
            const clang::Expr* step, bool testAfter);
  void forLoop(const clang::ForStmt* stmt);
  void rangeLoop(const clang::CXXForRangeStmt* stmt);
  std::optional<bool> loopCondition(const clang::Expr* expr);
  std::optional<int64_t> fixed(const HostValue& value, const clang::Expr* at);
  bool canFix(const std::string& symbol) const;
  bool fixSymbol(const std::string& symbol, const clang::Expr* at);

  // host_arithmetic.cpp
  void evaluated(const clang::Stmt* stmt, int depth = 0);
  void evaluatedWhere(const clang::Expr* condition, bool wanted, const clang::Expr* part);
  void evaluatedCall(const clang::CallExpr* expr, int depth);
  bool mayHaveNoMagnitude(const clang::CallExpr* expr);
  bool mayTrap(const clang::Expr* expr) const;
  bool mayFault(const clang::Stmt* part);
  bool computes(llvm::StringRef message) const;
  void unreadable(const clang::Stmt* part);
  void operation(const clang::Expr* expr);
  void required(size_t before, const clang::Expr* at, const HostValue& result, bool isSigned);
  HostValue shifted(const HostValue& left, const HostValue& right, bool isLeft, ir::ScalarType type,
                    const clang::Expr* at);

  // host_conditions.cpp
  void fact(ir::HostFact known);
  bool checkedApart(const clang::Expr* expr, bool holds);
  void check(const clang::Expr* condition, std::string text, bool holds);
  void branch(const clang::IfStmt* stmt);
  bool forkedBranch(const clang::IfStmt* stmt);
  std::optional<bool> decide(const clang::Expr* expr);
  std::optional<bool> chosen(const HostValue& tested, const clang::Expr* at);
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
  HostValue conditional(const clang::ConditionalOperator* expr);
  HostValue definedness(int tensor) const;

  // host_values.cpp
  HostValue value(const clang::Expr* expr);
  HostValue valueOf(const clang::Expr* expr);
  HostValue literal(const clang::Expr* expr);
  HostValue cast(const clang::CastExpr* expr);
  HostValue signedValue(const clang::UnaryOperator* expr);
  HostValue binary(const clang::BinaryOperator* expr);
  HostValue callValue(const clang::CallExpr* expr);
  HostValue namedCall(const clang::CallExpr* expr, const std::string& name);
  HostValue extremum(const clang::CallExpr* expr, bool maximum);
  HostValue ceilDiv(const clang::CallExpr* expr);
  HostValue dimension(const clang::MemberExpr* expr);
  HostValue returnedBy(const clang::CallExpr* expr, const clang::FunctionDecl* callee);
  std::optional<int64_t> constantInteger(const clang::Expr* expr) const;
  /// The exact value as a double; nothing when there is none.
  std::optional<double> constantFloat(const clang::Expr* expr) const;
  /// A literal as written, without its suffix; any other constant in digits that give back `value`.
  std::string numberText(const clang::Expr* expr, double value) const;
  /// Object or first argument of a call.
  const clang::Expr* subject(const clang::CallExpr* expr) const;
  HostValue unknown(const clang::Expr* expr, std::string id = "host-value") const;

  // host_objects.cpp
  HostValue construction(const clang::CXXConstructExpr* expr);
  HostValue dim3Of(const clang::CXXConstructExpr* expr);
  HostValue vectorOf(const clang::CXXConstructExpr* expr);
  HostValue list(const clang::InitListExpr* expr);
  HostValue sizesList(const HostValue& sizes, const clang::Expr* at);
  HostValue count(const HostValue& object, const clang::Expr* at);
  HostValue element(const HostValue& object, const clang::Expr* index, const clang::Expr* at);
  HostValue size(const clang::CallExpr* expr);
  HostValue optionsOf(const clang::Expr* expr);
  HostValue optionsCall(const clang::CallExpr* expr, HostValue options, const std::string& name);
  HostValue deviceCall(const clang::CallExpr* expr, const std::string& name);

  // host_tensors.cpp
  HostValue tensorCall(const clang::CallExpr* expr, HostValue object, const std::string& name);
  HostValue newTensor(const clang::CallExpr* expr, HostTensor::Origin origin, bool like);
  HostValue pointer(const clang::CallExpr* expr, HostValue object);
  HostValue moved(const clang::CallExpr* expr, HostValue object);
  HostValue viewed(const clang::CallExpr* expr, const HostValue& object, const std::string& name);
  HostValue viewOf(int tensor, std::vector<HostValue> dims, const clang::Expr* at);
  void sameElements(const clang::Expr* at, const HostValue& lost, bool certain);
  HostValue addTensor(HostTensor tensor);
  std::string freshName(const std::string& wanted) const;
  std::string takeHint();

  // host_torch.cpp
  HostValue torchCall(const clang::CallExpr* expr, const std::string& kind);
  HostValue operand(const clang::Expr* expr);
  bool operands(const std::vector<const clang::Expr*>& given, HostOperator& made, HostValue& why);
  HostValue operatorResult(const clang::CallExpr* expr, HostOperator made);
  void resultTensor(const clang::CallExpr* expr, const HostOperator& made, HostTensor& tensor) const;
  void libraryCall(const clang::CallExpr* expr);

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
  enum class Jump : uint8_t { None, Break, Continue };
  int m_depth = 0;
  int m_nesting = 0;                        ///< calls and lambdas that are being read
  bool m_finished = false;                  ///< a return was read; what follows does not run
  bool m_branched = false;                  ///< that return stands in a branch or a loop
  Jump m_jump = Jump::None;                 ///< of the innermost loop
  bool m_plain = false;                     ///< values are read without choosing at branches
  bool m_probing = false;                   ///< what may fault is looked for, nothing is required
  bool m_found = false;                     ///< while probing: something may fault
  bool m_valued = false;                    ///< the function that is being read may return a value
  std::optional<HostValue> m_result;        ///< that it returned
  const clang::CallExpr* m_whole = nullptr; ///< the call that may have effects: all of a statement
  std::string m_hint;                       ///< the variable that the next tensor goes to
};

} // namespace plumbline::cuda

// What host code changes: side effects of expressions, assignments, lists.
#include "core/cuda/clang/host_reader.h"

#include <algorithm>
#include <array>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using ir::ScalarType;

namespace {

bool isAssignment(clang::OverloadedOperatorKind kind) {
  return kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus ||
         clang::CXXOperatorCallExpr::isAssignmentOp(kind);
}

/// Calls of the shim that change something, which is read where such a call is a whole statement.
bool changes(const std::string& name) {
  static constexpr std::array<const char*, 5> names = {"mutates", "throws", "torch-inplace", "library",
                                                       "check"};
  return name.starts_with("list-change") ||
         std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

std::optional<ir::SizeExpr::Kind> operationOf(clang::BinaryOperatorKind op) {
  switch (op) {
  case clang::BO_AddAssign: return ir::SizeExpr::Kind::Add;
  case clang::BO_SubAssign: return ir::SizeExpr::Kind::Sub;
  case clang::BO_MulAssign: return ir::SizeExpr::Kind::Mul;
  case clang::BO_DivAssign: return ir::SizeExpr::Kind::Div;
  case clang::BO_RemAssign: return ir::SizeExpr::Kind::Rem;
  default: return std::nullopt;
  }
}

} // namespace

/// Values are computed without effects, so an expression that has one, or may have one, is a problem wherever
/// it stands. The body of a lambda runs only where the lambda is called, which is seen there.
void HostReader::scanEffects(const clang::Stmt* stmt, int depth) {
  if (!stmt || llvm::isa<clang::LambdaExpr>(stmt))
    return;
  if (depth > maximumSearchDepth)
    return problem("host-statement", "deeply nested expression", stmt);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(stmt);
      operation && operation->isIncrementDecrementOp())
    problem("host-statement", text(stmt), stmt);
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(stmt);
      operation && operation->isAssignmentOp())
    problem("host-statement", text(stmt), stmt);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(stmt);
      operation && operation->getOpcode() == clang::UO_AddrOf)
    pin(operation->getSubExpr(), true);
  if (llvm::isa<clang::StmtExpr, clang::CXXNewExpr, clang::CXXDeleteExpr>(stmt))
    problem("host-statement", text(stmt), stmt);
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    if (called == m_whole)
      return scanArguments(called, depth);
    scanCall(called, depth);
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt);
      made && !m_sources.inShim(made->getConstructor()) && !made->getConstructor()->getParent()->isLambda())
    problem("host-call", "constructor of '" + made->getConstructor()->getNameAsString() + "'", stmt);
  for (const clang::Stmt* child : stmt->children())
    scanEffects(child, depth + 1);
}

/// What is around the effect of a call that is a whole statement.
void HostReader::scanArguments(const clang::CallExpr* expr, int depth) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  const bool library = callee && hostName(m_sources, callee, "host:") == "library";
  const bool source = callee && definitionOf(callee) && !m_sources.inShim(definitionOf(callee));
  if (!library && !source && expr == m_whole)
    scanCall(expr, depth);
  for (const clang::Stmt* child : expr->children()) {
    const auto* given = llvm::dyn_cast_or_null<clang::Expr>(child);
    const auto* address =
        given && library ? llvm::dyn_cast<clang::UnaryOperator>(given->IgnoreParenImpCasts()) : nullptr;
    // A library reads numbers through pointers to const.
    if (address && address->getOpcode() == clang::UO_AddrOf && given->getType()->isPointerType() &&
        given->getType()->getPointeeType().isConstQualified() && namedVariable(address->getSubExpr()))
      pin(address->getSubExpr(), false);
    else
      scanEffects(child, depth + 1);
  }
}

/// The variables named in `stmt` have another name from here on; what a pointer leads to may change at any
/// time.
void HostReader::pin(const clang::Stmt* stmt, bool writable) {
  if (!stmt)
    return;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(stmt);
      name && llvm::isa<clang::VarDecl>(name->getDecl())) {
    m_pinned.insert(name->getDecl());
    if (writable && m_values.contains(name->getDecl()))
      m_values[name->getDecl()] = unknownValue("host-value", "variable whose address is taken", where(stmt));
  }
  for (const clang::Stmt* child : stmt->children())
    pin(child, writable);
}

void HostReader::scanCall(const clang::CallExpr* expr, int depth) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (!callee || llvm::isa<clang::CUDAKernelCallExpr>(expr) || isAssignment(callee->getOverloadedOperator()))
    return problem("host-call", "call of '" + text(expr) + "'", expr);
  if (const clang::FunctionDecl* definition = definitionOf(callee);
      definition && !m_sources.inShim(definition)) {
    const clang::Expr* result = onlyResult(definition);
    if (!result || depth > maximumSearchDepth / 2)
      return problem("host-call", "call of '" + callee->getNameAsString() + "'", expr);
    return scanEffects(result, depth + maximumSearchDepth / maximumInlining);
  }
  if (callee->getBuiltinID() != 0 && callee->getName().starts_with("__builtin_"))
    return;
  const std::string name = hostName(m_sources, callee, "host:");
  const bool pure = (!name.empty() && !changes(name)) || callee->isConstexpr() ||
                    !hostName(m_sources, callee, "means:").empty();
  if (!pure)
    problem("host-call", "call of '" + callee->getNameAsString() + "'", expr);
}

// --- assignments ---

bool HostReader::canAssign(const clang::ValueDecl* variable) const {
  return variable && !variable->getType()->isReferenceType() && m_values.contains(variable) &&
         !m_pinned.contains(variable);
}

void HostReader::assign(const clang::ValueDecl* variable, HostValue value, const clang::Expr* at) {
  if (!canAssign(variable))
    return problem("host-statement", text(at), at);
  m_values[variable] = std::move(value);
}

void HostReader::assignment(const clang::Expr* target, const clang::Expr* source, const clang::Expr* at) {
  const clang::ValueDecl* variable = namedVariable(target);
  if (!variable && elementAssignment(target, source, at))
    return;
  if (!canAssign(variable))
    return problem("host-statement", text(at), at);
  m_hint = variable->getNameAsString();
  HostValue given = value(source);
  m_hint.clear();
  m_values[variable] = std::move(given);
}

/// sizes[k] = ... of a list of integers.
bool HostReader::elementAssignment(const clang::Expr* target, const clang::Expr* source,
                                   const clang::Expr* at) {
  const auto* subscript = llvm::dyn_cast<clang::CXXOperatorCallExpr>(target->IgnoreParenImpCasts());
  if (!subscript || subscript->getOperator() != clang::OO_Subscript || subscript->getNumArgs() != 2)
    return false;
  const clang::ValueDecl* list = namedVariable(subscript->getArg(0));
  if (!canAssign(list) || m_values[list].kind != Kind::List || !m_values[list].text.empty())
    return false;
  const std::optional<int64_t> index = fixed(value(subscript->getArg(1)), at);
  HostValue& changed = m_values[list];
  if (!index || *index < 0 || *index >= static_cast<int64_t>(changed.parts.size()))
    return false;
  HostValue given = value(source);
  m_values[list].parts[static_cast<size_t>(*index)] = std::move(given);
  return true;
}

void HostReader::compound(const clang::CompoundAssignOperator* expr) {
  const clang::ValueDecl* variable = namedVariable(expr->getLHS());
  const std::optional<ir::SizeExpr::Kind> op = operationOf(expr->getOpcode());
  const std::optional<ScalarType> from = irScalar(m_ast, expr->getComputationLHSType());
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getComputationResultType());
  const std::optional<ScalarType> to = irScalar(m_ast, expr->getLHS()->getType());
  const bool shifts = expr->getOpcode() == clang::BO_ShlAssign || expr->getOpcode() == clang::BO_ShrAssign;
  if (!canAssign(variable) || (!op && !shifts) || !from || !type || !to || ir::isFloat(*type) ||
      ir::isFloat(*to))
    return problem("host-statement", text(expr), expr);
  const HostValue left = m_values[variable];
  const HostValue right = value(expr->getRHS());
  if (left.kind != Kind::Integer || right.kind != Kind::Integer) {
    unreadable(expr);
    m_values[variable] = left.kind == Kind::Unknown    ? left
                         : right.kind == Kind::Unknown ? right
                                                       : unknown(expr);
    return;
  }
  const HostValue widened =
      integerConversion(m_state, left, *from, where(expr->getLHS()), text(expr->getLHS()));
  const size_t before = m_state.checks.size();
  const HostValue computed =
      op ? integerArithmetic(m_state, *op, widened, right, *type, where(expr), text(expr))
         : shifted(widened, right, expr->getOpcode() == clang::BO_ShlAssign, *type, expr);
  if (computed.kind != Kind::Integer) {
    unreadable(expr);
    m_values[variable] = computed;
    return;
  }
  required(before, expr, computed, expr->getComputationResultType()->isSignedIntegerType());
  m_values[variable] = integerConversion(m_state, computed, *to, where(expr), text(expr));
}

void HostReader::increment(const clang::UnaryOperator* expr) {
  const clang::ValueDecl* variable = namedVariable(expr->getSubExpr());
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  if (!canAssign(variable) || !type || m_values[variable].kind != Kind::Integer)
    return problem("host-statement", text(expr), expr);
  const HostValue one = integerValue(ir::sizeConstant(1), *type);
  const size_t before = m_state.checks.size();
  m_values[variable] =
      integerArithmetic(m_state, expr->isIncrementOp() ? ir::SizeExpr::Kind::Add : ir::SizeExpr::Kind::Sub,
                        m_values[variable], one, *type, where(expr), text(expr));
  const HostValue changed = m_values[variable];
  required(before, expr, changed, expr->getType()->isSignedIntegerType());
}

// --- lists ---

/// The place that `list.begin() + k` or `list.end() - 1` means.
std::optional<size_t> HostReader::iteratorIndex(const clang::Expr* expr, const clang::ValueDecl* list) {
  expr = stripped(expr)->IgnoreParenImpCasts();
  int64_t offset = 0;
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(expr);
      sum && (sum->getOpcode() == clang::BO_Add || sum->getOpcode() == clang::BO_Sub)) {
    const std::optional<int64_t> added = fixed(value(sum->getRHS()), sum);
    if (!added)
      return std::nullopt;
    offset = sum->getOpcode() == clang::BO_Add ? *added : -*added;
    expr = stripped(sum->getLHS())->IgnoreParenImpCasts();
  }
  const auto* called = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr);
  if (!called || !called->getDirectCallee() || namedVariable(called->getImplicitObjectArgument()) != list)
    return std::nullopt;
  const std::string name = hostName(m_sources, called->getDirectCallee(), "host:");
  const auto size = static_cast<int64_t>(m_values[list].parts.size());
  if (name != "list-begin" && name != "list-end")
    return std::nullopt;
  const int64_t index = offset + (name == "list-end" ? size : 0);
  return index >= 0 && index <= size ? std::optional(static_cast<size_t>(index)) : std::nullopt;
}

/// push_back and its like on a variable.
void HostReader::listCall(const clang::CallExpr* expr, const std::string& name) {
  const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr);
  const clang::ValueDecl* list = method ? namedVariable(method->getImplicitObjectArgument()) : nullptr;
  if (!canAssign(list) || m_values[list].kind != Kind::List || !m_values[list].text.empty() ||
      static_cast<int64_t>(m_values[list].parts.size()) >= longestList)
    return problem("host-statement", text(expr), expr);
  std::vector<HostValue> parts = m_values[list].parts;
  std::optional<size_t> place;
  if (name == "list-change-erase" || name == "list-change-insert") {
    place = iteratorIndex(expr->getArg(0), list);
    if (!place || (name == "list-change-erase" && *place == parts.size()))
      return problem("host-statement", text(expr), expr);
  }
  if (name == "list-change-push")
    parts.push_back(value(expr->getArg(0)));
  else if (name == "list-change-pop" && !parts.empty())
    parts.pop_back();
  else if (name == "list-change-erase")
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(*place));
  else if (name == "list-change-insert")
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(*place), value(expr->getArg(1)));
  else if (name != "list-reserve")
    return problem("host-statement", text(expr), expr);
  m_values[list].parts = std::move(parts);
}

} // namespace plumbline::cuda

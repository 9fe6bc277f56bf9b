// Integer arithmetic that host code evaluates, whether or not a launch depends on it: a division by zero or
// an overflow is the wrapper's fault wherever it stands. What may be evaluated and cannot be read is a
// problem.
#include "core/cuda/clang/host_reader.h"

#include <algorithm>
#include <limits>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using ir::ScalarType;
using Op = ir::SizeExpr::Kind;

namespace {

/// Operands that are looked at for their type only.
bool isUnevaluated(const clang::Stmt* stmt) {
  return llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr, clang::TypeTraitExpr>(stmt);
}

bool traps(clang::BinaryOperatorKind op, clang::QualType type) {
  switch (op) {
  case clang::BO_Div:
  case clang::BO_Rem:
  case clang::BO_DivAssign:
  case clang::BO_RemAssign:
  case clang::BO_Shl: // a count outside the type has no meaning
  case clang::BO_Shr:
  case clang::BO_ShlAssign:
  case clang::BO_ShrAssign: return true;
  case clang::BO_Add:
  case clang::BO_Sub:
  case clang::BO_Mul:
  case clang::BO_AddAssign:
  case clang::BO_SubAssign:
  case clang::BO_MulAssign: return type->isSignedIntegerType();
  default: return false;
  }
}

/// Whether the text of a check's message computes something outside its string literals.
bool hasOperator(llvm::StringRef message) {
  bool quoted = false;
  for (size_t i = 0; i < message.size(); ++i) {
    if (quoted && message[i] == '\\')
      ++i;
    else if (message[i] == '"')
      quoted = !quoted;
    else if (!quoted && message.substr(i).starts_with("->"))
      ++i;
    else if (!quoted && llvm::StringRef("+-*/%").contains(message[i]))
      return true;
  }
  return false;
}

} // namespace

/// Whether the operation itself, apart from its operands, may divide by zero or overflow.
bool HostReader::mayTrap(const clang::Expr* expr) const {
  if (!expr->getType()->isIntegerType())
    return false;
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return !operation->isCompoundAssignmentOp() && !operation->getLHS()->getType()->isPointerType() &&
           traps(operation->getOpcode(), expr->getType());
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return operation->getOpcode() == clang::UO_Minus && expr->getType()->isSignedIntegerType();
  const auto* called = llvm::dyn_cast<clang::CallExpr>(expr);
  return called && called->getDirectCallee() &&
         hostName(m_sources, called->getDirectCallee(), "host:") == "ceil-div";
}

/// The host evaluates all of `stmt`, but for operands that a condition leaves out.
void HostReader::evaluated(const clang::Stmt* stmt, int depth) {
  if (!stmt || isUnevaluated(stmt) || m_state.threw)
    return;
  if (depth > maximumSearchDepth)
    return unreadable(stmt);
  const auto* expr = llvm::dyn_cast<clang::Expr>(stmt);
  if (expr && expr->getType()->isIntegerType() && constantInteger(expr))
    return;
  if (const auto* argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(stmt))
    return evaluated(argument->getExpr(), depth + 1);
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(stmt)) { // its body runs where it is called
    for (const clang::Expr* captured : lambda->capture_inits())
      evaluated(captured, depth + 1);
    return;
  }
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(stmt); both && both->isLogicalOp()) {
    evaluated(both->getLHS(), depth + 1);
    return evaluatedWhere(both->getLHS(), both->getOpcode() == clang::BO_LAnd, both->getRHS());
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(stmt)) {
    evaluated(choice->getCond(), depth + 1);
    evaluatedWhere(choice->getCond(), true, choice->getTrueExpr());
    return evaluatedWhere(choice->getCond(), false, choice->getFalseExpr());
  }
  for (const clang::Stmt* child : stmt->children())
    evaluated(child, depth + 1);
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(stmt))
    evaluatedCall(called, depth);
  if (expr && mayTrap(expr))
    operation(expr);
}

/// `part` is evaluated where `condition` is `wanted`.
void HostReader::evaluatedWhere(const clang::Expr* condition, bool wanted, const clang::Expr* part) {
  if (!mayFault(part) || m_probing)
    return;
  const std::optional<bool> holds = decide(condition);
  if (!holds)
    return unreadable(part);
  if (*holds == wanted)
    evaluated(part);
}

/// abs of a number that may be the least of its type.
bool HostReader::mayHaveNoMagnitude(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  const clang::IdentifierInfo* name = callee->getIdentifier();
  if (!name || expr->getNumArgs() != 1 || !expr->getArg(0)->getType()->isSignedIntegerType() ||
      !(name->isStr("abs") || name->isStr("labs") || name->isStr("llabs")))
    return false;
  const HostValue of = value(expr->getArg(0));
  const unsigned bits = m_ast.getIntWidth(expr->getArg(0)->getType());
  const int64_t least = std::numeric_limits<int64_t>::min() >> (64 - bits);
  return of.kind != Kind::Integer || m_state.path.rangeOf(*of.size).low.value_or(least) <= least;
}

/// What runs in a call beside its arguments: a function of one expression, and the message of a check.
void HostReader::evaluatedCall(const clang::CallExpr* expr, int depth) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (!callee || llvm::isa<clang::CUDAKernelCallExpr>(expr))
    return;
  if (const std::string name = hostName(m_sources, callee, "host:"); name == "check" || name == "throws") {
    for (const clang::Expr* argument : expr->arguments())
      if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(argument->IgnoreParenImpCasts());
          text && argument == expr->getArg(expr->getNumArgs() - 1) && computes(text->getString()))
        return unreadable(expr);
    return;
  }
  if (mayHaveNoMagnitude(expr))
    return unreadable(expr);
  const clang::FunctionDecl* definition = definitionOf(callee);
  const clang::Expr* result = definition && !m_sources.inShim(definition) ? onlyResult(definition) : nullptr;
  if (!result)
    return;
  std::map<const clang::ValueDecl*, HostValue> inner;
  for (unsigned i = 0; i < definition->getNumParams() && i < expr->getNumArgs(); ++i)
    inner[definition->getParamDecl(i)] = value(expr->getArg(i));
  std::swap(inner, m_values);
  evaluated(result, depth + maximumSearchDepth / maximumInlining);
  std::swap(inner, m_values);
}

/// Whether a message computes something: by an operator, or in a function of the source.
bool HostReader::computes(llvm::StringRef message) const {
  if (hasOperator(message))
    return true;
  return std::ranges::any_of(m_ast.getTranslationUnitDecl()->decls(), [&](const clang::Decl* decl) {
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      decl = pattern->getTemplatedDecl();
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    return function && function->getDeclName().isIdentifier() && definitionOf(function) &&
           !m_sources.inShim(function) && message.contains(function->getName());
  });
}

/// Whether the part may divide by zero or overflow where it is evaluated, as far as the way to it tells.
bool HostReader::mayFault(const clang::Stmt* part) {
  HostState saved = m_state;
  const bool probing = m_probing;
  const bool found = m_found;
  m_probing = true;
  m_found = false;
  evaluated(part);
  const bool result = m_found;
  m_probing = probing;
  m_found = found || (probing && result);
  m_state = std::move(saved);
  return result;
}

void HostReader::unreadable(const clang::Stmt* part) {
  if (m_probing)
    m_found = true;
  else
    problem("host-arithmetic", "arithmetic '" + text(part) + "'", part);
}

/// One operation: that it has a meaning is required.
void HostReader::operation(const clang::Expr* expr) {
  const size_t before = m_state.checks.size();
  const size_t tensors = m_state.tensors.size();
  const size_t operators = m_state.operators.size();
  const bool plain = m_plain;
  m_plain = true;
  HostValue result = value(expr);
  m_plain = plain || m_probing;
  if (result.kind != Kind::Integer && m_state.forks)
    result = value(expr);
  m_plain = plain;
  if (result.kind != Kind::Integer || m_state.tensors.size() != tensors ||
      m_state.operators.size() != operators)
    return unreadable(expr);
  required(before, expr, result, expr->getType()->isSignedIntegerType());
}

/// Of the checks that were made since there were `before`, those of the operation `at` itself are required,
/// and with them what its operands rely on: else the host computes with other numbers.
void HostReader::required(size_t before, const clang::Expr* at, const HostValue& result, bool isSigned) {
  std::vector<ir::HostCheck> own;
  for (size_t index = before; index < m_state.checks.size(); ++index) {
    ir::HostCheck check = m_state.checks[index];
    if (check.where != where(at))
      continue;
    if (check.kind == ir::HostCheck::Kind::Divisor) { // a negative divisor has a meaning
      check.low = std::numeric_limits<int64_t>::min();
      check.high = std::numeric_limits<int64_t>::max();
    }
    if (check.kind == ir::HostCheck::Kind::Divisor || (isSigned && check.kind == ir::HostCheck::Kind::Exact))
      own.push_back(std::move(check));
  }
  const auto holds = [&](const ir::HostCheck& check) { return cannotFail(m_state.path, check); };
  std::vector<size_t> operands;
  for (const size_t index : result.checks)
    if ((index < before || m_state.checks[index].where != where(at)) &&
        m_state.checks[index].kind != ir::HostCheck::Kind::Divisor && !holds(m_state.checks[index]))
      operands.push_back(index);
  if (own.empty() || (operands.empty() && std::ranges::all_of(own, holds)))
    return;
  if (m_probing) {
    m_found = true;
    return;
  }
  m_state.required.insert(operands.begin(), operands.end());
  for (ir::HostCheck& check : own) {
    check.traps = true;
    check.order = m_state.order;
    m_state.required.insert(m_state.checks.size());
    m_state.checks.push_back(std::move(check));
  }
}

// --- shifts ---

/// By a known number of bits: a product or a quotient by a power of two. Of a number that may be negative,
/// >> is not modelled.
HostValue HostReader::shifted(const HostValue& left, const HostValue& right, bool isLeft, ScalarType type,
                              const clang::Expr* at) {
  const std::optional<int64_t> count =
      right.kind == Kind::Integer ? m_state.path.exact(*right.size) : std::nullopt;
  const int width = ir::byteSize(type) * 8;
  if (left.kind != Kind::Integer || !count || *count < 0 || *count >= width || *count > 61)
    return left.kind == Kind::Unknown ? left : unknown(at);
  const HostValue factor = integerValue(ir::sizeConstant(int64_t{1} << *count), type);
  HostValue result =
      integerArithmetic(m_state, isLeft ? Op::Mul : Op::Div, left, factor, type, where(at), text(at));
  result.checks.insert(right.checks.begin(), right.checks.end());
  if (!isLeft && m_state.path.decided(*ir::sizeBinary(Op::Ge, left.size, ir::sizeConstant(0))) != true) {
    result.checks.insert(m_state.checks.size());
    m_state.checks.push_back({left.size, 0, std::numeric_limits<int64_t>::max(), "operand of " + text(at),
                              where(at), ir::HostCheck::Kind::Model});
  }
  return result;
}

} // namespace plumbline::cuda

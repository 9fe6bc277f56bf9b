// Statements of host code.
#include "core/cuda/clang/host_reader.h"

#include <algorithm>
#include <set>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using ir::ScalarType;

namespace {

constexpr int maximumInlining = 8;
constexpr int maximumSearchDepth = 400;

const clang::Expr* stripped(const clang::Expr* expr) {
  while (true) {
    expr = expr->IgnoreParens();
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expr))
      expr = full->getSubExpr();
    else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
      expr = temporary->getSubExpr();
    else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr))
      expr = bound->getSubExpr();
    else
      return expr;
  }
}

const clang::FunctionDecl* definitionOf(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  return function && function->hasBody(definition) ? definition : nullptr;
}

bool isTensor(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getName() == "Tensor";
}

const clang::LambdaExpr* lambdaIn(const clang::Expr* expr) {
  expr = expr->IgnoreParenImpCasts();
  return llvm::dyn_cast<clang::LambdaExpr>(stripped(expr));
}

} // namespace

namespace {

using Visited = std::set<const clang::FunctionDecl*>;

/// Each function is looked into once; nesting that is too deep to look into counts as a launch.
bool findLaunch(const clang::Stmt* stmt, Visited& visited, int depth) {
  if (!stmt)
    return false;
  if (depth > maximumSearchDepth || llvm::isa<clang::CUDAKernelCallExpr>(stmt))
    return true;
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(stmt))
    if (const clang::FunctionDecl* callee = definitionOf(called->getDirectCallee());
        callee && visited.insert(callee).second && findLaunch(callee->getBody(), visited, 0))
      return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const clang::Stmt* child) { return findLaunch(child, visited, depth + 1); });
}

bool isAssignment(clang::OverloadedOperatorKind kind) {
  return kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus ||
         clang::CXXOperatorCallExpr::isAssignmentOp(kind);
}

} // namespace

bool launches(const clang::Stmt* stmt) {
  Visited visited;
  return findLaunch(stmt, visited, 0);
}

std::string hostName(const SourceMap& sources, const clang::FunctionDecl* callee, llvm::StringRef prefix) {
  std::string name = shimAnnotation(sources, callee, prefix);
  if (name.empty())
    if (const clang::FunctionDecl* pattern = callee->getTemplateInstantiationPattern())
      name = shimAnnotation(sources, pattern, prefix);
  return name;
}

const clang::Expr* onlyResult(const clang::FunctionDecl* callee) {
  if (llvm::isa<clang::CXXMethodDecl>(callee))
    return nullptr;
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(callee->getBody());
  const auto* only =
      body && body->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(body->body_front()) : nullptr;
  return only ? only->getRetValue() : nullptr;
}

void readWrapper(const HostContext& context, const clang::FunctionDecl* function) {
  HostState state;
  state.wrapper = displayName(function);
  HostReader reader(context, state);
  // An error may have made the compiler drop the very launch.
  if (!reader.hasErrors(function)) {
    if (!launches(function->getBody()))
      return;
    reader.run(function);
  }
  buildContract(state, context.answer.module, context.answer.launches, context.answer.unread);
}

void HostReader::problem(std::string id, std::string construct, const clang::Stmt* at) {
  const Rejection made{std::move(id), std::move(construct), where(at)};
  if (std::find(m_state.problems.begin(), m_state.problems.end(), made) == m_state.problems.end())
    m_state.problems.push_back(made);
}

bool HostReader::hasErrors(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* written = function->getTemplateInstantiationPattern();
  const clang::SourceRange tokens = (written ? written : function)->getSourceRange();
  const std::optional<unsigned> begin = m_sources.mainOffset(tokens.getBegin());
  const std::optional<unsigned> end = m_sources.mainOffset(tokens.getEnd());
  for (const SourceNote& note : m_context.notes.errors)
    if (note.offset && begin && end && *begin <= *note.offset && *note.offset <= *end)
      m_state.problems.push_back({"host-syntax", note.rejection.construct, note.rejection.where});
  return !m_state.problems.empty();
}

void HostReader::run(const clang::FunctionDecl* function) {
  for (const clang::ParmVarDecl* each : function->parameters())
    parameter(each);
  statement(function->getBody());
  if (m_state.launches.empty() && m_state.problems.empty())
    problem("launch-not-read", "launch in '" + m_state.wrapper + "'", function->getBody());
}

// --- side effects
// --------------------------------------------------------------------------------------------------

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
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(stmt))
    scanCall(called, depth);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt);
      made && !m_sources.inShim(made->getConstructor()) && !made->getConstructor()->getParent()->isLambda())
    problem("host-call", "constructor of '" + made->getConstructor()->getNameAsString() + "'", stmt);
  for (const clang::Stmt* child : stmt->children())
    scanEffects(child, depth + 1);
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
  const bool pure = (!name.empty() && name != "mutates" && name != "throws") || callee->isConstexpr() ||
                    !hostName(m_sources, callee, "means:").empty();
  if (!pure)
    problem("host-call", "call of '" + callee->getNameAsString() + "'", expr);
}

void HostReader::parameter(const clang::ParmVarDecl* parameter) {
  const std::string name = parameter->getNameAsString();
  const clang::QualType type = parameter->getType();
  const SourceRange at = m_sources.range(parameter->getSourceRange());
  WrapperParameter made{name, false, ScalarType::Void, {}};
  HostValue value = unknownValue("wrapper-parameter", "parameter '" + name + "' of another kind", at);
  if (isTensor(type)) {
    made.tensor = true;
    value.kind = Kind::Tensor;
    value.tensor = static_cast<int>(m_state.tensors.size());
    m_state.tensors.push_back({name, HostTensor::Origin::Parameter, -1, {}});
  } else if (type->isPointerType()) {
    value = unknownValue("buffer-length-unknown", "pointer parameter '" + name + "'", at);
  } else if (const auto scalar = irScalar(m_ast, type); scalar && ir::isFloat(*scalar)) {
    value.kind = Kind::Parameter;
    value.text = name;
    value.scalar = *scalar;
  } else if (scalar && *scalar != ScalarType::Void && *scalar != ScalarType::U64) {
    value = integerValue(ir::sizeSymbol(name), *scalar);
  }
  made.scalar = value.scalar;
  if (parameter->hasDefaultArg() && !parameter->hasUninstantiatedDefaultArg() &&
      !parameter->hasUnparsedDefaultArg()) {
    llvm::APFloat number(0.0);
    clang::Expr::EvalResult result;
    const clang::Expr* initial = parameter->getDefaultArg();
    if (made.scalar != ScalarType::Void && ir::isFloat(made.scalar) &&
        initial->EvaluateAsFloat(number, m_ast)) {
      bool inexact = false;
      number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      made.defaultValue = number.convertToDouble();
    } else if (made.scalar != ScalarType::Void && initial->EvaluateAsInt(result, m_ast)) {
      made.defaultValue = static_cast<double>(result.Val.getInt().getExtValue());
    }
  }
  m_state.parameters.push_back(std::move(made));
  m_values[parameter] = std::move(value);
}

// --- statements ---

void HostReader::statement(const clang::Stmt* stmt) {
  if (llvm::isa<clang::NullStmt>(stmt))
    return;
  if (m_finished)
    return problem("after-return", "statement after a return", stmt);
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(stmt)) {
    for (const clang::Stmt* each : compound->body())
      statement(each);
  } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
    declaration(declared);
  } else if (const auto* expr = llvm::dyn_cast<clang::Expr>(stmt)) {
    expression(expr);
  } else if (const auto* conditional = llvm::dyn_cast<clang::IfStmt>(stmt)) {
    branch(conditional);
  } else if (const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(stmt)) {
    result(returned);
  } else if (const auto* once = llvm::dyn_cast<clang::DoStmt>(stmt);
             once && constantInteger(once->getCond()) == std::optional<int64_t>(0)) {
    statement(once->getBody()); // the do { ... } while (0) of a macro
  } else if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt)) {
    problem(launches(stmt) ? "launch-in-loop" : "host-loop", "loop in host code", stmt);
  } else {
    problem(launches(stmt) ? "launch-in-branch" : "host-statement", stmt->getStmtClassName(), stmt);
  }
}

void HostReader::result(const clang::ReturnStmt* stmt) {
  const clang::Expr* returned = stmt->getRetValue();
  scanEffects(returned);
  m_finished = true;
  if (returned && returned->getType()->isVoidType())
    return problem("host-statement", text(stmt), stmt);
  if (returned && m_nesting > 0)
    return problem("host-branch", "return of a value that is not the wrapper's", stmt);
  if (m_nesting > 0)
    return;
  if (returned)
    m_state.returned = value(returned);
  m_state.returnedAt = where(stmt);
}

/// The body of a function or lambda that is called here.
void HostReader::body(const clang::Stmt* stmt) {
  const size_t launched = m_state.launches.size();
  const size_t returns = m_state.emptyReturns.size();
  ++m_nesting;
  statement(stmt);
  --m_nesting;
  m_finished = false;
  // An early return leaves only the function it stands in: it must be the one that launches.
  if (m_state.emptyReturns.size() != returns && m_state.launches.size() == launched)
    problem("host-branch", "early return from a function that launches nothing", stmt);
}

void HostReader::declaration(const clang::DeclStmt* stmt) {
  for (const clang::Decl* decl : stmt->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable) {
      if (!llvm::isa<clang::TypedefNameDecl, clang::StaticAssertDecl, clang::UsingDecl,
                     clang::UsingDirectiveDecl>(decl))
        problem("host-statement", decl->getDeclKindName(), stmt);
      continue;
    }
    const clang::QualType type = variable->getType();
    const bool constant = type.isConstQualified() || variable->isConstexpr();
    if (variable->isStaticLocal() && !constant)
      problem("host-statement", "static variable", stmt);
    if (type->isReferenceType() && !isTensor(type) && !type.getNonReferenceType().isConstQualified())
      problem("host-statement", "reference variable", stmt);
    scanEffects(variable->getInit());
    if (type->isReferenceType())
      pin(variable->getInit(), false);
    if (variable->getInit())
      m_values[variable] = value(variable->getInit());
    else
      m_values[variable] = unknownValue(
          "host-value", "variable '" + variable->getNameAsString() + "' without a value", where(stmt));
  }
}

void HostReader::expression(const clang::Expr* expr) {
  expr = stripped(expr);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_ToVoid)
    return expression(cast->getSubExpr());
  // The effect of the expression itself is dealt with below.
  for (const clang::Stmt* child : expr->children())
    scanEffects(child);
  if (const auto* kernel = llvm::dyn_cast<clang::CUDAKernelCallExpr>(expr))
    return launch(kernel);
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr);
      operation && operation->getOpcode() == clang::BO_Assign)
    return assignment(operation->getLHS(), operation->getRHS(), expr);
  if (const auto* overloaded = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
      overloaded && overloaded->getOperator() == clang::OO_Equal && overloaded->getNumArgs() == 2)
    return assignment(overloaded->getArg(0), overloaded->getArg(1), expr);
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expr))
    return call(called);
  if (llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral>(expr->IgnoreParenImpCasts()))
    return;
  problem("host-statement", text(expr), expr);
}

void HostReader::call(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (!callee)
    return problem("host-call", "call of '" + text(expr) + "'", expr);
  const std::string name = hostName(m_sources, callee, "host:");
  if (name == "ignored")
    return;
  if (name == "throws")
    return problem("always-throws", text(expr), expr);
  if (name == "check") {
    const auto* written = llvm::dyn_cast<clang::StringLiteral>(expr->getArg(1)->IgnoreParenImpCasts());
    return check(expr->getArg(0), written ? written->getString().str() : text(expr), true);
  }
  if (name == "dispatch")
    return dispatch(expr);
  const clang::FunctionDecl* definition = definitionOf(callee);
  if (definition && !m_sources.inShim(definition) && !llvm::isa<clang::CXXMethodDecl>(definition))
    return inlineCall(expr, definition);
  problem("host-call", "call of '" + callee->getNameAsString() + "'", expr);
}

/// AT_DISPATCH_...: the lambda's body, for binary32.
void HostReader::dispatch(const clang::CallExpr* expr) {
  const HostValue dtype = value(expr->getArg(0));
  if (dtype.kind != Kind::Property || dtype.text != "dtype:Float")
    return problem("tensor-dtype", "dispatch on '" + text(expr->getArg(0)) + "'", expr);
  const clang::LambdaExpr* lambda = lambdaIn(expr->getArg(2));
  if (!lambda || lambda->isMutable()) // which would change its own copies
    return problem("host-call", "dispatch without a lambda", expr);
  const auto* macro = llvm::dyn_cast<clang::StringLiteral>(expr->getArg(1)->IgnoreParenImpCasts());
  m_state.facts.push_back(
      {(macro ? macro->getString().str() : std::string("dispatch")) + ": the float instance", nullptr,
       where(expr)});
  body(lambda->getBody());
}

/// A call whose value is not used: its statements, with the parameters bound.
void HostReader::inlineCall(const clang::CallExpr* expr, const clang::FunctionDecl* callee) {
  if (!callee->getReturnType()->isVoidType() || m_depth >= maximumInlining)
    return problem("host-call", "call of '" + callee->getNameAsString() + "'", expr);
  std::map<const clang::ValueDecl*, HostValue> inner;
  for (unsigned i = 0; i < callee->getNumParams(); ++i) {
    const clang::ParmVarDecl* parameter = callee->getParamDecl(i);
    if (parameter->getType()->isReferenceType() && !isTensor(parameter->getType()) &&
        !parameter->getType().getNonReferenceType().isConstQualified())
      return problem("host-call", "call of '" + callee->getNameAsString() + "', which takes a reference",
                     expr);
    inner[parameter] = value(expr->getArg(i));
  }
  std::swap(inner, m_values);
  ++m_depth;
  body(callee->getBody());
  --m_depth;
  std::swap(inner, m_values);
}

void HostReader::assignment(const clang::Expr* target, const clang::Expr* source, const clang::Expr* at) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenImpCasts());
  if (!name || name->getDecl()->getType()->isReferenceType() || !m_values.contains(name->getDecl()) ||
      m_pinned.contains(name->getDecl()))
    return problem("host-statement", text(at), at);
  m_values[name->getDecl()] = value(source);
}

// --- launches ---

void HostReader::launch(const clang::CUDAKernelCallExpr* expr) {
  // A declaration may name the parameters otherwise: the definition's names are what the kernel is known by.
  const clang::FunctionDecl* kernel = definitionOf(expr->getDirectCallee());
  const auto known = kernel ? m_context.kernels.find(kernel->getCanonicalDecl()) : m_context.kernels.end();
  if (known == m_context.kernels.end())
    return problem("launch-not-read", "launch of a kernel without a definition", expr);
  const clang::CallExpr* configuration = expr->getConfig();
  LaunchSite site;
  site.kernel = known->second;
  site.where = where(expr);
  site.grid = value(configuration->getArg(0));
  site.block = value(configuration->getArg(1));
  site.shared = value(configuration->getArg(2));
  if (expr->getNumArgs() != kernel->getNumParams() || kernel->isVariadic())
    return problem("launch-not-read", "launch of a kernel with other parameters", expr);
  for (unsigned i = 0; i < expr->getNumArgs(); ++i)
    kernelArgument(site, kernel->getParamDecl(i), expr->getArg(i));
  m_state.launches.push_back(std::move(site));
}

void HostReader::kernelArgument(LaunchSite& site, const clang::ParmVarDecl* parameter,
                                const clang::Expr* expr) {
  LaunchArgument argument;
  argument.parameter = parameter->getNameAsString();
  argument.where = where(expr);
  if (argument.parameter.empty())
    problem("kernel-argument", "argument for a parameter without a name", expr);
  const std::optional<ir::Type> type = irType(m_ast, parameter->getType());
  if (!type) { // the kernel is rejected for it
    site.arguments.push_back(std::move(argument));
    return;
  }
  argument.type = *type;
  argument.value = value(expr);
  if (!type->pointer && ir::isFloat(type->scalar) && argument.value.kind != Kind::Parameter) {
    // The last conversion, to the parameter's type, is the contract's reader's.
    const clang::Expr* given = expr->IgnoreParens();
    if (const auto* conversion = llvm::dyn_cast<clang::ImplicitCastExpr>(given);
        conversion && (conversion->getCastKind() == clang::CK_FloatingCast ||
                       conversion->getCastKind() == clang::CK_IntegralToFloating))
      given = conversion->getSubExpr();
    argument.floating = constantFloat(given);
    argument.text = argument.floating ? numberText(given, *argument.floating) : "";
  }
  site.arguments.push_back(std::move(argument));
}

} // namespace plumbline::cuda

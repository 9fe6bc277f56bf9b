// Statements of host code.
#include "core/cuda/clang/host_reader.h"

#include <algorithm>
#include <set>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using ir::ScalarType;

namespace {

constexpr size_t maximumLaunches = 64;
constexpr size_t maximumWays = 128;

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

const clang::LambdaExpr* lambdaIn(const clang::Expr* expr) {
  expr = expr->IgnoreParenImpCasts();
  return llvm::dyn_cast<clang::LambdaExpr>(stripped(expr));
}

/// The class template's name and its first argument: "optional" and Tensor.
std::pair<std::string, clang::QualType> instantiation(clang::QualType type) {
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!record || record->getTemplateArgs().size() == 0 ||
      record->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return {};
  return {record->getNameAsString(), record->getTemplateArgs()[0].getAsType()};
}

/// A message about a name of torch that the shim lacks says which.
Rejection syntaxRejection(const SourceNote& note) {
  const std::string& message = note.rejection.construct;
  const bool missing =
      message.starts_with("no member named '") && (message.find("in namespace 'torch") != std::string::npos ||
                                                   message.find("in namespace 'at") != std::string::npos ||
                                                   message.find("in 'at::Tensor'") != std::string::npos);
  if (!missing)
    return {"host-syntax", message, note.rejection.where};
  const size_t start = message.find('\'') + 1;
  return {"host-call",
          "torch's '" + message.substr(start, message.find('\'', start) - start) + "', which is not known",
          note.rejection.where};
}

} // namespace

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

const clang::CallExpr* wholeCall(const clang::Expr* expr) {
  while (expr) {
    expr = stripped(expr);
    if (const auto* conversion = llvm::dyn_cast<clang::ImplicitCastExpr>(expr))
      expr = conversion->getSubExpr();
    else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
             made && made->getNumArgs() >= 1 && made->getConstructor()->isCopyOrMoveConstructor())
      expr = made->getArg(0);
    else
      return llvm::dyn_cast<clang::CallExpr>(expr);
  }
  return nullptr;
}

const clang::FunctionDecl* definitionOf(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  return function && function->hasBody(definition) ? definition : nullptr;
}

bool isTensor(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getName() == "Tensor";
}

const clang::ValueDecl* namedVariable(const clang::Expr* expr) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return name ? name->getDecl() : nullptr;
}

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

namespace {

/// What one way through a wrapper gave.
struct Way {
  std::vector<ir::HostFact> when;
  std::optional<ir::HostProgram> program;
  std::vector<Rejection> problems;
  std::vector<Rejection> faults; ///< what may go wrong before this way raises its error
  bool threw = false;
};

/// Without what follows from the value that a name has on this way.
std::vector<ir::HostFact> shortened(const std::vector<ir::HostFact>& when) {
  std::vector<ir::HostFact> kept;
  for (const ir::HostFact& fact : when) {
    const std::vector<std::string> names = ir::symbolsOf(*fact.condition);
    const bool implied = std::any_of(when.begin(), when.end(), [&](const ir::HostFact& other) {
      const ir::SizeExpr& equality = *other.condition;
      return other.text != fact.text && equality.kind == ir::SizeExpr::Kind::Eq &&
             equality.args[0]->kind == ir::SizeExpr::Kind::Symbol &&
             equality.args[1]->kind == ir::SizeExpr::Kind::Constant &&
             names == std::vector<std::string>{equality.args[0]->symbol};
    });
    if (!implied)
      kept.push_back(fact);
  }
  return kept;
}

Way readWay(const HostContext& context, const clang::FunctionDecl* function, std::vector<bool> choices,
            std::vector<bool>& next, bool& more) {
  HostState state;
  state.wrapper = displayName(function);
  state.path = HostPath(std::move(choices));
  state.forks = true;
  HostReader(context, state).run(function);
  Way way;
  state.path.when = shortened(state.path.when);
  way.when = state.path.when;
  way.threw = state.threw;
  more = state.path.next(next);
  if (!state.threw && !state.path.contradictory())
    way.program = buildProgram(state, context.answer.module, way.problems);
  else
    way.problems = state.problems;
  if (state.threw && !state.path.contradictory())
    for (const ir::HostCheck& check : uncertain(state))
      way.faults.push_back({"host-arithmetic", check.what + ", on a way that ends in an error", check.where});
  way.threw = way.threw || state.path.contradictory();
  return way;
}

void addUnread(Answer& answer, const std::string& wrapper, std::vector<ir::HostFact> when,
               std::vector<Rejection> reasons) {
  for (const Rejection& reason : reasons)
    if (std::find(answer.unread.begin(), answer.unread.end(), reason) == answer.unread.end())
      answer.unread.push_back(reason);
  answer.unreadWays.push_back({wrapper, std::move(when), std::move(reasons)});
}

/// Every way through the wrapper. Inputs on which it raises an error have no program, as with its checks.
void readWays(const HostContext& context, const clang::FunctionDecl* function) {
  std::vector<Way> ways;
  std::vector<bool> choices;
  for (bool more = true; more;) {
    ways.push_back(readWay(context, function, choices, choices, more));
    if (more && ways.size() >= maximumWays) {
      Way rest;
      rest.problems = {{"host-branch",
                        "more than " + std::to_string(maximumWays) + " ways through the wrapper",
                        context.sources.range(function->getSourceRange())}};
      ways.push_back(std::move(rest));
      break;
    }
  }
  const bool allThrow = std::all_of(ways.begin(), ways.end(), [](const Way& way) { return way.threw; });
  const bool anyProgram = std::any_of(ways.begin(), ways.end(), [](const Way& way) { return way.program; });
  for (Way& way : ways) {
    if (way.program)
      context.answer.programs.push_back(*std::move(way.program));
    else if (way.threw && !way.faults.empty())
      addUnread(context.answer, displayName(function), std::move(way.when), std::move(way.faults));
    else if (!way.threw || allThrow)
      // Where nothing could be read, why not does not hang on the way.
      addUnread(context.answer, displayName(function),
                anyProgram ? std::move(way.when) : std::vector<ir::HostFact>(), std::move(way.problems));
  }
}

} // namespace

bool launchesKernel(const clang::Stmt* code) {
  Visited visited;
  return findLaunch(code, visited, 0);
}

void readWrapper(const HostContext& context, const clang::FunctionDecl* function) {
  HostState state;
  state.wrapper = displayName(function);
  HostReader reader(context, state);
  // An error may have made the compiler drop the very launch.
  if (reader.hasErrors(function))
    return addUnread(context.answer, state.wrapper, {}, state.problems);
  if (!launches(function->getBody()))
    return;
  reader.run(function);
  std::vector<Rejection> unread;
  if (std::optional<ir::LaunchContract> contract = buildContract(state, context.answer.module, unread))
    return context.answer.launches.push_back(*std::move(contract));
  readWays(context, function);
}

void HostReader::problem(std::string id, std::string construct, const clang::Stmt* at) {
  const Rejection made{std::move(id), std::move(construct), where(at)};
  if (std::find(m_state.problems.begin(), m_state.problems.end(), made) == m_state.problems.end())
    m_state.problems.push_back(made);
}

/// This way through the wrapper raises an error.
void HostReader::failure(std::string construct, const clang::Stmt* at) {
  problem("always-throws", std::move(construct), at);
  m_state.threw = true;
}

bool HostReader::hasErrors(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* written = function->getTemplateInstantiationPattern();
  const clang::SourceRange tokens = (written ? written : function)->getSourceRange();
  const std::optional<unsigned> begin = m_sources.mainOffset(tokens.getBegin());
  const std::optional<unsigned> end = m_sources.mainOffset(tokens.getEnd());
  for (const SourceNote& note : m_context.notes.errors)
    if (note.offset && begin && end && *begin <= *note.offset && *note.offset <= *end)
      m_state.problems.push_back(syntaxRejection(note));
  return !m_state.problems.empty();
}

void HostReader::run(const clang::FunctionDecl* function) {
  m_state.where = m_sources.range(function->getSourceRange());
  for (const clang::ParmVarDecl* each : function->parameters())
    parameter(each);
  statement(function->getBody());
  if (m_state.launches.empty() && m_state.problems.empty() && m_state.path.when.empty())
    problem("launch-not-read", "launch in '" + m_state.wrapper + "'", function->getBody());
}

// --- parameters ---

/// Tensors, optional tensors and lists of integers.
bool HostReader::tensorParameter(const clang::ParmVarDecl* parameter, WrapperParameter& made,
                                 HostValue& value) {
  const clang::QualType type = parameter->getType();
  const auto [record, argument] = instantiation(type);
  const bool optional = record == "optional" && isTensor(argument);
  if (isTensor(type) || optional) {
    made.tensor = true;
    value = HostValue();
    value.kind = Kind::Tensor;
    value.tensor = static_cast<int>(m_state.tensors.size());
    HostTensor tensor;
    tensor.name = made.name;
    tensor.optional = optional;
    tensor.where = m_sources.range(parameter->getSourceRange());
    m_state.tensors.push_back(std::move(tensor));
    m_state.path.declare(made.name + ".dim", {0, 64});
    m_state.path.declare(made.name + ".defined", {0, 1});
    return true;
  }
  if (record != "ArrayRef" && record != "vector")
    return false;
  const std::optional<ScalarType> element = irScalar(m_ast, argument);
  if (!element || *element != ScalarType::I64)
    return false;
  made.list = true;
  value = HostValue();
  value.kind = Kind::List;
  value.text = made.name;
  return true;
}

void HostReader::parameter(const clang::ParmVarDecl* parameter) {
  const std::string name = parameter->getNameAsString();
  const clang::QualType type = parameter->getType();
  const SourceRange at = m_sources.range(parameter->getSourceRange());
  WrapperParameter made;
  made.name = name;
  HostValue value = unknownValue("wrapper-parameter", "parameter '" + name + "' of another kind", at);
  if (tensorParameter(parameter, made, value)) {
    m_state.parameters.push_back(std::move(made));
    m_values[parameter] = std::move(value);
    return;
  }
  if (type->isPointerType()) {
    value = unknownValue("buffer-length-unknown", "pointer parameter '" + name + "'", at);
  } else if (const auto scalar = irScalar(m_ast, type); scalar && ir::isFloat(*scalar)) {
    value.kind = Kind::Parameter;
    value.text = name;
    value.scalar = *scalar;
  } else if (scalar && *scalar != ScalarType::Void && *scalar != ScalarType::U64) {
    value = integerValue(ir::sizeSymbol(name), *scalar);
    made.scalar = *scalar;
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
  if (value.kind == Kind::Integer) {
    const ir::SizeSymbol symbol = symbolFor(m_state, name);
    m_state.path.declare(name, {symbol.low, symbol.high});
  }
  m_values[parameter] = std::move(value);
}

// --- statements ---

void HostReader::statement(const clang::Stmt* stmt) {
  if (llvm::isa<clang::NullStmt>(stmt) || m_state.threw || m_jump != Jump::None)
    return;
  if (m_finished) {
    if (!m_branched)
      problem("after-return", "statement after a return", stmt);
    return;
  }
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
  } else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(stmt)) {
    forLoop(counted);
  } else if (const auto* ranged = llvm::dyn_cast<clang::CXXForRangeStmt>(stmt)) {
    rangeLoop(ranged);
  } else if (const auto* repeated = llvm::dyn_cast<clang::WhileStmt>(stmt)) {
    loop(stmt, repeated->getConditionVariable() ? nullptr : repeated->getCond(), repeated->getBody(), nullptr,
         false);
  } else if (const auto* tested = llvm::dyn_cast<clang::DoStmt>(stmt)) {
    loop(stmt, tested->getCond(), tested->getBody(), nullptr, true);
  } else if (llvm::isa<clang::BreakStmt, clang::ContinueStmt>(stmt)) {
    m_jump = llvm::isa<clang::BreakStmt>(stmt) ? Jump::Break : Jump::Continue;
  } else {
    problem(launches(stmt) ? "launch-in-branch" : "host-statement", stmt->getStmtClassName(), stmt);
  }
}

void HostReader::result(const clang::ReturnStmt* stmt) {
  const clang::Expr* returned = stmt->getRetValue();
  m_whole = returned ? wholeCall(returned) : nullptr;
  scanEffects(returned);
  evaluated(returned);
  m_finished = true;
  if (returned && returned->getType()->isVoidType())
    return problem("host-statement", text(stmt), stmt);
  if (returned && m_nesting > 0 && !m_valued)
    return problem("host-branch", "return of a value that is not the wrapper's", stmt);
  if (m_nesting > 0) {
    m_result = returned ? std::optional(value(returned)) : std::nullopt;
    return;
  }
  if (returned)
    m_state.returned = value(returned);
  m_state.returnedAt = where(stmt);
}

/// The body of a function or lambda that is called here.
void HostReader::body(const clang::Stmt* stmt) {
  const size_t launched = m_state.launches.size();
  const size_t returns = m_state.emptyReturns.size();
  const bool branched = m_branched;
  ++m_nesting;
  m_branched = false;
  statement(stmt);
  --m_nesting;
  m_finished = false;
  m_branched = branched;
  // An early return leaves only the function it stands in: it must be the one that launches.
  if (m_state.emptyReturns.size() != returns && m_state.launches.size() == launched)
    problem("host-branch", "early return from a function that launches nothing", stmt);
}

void HostReader::declaration(const clang::DeclStmt* stmt) {
  for (const clang::Decl* decl : stmt->decls()) {
    if (const auto* declared = llvm::dyn_cast<clang::VarDecl>(decl))
      variable(declared, stmt);
    else if (!llvm::isa<clang::TypedefNameDecl, clang::StaticAssertDecl, clang::UsingDecl,
                        clang::UsingDirectiveDecl>(decl))
      problem("host-statement", decl->getDeclKindName(), stmt);
  }
}

void HostReader::variable(const clang::VarDecl* variable, const clang::DeclStmt* stmt) {
  const clang::QualType type = variable->getType();
  const bool constant = type.isConstQualified() || variable->isConstexpr();
  if (llvm::isa<clang::DecompositionDecl>(variable))
    return problem("host-statement", "structured binding", stmt);
  if (variable->isStaticLocal() && !constant)
    problem("host-statement", "static variable", stmt);
  if (type->isReferenceType() && !isTensor(type) && !type.getNonReferenceType().isConstQualified())
    problem("host-statement", "reference variable", stmt);
  const clang::Expr* initial = variable->getInit();
  m_whole = initial ? wholeCall(initial) : nullptr;
  scanEffects(initial);
  if (type->isReferenceType())
    pin(initial, false);
  if (m_state.threw)
    return;
  evaluated(initial);
  m_hint = variable->getNameAsString();
  m_values[variable] =
      initial ? value(initial)
              : unknownValue("host-value", "variable '" + variable->getNameAsString() + "' without a value",
                             where(stmt));
  m_hint.clear();
}

void HostReader::expression(const clang::Expr* expr) {
  expr = stripped(expr);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_ToVoid)
    return expression(cast->getSubExpr());
  // The effect of the expression itself is dealt with below.
  m_whole = nullptr;
  if (const auto* overloaded = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
      overloaded && overloaded->getOperator() == clang::OO_Equal && overloaded->getNumArgs() == 2)
    m_whole = wholeCall(overloaded->getArg(1));
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr);
      operation && operation->getOpcode() == clang::BO_Assign)
    m_whole = wholeCall(operation->getRHS());
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expr))
    scanArguments(called);
  else
    for (const clang::Stmt* child : expr->children())
      scanEffects(child);
  const auto* called = llvm::dyn_cast<clang::CallExpr>(expr);
  const bool checks = called && called->getDirectCallee() &&
                      hostName(m_sources, called->getDirectCallee(), "host:") == "check";
  if (checks)
    evaluatedCall(called, 0); // its condition is looked at where it is checked
  else
    evaluated(expr);
  if (const auto* kernel = llvm::dyn_cast<clang::CUDAKernelCallExpr>(expr))
    return launch(kernel);
  if (const auto* changed = llvm::dyn_cast<clang::CompoundAssignOperator>(expr))
    return compound(changed);
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr);
      operation && operation->getOpcode() == clang::BO_Assign)
    return assignment(operation->getLHS(), operation->getRHS(), expr);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expr);
      operation && operation->isIncrementDecrementOp())
    return increment(operation);
  if (const auto* overloaded = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
      overloaded && overloaded->getOperator() == clang::OO_Equal && overloaded->getNumArgs() == 2)
    return assignment(overloaded->getArg(0), overloaded->getArg(1), expr);
  if (llvm::isa<clang::CXXThrowExpr>(expr))
    return failure(text(expr), expr);
  if (called)
    return call(called);
  if (llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::BinaryOperator, clang::UnaryOperator,
                clang::ConditionalOperator>(expr->IgnoreParenImpCasts()) &&
      expr->getType()->isArithmeticType())
    return; // a value that nobody uses
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
    return failure(text(expr), expr);
  if (name == "check") {
    const auto* written = llvm::dyn_cast<clang::StringLiteral>(expr->getArg(1)->IgnoreParenImpCasts());
    return check(expr->getArg(0), written ? written->getString().str() : text(expr), true);
  }
  if (name == "dispatch")
    return dispatch(expr);
  if (name == "library")
    return libraryCall(expr);
  if (name.starts_with("list-"))
    return listCall(expr, name);
  if (name == "torch-inplace") {
    if (const HostValue changed = torchCall(expr, name); changed.kind == Kind::Unknown)
      m_state.problems.push_back(changed.refusal);
    return;
  }
  const clang::FunctionDecl* definition = definitionOf(callee);
  if (definition && !m_sources.inShim(definition) && !llvm::isa<clang::CXXMethodDecl>(definition)) {
    inlined(expr, definition);
    return;
  }
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
  fact({(macro ? macro->getString().str() : std::string("dispatch")) + ": the float instance", nullptr,
        where(expr)});
  const bool valued = m_valued;
  m_valued = false;
  body(lambda->getBody());
  m_valued = valued;
}

/// A call of a function of the source: its statements, with the parameters bound. What it returns.
HostValue HostReader::inlined(const clang::CallExpr* expr, const clang::FunctionDecl* callee) {
  const std::string name = callee->getNameAsString();
  if (m_nesting >= maximumInlining) {
    problem("host-call", "call of '" + name + "'", expr);
    return unknown(expr, "host-call");
  }
  std::map<const clang::ValueDecl*, HostValue> inner;
  for (unsigned i = 0; i < callee->getNumParams(); ++i) {
    const clang::ParmVarDecl* parameter = callee->getParamDecl(i);
    if (parameter->getType()->isReferenceType() && !isTensor(parameter->getType()) &&
        !parameter->getType().getNonReferenceType().isConstQualified()) {
      problem("host-call", "call of '" + name + "', which takes a reference", expr);
      return unknown(expr, "host-call");
    }
    inner[parameter] = value(expr->getArg(i));
  }
  const bool valued = m_valued;
  std::optional<HostValue> outer = std::move(m_result);
  m_valued = !callee->getReturnType()->isVoidType();
  m_result.reset();
  std::swap(inner, m_values);
  body(callee->getBody());
  std::swap(inner, m_values);
  m_valued = valued;
  std::swap(outer, m_result);
  return outer ? *outer : unknown(expr, "host-call");
}

// --- launches ---

void HostReader::launch(const clang::CUDAKernelCallExpr* expr) {
  // A declaration may name the parameters otherwise: the definition's names are what the kernel is known by.
  const clang::FunctionDecl* kernel = definitionOf(expr->getDirectCallee());
  const auto known = kernel ? m_context.kernels.find(kernel->getCanonicalDecl()) : m_context.kernels.end();
  if (known == m_context.kernels.end())
    return problem("launch-not-read", "launch of a kernel without a definition", expr);
  if (m_state.launches.size() >= maximumLaunches)
    return problem("launch-in-loop", "more than " + std::to_string(maximumLaunches) + " launches", expr);
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
  m_state.steps.push_back({true, m_state.launches.size()});
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
  if (argument.value.kind == Kind::Condition && !type->pointer && !ir::isFloat(type->scalar))
    if (const std::optional<bool> holds = chosen(argument.value, expr))
      argument.value = integerValue(ir::sizeConstant(*holds ? 1 : 0), type->scalar);
  if (!type->pointer && ir::isFloat(type->scalar) && argument.value.kind != Kind::Parameter) {
    // The last conversion, to the parameter's type, is the contract's reader's.
    const clang::Expr* given = expr->IgnoreParens();
    if (const auto* conversion = llvm::dyn_cast<clang::ImplicitCastExpr>(given);
        conversion && (conversion->getCastKind() == clang::CK_FloatingCast ||
                       conversion->getCastKind() == clang::CK_IntegralToFloating))
      given = conversion->getSubExpr();
    argument.floating = constantFloat(given);
    argument.text = argument.floating ? numberText(given, *argument.floating) : "";
    if (const HostValue number = argument.floating ? HostValue() : value(given);
        number.kind == Kind::Number) {
      argument.floating = number.number;
      argument.text = number.text;
    }
  }
  site.arguments.push_back(std::move(argument));
}

} // namespace plumbline::cuda

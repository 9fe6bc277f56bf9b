// Calls that are translated in place: device functions with references, classes, arrays or meeting points,
// member functions, lambdas.
#include "core/cuda/clang/function_translator.h"

namespace plumbline::cuda {

using ir::ExprId;
using ir::Type;

namespace {

constexpr size_t deepestInlining = 32;

bool isTrivialDefault(const clang::Expr* initial) {
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(initial);
  return made && made->getNumArgs() == 0 && made->getConstructor()->isTrivial();
}

bool isLambda(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isLambda();
}

} // namespace

/// While it lives, the variables that a lambda copied are the copies. Arguments of the call are evaluated
/// before.
class FunctionTranslator::CapturedScope {
public:
  using Places = std::map<const clang::VarDecl*, Place>;
  CapturedScope(Places& places, const Places& captured) : m_places(places) {
    for (const auto& [variable, copy] : captured) {
      const auto before = places.find(variable);
      m_outer[variable] = before != places.end() ? std::optional(before->second) : std::nullopt;
      places[variable] = copy;
    }
  }
  CapturedScope(const CapturedScope&) = delete;
  CapturedScope& operator=(const CapturedScope&) = delete;
  ~CapturedScope() {
    for (const auto& [variable, before] : m_outer)
      if (before)
        m_places[variable] = *before;
      else
        m_places.erase(variable);
  }

private:
  Places& m_places;
  std::map<const clang::VarDecl*, std::optional<Place>> m_outer;
};

bool FunctionTranslator::mustInline(const clang::FunctionDecl* definition) {
  const FunctionTraits& traits = m_code.effects.of(definition);
  if (traits.hasArrays || traits.effects.meets || !traits.effects.written.empty())
    return true;
  const clang::QualType returned = definition->getReturnType();
  if (returned->isRecordType() || returned->isReferenceType() || returned->isPointerType())
    return true;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  if (method && !method->isStatic())
    return true;
  return std::any_of(definition->param_begin(), definition->param_end(),
                     [&](const clang::ParmVarDecl* parameter) {
                       const clang::QualType type = parameter->getType();
                       if (!type->isReferenceType())
                         return type->isRecordType();
                       const clang::QualType referred = type.getNonReferenceType();
                       return !referred.isConstQualified() || referred->isRecordType() ||
                              referred->isArrayType() || traits.effects.writesMemory;
                     });
}

/// By-copy captures keep what the variables hold now; others are the variables themselves.
void FunctionTranslator::lambdaCaptures(const clang::LambdaExpr* lambda) {
  std::map<const clang::VarDecl*, Place>& kept = m_captures[lambda->getLambdaClass()];
  kept.clear();
  const SourceRange at = where(lambda);
  for (const clang::LambdaCapture& capture : lambda->captures()) {
    const auto* variable =
        capture.capturesVariable() ? llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()) : nullptr;
    if (!variable || capture.getCaptureKind() != clang::LCK_ByCopy || isLambda(variable->getType())) {
      if (capture.capturesThis())
        reject("lambda", "lambda that captures this", lambda);
      continue;
    }
    const std::optional<Place> held = lookup(variable);
    const clang::QualType type = variable->getType().getNonReferenceType();
    const auto* record = type->getAsCXXRecordDecl();
    const bool ownCopy = record && !record->hasTrivialCopyConstructor();
    if (!held || type->isArrayType() || ownCopy) {
      reject("lambda", "lambda that copies '" + variable->getNameAsString() + "'", lambda);
    } else if (type->isRecordType()) {
      kept[variable] = newRecord(type, variable->getNameAsString(), at);
      copyRecord(kept[variable], *held, type, lambda);
    } else if (const ExprId now = read(*held, at); now != ExprId::None) {
      kept[variable] = {m_builder.addLocal(variable->getNameAsString(), m_builder.typeOf(now), at)};
      m_builder.assign(kept[variable].local, now, at);
    }
  }
}

/// What the parameter is in the body: a new variable, or another name. Nothing when the argument was refused.
std::optional<FunctionTranslator::Place> FunctionTranslator::bindArgument(const clang::ParmVarDecl* parameter,
                                                                          const clang::Expr* argument) {
  const clang::QualType type = parameter->getType();
  const SourceRange at = where(argument);
  if (isLambda(type)) {
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(unwrap(argument)))
      lambdaCaptures(lambda);
    return Place{};
  }
  const clang::QualType referred = type.getNonReferenceType();
  if (type->isReferenceType() && argument->isGLValue() &&
      llvm::isa<clang::ConditionalOperator>(unwrap(argument)) && !referred->isRecordType()) {
    const auto* callee = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    if (!referred.isConstQualified() || !callee || m_code.effects.of(callee).effects.any()) {
      reject("reference", "reference to one of two variables", at);
      return std::nullopt;
    }
    return Place{-1, ExprId::None, materialise(value(argument), at)};
  }
  if (type->isReferenceType() && argument->isGLValue() && !isTemporary(argument)) {
    const Place bound = pin(place(argument), at);
    if (isBindable(bound, argument))
      return bound;
    if (bound.value != ExprId::None)
      reject("reference", "reference to a value that is no variable", at);
    return std::nullopt;
  }
  if (referred->isRecordType()) {
    const Place from = recordValue(argument, true);
    const Place copy = newRecord(referred, parameter->getNameAsString(), at);
    copyRecord(copy, from, referred, argument);
    return copy.local >= 0 ? std::optional(copy) : std::nullopt;
  }
  const std::optional<Type> made = irType(m_ast, referred);
  if (!made || *made == Type{}) {
    rejectType(type, at);
    return std::nullopt;
  }
  const ExprId given = value(argument);
  if (given == ExprId::None)
    return std::nullopt;
  const Place copy{m_builder.addLocal(parameter->getNameAsString(), *made, at)};
  m_builder.assign(copy.local, given, at);
  return copy;
}

/// Reports what the function itself is refused for; true when nothing is.
bool FunctionTranslator::canInline(const clang::FunctionDecl* definition, const clang::Expr* at) {
  const std::string name = displayName(definition);
  const bool nested = std::any_of(m_inlined.begin(), m_inlined.end(),
                                  [&](const Inlined& each) { return each.function == definition; });
  if (nested || m_inlined.size() >= deepestInlining || m_code.isTranslating(definition)) {
    reject("recursion", "recursive call of '" + name + "'", at);
    return false;
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  const bool lambda = method && method->getParent()->isLambda();
  if (!definition->hasAttr<clang::CUDADeviceAttr>() && !definition->isConstexpr() && !lambda &&
      !definition->isDefaulted()) {
    reject("unknown-function", "call of '" + name + "', which is no device function", at);
    return false;
  }
  if (definition->getReturnType()->isReferenceType()) {
    reject("reference", "function '" + name + "' that returns a reference", at);
    return false;
  }
  if (definition->isVariadic()) {
    reject("unsupported-function", "variadic function '" + name + "'", at);
    return false;
  }
  DeviceFunction notes;
  m_code.addNotes(definition, notes);
  m_state.errors.insert(m_state.errors.end(), notes.errors.begin(), notes.errors.end());
  for (const Rejection& rejection : notes.rejections)
    reject(rejection.id, rejection.construct, rejection.where);
  checkAttributes(definition);
  return notes.rejections.empty();
}

FunctionTranslator::Place FunctionTranslator::inlineCall(
    const clang::FunctionDecl* definition, llvm::ArrayRef<const clang::Expr*> arguments, const Place& object,
    const clang::Expr* at, const std::map<const clang::VarDecl*, Place>& captured) {
  if (!canInline(definition, at))
    return {};
  const std::string name = displayName(definition);
  const SourceRange place = where(at);
  if (!orderFree(arguments))
    return {};
  // All arguments are evaluated before a parameter gets its meaning: they may call the same function.
  std::vector<Place> bound;
  for (unsigned i = 0; i < definition->getNumParams() && i < arguments.size(); ++i) {
    const std::optional<Place> each = bindArgument(definition->getParamDecl(i), arguments[i]);
    if (!each)
      return {};
    bound.push_back(*each);
  }
  for (unsigned i = 0; i < bound.size(); ++i)
    m_places[definition->getParamDecl(i)] = bound[i];
  const CapturedScope scope(m_places, captured);

  Inlined call{definition, {}, object};
  const clang::QualType returned = definition->getReturnType();
  if (returned->isRecordType()) {
    call.result = newRecord(returned, name + "()", place);
  } else if (!returned->isVoidType() && !llvm::isa<clang::CXXConstructorDecl>(definition)) {
    const std::optional<Type> type = irType(m_ast, returned);
    if (!type) {
      rejectType(returned, place);
      return {};
    }
    call.result = {m_builder.addLocal(name + "()", *type, place)};
  }
  std::vector<ir::StmtId> body;
  m_inlined.push_back(call);
  m_breakables.push_back({Breakable::Kind::Call, m_inlined.size()});
  m_builder.openBody(body);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
    memberInitialisers(made, object);
  if (definition->getBody())
    statement(definition->getBody());
  m_builder.closeBody();
  m_inlined.pop_back();
  const int uses = m_breakables.back().uses;
  m_breakables.pop_back();
  if (call.result.local >= 0 && mayFallThrough(m_function, body))
    reject("missing-return", "end of '" + name + "' reached without a value", place);
  if (uses == 1 && m_builder.dropFinalBreak(body))
    m_builder.splice(body);
  else if (uses == 0)
    m_builder.splice(body);
  else
    m_builder.block(std::move(body), place);
  return call.result;
}

void FunctionTranslator::memberInitialisers(const clang::CXXConstructorDecl* constructor,
                                            const Place& object) {
  int index = 0;
  for (const clang::FieldDecl* field : constructor->getParent()->fields()) {
    const auto given =
        std::find_if(constructor->init_begin(), constructor->init_end(),
                     [&](const clang::CXXCtorInitializer* each) { return each->getMember() == field; });
    const clang::Expr* initial = given != constructor->init_end() ? (*given)->getInit() : nullptr;
    if (const auto* byDefault = initial ? llvm::dyn_cast<clang::CXXDefaultInitExpr>(initial) : nullptr)
      initial = byDefault->getExpr();
    const Place target = leaf(object, index);
    if (field->getType()->isRecordType()) {
      if (initial && !isTrivialDefault(initial))
        copyRecord(target, recordValue(initial, true), field->getType(), initial);
      index += static_cast<int>(leavesOf(field->getType()).value_or(std::vector<Type>()).size());
      continue;
    }
    if (initial)
      write(target, value(initial), initial);
    ++index;
  }
}

/// Calls of member functions, of lambdas and of operators of classes.
FunctionTranslator::Place FunctionTranslator::inlineMember(const clang::CallExpr* expr,
                                                           const clang::CXXMethodDecl* method) {
  const auto* memberCall = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr);
  const clang::Expr* object = memberCall ? memberCall->getImplicitObjectArgument() : expr->getArg(0);
  const unsigned skipped = memberCall ? 0 : 1;
  const llvm::ArrayRef<const clang::Expr*> arguments(expr->getArgs() + skipped, expr->getNumArgs() - skipped);
  const clang::CXXRecordDecl* owner = method->getParent();
  if (owner->isLambda()) {
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(unwrap(object)))
      lambdaCaptures(lambda);
    const clang::FunctionDecl* definition = nullptr;
    if (!method->hasBody(definition) || !method->isConst()) {
      reject("lambda", method->isConst() ? "call of a lambda" : "call of a mutable lambda", expr);
      return {};
    }
    return inlineCall(definition, arguments, {}, expr, m_captures[owner]);
  }
  if (method->isVirtual()) {
    reject("virtual-call", "virtual call", expr);
    return {};
  }
  if (!leavesOf(m_ast.getRecordType(owner))) {
    const Rejection type = typeRejection(m_sources, m_ast, m_ast.getRecordType(owner), {});
    reject(type.id == "struct-type" ? "method" : type.id, "call of '" + method->getNameAsString() + "'",
           expr);
    return {};
  }
  for (const clang::Expr* argument : arguments)
    if (!orderFree(object, argument))
      return {};
  if (method->isTrivial() && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
    const Place from = recordValue(arguments[0], true);
    const Place to = place(object);
    copyRecord(to, from, m_ast.getRecordType(owner), expr);
    return to;
  }
  Place target;
  if (memberCall && object->getType()->isPointerType())
    target = llvm::isa<clang::CXXThisExpr>(unwrap(object)) && !m_inlined.empty()
                 ? m_inlined.back().object
                 : Place{-1, value(object), ExprId::None};
  else
    target = object->isGLValue() ? pin(place(object), where(object)) : recordValue(object);
  const clang::FunctionDecl* definition = nullptr;
  if (!method->hasBody(definition)) {
    reject("method", "call of '" + method->getNameAsString() + "', which has no definition", expr);
    return {};
  }
  return inlineCall(definition, arguments, target, expr);
}

} // namespace plumbline::cuda

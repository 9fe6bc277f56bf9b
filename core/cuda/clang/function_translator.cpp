#include "core/cuda/clang/function_translator.h"

#include <algorithm>

namespace plumbline::cuda {

using ir::ScalarType;
using ir::Type;

namespace {

void addOnce(std::vector<Rejection>& list, const Rejection& rejection) {
  if (std::find(list.begin(), list.end(), rejection) == list.end())
    list.push_back(rejection);
}

void addAll(std::vector<Rejection>& list, const std::vector<Rejection>& more) {
  for (const Rejection& rejection : more)
    addOnce(list, rejection);
}

/// Attributes that do not change what the code computes.
bool isHarmless(const clang::Attr* attribute) {
  switch (attribute->getKind()) {
  case clang::attr::CUDAGlobal:
  case clang::attr::CUDADevice:
  case clang::attr::CUDAHost:
  case clang::attr::CUDALaunchBounds:
  case clang::attr::AlwaysInline:
  case clang::attr::NoInline:
  case clang::attr::Unused:
  case clang::attr::Used:
  case clang::attr::WarnUnusedResult:
  case clang::attr::Visibility:
  case clang::attr::Deprecated:
  case clang::attr::Builtin:
  case clang::attr::BuiltinAlias:
  case clang::attr::Const:
  case clang::attr::Pure:
  case clang::attr::NoThrow:
  case clang::attr::GNUInline:
  case clang::attr::CUDAShared:
  case clang::attr::Aligned:
  case clang::attr::InternalLinkage: return true;
  default: return attribute->isImplicit();
  }
}

bool isHarmlessOnStatement(const clang::Attr* attribute) {
  return attribute->getKind() == clang::attr::Likely || attribute->getKind() == clang::attr::Unlikely ||
         attribute->getKind() == clang::attr::LoopHint;
}

struct StatementRefusal {
  const char* id;
  const char* construct;
};

StatementRefusal refusalOf(const clang::Stmt* stmt) {
  switch (stmt->getStmtClass()) {
  case clang::Stmt::GotoStmtClass:
  case clang::Stmt::IndirectGotoStmtClass:
  case clang::Stmt::LabelStmtClass: return {"goto", "goto or label"};
  case clang::Stmt::GCCAsmStmtClass:
  case clang::Stmt::MSAsmStmtClass: return {"inline-asm", "inline assembly"};
  case clang::Stmt::CXXForRangeStmtClass: return {"loop", "range-based for loop"};
  case clang::Stmt::CXXTryStmtClass: return {"exceptions", "try block"};
  default: return {"unsupported-construct", stmt->getStmtClassName()};
  }
}

} // namespace

namespace {

/// Larger than any kernel that somebody wrote.
constexpr size_t mostNodes = 400'000;

} // namespace

// --- functions ---

void DeviceCode::addNotes(const clang::FunctionDecl* definition, DeviceFunction& state) const {
  const clang::FunctionDecl* written = definition->getTemplateInstantiationPattern();
  const clang::SourceRange tokens = (written ? written : definition)->getSourceRange();
  const std::optional<unsigned> begin = sources.mainOffset(tokens.getBegin());
  const std::optional<unsigned> end = sources.mainOffset(tokens.getEnd());
  const auto covers = [&](const SourceNote& note) {
    return note.offset && begin && end && *begin <= *note.offset && *note.offset <= *end;
  };
  for (const SourceNote& note : notes.errors)
    if (covers(note))
      addOnce(state.errors, note.rejection);
  for (const SourceNote& note : notes.marks)
    if (covers(note))
      addOnce(state.rejections, note.rejection);
  addAll(state.rejections, state.errors);
  if (definition->isInvalidDecl() && state.errors.empty())
    addOnce(state.rejections, {"cuda-syntax", displayName(definition), sources.range(tokens)});
}

const DeviceFunction& DeviceCode::translate(const clang::FunctionDecl* definition) {
  const auto [entry, isNew] = m_functions.try_emplace(definition);
  DeviceFunction& state = entry->second;
  if (!isNew)
    return state;
  addNotes(definition, state);
  if (state.rejections.empty()) {
    ir::Function function;
    FunctionTranslator(*this, state, function).run(definition);
    if (state.rejections.empty()) {
      state.index = static_cast<int>(module.functions.size());
      module.functions.push_back(std::move(function));
    }
  }
  state.inProgress = false;
  return state;
}

ir::ExprId FunctionTranslator::reject(std::string id, std::string construct, SourceRange at) {
  addOnce(m_state.rejections, {std::move(id), std::move(construct), std::move(at)});
  return ExprId::None;
}

ir::ExprId FunctionTranslator::rejectType(clang::QualType type, const SourceRange& at) {
  addOnce(m_state.rejections, typeRejection(m_sources, m_ast, type, at));
  return ExprId::None;
}

void FunctionTranslator::run(const clang::FunctionDecl* definition) {
  signature(definition);
  statement(definition->getBody());
  if (!m_state.rejections.empty())
    return;
  if (m_function.returnType != Type{} && mayFallThrough(m_function, m_function.body))
    reject("missing-return", "end of '" + m_function.name + "' reached without a value", m_function.where);
  if (m_function.exprs.size() > mostNodes)
    reject("too-large", "function '" + m_function.name + "' with its calls in place", m_function.where);
}

void FunctionTranslator::signature(const clang::FunctionDecl* definition) {
  m_function.name = displayName(definition);
  m_function.where = m_sources.range(definition->getSourceRange());
  checkAttributes(definition);
  const SourceRange at = m_function.where;
  if (const std::optional<Type> type = irType(m_ast, definition->getReturnType()); type && !type->pointer)
    m_function.returnType = *type;
  else if (type)
    reject("pointer-return", "function '" + m_function.name + "' that returns a pointer", at);
  else
    rejectType(definition->getReturnType(), at);
  if (definition->isVariadic())
    reject("unsupported-function", "variadic function '" + m_function.name + "'", at);
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition); method && !method->isStatic())
    reject("method", "member function '" + m_function.name + "'", at);
  m_function.parameterCount = static_cast<int>(definition->getNumParams());
  for (const clang::ParmVarDecl* each : definition->parameters())
    parameter(each);
}

void FunctionTranslator::parameter(const clang::ParmVarDecl* parameter) {
  checkAttributes(parameter);
  const SourceRange at = m_sources.range(parameter->getSourceRange());
  clang::QualType type = parameter->getType();
  // A reference to const is read like a value as long as the function writes no memory.
  if (const auto* reference = type->getAs<clang::LValueReferenceType>();
      reference && reference->getPointeeType().isConstQualified()) {
    type = reference->getPointeeType();
  }
  const std::optional<Type> made = irType(m_ast, type);
  if (!made || made->scalar == ScalarType::Void) {
    m_refused.insert(parameter);
    rejectType(type, at);
    return;
  }
  m_locals[parameter] = m_builder.addLocal(parameter->getNameAsString(), *made, at);
}

void FunctionTranslator::checkAttributes(const clang::Decl* decl) {
  for (const clang::Attr* attribute : decl->attrs())
    if (!isHarmless(attribute))
      reject("unknown-attribute", std::string("attribute '") + attribute->getSpelling() + "'",
             m_sources.range(attribute->getRange()));
}

// --- statements ---

void FunctionTranslator::statementInBody(const clang::Stmt* stmt, std::vector<ir::StmtId>& body) {
  m_builder.openBody(body);
  if (stmt)
    statement(stmt);
  m_builder.closeBody();
}

void FunctionTranslator::statement(const clang::Stmt* stmt) {
  if (m_depth >= maximumDepth) {
    reject("too-deep", "deeply nested statement", stmt);
    return;
  }
  ++m_depth;
  if (const SourceRange own = m_sources.range(stmt->getSourceRange()); own.known())
    m_near = own;
  if (m_function.exprs.size() > mostNodes) {
    // reported at the end of the function
  } else if (const auto* expr = llvm::dyn_cast<clang::Expr>(stmt))
    expressionStatement(expr);
  else if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(stmt))
    for (const clang::Stmt* each : compound->body())
      statement(each);
  else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(stmt))
    declarations(declaration);
  else if (const auto* conditional = llvm::dyn_cast<clang::IfStmt>(stmt))
    branch(conditional);
  else if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(stmt))
    returnStatement(result);
  else if (loopStatement(stmt)) {
    // translated there
  } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(stmt)) {
    for (const clang::Attr* attribute : attributed->getAttrs())
      if (!isHarmlessOnStatement(attribute))
        reject("unknown-attribute", std::string("attribute '") + attribute->getSpelling() + "'", stmt);
    statement(attributed->getSubStmt());
  } else if (!llvm::isa<clang::NullStmt>(stmt)) {
    const StatementRefusal refusal = refusalOf(stmt);
    reject(refusal.id, refusal.construct, stmt);
  }
  --m_depth;
}

void FunctionTranslator::declarations(const clang::DeclStmt* stmt) {
  for (const clang::Decl* decl : stmt->decls()) {
    if (const auto* each = llvm::dyn_cast<clang::VarDecl>(decl))
      variable(each);
    else if (!llvm::isa<clang::TypedefNameDecl, clang::StaticAssertDecl, clang::UsingDecl,
                        clang::UsingDirectiveDecl, clang::EnumDecl, clang::EmptyDecl>(decl))
      reject("local-declaration", std::string("local declaration of kind ") + decl->getDeclKindName(), stmt);
  }
}

void FunctionTranslator::variable(const clang::VarDecl* variable) {
  if (arrayVariable(variable))
    return;
  const SourceRange at = m_sources.range(variable->getSourceRange());
  checkAttributes(variable);
  if (variable->hasGlobalStorage()) {
    // A constant is read through its initialiser where it is used.
    if (!variable->getType().isConstQualified() && !variable->isConstexpr()) {
      m_refused.insert(variable);
      reject("static-variable", "static variable '" + variable->getNameAsString() + "'", at);
    }
    return;
  }
  m_places.erase(variable);
  if (variable->getType()->isReferenceType())
    return referenceVariable(variable);
  if (variable->getType()->isRecordType())
    return recordVariable(variable);
  const std::optional<Type> type = irType(m_ast, variable->getType());
  if (!type) {
    m_refused.insert(variable);
    rejectType(variable->getType(), at);
    return;
  }
  const ExprId initial = variable->getInit() ? value(variable->getInit()) : ExprId::None;
  const int index = m_builder.addLocal(variable->getNameAsString(), *type, at);
  m_locals[variable] = index;
  if (variable->getInit())
    m_builder.assign(index, initial, at);
  else if (!m_breakables.empty())
    m_builder.declareLocal(index, at);
}

/// Another name of a place; a temporary gets one.
void FunctionTranslator::referenceVariable(const clang::VarDecl* variable) {
  const clang::Expr* initial = variable->getInit();
  const SourceRange at = m_sources.range(variable->getSourceRange());
  const clang::QualType type = variable->getType().getNonReferenceType();
  Place bound;
  if (!initial || !(type->isArrayType() || irType(m_ast, type) || leavesOf(type))) {
    rejectType(variable->getType(), at);
  } else {
    bound = initial->isGLValue() && !isTemporary(initial) ? place(initial) : temporary(initial, at);
    if (!isBindable(bound, initial) && (bound.value != ExprId::None || m_state.rejections.empty()))
      bound = {-1, ExprId::None, reject("reference", "reference to a value that is no variable", at)};
  }
  if (bound.local < 0 && bound.pointer == ExprId::None && bound.value == ExprId::None)
    m_refused.insert(variable);
  else
    m_places[variable] = pin(bound, at);
}

/// A value without a name of its own, in locals.
FunctionTranslator::Place FunctionTranslator::temporary(const clang::Expr* initial, const SourceRange& at) {
  if (initial->getType()->isRecordType())
    return recordValue(initial);
  const ExprId id = value(initial);
  if (id == ExprId::None)
    return {};
  const Place kept{m_builder.addLocal("value", m_builder.typeOf(id), at)};
  m_builder.assign(kept.local, id, at);
  return kept;
}

void FunctionTranslator::recordVariable(const clang::VarDecl* variable) {
  const SourceRange at = m_sources.range(variable->getSourceRange());
  const clang::Expr* initial = variable->getInit() ? unwrap(variable->getInit()) : nullptr;
  if (const auto* lambda = initial ? llvm::dyn_cast<clang::LambdaExpr>(initial) : nullptr)
    return lambdaCaptures(lambda);
  if (!leavesOf(variable->getType())) {
    m_refused.insert(variable);
    rejectType(variable->getType(), at);
    return;
  }
  const std::string name = variable->getNameAsString();
  const auto* made = initial ? llvm::dyn_cast<clang::CXXConstructExpr>(initial) : nullptr;
  const bool copies =
      initial && (initial->isGLValue() || (made && made->getConstructor()->isCopyOrMoveConstructor()));
  Place value;
  if (initial) {
    // A temporary becomes the variable; another variable is copied.
    const auto before = static_cast<int>(m_function.locals.size());
    value = recordValue(initial, copies);
    if (!copies && value.local >= before) {
      m_locals[variable] = value.local;
      renameRecord(value, variable->getType(), name);
      return;
    }
  }
  const Place own = newRecord(variable->getType(), name, at);
  m_locals[variable] = own.local;
  if (initial)
    copyRecord(own, value, variable->getType(), initial);
}

void FunctionTranslator::branch(const clang::IfStmt* stmt) {
  if (stmt->getInit())
    statement(stmt->getInit());
  if (stmt->getConditionVariable()) {
    reject("condition-variable", "variable declared in a condition", stmt);
    return;
  }
  if (stmt->isConsteval()) {
    reject("unsupported-construct", "if consteval", stmt);
    return;
  }
  if (stmt->isConstexpr()) {
    // Instantiated: the branch not taken is not part of the program.
    if (const std::optional<const clang::Stmt*> taken = stmt->getNondiscardedCase(m_ast)) {
      if (*taken)
        statement(*taken);
      return;
    }
    reject("unsupported-construct", "if constexpr whose condition has no value", stmt);
    return;
  }
  const ExprId condition = value(stmt->getCond());
  std::vector<ir::StmtId> yes;
  std::vector<ir::StmtId> no;
  statementInBody(stmt->getThen(), yes);
  statementInBody(stmt->getElse(), no);
  m_builder.branch(condition, std::move(yes), std::move(no), where(stmt));
}

void FunctionTranslator::returnStatement(const clang::ReturnStmt* stmt) {
  const clang::Expr* result = stmt->getRetValue();
  ExprId returned = ExprId::None;
  if (result && result->getType()->isVoidType())
    expressionStatement(result);
  else if (result && !m_inlined.empty() && result->getType()->isRecordType()) {
    const Place target = m_inlined.back().result; // calls inside the value make m_inlined grow
    copyRecord(target, recordValue(result, true), result->getType(), result);
  } else if (result)
    returned = value(result);
  if (m_inlined.empty())
    return m_builder.returnValue(returned, where(stmt));
  if (returned != ExprId::None && m_inlined.back().result.local >= 0)
    m_builder.assign(m_inlined.back().result.local, returned, where(stmt));
  leaveCall(where(stmt));
}

void FunctionTranslator::expressionStatement(const clang::Expr* expr) {
  expr = unwrap(expr);
  if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(expr)) {
    compoundAssignment(compound);
    return;
  }
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (operation->getOpcode() == clang::BO_Assign) {
      assignment(operation);
      return;
    }
    if (operation->getOpcode() == clang::BO_Comma) {
      expressionStatement(operation->getLHS());
      return expressionStatement(operation->getRHS());
    }
  }
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expr);
      operation && operation->isIncrementDecrementOp()) {
    increment(operation);
    return;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_ToVoid)
    return expressionStatement(cast->getSubExpr());
  if (expr->getType()->isRecordType()) {
    recordValue(expr);
    return;
  }
  m_discarded = expr;
  const ExprId id = value(expr);
  m_discarded = nullptr;
  if (id == ExprId::None)
    return;
  const ir::ExprKind kind = m_builder.expr(id).kind;
  if (kind != ir::ExprKind::Local && kind != ir::ExprKind::IntLiteral && kind != ir::ExprKind::BoolLiteral)
    m_builder.evaluate(id, where(expr));
}

// The right operand of an assignment is sequenced before the left one (C++17).
FunctionTranslator::Place FunctionTranslator::assignment(const clang::BinaryOperator* expr, bool kept) {
  ExprId right = value(expr->getRHS());
  if (ordered(expr->getRHS(), expr->getLHS()))
    right = materialise(right, where(expr));
  Place target = place(expr->getLHS());
  if (kept && readsMemory(target.pointer))
    target = pin(target, where(expr));
  write(target, right, expr);
  return target;
}

FunctionTranslator::Place FunctionTranslator::compoundAssignment(const clang::CompoundAssignOperator* expr,
                                                                 bool kept) {
  const SourceRange at = where(expr);
  ExprId right = value(expr->getRHS());
  Place target;
  if (hasEffects(expr->getLHS())) {
    right = materialise(right, at);
    target = pin(place(expr->getLHS()), at);
  } else {
    target = place(expr->getLHS());
    if (kept && readsMemory(target.pointer))
      target = pin(target, at);
  }
  const ExprId old = read(target, where(expr->getLHS()));
  if (old == ExprId::None || right == ExprId::None || isHalfArithmetic(old, expr))
    return {};
  const auto op = clang::BinaryOperator::getOpForCompoundAssignment(expr->getOpcode());
  if (m_builder.typeOf(old).pointer) {
    write(target, pointerArithmetic(op, old, right, expr), expr);
    return target;
  }
  const std::optional<ScalarType> computed = irScalar(m_ast, expr->getComputationLHSType());
  if (!computed) {
    rejectType(expr->getComputationLHSType(), at);
    return {};
  }
  const ExprId result = arithmetic(op, m_builder.cast(old, *computed, at), right, expr);
  write(target, m_builder.cast(result, m_builder.typeOf(old).scalar, at), expr);
  return target;
}

FunctionTranslator::Place FunctionTranslator::increment(const clang::UnaryOperator* expr, ExprId* before,
                                                        bool kept) {
  const SourceRange at = where(expr);
  Place target = place(expr->getSubExpr());
  if (before || hasEffects(expr->getSubExpr()) || (kept && readsMemory(target.pointer)))
    target = pin(target, at);
  ExprId old = read(target, where(expr->getSubExpr()));
  if (old == ExprId::None || isHalfArithmetic(old, expr))
    return {};
  if (before)
    *before = old = materialise(old, at);
  const Type type = m_builder.typeOf(old);
  const auto op = expr->isIncrementOp() ? clang::BO_Add : clang::BO_Sub;
  const ExprId one = m_builder.intLiteral(1, ScalarType::I32, at);
  if (type.pointer) {
    write(target, pointerArithmetic(op, old, one, expr), expr);
    return target;
  }
  const bool narrow = !ir::isFloat(type.scalar) && ir::bitWidth(type.scalar) < 32;
  const ScalarType computed = narrow ? ScalarType::I32 : type.scalar;
  const ExprId sum =
      arithmetic(op, m_builder.cast(old, computed, at), m_builder.cast(one, computed, at), expr);
  write(target, m_builder.cast(sum, type.scalar, at), expr);
  return target;
}

void FunctionTranslator::write(const Place& place, ExprId value, const clang::Expr* at) {
  if (value == ExprId::None)
    return;
  if (place.local >= 0) {
    m_builder.assign(place.local, value, where(at));
  } else if (place.pointer != ExprId::None) {
    m_state.writesMemory = true;
    m_builder.store(place.pointer, value, where(at), place.lane);
  } else if (place.value != ExprId::None) {
    reject("unsupported-construct", "assignment to a value", at);
  }
}

} // namespace plumbline::cuda

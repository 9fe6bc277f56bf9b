// Expressions of device code. C++'s implicit conversions are nodes of the AST already and become Cast nodes.
#include "core/cuda/clang/function_translator.h"

#include <algorithm>

namespace plumbline::cuda {

using ir::BinaryOp;
using ir::ExprId;
using ir::ScalarType;
using ir::Type;

namespace {

std::optional<BinaryOp> binaryOp(clang::BinaryOperatorKind op) {
  switch (op) {
  case clang::BO_Add: return BinaryOp::Add;
  case clang::BO_Sub: return BinaryOp::Sub;
  case clang::BO_Mul: return BinaryOp::Mul;
  case clang::BO_Div: return BinaryOp::Div;
  case clang::BO_Rem: return BinaryOp::Rem;
  case clang::BO_Shl: return BinaryOp::Shl;
  case clang::BO_Shr: return BinaryOp::Shr;
  case clang::BO_And: return BinaryOp::BitAnd;
  case clang::BO_Or: return BinaryOp::BitOr;
  case clang::BO_Xor: return BinaryOp::BitXor;
  case clang::BO_LT: return BinaryOp::Lt;
  case clang::BO_LE: return BinaryOp::Le;
  case clang::BO_GT: return BinaryOp::Gt;
  case clang::BO_GE: return BinaryOp::Ge;
  case clang::BO_EQ: return BinaryOp::Eq;
  case clang::BO_NE: return BinaryOp::Ne;
  default: return std::nullopt;
  }
}

/// Sub-expression of the wrappers that mean nothing by themselves; the expression itself otherwise.
const clang::Expr* unwrap(const clang::Expr* expr) {
  while (true) {
    if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(expr))
      expr = paren->getSubExpr();
    else if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expr)) // ConstantExpr, ExprWithCleanups
      expr = full->getSubExpr();
    else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
      expr = temporary->getSubExpr();
    else if (const auto* replaced = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr))
      expr = replaced->getReplacement();
    else if (const auto* argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr))
      expr = argument->getExpr();
    else
      return expr;
  }
}

/// The node whose side effect would come first if `expr` were a right-hand side: below casts only.
const clang::Expr* rootOf(const clang::Expr* expr) {
  while (true) {
    expr = unwrap(expr);
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
    if (!cast)
      return expr;
    expr = cast->getSubExpr();
  }
}

ScalarType formatOf(const llvm::APFloat& value) {
  return &value.getSemantics() == &llvm::APFloat::IEEEsingle() ? ScalarType::F32 : ScalarType::F64;
}

} // namespace

ExprId FunctionTranslator::sequencedValue(const clang::Expr* expr) {
  m_sequenced = rootOf(expr);
  return value(expr);
}

ExprId FunctionTranslator::value(const clang::Expr* expr) {
  if (m_depth >= maximumDepth)
    return reject("too-deep", "deeply nested expression", expr);
  ++m_depth;
  const ExprId id = valueOf(unwrap(expr));
  --m_depth;
  return id;
}

ExprId FunctionTranslator::valueOf(const clang::Expr* expr) {
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return operation->isAssignmentOp() ? read(place(expr), where(expr)) : binary(operation);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr))
    return castExpr(cast);
  if (const auto* variable = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    return reference(variable);
  if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(expr))
    return member(field);
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expr))
    return call(called);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return unary(operation);
  if (llvm::isa<clang::ArraySubscriptExpr>(expr))
    return read(place(expr), where(expr));
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    const ExprId condition = value(choice->getCond());
    const ExprId yes = value(choice->getTrueExpr());
    const ExprId no = value(choice->getFalseExpr());
    return m_builder.conditional(condition, yes, no, where(expr));
  }
  if (const auto* literal = llvm::dyn_cast<clang::FloatingLiteral>(expr))
    return floatLiteral(literal);
  if (const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(expr)) {
    const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
    return type ? m_builder.intLiteral(static_cast<int64_t>(literal->getValue().getZExtValue()), *type,
                                       where(expr))
                : rejectType(expr->getType(), where(expr));
  }
  if (const auto* literal = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(expr))
    return m_builder.boolLiteral(literal->getValue(), where(expr));
  if (const auto* literal = llvm::dyn_cast<clang::CharacterLiteral>(expr);
      literal && literal->getKind() == clang::CharacterLiteralKind::Ascii)
    return m_builder.intLiteral(static_cast<signed char>(literal->getValue()), ScalarType::I8, where(expr));
  if (const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(expr);
      size && size->getKind() == clang::UETT_SizeOf && irType(m_ast, size->getTypeOfArgument()))
    return evaluated(expr);
  if (llvm::isa<clang::CXXScalarValueInitExpr, clang::ImplicitValueInitExpr>(expr))
    return zero(expr);
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr);
      list && !list->getType()->isRecordType()) {
    if (list->getNumInits() == 0)
      return zero(expr);
    if (list->getNumInits() == 1 && irType(m_ast, list->getType()))
      return value(list->getInit(0));
  }
  return refuseExpr(expr);
}

ExprId FunctionTranslator::refuseExpr(const clang::Expr* expr) {
  switch (expr->getStmtClass()) {
  case clang::Stmt::LambdaExprClass: return reject("lambda", "lambda", expr);
  case clang::Stmt::CXXNewExprClass: return reject("dynamic-memory", "new", expr);
  case clang::Stmt::CXXDeleteExprClass: return reject("dynamic-memory", "delete", expr);
  case clang::Stmt::CXXThrowExprClass: return reject("exceptions", "throw", expr);
  case clang::Stmt::CXXNullPtrLiteralExprClass:
  case clang::Stmt::GNUNullExprClass: return reject("null-pointer", "null pointer", expr);
  case clang::Stmt::StringLiteralClass: return reject("string", "string literal", expr);
  case clang::Stmt::RecoveryExprClass: return reject("cuda-syntax", "expression with an error", expr);
  default: break;
  }
  if (expr->getType()->isRecordType() || expr->getType()->isArrayType())
    return rejectType(expr->getType(), where(expr));
  return reject("unsupported-construct", expr->getStmtClassName(), expr);
}

ExprId FunctionTranslator::floatLiteral(const clang::FloatingLiteral* expr) {
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  if (!type || !ir::isFloat(*type))
    return rejectType(expr->getType(), where(expr));
  return m_builder.floatLiteral(expr->getValue().bitcastToAPInt().getZExtValue(), *type,
                                literalDigits(m_sources.spelling(expr->getLocation())), where(expr));
}

/// A value the compiler computed. A sign is an operation, so that every literal is what a literal can be.
ExprId FunctionTranslator::constant(const llvm::APFloat& value, const SourceRange& where) {
  const ScalarType type = formatOf(value);
  if (value.isNaN())
    return m_builder.floatLiteral(type == ScalarType::F32 ? 0x7fc00000U : 0x7ff8000000000000U, type, "NAN",
                                  where);
  if (value.isNegative())
    return m_builder.unary(ir::UnaryOp::Neg, constant(-value, where), where);
  llvm::SmallString<32> text;
  if (value.isInfinity())
    text = "INFINITY";
  else
    value.toString(text);
  return m_builder.floatLiteral(value.bitcastToAPInt().getZExtValue(), type, text.str().str(), where);
}

ExprId FunctionTranslator::zero(const clang::Expr* expr) {
  const std::optional<Type> type = irType(m_ast, expr->getType());
  if (!type || type->scalar == ScalarType::Void)
    return rejectType(expr->getType(), where(expr));
  if (type->pointer)
    return reject("null-pointer", "null pointer", expr);
  if (ir::isFloat(type->scalar))
    return m_builder.floatLiteral(0, type->scalar, "0", where(expr));
  if (type->scalar == ScalarType::Bool)
    return m_builder.boolLiteral(false, where(expr));
  return m_builder.intLiteral(0, type->scalar, where(expr));
}

// --- names and memory ---

FunctionTranslator::Place FunctionTranslator::place(const clang::Expr* expr) {
  expr = unwrap(expr);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_NoOp && cast->getSubExpr()->isGLValue())
    return place(cast->getSubExpr());
  if (const auto* variable = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    if (const auto* decl = llvm::dyn_cast<clang::VarDecl>(variable->getDecl()))
      if (const auto known = m_locals.find(decl); known != m_locals.end())
        return {known->second, ExprId::None, ExprId::None};
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    const ExprId base = value(element->getBase());
    const ExprId index = value(element->getIdx());
    return {-1, m_builder.pointerAdd(base, index, where(expr)), ExprId::None};
  }
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expr);
      operation && operation->getOpcode() == clang::UO_Deref)
    return {-1, value(operation->getSubExpr()), ExprId::None};
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr);
      operation && operation->isAssignmentOp()) {
    if (expr != m_sequenced) {
      reject("nested-side-effect", "assignment inside an expression", expr);
      return {};
    }
    expressionStatement(expr);
    return place(operation->getLHS());
  }
  return {-1, ExprId::None, valueOf(expr)};
}

ExprId FunctionTranslator::read(const Place& place, const SourceRange& where) {
  if (place.local >= 0)
    return m_builder.local(place.local, where);
  return place.value != ExprId::None ? place.value : m_builder.load(place.pointer, where);
}

ExprId FunctionTranslator::reference(const clang::DeclRefExpr* expr) {
  const clang::ValueDecl* decl = expr->getDecl();
  if (const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(decl)) {
    const auto* owner = llvm::dyn_cast<clang::EnumDecl>(constant->getDeclContext());
    const std::optional<ScalarType> type = irScalar(m_ast, owner ? owner->getIntegerType() : expr->getType());
    return type ? m_builder.intLiteral(constant->getInitVal().getExtValue(), *type, where(expr))
                : rejectType(expr->getType(), where(expr));
  }
  if (llvm::isa<clang::FunctionDecl>(decl))
    return reject("function-pointer", "function used as a value", expr);
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
  if (!variable)
    return reject("unsupported-construct", "reference to '" + decl->getNameAsString() + "'", expr);
  if (const auto known = m_locals.find(variable); known != m_locals.end())
    return m_builder.local(known->second, where(expr));
  if (m_refused.contains(variable))
    return ExprId::None;
  if (m_sources.inShim(variable) && variable->getName() == "warpSize")
    return m_builder.builtin("warpSize", ScalarType::I32, where(expr));
  return constantVariable(variable, expr);
}

/// A constant outside the function is its initialiser, so that literals keep their text.
ExprId FunctionTranslator::constantVariable(const clang::VarDecl* variable, const clang::Expr* at) {
  const std::string what = "variable '" + variable->getNameAsString() + "'";
  if (variable->hasAttr<clang::CUDASharedAttr>())
    return reject("shared-memory", "shared " + what, at);
  if (variable->hasAttr<clang::CUDAConstantAttr>() && !variable->isImplicit() && !variable->isConstexpr() &&
      !variable->getAttr<clang::CUDAConstantAttr>()->isImplicit())
    return reject("constant-memory", "constant-memory " + what, at);
  if (variable->getType()->isArrayType())
    return reject("global-variable", "array " + what, at);
  if (variable->getType()->isRecordType() || variable->getType()->isReferenceType())
    return rejectType(variable->getType(), where(at));
  const bool fixed = variable->isConstexpr() || variable->getType().isConstQualified();
  const clang::Expr* initial = variable->getAnyInitializer();
  if (!variable->hasGlobalStorage())
    return reject("cuda-syntax", what + " without a declaration that was read", at);
  if (!fixed || !initial || initial->isValueDependent() || !variable->evaluateValue())
    return reject(variable->isStaticLocal() ? "static-variable" : "global-variable", "non-constant " + what,
                  at);
  return m_builder.cast(value(initial), irScalar(m_ast, variable->getType()).value_or(ScalarType::Void),
                        where(at));
}

/// threadIdx and its kin; other records are refused.
ExprId FunctionTranslator::member(const clang::MemberExpr* expr) {
  const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(expr->getBase()->IgnoreParenImpCasts());
  const auto* variable = base ? llvm::dyn_cast<clang::VarDecl>(base->getDecl()) : nullptr;
  if (variable && variable->hasExternalStorage() && m_sources.inShim(variable) &&
      variable->hasAttr<clang::CUDADeviceAttr>())
    return m_builder.builtin(variable->getNameAsString() + "." + expr->getMemberDecl()->getNameAsString(),
                             ScalarType::U32, where(expr));
  // A static constant of a class is a variable.
  if (const auto* constant = llvm::dyn_cast<clang::VarDecl>(expr->getMemberDecl()))
    return constantVariable(constant, expr);
  return isRefused(expr->getBase()) ? ExprId::None : rejectType(expr->getBase()->getType(), where(expr));
}

/// True for a variable whose declaration was refused: one rejection is enough.
bool FunctionTranslator::isRefused(const clang::Expr* expr) const {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  return variable && m_refused.contains(variable);
}

// --- operators ---

ExprId FunctionTranslator::castExpr(const clang::CastExpr* expr) {
  const clang::Expr* inner = expr->getSubExpr();
  switch (expr->getCastKind()) {
  case clang::CK_LValueToRValue: return read(place(inner), where(inner));
  case clang::CK_NoOp: return inner->isGLValue() ? read(place(inner), where(inner)) : value(inner);
  case clang::CK_IntegralCast:
  case clang::CK_BooleanToSignedIntegral:
  case clang::CK_FloatingCast:
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingToIntegral:
  case clang::CK_IntegralToBoolean:
  case clang::CK_FloatingToBoolean: {
    const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
    return type ? m_builder.cast(value(inner), *type, where(expr)) : rejectType(expr->getType(), where(expr));
  }
  case clang::CK_BitCast:
  case clang::CK_LValueBitCast:
  case clang::CK_LValueToRValueBitCast:
  case clang::CK_ReinterpretMemberPointer:
    return reject("reinterpret-cast", "cast that reinterprets memory", expr);
  case clang::CK_PointerToIntegral:
  case clang::CK_IntegralToPointer:
    return reject("reinterpret-cast", "cast between pointer and integer", expr);
  case clang::CK_PointerToBoolean: return reject("pointer-comparison", "pointer used as a condition", expr);
  case clang::CK_NullToPointer: return reject("null-pointer", "null pointer", expr);
  case clang::CK_ArrayToPointerDecay: {
    const size_t before = m_state.rejections.size();
    place(inner);
    const bool named = m_state.rejections.size() > before || isRefused(inner);
    return named ? ExprId::None : reject("local-array", "array used as a pointer", expr);
  }
  case clang::CK_FunctionToPointerDecay: return reject("function-pointer", "function used as a value", expr);
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion: {
    const bool fromRecord = inner->getType()->isRecordType();
    return rejectType(fromRecord ? inner->getType() : expr->getType(), where(expr));
  }
  default: return reject("unsupported-cast", std::string("cast ") + expr->getCastKindName(), expr);
  }
}

ExprId FunctionTranslator::unary(const clang::UnaryOperator* expr) {
  const clang::Expr* inner = expr->getSubExpr();
  switch (expr->getOpcode()) {
  case clang::UO_Plus: return value(inner);
  case clang::UO_Minus: return m_builder.unary(ir::UnaryOp::Neg, value(inner), where(expr));
  case clang::UO_Not: return m_builder.unary(ir::UnaryOp::BitNot, value(inner), where(expr));
  case clang::UO_LNot: return m_builder.unary(ir::UnaryOp::LogicalNot, value(inner), where(expr));
  case clang::UO_Deref: return read(place(expr), where(expr));
  case clang::UO_AddrOf: {
    const Place target = place(inner);
    if (target.pointer != ExprId::None || (target.local < 0 && target.value == ExprId::None))
      return target.pointer;
    return reject("address-of", "address of a variable", expr);
  }
  case clang::UO_PreInc:
  case clang::UO_PreDec:
  case clang::UO_PostInc:
  case clang::UO_PostDec:
    return reject("nested-side-effect", "increment or decrement inside an expression", expr);
  default:
    return reject("unsupported-construct",
                  "operator " + clang::UnaryOperator::getOpcodeStr(expr->getOpcode()).str(), expr);
  }
}

ExprId FunctionTranslator::binary(const clang::BinaryOperator* expr) {
  if (expr->getOpcode() == clang::BO_Comma)
    return reject("nested-side-effect", "comma operator inside an expression", expr);
  if (expr->isPtrMemOp())
    return reject("function-pointer", "pointer to member", expr);
  const ExprId left = value(expr->getLHS());
  const ExprId right = value(expr->getRHS());
  if (left == ExprId::None || right == ExprId::None)
    return ExprId::None;
  if (expr->isLogicalOp())
    return m_builder.logical(expr->getOpcode() == clang::BO_LAnd ? ir::ExprKind::LogicalAnd
                                                                 : ir::ExprKind::LogicalOr,
                             left, right, where(expr));
  if (m_builder.typeOf(left).pointer || m_builder.typeOf(right).pointer)
    return pointerArithmetic(expr->getOpcode(), left, right, expr);
  return arithmetic(expr->getOpcode(), left, right, expr);
}

ExprId FunctionTranslator::arithmetic(clang::BinaryOperatorKind op, ExprId left, ExprId right,
                                      const clang::Expr* at) {
  if (left == ExprId::None || right == ExprId::None)
    return ExprId::None;
  const std::optional<BinaryOp> made = binaryOp(op);
  if (!made)
    return reject("unsupported-construct", "operator " + clang::BinaryOperator::getOpcodeStr(op).str(), at);
  return m_builder.binary(*made, left, right, where(at));
}

ExprId FunctionTranslator::pointerArithmetic(clang::BinaryOperatorKind op, ExprId left, ExprId right,
                                             const clang::Expr* at) {
  if (left == ExprId::None || right == ExprId::None)
    return ExprId::None;
  const bool leftPointer = m_builder.typeOf(left).pointer;
  const bool rightPointer = m_builder.typeOf(right).pointer;
  if (op == clang::BO_Add && leftPointer != rightPointer)
    return leftPointer ? m_builder.pointerAdd(left, right, where(at))
                       : m_builder.pointerAdd(right, left, where(at));
  if (op == clang::BO_Sub && !rightPointer)
    return m_builder.pointerSub(left, right, where(at));
  return reject("pointer-comparison", "comparison or difference of pointers", at);
}

} // namespace plumbline::cuda

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

ScalarType formatOf(const llvm::APFloat& value) {
  switch (llvm::APFloat::SemanticsToEnum(value.getSemantics())) {
  case llvm::APFloat::S_IEEEhalf: return ScalarType::F16;
  case llvm::APFloat::S_BFloat: return ScalarType::BF16;
  case llvm::APFloat::S_IEEEsingle: return ScalarType::F32;
  default: return ScalarType::F64;
  }
}

const llvm::fltSemantics& semanticsOf(ScalarType sixteenBits) {
  return sixteenBits == ScalarType::F16 ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
}

/// Whether a constant is the same sixteen-bit float when it is rounded at once, as CUDA's types do, and by
/// way of a float, as PyTorch's do.
bool roundsOnce(const clang::APValue& constant, ScalarType to) {
  llvm::APFloat value(llvm::APFloat::IEEEquad()); // holds every double and every integer exactly
  bool lost = false;
  if (constant.isFloat()) {
    value = constant.getFloat();
    value.convert(llvm::APFloat::IEEEquad(), llvm::APFloat::rmNearestTiesToEven, &lost);
  } else if (constant.isInt()) {
    value.convertFromAPInt(constant.getInt(), constant.getInt().isSigned(),
                           llvm::APFloat::rmNearestTiesToEven);
  } else {
    return false;
  }
  llvm::APFloat single = value;
  single.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
  single.convert(semanticsOf(to), llvm::APFloat::rmNearestTiesToEven, &lost);
  value.convert(semanticsOf(to), llvm::APFloat::rmNearestTiesToEven, &lost);
  return single.bitwiseIsEqual(value);
}

bool isNull(const clang::Expr* expr) {
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(unwrap(expr));
  return cast && cast->getCastKind() == clang::CK_NullToPointer;
}

} // namespace

bool isTemporary(const clang::Expr* expr) {
  while (true) {
    if (llvm::isa<clang::MaterializeTemporaryExpr>(expr))
      return true;
    if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(expr))
      expr = paren->getSubExpr();
    else if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expr))
      expr = full->getSubExpr();
    else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
             cast && cast->getCastKind() == clang::CK_NoOp)
      expr = cast->getSubExpr();
    else
      return false;
  }
}

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
    return operation->isAssignmentOp() ? assignedValue(operation) : binary(operation);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr))
    return castExpr(cast);
  if (const auto* variable = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    return reference(variable);
  if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    const std::optional<Place> found = member(field);
    return found ? read(*found, where(expr)) : ExprId::None;
  }
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expr))
    return call(called);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return unary(operation);
  if (llvm::isa<clang::ArraySubscriptExpr>(expr))
    return read(place(expr), where(expr));
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expr))
    return chosen(choice);
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
      size && size->getKind() == clang::UETT_SizeOf && !size->getTypeOfArgument()->isVariableArrayType())
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
  if (ir::isSixteenBitFloat(type)) {
    llvm::APFloat wide = value;
    bool lost = false;
    wide.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return m_builder.cast(constant(wide, where), type, where);
  }
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
  return m_builder.zero(type->scalar, where(expr));
}

// --- names and memory ---

std::optional<FunctionTranslator::Place> FunctionTranslator::lookup(const clang::VarDecl* variable) const {
  if (const auto known = m_places.find(variable); known != m_places.end())
    return known->second;
  if (const auto known = m_locals.find(variable); known != m_locals.end())
    return Place{known->second};
  return std::nullopt;
}

/// The value of an assignment is what was stored; it is kept, since memory may change.
ExprId FunctionTranslator::assignedValue(const clang::BinaryOperator* expr) {
  const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(expr);
  const Place target = compound ? compoundAssignment(compound, true) : assignment(expr, true);
  if (target.local < 0 && target.pointer == ExprId::None)
    return ExprId::None;
  return materialise(read(target, where(expr)), where(expr));
}

FunctionTranslator::Place FunctionTranslator::place(const clang::Expr* expr) {
  expr = unwrap(expr);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    if (cast->getCastKind() == clang::CK_NoOp && cast->getSubExpr()->isGLValue())
      return place(cast->getSubExpr());
    if (cast->getCastKind() == clang::CK_LValueBitCast)
      return reinterpreted(cast);
  }
  if (const auto* variable = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    if (const auto* decl = llvm::dyn_cast<clang::VarDecl>(variable->getDecl())) {
      if (const std::optional<Place> known = lookup(decl))
        return *known;
      if (const std::optional<Place> constant = constantArray(decl, expr))
        return *constant;
      if (decl->hasAttr<clang::CUDASharedAttr>() && arrayVariable(decl)) // declared outside every function
        return lookup(decl).value_or(Place{});
    }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr))
    return subscript(element);
  if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(expr))
    return member(field).value_or(Place{});
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (operation->getOpcode() == clang::UO_Deref) {
      if (llvm::isa<clang::CXXThisExpr>(unwrap(operation->getSubExpr())) && !m_inlined.empty())
        return m_inlined.back().object;
      return {-1, value(operation->getSubExpr()), ExprId::None};
    }
    if (operation->isIncrementDecrementOp() && operation->isPrefix())
      return increment(operation, nullptr, true);
  }
  if (const auto* operation = llvm::dyn_cast<clang::CompoundAssignOperator>(expr))
    return compoundAssignment(operation, true);
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (operation->getOpcode() == clang::BO_Assign)
      return assignment(operation, true);
    if (operation->getOpcode() == clang::BO_Comma) {
      expressionStatement(operation->getLHS());
      return place(operation->getRHS());
    }
  }
  if (expr->getType()->isRecordType()) {
    if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expr))
      return recordCall(called);
    if (!expr->isGLValue())
      return recordValue(expr);
  }
  return {-1, ExprId::None, valueOf(expr)};
}

ExprId FunctionTranslator::read(const Place& place, const SourceRange& where) {
  if (place.local >= 0)
    return m_builder.local(place.local, where);
  return place.value != ExprId::None ? place.value : m_builder.load(place.pointer, where, place.lane);
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
  if (const std::optional<Place> known = lookup(variable))
    return read(*known, where(expr));
  if (m_refused.contains(variable))
    return ExprId::None;
  if (m_sources.inShim(variable) && variable->getName() == "warpSize")
    return m_builder.builtin("warpSize", ScalarType::I32, where(expr));
  return constantVariable(variable, expr);
}

/// A constant outside the function is its initialiser, so that literals keep their text.
ExprId FunctionTranslator::constantVariable(const clang::VarDecl* variable, const clang::Expr* at) {
  const std::string what = "variable '" + variable->getNameAsString() + "'";
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
    return type ? converted(inner, *type, expr) : rejectType(expr->getType(), where(expr));
  }
  case clang::CK_BitCast:
    if (expr->getType()->isPointerType() && inner->getType()->isPointerType())
      return pointerCast(expr);
    [[fallthrough]];
  case clang::CK_LValueBitCast:
  case clang::CK_LValueToRValueBitCast:
  case clang::CK_ReinterpretMemberPointer:
    return reject("reinterpret-cast", "cast that reinterprets memory", expr);
  case clang::CK_PointerToIntegral:
  case clang::CK_IntegralToPointer:
    return reject("reinterpret-cast", "cast between pointer and integer", expr);
  case clang::CK_PointerToBoolean: return comparedWithNull(inner, false, expr);
  case clang::CK_NullToPointer: return reject("null-pointer", "null pointer", expr);
  case clang::CK_ArrayToPointerDecay: {
    const size_t before = m_state.rejections.size();
    const Place array = place(inner);
    if (array.pointer != ExprId::None)
      return array.pointer;
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

/// Where CUDA's and PyTorch's sixteen-bit types convert differently, or where the source compiles with one of
/// them only, there is no translation.
ExprId FunctionTranslator::converted(const clang::Expr* inner, ScalarType type, const clang::Expr* at) {
  const ExprId operand = value(inner);
  if (operand == ExprId::None)
    return operand;
  const ScalarType from = m_builder.typeOf(operand).scalar;
  const bool narrows = ir::isSixteenBitFloat(type) && from != type;
  const bool exact = ir::isSixteenBitFloat(from) && ir::isFloat(type);
  if (exact || from == type || (!narrows && !ir::isSixteenBitFloat(from)) ||
      (narrows && from == ScalarType::F32))
    return m_builder.cast(operand, type, where(at));
  clang::Expr::EvalResult known;
  const bool constant = narrows && !inner->isValueDependent() && inner->EvaluateAsRValue(known, m_ast) &&
                        !known.HasSideEffects && roundsOnce(known.Val, type);
  // Every integer that float rounds is beyond the largest binary16 number.
  if (!constant && !(type == ScalarType::F16 && ir::isInteger(from)))
    return reject("half-arithmetic",
                  "conversion of '" + inner->getType().getAsString() + "' to '" +
                      at->getType().getAsString() + "'",
                  at);
  return m_builder.cast(m_builder.cast(operand, ScalarType::F32, where(at)), type, where(at));
}

bool FunctionTranslator::isHalfArithmetic(ExprId operand, const clang::Expr* at) {
  if (operand == ExprId::None || m_builder.typeOf(operand).pointer ||
      !ir::isSixteenBitFloat(m_builder.typeOf(operand).scalar))
    return false;
  reject("half-arithmetic", "arithmetic on a sixteen-bit float", at);
  return true;
}

/// A pointer to memory as one to another scalar or vector type.
ExprId FunctionTranslator::pointerCast(const clang::CastExpr* expr) {
  const std::optional<Type> type = irType(m_ast, expr->getType());
  if (!type)
    return rejectType(expr->getType(), where(expr));
  return m_builder.pointerCast(value(expr->getSubExpr()), *type, where(expr));
}

/// `reinterpret_cast<float4&>(x[i])`.
FunctionTranslator::Place FunctionTranslator::reinterpreted(const clang::CastExpr* expr) {
  const Place from = place(expr->getSubExpr());
  const std::optional<Type> type = irType(m_ast, m_ast.getPointerType(expr->getType()));
  if (!type) {
    rejectType(expr->getType(), where(expr));
    return {};
  }
  if (from.pointer == ExprId::None || from.lane != 0) {
    if (from.local >= 0 || from.lane != 0)
      reject("reinterpret-cast", "reference to a variable as another type", expr);
    return {};
  }
  return {-1, m_builder.pointerCast(from.pointer, *type, where(expr)), ExprId::None};
}

ExprId FunctionTranslator::unary(const clang::UnaryOperator* expr) {
  const clang::Expr* inner = expr->getSubExpr();
  switch (expr->getOpcode()) {
  case clang::UO_Plus: return value(inner);
  case clang::UO_Minus: {
    const ExprId operand = value(inner);
    return isHalfArithmetic(operand, expr) ? ExprId::None
                                           : m_builder.unary(ir::UnaryOp::Neg, operand, where(expr));
  }
  case clang::UO_Not: return m_builder.unary(ir::UnaryOp::BitNot, value(inner), where(expr));
  case clang::UO_LNot: return m_builder.unary(ir::UnaryOp::LogicalNot, value(inner), where(expr));
  case clang::UO_Deref: return read(place(expr), where(expr));
  case clang::UO_AddrOf: {
    const Place target = place(inner);
    if ((target.pointer != ExprId::None && target.lane == 0) ||
        (target.local < 0 && target.value == ExprId::None))
      return target.pointer;
    return reject("address-of", "address of a variable", expr);
  }
  case clang::UO_PreInc:
  case clang::UO_PreDec: {
    const Place target = increment(expr, nullptr, true);
    return target.local < 0 && target.pointer == ExprId::None
               ? ExprId::None
               : materialise(read(target, where(expr)), where(expr));
  }
  case clang::UO_PostInc:
  case clang::UO_PostDec: {
    ExprId before = ExprId::None;
    increment(expr, &before);
    return before;
  }
  default:
    return reject("unsupported-construct",
                  "operator " + clang::UnaryOperator::getOpcodeStr(expr->getOpcode()).str(), expr);
  }
}

/// Whether a pointer is null. A launch contract binds every pointer parameter to a buffer, and what is
/// computed from a buffer's address is not null: the answer is known.
ExprId FunctionTranslator::comparedWithNull(const clang::Expr* pointer, bool isNullWanted,
                                            const clang::Expr* at) {
  return value(pointer) == ExprId::None ? ExprId::None : m_builder.boolLiteral(!isNullWanted, where(at));
}

ExprId FunctionTranslator::binary(const clang::BinaryOperator* expr) {
  if (expr->getOpcode() == clang::BO_Comma) {
    expressionStatement(expr->getLHS());
    return value(expr->getRHS());
  }
  if (expr->isPtrMemOp())
    return reject("function-pointer", "pointer to member", expr);
  if (expr->isLogicalOp())
    return shortCircuit(expr);
  if (!orderFree(expr->getLHS(), expr->getRHS()))
    return ExprId::None;
  if (expr->isEqualityOp() && (isNull(expr->getLHS()) || isNull(expr->getRHS())))
    return comparedWithNull(isNull(expr->getLHS()) ? expr->getRHS() : expr->getLHS(),
                            expr->getOpcode() == clang::BO_EQ, expr);
  const ExprId left = value(expr->getLHS());
  const ExprId right = value(expr->getRHS());
  if (left == ExprId::None || right == ExprId::None)
    return ExprId::None;
  for (const clang::Expr* side : {expr->getLHS(), expr->getRHS()})
    if (side->getType()->isPointerType() && side->getType()->getPointeeType()->isArrayType())
      return reject("local-array", "arithmetic on a pointer to an array", expr);
  if (m_builder.typeOf(left).pointer || m_builder.typeOf(right).pointer)
    return pointerArithmetic(expr->getOpcode(), left, right, expr);
  return arithmetic(expr->getOpcode(), left, right, expr);
}

ExprId FunctionTranslator::arithmetic(clang::BinaryOperatorKind op, ExprId left, ExprId right,
                                      const clang::Expr* at) {
  if (left == ExprId::None || right == ExprId::None || isHalfArithmetic(left, at) ||
      isHalfArithmetic(right, at))
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

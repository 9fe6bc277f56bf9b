// Calls in device code: the shim's functions by their annotation, the source's own functions as ir calls.
#include "core/cuda/clang/function_translator.h"
#include "core/ir/intrinsics.h"

namespace plumbline::cuda {

using ir::BinaryOp;
using ir::ExprId;
using ir::ScalarType;
using ir::Type;

namespace {

/// "std::max<>" with the C++ name of the type in the brackets.
std::string withType(std::string row, ScalarType type) {
  const size_t brackets = row.find("<>");
  if (brackets == std::string::npos)
    return row;
  std::string name(ir::name(type));
  switch (type) {
  case ScalarType::F32: name = "float"; break;
  case ScalarType::F64: name = "double"; break;
  case ScalarType::I32: name = "int"; break;
  case ScalarType::U32: name = "unsigned"; break;
  case ScalarType::I64: name = "long"; break;
  default: break;
  }
  return row.insert(brackets + 1, name);
}

} // namespace

ExprId FunctionTranslator::call(const clang::CallExpr* expr) {
  if (llvm::isa<clang::CUDAKernelCallExpr>(expr))
    return reject("dynamic-parallelism", "kernel launch in device code", expr);
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (!callee)
    return reject("function-pointer", "call through a pointer", expr);
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee); method && !method->isStatic()) {
    const Place result = inlineMember(expr, method);
    return result.local < 0 || expr->getType()->isRecordType() ? ExprId::None : read(result, where(expr));
  }
  if (callee->getBuiltinID() != 0 && callee->getName().starts_with("__builtin_"))
    return evaluated(expr);
  // A definition in the source stands before a declaration of the shim.
  const clang::FunctionDecl* definition = nullptr;
  const bool defined = callee->hasBody(definition) && !m_sources.inShim(definition);
  if (!defined && m_sources.inShim(callee))
    return shimCall(expr, callee);
  if (callee->isReservedGlobalPlacementOperator() || callee->isReplaceableGlobalAllocationFunction())
    return reject("dynamic-memory", "allocation function", expr);
  return userCall(expr, callee);
}

FunctionTranslator::Place FunctionTranslator::recordCall(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  const auto* method = callee ? llvm::dyn_cast<clang::CXXMethodDecl>(callee) : nullptr;
  if (method && !method->isStatic())
    return inlineMember(expr, method);
  const std::string expanded = callee ? shimAnnotation(m_sources, callee, "expands:") : std::string();
  if (expanded == "make-vector")
    return madeVector(expr);
  if (expanded == "load" && vectorType(expr->getType()))
    return {-1, value(expr->getArg(0)), ExprId::None};
  const clang::FunctionDecl* definition = nullptr;
  if (callee && callee->hasBody(definition) && !m_sources.inShim(definition))
    return inlineCall(definition, {expr->getArgs(), expr->getNumArgs()}, {}, expr);
  const size_t before = m_state.rejections.size();
  if (call(expr) == ExprId::None && m_state.rejections.size() == before)
    rejectType(expr->getType(), where(expr));
  return {};
}

/// make_float4(a, b, c, d).
FunctionTranslator::Place FunctionTranslator::madeVector(const clang::CallExpr* expr) {
  if (!orderFree({expr->getArgs(), expr->getNumArgs()}))
    return {};
  const Place made = newRecord(expr->getType(), "vector", where(expr));
  std::vector<ExprId> lanes;
  for (const clang::Expr* argument : expr->arguments())
    lanes.push_back(value(argument));
  for (size_t i = 0; i < lanes.size() && made.local >= 0; ++i)
    m_builder.assign(made.local + static_cast<int>(i), lanes[i], where(expr));
  return made;
}

ExprId FunctionTranslator::shimCall(const clang::CallExpr* expr, const clang::FunctionDecl* callee) {
  const std::string name = callee->getNameAsString();
  const std::string sync = shimAnnotation(m_sources, callee, "sync:");
  if (!sync.empty())
    return synchronise(expr, callee, sync);
  const std::string rejected = shimAnnotation(m_sources, callee, "rejects:");
  if (!rejected.empty())
    return reject(rejected, "call of '" + name + "'", expr);
  const std::string row = shimAnnotation(m_sources, callee, "means:");
  if (!row.empty())
    return intrinsic(expr, callee, row);
  const std::string expanded = shimAnnotation(m_sources, callee, "expands:");
  if (!expanded.empty())
    return expansion(expr, expanded);
  if (callee->isConstexpr() && expr->getNumArgs() == 0)
    return evaluated(expr);
  return reject("unknown-function", "call of '" + name + "', which is no device function", expr);
}

ExprId FunctionTranslator::intrinsic(const clang::CallExpr* expr, const clang::FunctionDecl* callee,
                                     std::string row) {
  const std::optional<ScalarType> result = irScalar(m_ast, callee->getReturnType().getNonReferenceType());
  if (!result)
    return rejectType(callee->getReturnType(), where(expr));
  row = withType(std::move(row), *result);
  const ir::Intrinsic* known = ir::findIntrinsic(row);
  if (!known || known->arguments.size() != expr->getNumArgs())
    return reject("unsupported-function", "call of '" + row + "'", expr);
  if (!orderFree({expr->getArgs(), expr->getNumArgs()}))
    return ExprId::None;
  std::vector<ExprId> args;
  for (unsigned i = 0; i < expr->getNumArgs(); ++i)
    args.push_back(m_builder.cast(value(expr->getArg(i)), known->arguments[i], where(expr->getArg(i))));
  return m_builder.cast(m_builder.intrinsic(row, known->result, std::move(args), where(expr)), *result,
                        where(expr));
}

/// Functions that are a fixed expression of the language of the IR.
ExprId FunctionTranslator::expansion(const clang::CallExpr* expr, const std::string& name) {
  const SourceRange at = where(expr);
  if (name == "bits-to-float")
    return bitsToFloat(expr);
  const ExprId operand = value(expr->getArg(0));
  if (operand == ExprId::None)
    return operand;
  if (name == "load")
    return m_builder.load(operand, at);
  if (llvm::StringRef(name).starts_with("cast"))
    return roundedCast(expr, operand, name);
  // |x| = inf for isinf; |x| < inf for isfinite, which is false for NaN.
  const ScalarType type = m_builder.typeOf(operand).scalar;
  const bool single = type == ScalarType::F32;
  const ExprId magnitude = m_builder.intrinsic(single ? "fabsf" : "fabs", type, {operand}, at);
  const ExprId infinity =
      m_builder.floatLiteral(single ? 0x7f800000U : 0x7ff0000000000000U, type, "INFINITY", at);
  return m_builder.binary(name == "isinf" ? BinaryOp::Eq : BinaryOp::Lt, magnitude, infinity, at);
}

/// "cast" is C++'s conversion; "cast-rn" and its relatives round to an integral value first.
ExprId FunctionTranslator::roundedCast(const clang::CallExpr* expr, ExprId operand, const std::string& name) {
  static const std::map<std::string, std::string> roundings = {
      {"cast-rn", "rint"}, {"cast-ra", "round"}, {"cast-rd", "floor"}, {"cast-ru", "ceil"}};
  const SourceRange at = where(expr);
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  if (!type)
    return rejectType(expr->getType(), at);
  if (const auto rounding = roundings.find(name); rounding != roundings.end()) {
    const ScalarType from = m_builder.typeOf(operand).scalar;
    operand =
        m_builder.intrinsic(rounding->second + (from == ScalarType::F32 ? "f" : ""), from, {operand}, at);
  }
  return m_builder.cast(operand, *type, at);
}

ExprId FunctionTranslator::bitsToFloat(const clang::CallExpr* expr) {
  clang::Expr::EvalResult result;
  if (expr->getArg(0)->isValueDependent() || !expr->getArg(0)->EvaluateAsInt(result, m_ast))
    return intrinsic(expr, expr->getDirectCallee(), expr->getDirectCallee()->getNameAsString());
  const llvm::APInt bits = result.Val.getInt().zextOrTrunc(32);
  return constant(llvm::APFloat(llvm::APFloat::IEEEsingle(), bits), where(expr));
}

/// What the compiler can compute by itself: INFINITY, numeric_limits, sizeof.
ExprId FunctionTranslator::evaluated(const clang::Expr* expr) {
  clang::Expr::EvalResult result;
  if (expr->isValueDependent() || !expr->EvaluateAsRValue(result, m_ast) || result.HasSideEffects)
    return reject("unsupported-function", "call of '" + m_sources.text(expr->getSourceRange()) + "'", expr);
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  if (!type)
    return rejectType(expr->getType(), where(expr));
  if (result.Val.isFloat())
    return constant(result.Val.getFloat(), where(expr));
  if (!result.Val.isInt())
    return reject("unsupported-construct", "constant that is no number", expr);
  if (*type == ScalarType::Bool)
    return m_builder.boolLiteral(!result.Val.getInt().isZero(), where(expr));
  const llvm::APSInt& integer = result.Val.getInt();
  const int64_t bits =
      integer.isSigned() ? integer.getSExtValue() : static_cast<int64_t>(integer.getZExtValue());
  return m_builder.intLiteral(bits, *type, where(expr));
}

ExprId FunctionTranslator::userCall(const clang::CallExpr* expr, const clang::FunctionDecl* callee) {
  const std::string name = displayName(callee);
  const clang::FunctionDecl* definition = nullptr;
  if (!callee->hasBody(definition) || !definition)
    return reject("unknown-function", "call of '" + name + "', which has no definition", expr);
  if (!callee->hasAttr<clang::CUDADeviceAttr>() && !callee->isConstexpr())
    return reject("unknown-function", "call of '" + name + "', which is no device function", expr);
  if (mustInline(definition)) {
    const Place result = inlineCall(definition, {expr->getArgs(), expr->getNumArgs()}, {}, expr);
    return result.local < 0 ? ExprId::None : read(result, where(expr));
  }
  if (!orderFree({expr->getArgs(), expr->getNumArgs()}))
    return ExprId::None;
  const DeviceFunction& state = m_code.translate(definition);
  if (state.inProgress)
    return reject("recursion", "recursive call of '" + name + "'", expr);
  for (const Rejection& rejection : state.rejections)
    reject(rejection.id, rejection.construct, rejection.where);
  m_state.errors.insert(m_state.errors.end(), state.errors.begin(), state.errors.end());
  if (state.index < 0)
    return ExprId::None;
  std::vector<ExprId> args;
  for (const clang::Expr* argument : expr->arguments())
    args.push_back(value(argument));
  const Type type = m_code.module.functions[static_cast<size_t>(state.index)].returnType;
  const ExprId made = m_builder.call(state.index, type, std::move(args), where(expr));
  if (!state.writesMemory)
    return made;
  m_state.writesMemory = true;
  if (type == Type{} || made == ExprId::None)
    return made;
  const int result = m_builder.addLocal("result of " + name, type, where(expr));
  m_builder.assign(result, made, where(expr));
  return m_builder.local(result, where(expr));
}

} // namespace plumbline::cuda

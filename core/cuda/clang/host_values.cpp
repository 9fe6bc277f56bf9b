// Values of host expressions.
#include "core/cuda/clang/host_reader.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using ir::ScalarType;
using Op = ir::SizeExpr::Kind;

namespace {

constexpr int maximumValueDepth = 200;

std::optional<Op> sizeOp(clang::BinaryOperatorKind op) {
  switch (op) {
  case clang::BO_Add: return Op::Add;
  case clang::BO_Sub: return Op::Sub;
  case clang::BO_Mul: return Op::Mul;
  case clang::BO_Div: return Op::Div;
  case clang::BO_Rem: return Op::Rem;
  case clang::BO_LT: return Op::Lt;
  case clang::BO_LE: return Op::Le;
  case clang::BO_GT: return Op::Gt;
  case clang::BO_GE: return Op::Ge;
  case clang::BO_EQ: return Op::Eq;
  case clang::BO_NE: return Op::Ne;
  default: return std::nullopt;
  }
}

} // namespace

HostValue HostReader::unknown(const clang::Expr* expr, std::string id) const {
  return unknownValue(std::move(id), text(expr), where(expr));
}

std::optional<int64_t> HostReader::constantInteger(const clang::Expr* expr) const {
  clang::Expr::EvalResult result;
  if (expr->isValueDependent() || !expr->EvaluateAsInt(result, m_ast) || result.HasUndefinedBehavior ||
      !result.Val.getInt().isRepresentableByInt64())
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

std::optional<double> HostReader::constantFloat(const clang::Expr* expr) const {
  if (const std::optional<int64_t> integer = constantInteger(expr)) {
    const auto number = static_cast<double>(*integer);
    const bool exact = number < 9.0e15 && number > -9.0e15;
    return exact ? std::optional(number) : std::nullopt;
  }
  llvm::APFloat number(0.0);
  if (expr->isValueDependent() || !expr->getType()->isRealFloatingType() ||
      !expr->EvaluateAsFloat(number, m_ast))
    return std::nullopt;
  bool inexact = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return inexact ? std::nullopt : std::optional(number.convertToDouble());
}

namespace {

/// Digits that give back the number.
std::string digits(double value) {
  std::array<char, 32> text{};
  snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

} // namespace

std::string HostReader::numberText(const clang::Expr* expr, double value) const {
  if (const auto* argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr))
    expr = argument->getExpr();
  expr = expr->IgnoreParenImpCasts();
  std::string sign;
  if (const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(expr);
      negated && negated->getOpcode() == clang::UO_Minus) {
    sign = "-";
    expr = negated->getSubExpr()->IgnoreParenImpCasts();
  }
  if (llvm::isa<clang::FloatingLiteral>(expr))
    return sign + literalDigits(m_sources.spelling(expr->getExprLoc()));
  return digits(value);
}

HostValue HostReader::value(const clang::Expr* expr) {
  if (m_depth >= maximumValueDepth)
    return unknown(expr);
  ++m_depth;
  HostValue result = valueOf(expr);
  --m_depth;
  return result;
}

HostValue HostReader::valueOf(const clang::Expr* expr) {
  if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(expr))
    return value(paren->getSubExpr());
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expr))
    return value(full->getSubExpr());
  if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
    return value(temporary->getSubExpr());
  if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr))
    return value(bound->getSubExpr());
  if (const auto* argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr))
    return value(argument->getExpr());
  if (const auto* replaced = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr))
    return value(replaced->getReplacement());
  if (HostValue constant = literal(expr); constant.kind != Kind::Unknown)
    return constant;
  if (const auto* conversion = llvm::dyn_cast<clang::CastExpr>(expr))
    return cast(conversion);
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto known = m_values.find(name->getDecl());
    return known != m_values.end() ? known->second : unknown(expr);
  }
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return binary(operation);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expr))
    return conditional(choice);
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expr))
    return callValue(called);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    return construction(made);
  if (const auto* listed = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expr))
    return value(listed->getSubExpr());
  if (const auto* listed = llvm::dyn_cast<clang::InitListExpr>(expr))
    return list(listed);
  if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(expr))
    return dimension(field);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expr);
      operation && operation->getOpcode() == clang::UO_LNot)
    return negation(value(operation->getSubExpr()));
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return signedValue(operation);
  return unknown(expr);
}

/// Constants: of integer and floating type, null pointers, texts, names of types and devices.
HostValue HostReader::literal(const clang::Expr* expr) {
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  // A variable's constant may have changed since it was declared.
  const bool variable =
      llvm::isa<clang::DeclRefExpr>(expr->IgnoreParenImpCasts()) && !expr->getType().isConstQualified();
  if (type && *type != ScalarType::Void && !ir::isFloat(*type))
    if (const std::optional<int64_t> constant = constantInteger(expr))
      return integerValue(ir::sizeConstant(*constant), *type);
  if (type && ir::isFloat(*type) && !variable)
    if (const std::optional<double> constant = constantFloat(expr)) {
      HostValue number = simple(Kind::Number);
      number.number = *constant;
      number.text = numberText(expr, *constant);
      number.scalar = *type;
      return number;
    }
  if (expr->getType()->isEnumeralType())
    return enumerator(expr);
  if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(expr))
    return simple(Kind::Null);
  if (const auto* written = llvm::dyn_cast<clang::StringLiteral>(expr)) {
    HostValue text = simple(Kind::Text);
    text.text = "\"" + written->getString().str() + "\"";
    return text;
  }
  return unknown(expr);
}

HostValue HostReader::cast(const clang::CastExpr* expr) {
  const clang::Expr* inner = expr->getSubExpr();
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  HostValue value = this->value(inner);
  switch (expr->getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
  case clang::CK_ArrayToPointerDecay:
  case clang::CK_FunctionToPointerDecay: return value;
  case clang::CK_NullToPointer: return simple(Kind::Null);
  case clang::CK_IntegralCast:
    if (value.kind == Kind::Condition && type)
      if (const std::optional<bool> holds = chosen(value, expr))
        return integerValue(ir::sizeConstant(*holds ? 1 : 0), *type);
    return value.kind == Kind::Integer && type
               ? integerConversion(m_state, value, *type, where(expr), text(inner))
               : value;
  case clang::CK_IntegralToBoolean:
  case clang::CK_PointerToBoolean: return condition(value);
  case clang::CK_FloatingCast:
    if (value.kind == Kind::Number && type) {
      const double narrowed =
          *type == ScalarType::F32 ? static_cast<double>(static_cast<float>(value.number)) : value.number;
      if (narrowed != value.number)
        value.text = digits(narrowed);
      value.number = narrowed;
      value.scalar = *type;
      return value;
    }
    if (value.kind != Kind::Parameter || !type)
      return value.kind == Kind::Unknown ? value : unknown(expr);
    value.rounded = value.rounded || *type == ScalarType::F32;
    value.scalar = *type;
    return value;
  case clang::CK_BitCast: {
    // A typed view of an untyped pointer, which nothing checks at run time.
    const std::optional<ir::Type> pointer = irType(m_ast, expr->getType());
    if (value.kind == Kind::Null)
      return value;
    if (value.kind != Kind::Pointer || value.scalar != ScalarType::Void || !pointer)
      return value.kind == Kind::Unknown ? value : unknown(expr);
    value.scalar = pointer->scalar;
    value.untyped = true;
    return value;
  }
  default: return value.kind == Kind::Unknown || value.kind == Kind::Ignored ? value : unknown(expr);
  }
}

/// -x and +x
HostValue HostReader::signedValue(const clang::UnaryOperator* expr) {
  const bool negates = expr->getOpcode() == clang::UO_Minus;
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  const HostValue operand =
      negates || expr->getOpcode() == clang::UO_Plus ? value(expr->getSubExpr()) : unknown(expr);
  if (operand.kind == Kind::Unknown || (operand.kind == Kind::Integer && !negates))
    return operand;
  if (operand.kind != Kind::Integer || !type || ir::isFloat(*type))
    return unknown(expr);
  return integerArithmetic(m_state, Op::Sub, integerValue(ir::sizeConstant(0), *type), operand, *type,
                           where(expr), text(expr));
}

HostValue HostReader::binary(const clang::BinaryOperator* expr) {
  if (expr->isLogicalOp())
    return logical(expr);
  const std::optional<ScalarType> shiftType = irScalar(m_ast, expr->getType());
  if (expr->isShiftOp() && shiftType && ir::isInteger(*shiftType))
    return shifted(value(expr->getLHS()), value(expr->getRHS()), expr->getOpcode() == clang::BO_Shl,
                   *shiftType, expr);
  const std::optional<Op> op = sizeOp(expr->getOpcode());
  if (!op)
    return unknown(expr);
  const HostValue left = value(expr->getLHS());
  const HostValue right = value(expr->getRHS());
  if (expr->isComparisonOp())
    return comparison(*op, left, right);
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  if (left.kind == Kind::Unknown || right.kind == Kind::Unknown)
    return left.kind == Kind::Unknown ? left : right;
  if (left.kind != Kind::Integer || right.kind != Kind::Integer || !type || ir::isFloat(*type))
    return unknown(expr);
  return integerArithmetic(m_state, *op, left, right, *type, where(expr), text(expr));
}

// --- calls ---

const clang::Expr* HostReader::subject(const clang::CallExpr* expr) const {
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr))
    return method->getImplicitObjectArgument();
  return expr->getArg(0);
}

HostValue HostReader::callValue(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (!callee)
    return unknown(expr);
  if (const clang::FunctionDecl* definition = definitionOf(callee);
      definition && !m_sources.inShim(definition)) {
    if (expr == m_whole && !onlyResult(definition) && !llvm::isa<clang::CXXMethodDecl>(definition))
      return inlined(expr, definition);
    return returnedBy(expr, definition);
  }
  if (!m_sources.inShim(callee))
    return unknown(expr);
  const std::string row = hostName(m_sources, callee, "means:");
  if (row.starts_with("std::max") || row.starts_with("max<"))
    return extremum(expr, true);
  if (row.starts_with("std::min") || row.starts_with("min<"))
    return extremum(expr, false);
  return namedCall(expr, hostName(m_sources, callee, "host:"));
}

HostValue HostReader::namedCall(const clang::CallExpr* expr, const std::string& name) {
  if (name == "ignored" || (name == "library" && expr == m_whole)) {
    if (name == "library")
      libraryCall(expr);
    HostValue ignored = simple(Kind::Ignored);
    const auto* listed = expr->getType()->getAs<clang::EnumType>();
    ignored.success = listed && (listed->getDecl()->getName() == "cudaError_t" ||
                                 listed->getDecl()->getName() == "cublasStatus_t");
    return ignored;
  }
  if (name.starts_with("device"))
    return deviceCall(expr, name);
  if (name == "same-sizes")
    return sameSizes(expr);
  if (name == "other-sizes")
    return negation(sameSizes(expr));
  if (name == "ceil-div")
    return ceilDiv(expr);
  if (name == "size")
    return size(expr);
  if (name == "torch" || name == "torch-view")
    return torchCall(expr, name);
  if (name == "list") {
    HostValue all = simple(Kind::List);
    for (const clang::Expr* argument : expr->arguments())
      all.parts.push_back(value(argument));
    return all;
  }
  if (name == "get")
    return element(value(expr->getArg(0)), nullptr, expr);
  if (name == "same")
    return value(subject(expr));
  if (name == "empty-like" || name == "zeros-like")
    return newTensor(expr, name == "empty-like" ? HostTensor::Origin::Empty : HostTensor::Origin::Zeros,
                     true);
  if (name == "empty" || name == "zeros")
    return newTensor(expr, name == "empty" ? HostTensor::Origin::Empty : HostTensor::Origin::Zeros, false);
  if (name == "options-new")
    return optionsOf(expr->getArg(0));
  static constexpr std::array<const char*, 17> understood = {
      "numel",         "dim",          "sizes",          "options",   "contiguous",  "data",
      "options-dtype", "options-same", "options-device", "dtype",     "always-true", "is-contiguous",
      "defined",       "moved",        "viewed",         "list-copy", "is-floating"};
  if (std::none_of(understood.begin(), understood.end(), [&](const char* each) { return name == each; }))
    return unknown(expr);
  HostValue object = value(subject(expr));
  if (object.kind == Kind::Options)
    return optionsCall(expr, std::move(object), name);
  if (name == "dim" && (object.kind == Kind::Sizes || object.kind == Kind::List))
    return count(object, expr);
  if (name == "list-copy" && object.kind == Kind::Sizes)
    return sizesList(object, expr);
  if (name == "list-copy" && object.kind == Kind::List)
    return object;
  if (name == "numel" && object.kind == Kind::Sizes)
    object.kind = Kind::Tensor;
  if (name == "defined" && object.kind == Kind::Null) {
    HostValue never = simple(Kind::Condition);
    never.known = false;
    return never;
  }
  if (object.kind != Kind::Tensor)
    return object.kind == Kind::Unknown ? object : unknown(expr);
  return tensorCall(expr, std::move(object), name);
}

HostValue HostReader::extremum(const clang::CallExpr* expr, bool maximum) {
  const HostValue left = value(expr->getArg(0));
  const HostValue right = value(expr->getArg(1));
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType().getNonReferenceType());
  if (left.kind != Kind::Integer || right.kind != Kind::Integer || !type)
    return left.kind == Kind::Unknown ? left : right.kind == Kind::Unknown ? right : unknown(expr);
  HostValue result = integerValue(ir::sizeBinary(maximum ? Op::Max : Op::Min, left.size, right.size), *type);
  if (const std::optional<int64_t> constant = HostPath().exact(*result.size))
    result.size = ir::sizeConstant(*constant);
  result.checks = left.checks;
  result.checks.insert(right.checks.begin(), right.checks.end());
  return result;
}

HostValue HostReader::ceilDiv(const clang::CallExpr* expr) {
  const HostValue left = value(expr->getArg(0));
  const HostValue right = value(expr->getArg(1));
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  if (left.kind != Kind::Integer || right.kind != Kind::Integer || !type)
    return left.kind == Kind::Unknown ? left : right.kind == Kind::Unknown ? right : unknown(expr);
  return integerArithmetic(m_state, Op::CeilDiv, left, right, *type, where(expr), text(expr));
}

/// block.x
HostValue HostReader::dimension(const clang::MemberExpr* expr) {
  const HostValue object = value(expr->getBase());
  const llvm::StringRef name = expr->getMemberDecl()->getName();
  const size_t index = name == "x" ? 0 : name == "y" ? 1 : name == "z" ? 2 : 3;
  return object.kind == Kind::Dim3 && index < object.parts.size() ? object.parts[index] : unknown(expr);
}

/// A function whose body is one return statement.
HostValue HostReader::returnedBy(const clang::CallExpr* expr, const clang::FunctionDecl* callee) {
  const clang::Expr* result = onlyResult(callee);
  if (!result) { // what it does is not read: a lambda, a method
    problem("host-call", "call of '" + text(expr) + "'", expr);
    return unknown(expr, "host-call");
  }
  std::map<const clang::ValueDecl*, HostValue> inner;
  for (unsigned i = 0; i < callee->getNumParams(); ++i)
    inner[callee->getParamDecl(i)] = value(expr->getArg(i));
  std::swap(inner, m_values);
  HostValue returned = value(result);
  std::swap(inner, m_values);
  return returned;
}

} // namespace plumbline::cuda

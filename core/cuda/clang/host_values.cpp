// Values of host expressions.
#include "core/cuda/clang/host_reader.h"

#include <array>
#include <cstdio>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using ir::ScalarType;
using Op = ir::SizeExpr::Kind;

namespace {

constexpr int maximumValueDepth = 200;

HostValue simple(Kind kind) {
  HostValue value;
  value.kind = kind;
  return value;
}

HostValue property(std::string text) {
  HostValue value = simple(Kind::Property);
  value.text = std::move(text);
  return value;
}

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
  if (expr->isValueDependent() || !expr->EvaluateAsInt(result, m_ast) ||
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
  std::array<char, 32> digits{};
  snprintf(digits.data(), digits.size(), "%.17g", value);
  return digits.data();
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
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType());
  const bool integral = type && *type != ScalarType::Void && !ir::isFloat(*type);
  if (integral)
    if (const std::optional<int64_t> constant = constantInteger(expr))
      return integerValue(ir::sizeConstant(*constant), *type);
  if (expr->getType()->isEnumeralType())
    if (HostValue named = enumerator(expr); named.kind != Kind::Unknown)
      return named;
  if (const auto* conversion = llvm::dyn_cast<clang::CastExpr>(expr))
    return cast(conversion);
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto known = m_values.find(name->getDecl());
    return known != m_values.end() ? known->second : unknown(expr);
  }
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return binary(operation);
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
  if (const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(expr);
      negated && negated->getOpcode() == clang::UO_LNot)
    return negation(value(negated->getSubExpr()));
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
  case clang::CK_FunctionToPointerDecay: return value;
  case clang::CK_IntegralCast:
    return value.kind == Kind::Integer && type
               ? integerConversion(m_state, value, *type, where(expr), text(inner))
               : value;
  case clang::CK_IntegralToBoolean: return condition(value);
  case clang::CK_FloatingCast:
    if (value.kind != Kind::Parameter || !type)
      return value.kind == Kind::Unknown ? value : unknown(expr);
    value.rounded = value.rounded || *type == ScalarType::F32;
    value.scalar = *type;
    return value;
  case clang::CK_BitCast: {
    // A typed view of an untyped pointer, which nothing checks at run time.
    const std::optional<ir::Type> pointer = irType(m_ast, expr->getType());
    if (value.kind != Kind::Pointer || value.scalar != ScalarType::Void || !pointer)
      return value.kind == Kind::Unknown ? value : unknown(expr);
    value.scalar = pointer->scalar;
    value.untyped = true;
    return value;
  }
  default: return value.kind == Kind::Unknown || value.kind == Kind::Ignored ? value : unknown(expr);
  }
}

HostValue HostReader::binary(const clang::BinaryOperator* expr) {
  if (expr->isLogicalOp())
    return logical(expr);
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
  if (left.kind != Kind::Integer || right.kind != Kind::Integer || !type)
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
  if (!m_sources.inShim(callee)) {
    const clang::FunctionDecl* definition = nullptr;
    if (callee->hasBody(definition) && !m_sources.inShim(definition))
      return returnedBy(expr, definition);
    return unknown(expr);
  }
  const std::string row = hostName(m_sources, callee, "means:");
  if (row.starts_with("std::max") || row.starts_with("max<"))
    return extremum(expr, true);
  if (row.starts_with("std::min") || row.starts_with("min<"))
    return extremum(expr, false);
  return namedCall(expr, hostName(m_sources, callee, "host:"));
}

HostValue HostReader::namedCall(const clang::CallExpr* expr, const std::string& name) {
  if (name == "ignored") {
    HostValue ignored = simple(Kind::Ignored);
    const auto* listed = expr->getType()->getAs<clang::EnumType>();
    ignored.success = listed && listed->getDecl()->getName() == "cudaError_t";
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
  if (name == "empty-like" || name == "zeros-like")
    return newTensor(expr, name == "empty-like" ? HostTensor::Origin::Empty : HostTensor::Origin::Zeros,
                     true);
  if (name == "empty" || name == "zeros")
    return newTensor(expr, name == "empty" ? HostTensor::Origin::Empty : HostTensor::Origin::Zeros, false);
  if (name == "options-new")
    return optionsOf(expr->getArg(0));
  const bool understood = name == "numel" || name == "dim" || name == "sizes" || name == "options" ||
                          name == "contiguous" || name == "data" || name == "options-dtype" ||
                          name == "options-same" || name == "options-device" || name == "dtype" ||
                          name == "always-true";
  if (!understood)
    return unknown(expr);
  HostValue object = value(subject(expr));
  if (object.kind == Kind::Options)
    return optionsCall(expr, std::move(object), name);
  if (name == "dim" && object.kind == Kind::Sizes)
    object.kind = Kind::Tensor;
  if (object.kind != Kind::Tensor)
    return object.kind == Kind::Unknown ? object : unknown(expr);
  return tensorCall(expr, std::move(object), name);
}

HostValue HostReader::tensorCall(const clang::CallExpr* expr, HostValue object, const std::string& name) {
  if (name == "numel")
    return numelOf(m_state, object.tensor, where(expr));
  if (name == "dim") {
    const HostTensor& owner = m_state.tensors[static_cast<size_t>(shapeOwner(m_state, object.tensor))];
    return owner.origin == HostTensor::Origin::Parameter
               ? integerValue(ir::sizeSymbol(owner.name + ".dim"), ScalarType::I64)
               : integerValue(ir::sizeConstant(static_cast<int64_t>(owner.dims.size())), ScalarType::I64);
  }
  if (name == "sizes" || name == "options") {
    object.kind = name == "sizes" ? Kind::Sizes : Kind::Options;
    object.dtype = HostValue::Setting::Expected;
    object.device = HostValue::Setting::Expected;
    return object;
  }
  if (name == "dtype")
    return property("dtype:Float");
  if (name == "always-true") {
    HostValue always = simple(Kind::Condition);
    always.known = true;
    return always;
  }
  if (name == "contiguous") {
    m_state.facts.push_back({text(expr), nullptr, where(expr)});
    return object;
  }
  // data_ptr: a typed one throws unless the tensor has that type.
  const std::optional<ir::Type> pointer = irType(m_ast, expr->getType());
  object.kind = Kind::Pointer;
  object.scalar = pointer ? pointer->scalar : ScalarType::Void;
  if (!pointer && !expr->getType()->isVoidPointerType())
    return unknown(expr);
  return object;
}

/// Properties of x.device().
HostValue HostReader::deviceCall(const clang::CallExpr* expr, const std::string& name) {
  if (name == "device")
    return property("device"); // the tensors that are compared are on one CUDA device
  const HostValue device = value(subject(expr));
  if (device.kind != Kind::Property || (device.text != "device" && device.text != "cuda-device"))
    return unknown(expr);
  if (name == "device-type")
    return property("device-type:CUDA");
  if (name == "device-index")
    return device.text == "device" ? device : unknown(expr);
  if (name == "device-same" || name == "device-other")
    return comparison(name == "device-same" ? Op::Eq : Op::Ne, device, value(expr->getArg(1)));
  HostValue always = simple(Kind::Condition);
  always.known = true;
  return name == "device-is-cuda" ? always : unknown(expr);
}

/// Options that say one thing: a dtype, a device or a kind of device.
HostValue HostReader::optionsOf(const clang::Expr* expr) {
  using Setting = HostValue::Setting;
  const HostValue given = value(expr);
  if (given.kind != Kind::Property)
    return given.kind == Kind::Unknown ? given : unknown(expr);
  HostValue options = simple(Kind::Options);
  if (given.text.starts_with("dtype:"))
    options.dtype = given.text == "dtype:Float" ? Setting::Expected : Setting::Other;
  else
    options.device = given.text == "device" || given.text == "cuda-device" || given.text == "device-type:CUDA"
                         ? Setting::Expected
                         : Setting::Other;
  return options;
}

HostValue HostReader::optionsCall(const clang::CallExpr* expr, HostValue options, const std::string& name) {
  if (name == "options-same")
    return options;
  if (name != "options-dtype" && name != "options-device")
    return unknown(expr);
  const HostValue changed = optionsOf(expr->getArg(0));
  if (changed.kind != Kind::Options)
    return changed;
  (name == "options-dtype" ? options.dtype : options.device) =
      name == "options-dtype" ? changed.dtype : changed.device;
  return options;
}

HostValue HostReader::extremum(const clang::CallExpr* expr, bool maximum) {
  const HostValue left = value(expr->getArg(0));
  const HostValue right = value(expr->getArg(1));
  const std::optional<ScalarType> type = irScalar(m_ast, expr->getType().getNonReferenceType());
  if (left.kind != Kind::Integer || right.kind != Kind::Integer || !type)
    return left.kind == Kind::Unknown ? left : right.kind == Kind::Unknown ? right : unknown(expr);
  HostValue result = integerValue(ir::sizeBinary(maximum ? Op::Max : Op::Min, left.size, right.size), *type);
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

/// x.size(k), x.sizes()[k]
HostValue HostReader::size(const clang::CallExpr* expr) {
  const bool subscript = llvm::isa<clang::CXXOperatorCallExpr>(expr);
  const HostValue object = value(subject(expr));
  const std::optional<int64_t> dimension = constantInteger(expr->getArg(subscript ? 1 : 0));
  if (object.kind != Kind::Tensor && object.kind != Kind::Sizes)
    return object.kind == Kind::Unknown ? object : unknown(expr);
  return dimension ? sizeOf(m_state, object.tensor, *dimension, where(expr)) : unknown(expr);
}

HostValue HostReader::newTensor(const clang::CallExpr* expr, HostTensor::Origin origin, bool like) {
  const HostValue shape = value(expr->getArg(0));
  using Setting = HostValue::Setting;
  const HostValue options = expr->getNumArgs() > 1 ? value(expr->getArg(1)) : simple(Kind::Options);
  if (options.kind != Kind::Options || expr->getNumArgs() > 2)
    return options.kind == Kind::Unknown ? options : unknown(expr);
  // By default: what `like` has, or the CPU and binary32.
  if (options.device != Setting::Expected && !(like && options.device == Setting::Unset))
    return unknown(expr, "tensor-device");
  if (options.dtype == Setting::Other)
    return unknown(expr, "tensor-dtype");
  HostTensor tensor;
  tensor.origin = origin;
  if (like ? shape.kind == Kind::Tensor : shape.kind == Kind::Sizes)
    tensor.like = shape.tensor;
  else if (!like && shape.kind == Kind::List)
    tensor.dims = shape.parts;
  else
    return shape.kind == Kind::Unknown ? shape : unknown(expr);
  for (const HostValue& dim : tensor.dims)
    if (dim.kind != Kind::Integer)
      return dim.kind == Kind::Unknown ? dim : unknown(expr);
  HostValue made = simple(Kind::Tensor);
  made.tensor = static_cast<int>(m_state.tensors.size());
  m_state.tensors.push_back(std::move(tensor));
  return made;
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
  if (!result)
    return unknown(expr);
  std::map<const clang::ValueDecl*, HostValue> inner;
  for (unsigned i = 0; i < callee->getNumParams(); ++i)
    inner[callee->getParamDecl(i)] = value(expr->getArg(i));
  std::swap(inner, m_values);
  HostValue returned = value(result);
  std::swap(inner, m_values);
  return returned;
}

// --- objects ---

HostValue HostReader::construction(const clang::CXXConstructExpr* expr) {
  const clang::CXXRecordDecl* record = expr->getConstructor()->getParent();
  const llvm::StringRef name = record->getName();
  const bool ours = m_sources.inShim(record);
  if (ours && name == "dim3")
    return dim3Of(expr);
  if (ours && name == "TensorOptions" && expr->getNumArgs() == 0)
    return simple(Kind::Options);
  // Copies and moves.
  if (expr->getNumArgs() >= 1 && expr->getConstructor()->isCopyOrMoveConstructor())
    return value(expr->getArg(0));
  if (ours && name == "TensorOptions" && expr->getNumArgs() == 1)
    return optionsOf(expr->getArg(0));
  if (ours && name == "Device") {
    const HostValue type = value(expr->getArg(0));
    return type.kind == Kind::Property && type.text == "device-type:CUDA" ? property("cuda-device")
                                                                          : property("device-made");
  }
  if (ours &&
      (name == "CUDAGuard" || name == "DeviceGuard" || name == "OptionalCUDAGuard" || name == "CUDAStream"))
    return simple(Kind::Ignored);
  if (ours && (name == "ArrayRef" || name == "vector") && expr->getNumArgs() == 1)
    return value(expr->getArg(0));
  if (ours && name == "tuple") {
    HostValue all = simple(Kind::List);
    for (const clang::Expr* argument : expr->arguments())
      all.parts.push_back(value(argument));
    return all;
  }
  return unknown(expr);
}

HostValue HostReader::dim3Of(const clang::CXXConstructExpr* expr) {
  if (expr->getConstructor()->isCopyOrMoveConstructor())
    return value(expr->getArg(0));
  HostValue all = simple(Kind::Dim3);
  for (const clang::Expr* argument : expr->arguments())
    all.parts.push_back(value(argument));
  for (const HostValue& part : all.parts)
    if (part.kind != Kind::Integer)
      return part.kind == Kind::Unknown ? part : unknown(expr);
  return all;
}

HostValue HostReader::list(const clang::InitListExpr* expr) {
  HostValue all = simple(Kind::List);
  for (const clang::Expr* each : expr->inits())
    all.parts.push_back(value(each));
  return all;
}

} // namespace plumbline::cuda

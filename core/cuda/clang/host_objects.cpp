// Values of classes: dim3, lists, sizes, tensor options, devices.
#include "core/cuda/clang/host_reader.h"

#include <array>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using ir::ScalarType;
using Op = ir::SizeExpr::Kind;

namespace {

HostValue property(std::string text) {
  HostValue value = simple(Kind::Property);
  value.text = std::move(text);
  return value;
}

} // namespace

// --- construction ---

HostValue HostReader::construction(const clang::CXXConstructExpr* expr) {
  const clang::CXXRecordDecl* record = expr->getConstructor()->getParent();
  const llvm::StringRef name = record->getName();
  const bool ours = m_sources.inShim(record);
  const unsigned count = expr->getNumArgs();
  if (ours && name == "dim3")
    return dim3Of(expr);
  if (ours && name == "TensorOptions" && count == 0)
    return simple(Kind::Options);
  // Copies and moves.
  if (count >= 1 && expr->getConstructor()->isCopyOrMoveConstructor())
    return value(expr->getArg(0));
  if (ours && name == "TensorOptions" && count == 1)
    return optionsOf(expr->getArg(0));
  if (ours && name == "Device") {
    const HostValue type = value(expr->getArg(0));
    return type.kind == Kind::Property && type.text == "device-type:CUDA" ? property("cuda-device")
                                                                          : property("device-made");
  }
  if (ours &&
      (name == "CUDAGuard" || name == "DeviceGuard" || name == "OptionalCUDAGuard" || name == "CUDAStream"))
    return simple(Kind::Ignored);
  if (ours && (name == "TorchArgument" || name == "optional" || name == "nullopt_t") && count == 0)
    return simple(Kind::Null);
  if (ours && (name == "TorchArgument" || name == "Scalar" || name == "optional") && count == 1)
    return value(expr->getArg(0));
  if (ours && (name == "ArrayRef" || name == "vector"))
    return vectorOf(expr);
  if (ours && (name == "tuple" || name == "pair")) {
    HostValue all = simple(Kind::List);
    for (const clang::Expr* argument : expr->arguments())
      all.parts.push_back(value(argument));
    return all;
  }
  return unknown(expr);
}

/// A list from another one, from one element, from a number of elements, or from all elements of another.
HostValue HostReader::vectorOf(const clang::CXXConstructExpr* expr) {
  const unsigned count = expr->getNumArgs();
  if (count == 0)
    return simple(Kind::List);
  const HostValue first = value(expr->getArg(0));
  const auto* method =
      llvm::dyn_cast<clang::CXXMemberCallExpr>(stripped(expr->getArg(0))->IgnoreParenImpCasts());
  const auto* last =
      count == 2 ? llvm::dyn_cast<clang::CXXMemberCallExpr>(stripped(expr->getArg(1))->IgnoreParenImpCasts())
                 : nullptr;
  if (method && last && method->getDirectCallee() && last->getDirectCallee() &&
      hostName(m_sources, method->getDirectCallee(), "host:") == "list-begin" &&
      hostName(m_sources, last->getDirectCallee(), "host:") == "list-end") {
    const HostValue all = value(method->getImplicitObjectArgument());
    const HostValue same = value(last->getImplicitObjectArgument());
    const bool whole = text(method->getImplicitObjectArgument()) == text(last->getImplicitObjectArgument());
    if (whole && all.kind == Kind::Sizes && same.kind == Kind::Sizes)
      return sizesList(all, expr);
    return whole && all.kind == Kind::List && all.text.empty() ? all : unknown(expr);
  }
  const std::string type = expr->getConstructor()->getParent()->getNameAsString();
  const clang::QualType given = expr->getArg(0)->getType().getNonReferenceType();
  if (type == "ArrayRef" && count == 1 && given->isIntegerType()) {
    HostValue one = simple(Kind::List);
    one.parts.push_back(first);
    return one;
  }
  if (type == "vector" && given->isIntegerType() && count <= 2) {
    const std::optional<int64_t> length = fixed(first, expr);
    if (!length || *length < 0 || *length > longestList)
      return unknown(expr);
    HostValue all = simple(Kind::List);
    const HostValue each =
        count == 2 ? value(expr->getArg(1)) : integerValue(ir::sizeConstant(0), ScalarType::I64);
    all.parts.assign(static_cast<size_t>(*length), each);
    return all;
  }
  return count == 1 ? first : unknown(expr);
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
  if (expr->getNumInits() == 1 && !expr->getType()->isArrayType() && !expr->getType()->isRecordType())
    return value(expr->getInit(0)); // int n{3}
  HostValue all = simple(Kind::List);
  for (const clang::Expr* each : expr->inits())
    all.parts.push_back(value(each));
  return all;
}

// --- lists and sizes ---

/// x.sizes() one by one; needs the number of dimensions.
HostValue HostReader::sizesList(const HostValue& sizes, const clang::Expr* at) {
  const std::optional<int64_t> rank = fixed(rankOf(m_state, sizes.tensor), at);
  if (!rank)
    return unknown(at);
  HostValue all = simple(Kind::List);
  for (int64_t i = 0; i < *rank; ++i)
    all.parts.push_back(sizeOf(m_state, sizes.tensor, i, where(at)));
  return all;
}

HostValue HostReader::count(const HostValue& object, const clang::Expr* at) {
  if (object.kind == Kind::Sizes)
    return rankOf(m_state, object.tensor);
  if (object.kind != Kind::List)
    return object.kind == Kind::Unknown ? object : unknown(at);
  return object.text.empty()
             ? integerValue(ir::sizeConstant(static_cast<int64_t>(object.parts.size())), ScalarType::U64)
             : integerValue(ir::sizeSymbol(object.text + ".len"), ScalarType::U64);
}

/// One of the elements; `index` is null for the last one, or for std::get.
HostValue HostReader::element(const HostValue& object, const clang::Expr* index, const clang::Expr* at) {
  if (object.kind != Kind::List)
    return object.kind == Kind::Unknown ? object : unknown(at);
  std::optional<int64_t> place;
  if (index) {
    place = fixed(value(index), at);
  } else if (const auto* called = llvm::dyn_cast<clang::CallExpr>(at); called && called->getDirectCallee()) {
    const clang::TemplateArgumentList* arguments = called->getDirectCallee()->getTemplateSpecializationArgs();
    if (arguments && arguments->size() > 0 &&
        arguments->get(0).getKind() == clang::TemplateArgument::Integral)
      place = arguments->get(0).getAsIntegral().getExtValue();
  }
  if (!place || *place < 0)
    return unknown(at);
  if (!object.text.empty()) {
    if (*place > longestList)
      return unknown(at);
    // A list parameter: reading beyond its end is undefined.
    HostValue part =
        integerValue(ir::sizeSymbol(object.text + "." + std::to_string(*place)), ScalarType::I64);
    part.checks.insert(m_state.checks.size());
    m_state.checks.push_back({ir::sizeSymbol(object.text + ".len"), *place + 1, longestList,
                              "the list " + object.text + " must be long enough for " + text(at), where(at),
                              ir::HostCheck::Kind::Exact});
    return part;
  }
  return *place < static_cast<int64_t>(object.parts.size()) ? object.parts[static_cast<size_t>(*place)]
                                                            : unknown(at);
}

/// x.size(k), x.sizes()[k], list[k]
HostValue HostReader::size(const clang::CallExpr* expr) {
  const bool subscript = llvm::isa<clang::CXXOperatorCallExpr>(expr);
  const HostValue object = value(subject(expr));
  const clang::Expr* given = expr->getArg(subscript ? 1 : 0);
  if (object.kind == Kind::List)
    return element(object, given, expr);
  if (object.kind != Kind::Tensor && object.kind != Kind::Sizes)
    return object.kind == Kind::Unknown ? object : unknown(expr);
  const std::optional<int64_t> dimension = fixed(value(given), expr);
  if (!dimension || (*dimension < 0 && object.kind == Kind::Sizes))
    return unknown(expr);
  if (*dimension < 0 && object.kind == Kind::Tensor)
    fixed(rankOf(m_state, object.tensor), expr);
  return sizeOf(m_state, object.tensor, *dimension, where(expr));
}

// --- options and devices ---

/// Properties of x.device().
HostValue HostReader::deviceCall(const clang::CallExpr* expr, const std::string& name) {
  if (name == "device") {
    const HostValue object = value(subject(expr));
    if (object.kind == Kind::Tensor &&
        !m_state.tensors[static_cast<size_t>(object.tensor)].elsewhere.id.empty())
      return unknown(expr);
    return property("device"); // the tensors that are compared are on one CUDA device
  }
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
    return given.kind == Kind::Unknown || given.kind == Kind::Options ? given : unknown(expr);
  HostValue options = simple(Kind::Options);
  static constexpr std::string_view prefix = "dtype:";
  if (given.text.starts_with(prefix))
    options.dtype = given.text.substr(prefix.size());
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
  if (name == "options-dtype")
    options.dtype = changed.dtype;
  else
    options.device = changed.device;
  return options;
}

} // namespace plumbline::cuda

// Tensors of host code: their properties, new ones, other shapes of the same elements.
#include "core/cuda/clang/host_reader.h"

#include <algorithm>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using ir::ScalarType;
using Op = ir::SizeExpr::Kind;
using Origin = HostTensor::Origin;

namespace {

HostValue certainly(bool holds) {
  HostValue value = simple(Kind::Condition);
  value.known = holds;
  return value;
}

} // namespace

/// The name of a new tensor: that of the variable it goes to, or one like it.
std::string HostReader::freshName(const std::string& wanted) const {
  const auto taken = [&](const std::string& name) {
    return std::any_of(m_state.parameters.begin(), m_state.parameters.end(),
                       [&](const WrapperParameter& each) { return each.name == name; }) ||
           std::any_of(m_state.tensors.begin(), m_state.tensors.end(),
                       [&](const HostTensor& each) { return each.name == name; });
  };
  std::string name = wanted;
  for (int next = 2; taken(name); ++next)
    name = wanted + "_" + std::to_string(next);
  return name;
}

std::string HostReader::takeHint() {
  std::string hint = std::move(m_hint);
  m_hint.clear();
  return hint;
}

HostValue HostReader::addTensor(HostTensor tensor) {
  HostValue made = simple(Kind::Tensor);
  made.tensor = static_cast<int>(m_state.tensors.size());
  m_state.tensors.push_back(std::move(tensor));
  return made;
}

HostValue HostReader::tensorCall(const clang::CallExpr* expr, HostValue object, const std::string& name) {
  const HostTensor& tensor = m_state.tensors[static_cast<size_t>(object.tensor)];
  if (name == "numel")
    return numelOf(m_state, object.tensor, where(expr));
  if (name == "dim")
    return rankOf(m_state, object.tensor);
  if (name == "sizes" || name == "options") {
    object.kind = name == "sizes" ? Kind::Sizes : Kind::Options;
    object.dtype = tensor.dtype;
    object.device = tensor.elsewhere.id.empty() ? HostValue::Setting::Expected : HostValue::Setting::Other;
    return object;
  }
  if (name == "dtype") {
    if (tensor.dtype == "?")
      return unknown(expr);
    HostValue dtype = simple(Kind::Property);
    dtype.text = "dtype:" + tensor.dtype;
    return dtype;
  }
  if (name == "always-true")
    return tensor.elsewhere.id.empty() ? certainly(true) : unknown(expr);
  if (name == "is-floating")
    return tensor.dtype == "Float" ? certainly(true) : unknown(expr);
  if (name == "is-contiguous")
    return tensor.rowMajor ? certainly(true) : unknown(expr);
  if (name == "defined")
    return definedness(object.tensor);
  if (name == "moved")
    return moved(expr, std::move(object));
  if (name == "viewed")
    return viewed(expr, object, expr->getDirectCallee()->getNameAsString());
  if (name == "contiguous") {
    if (!tensor.rowMajor)
      return torchCall(expr, "torch-view");
    if (m_state.tensors[static_cast<size_t>(storageOf(m_state, object.tensor))].origin == Origin::Parameter)
      m_state.facts.push_back({text(expr), nullptr, where(expr)});
    return object;
  }
  return name == "data" ? pointer(expr, std::move(object)) : unknown(expr);
}

/// data_ptr: a typed one throws unless the tensor has that type.
HostValue HostReader::pointer(const clang::CallExpr* expr, HostValue object) {
  const HostTensor& tensor = m_state.tensors[static_cast<size_t>(object.tensor)];
  const std::optional<ir::Type> pointer = irType(m_ast, expr->getType());
  if (!pointer && !expr->getType()->isVoidPointerType())
    return unknown(expr);
  if (!tensor.elsewhere.id.empty()) {
    HostValue refused = unknown(expr);
    refused.refusal = tensor.elsewhere;
    return refused;
  }
  object.kind = Kind::Pointer;
  object.scalar = pointer ? pointer->scalar : ScalarType::Void;
  const HostTensor& storage = m_state.tensors[static_cast<size_t>(storageOf(m_state, object.tensor))];
  const bool made = storage.origin != Origin::Parameter && tensor.dtype != "?";
  if (made && object.scalar != ScalarType::Void && scalarOfDtype(tensor.dtype) != object.scalar) {
    HostValue refused = unknown(expr);
    refused.refusal = {"tensor-dtype", "tensor of type " + tensor.dtype + ", used as another", tensor.where};
    return refused;
  }
  // What an untyped pointer leads to is only known for what is certainly binary32.
  if (object.scalar == ScalarType::Void && tensor.dtype != "Float")
    return unknown(expr, "tensor-dtype");
  return object;
}

HostValue HostReader::newTensor(const clang::CallExpr* expr, Origin origin, bool like) {
  using Setting = HostValue::Setting;
  const std::string hint = takeHint();
  const HostValue shape = value(expr->getArg(0));
  const HostValue options = expr->getNumArgs() > 1 ? value(expr->getArg(1)) : simple(Kind::Options);
  if (options.kind != Kind::Options || expr->getNumArgs() > 2)
    return options.kind == Kind::Unknown ? options : unknown(expr);
  HostTensor tensor;
  tensor.origin = origin;
  tensor.where = where(expr);
  if (like ? shape.kind == Kind::Tensor : shape.kind == Kind::Sizes)
    tensor.like = shape.tensor;
  else if (!like && shape.kind == Kind::List && shape.text.empty())
    tensor.dims = shape.parts;
  else
    return shape.kind == Kind::Unknown ? shape : unknown(expr);
  for (const HostValue& dim : tensor.dims)
    if (dim.kind != Kind::Integer)
      return dim.kind == Kind::Unknown ? dim : unknown(expr);
  if (like) { // a tensor that is not contiguous passes its layout on
    const HostTensor& model = m_state.tensors[static_cast<size_t>(shape.tensor)];
    tensor.rowMajor = model.rowMajor;
    tensor.dtype = model.dtype;
    tensor.elsewhere = model.elsewhere;
  }
  // By default: what `like` has, or the CPU and binary32.
  if (options.device == Setting::Expected)
    tensor.elsewhere = {};
  else if (!like || options.device == Setting::Other)
    tensor.elsewhere = {"tensor-device", text(expr), tensor.where};
  if (!options.dtype.empty())
    tensor.dtype = options.dtype;
  tensor.name = freshName(hint.empty() ? "tensor" : hint);
  return addTensor(std::move(tensor));
}

/// x.to(device), x.cuda(), x.to(dtype), x.float(): the tensor itself where it has that already.
HostValue HostReader::moved(const clang::CallExpr* expr, HostValue object) {
  const HostTensor tensor = m_state.tensors[static_cast<size_t>(object.tensor)];
  const std::string name = expr->getDirectCallee()->getNameAsString();
  std::string dtype = name == "float" ? "Float" : "";
  bool onDevice = name == "cuda";
  for (unsigned i = 0; name == "to" && i < expr->getNumArgs(); ++i) {
    if (llvm::isa<clang::CXXDefaultArgExpr>(expr->getArg(i)))
      continue;
    const HostValue wanted = optionsOf(expr->getArg(i));
    if (wanted.kind != Kind::Options || wanted.device == HostValue::Setting::Other)
      return wanted.kind == Kind::Unknown ? wanted : unknown(expr, "tensor-device");
    onDevice = onDevice || wanted.device == HostValue::Setting::Expected;
    dtype = wanted.dtype.empty() ? dtype : wanted.dtype;
  }
  const bool sameType = dtype.empty() || dtype == tensor.dtype;
  const bool sameDevice = !onDevice || tensor.elsewhere.id.empty();
  if (sameType && sameDevice)
    return object;
  const bool changed =
      std::any_of(m_state.operators.begin(), m_state.operators.end(), [&](const HostOperator& made) {
        return std::any_of(made.modifies.begin(), made.modifies.end(), [&](int each) {
          return memoryOf(m_state, each) == memoryOf(m_state, object.tensor);
        });
      });
  const bool fresh = !changed && (tensor.origin == Origin::Empty || tensor.origin == Origin::Zeros);
  if (!fresh || !sameType)
    return torchCall(expr, "torch-view");
  HostTensor copy = tensor; // new memory with the same elements
  copy.elsewhere = {};
  const std::string hint = takeHint();
  copy.name = freshName(hint.empty() ? "tensor" : hint);
  return addTensor(std::move(copy));
}

/// view, reshape, flatten, unsqueeze, squeeze of a contiguous tensor: its elements in order, with other
/// sizes.
HostValue HostReader::viewed(const clang::CallExpr* expr, const HostValue& object, const std::string& name) {
  if (!m_state.tensors[static_cast<size_t>(object.tensor)].rowMajor)
    return torchCall(expr, "torch-view");
  std::vector<const clang::Expr*> given;
  for (const clang::Expr* argument : expr->arguments())
    if (!llvm::isa<clang::CXXDefaultArgExpr>(argument))
      given.push_back(argument);
  if (name == "view_as" || name == "reshape_as") {
    const HostValue other = value(given[0]);
    return other.kind == Kind::Tensor ? viewOf(object.tensor, sizesList(other, expr).parts, expr)
                                      : unknown(expr);
  }
  if (name == "view" || name == "reshape") {
    HostValue shape = given.size() == 1 ? value(given[0]) : HostValue();
    if (shape.kind == Kind::Sizes)
      shape = sizesList(shape, expr);
    if (shape.kind != Kind::List || !shape.text.empty())
      return shape.kind == Kind::Unknown && given.size() == 1 ? shape : unknown(expr);
    return viewOf(object.tensor, shape.parts, expr);
  }
  const std::optional<int64_t> start =
      given.empty() ? std::optional<int64_t>(0) : fixed(value(given[0]), expr);
  if (name == "flatten") {
    if (given.size() > 1 || !start || *start < 0)
      return torchCall(expr, "torch-view");
    std::vector<HostValue> dims;
    for (int64_t i = 0; i < *start; ++i)
      dims.push_back(sizeOf(m_state, object.tensor, i, where(expr)));
    dims.push_back(integerValue(ir::sizeConstant(-1), ScalarType::I64));
    return viewOf(object.tensor, std::move(dims), expr);
  }
  const std::optional<int64_t> rank = m_state.path.exact(*rankOf(m_state, object.tensor).size);
  if (name != "unsqueeze" || !rank || !start || *start < -*rank - 1 || *start > *rank)
    return torchCall(expr, "torch-view");
  std::vector<HostValue> dims;
  for (int64_t i = 0; i < *rank; ++i)
    dims.push_back(sizeOf(m_state, object.tensor, i, where(expr)));
  const int64_t place = *start < 0 ? *start + *rank + 1 : *start;
  dims.insert(dims.begin() + place, integerValue(ir::sizeConstant(1), ScalarType::I64));
  return viewOf(object.tensor, std::move(dims), expr);
}

/// torch raises an error for a view of another number of elements: before the launch that is a precondition,
/// afterwards it has to be shown. `lost`: the elements too many or too few.
void HostReader::sameElements(const clang::Expr* at, const HostValue& lost, bool certain) {
  const std::string what = text(at) + " must have as many elements as the tensor";
  if (certain || !m_state.launches.empty()) {
    m_state.required.insert(lost.checks.begin(), lost.checks.end());
    if (certain)
      return;
    m_state.required.insert(m_state.checks.size());
    m_state.checks.push_back({lost.size, 0, 0, what, where(at), ir::HostCheck::Kind::Model});
    return;
  }
  ir::HostFact known{what, ir::sizeBinary(Op::Eq, lost.size, ir::sizeConstant(0)), where(at)};
  for (const size_t index : lost.checks)
    known.reliesOn.push_back(m_state.checks[index]);
  fact(std::move(known));
}

/// One size may be -1: what is left.
HostValue HostReader::viewOf(int tensor, std::vector<HostValue> dims, const clang::Expr* at) {
  const HostValue numel = numelOf(m_state, tensor, where(at));
  HostValue product = integerValue(ir::sizeConstant(1), ScalarType::I64);
  HostValue* left = nullptr;
  for (HostValue& dim : dims) {
    if (dim.kind != Kind::Integer)
      return dim.kind == Kind::Unknown ? dim : unknown(at);
    const bool rest = dim.size->kind == Op::Constant && dim.size->value == -1;
    if (rest && left)
      return unknown(at);
    if (rest)
      left = &dim;
    else
      product = integerArithmetic(m_state, Op::Mul, product, dim, ScalarType::I64, where(at), text(at));
  }
  if (left)
    *left = product.size->kind == Op::Constant && product.size->value == 1
                ? numel
                : integerArithmetic(m_state, Op::Div, numel, product, ScalarType::I64, where(at), text(at));
  const HostValue lost = integerArithmetic(m_state, left ? Op::Rem : Op::Sub, numel, product, ScalarType::I64,
                                           where(at), text(at));
  const bool same = left ? product.size->kind == Op::Constant && product.size->value == 1
                         : ir::print(*numel.size) == ir::print(*product.size);
  sameElements(at, lost, same);
  const HostTensor& viewed = m_state.tensors[static_cast<size_t>(tensor)];
  HostTensor made;
  made.origin = Origin::View;
  made.base = tensor;
  made.dims = std::move(dims);
  made.dtype = viewed.dtype;
  made.elsewhere = viewed.elsewhere;
  made.where = where(at);
  const std::string hint = takeHint();
  made.name = freshName(hint.empty() ? viewed.name + "_view" : hint);
  return addTensor(std::move(made));
}

} // namespace plumbline::cuda

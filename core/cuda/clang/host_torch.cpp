// Functions that stay torch's or a library's: what they are called with and what they give, by name. Their
// meaning is not the importer's.
#include "core/cuda/clang/host_reader.h"

#include <algorithm>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using Origin = HostTensor::Origin;

namespace {

/// The name of the method that an operator stands for: "add", "mul_".
std::string operatorName(const clang::FunctionDecl* callee) {
  switch (callee->getOverloadedOperator()) {
  case clang::OO_Plus: return "add";
  case clang::OO_Minus: return callee->getNumParams() == 1 ? "neg" : "sub";
  case clang::OO_Star: return "mul";
  case clang::OO_Slash: return "div";
  case clang::OO_PlusEqual: return "add_";
  case clang::OO_MinusEqual: return "sub_";
  case clang::OO_StarEqual: return "mul_";
  case clang::OO_SlashEqual: return "div_";
  case clang::OO_Less: return "lt";
  case clang::OO_LessEqual: return "le";
  case clang::OO_Greater: return "gt";
  case clang::OO_GreaterEqual: return "ge";
  case clang::OO_EqualEqual: return "eq";
  case clang::OO_ExclaimEqual: return "ne";
  case clang::OO_Subscript: return "select";
  default: return callee->getNameAsString();
  }
}

/// How many tensors a call gives.
size_t resultCount(clang::QualType type) {
  if (isTensor(type))
    return 1;
  const auto* record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || record->getName() != "tuple" || record->getTemplateArgs().size() != 1 ||
      record->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Pack)
    return 0;
  const auto parts = record->getTemplateArgs()[0].pack_elements();
  const bool tensors = std::all_of(parts.begin(), parts.end(), [](const clang::TemplateArgument& part) {
    return part.getKind() == clang::TemplateArgument::Type && isTensor(part.getAsType());
  });
  return tensors ? parts.size() : 0;
}

bool isOperand(const HostValue& value) {
  switch (value.kind) {
  case Kind::Tensor:
  case Kind::Integer:
  case Kind::Number:
  case Kind::Parameter:
  case Kind::Null:
  case Kind::Text:
  case Kind::Options: return true;
  case Kind::List: return std::all_of(value.parts.begin(), value.parts.end(), isOperand);
  default: return false;
  }
}

/// The words of a device as an operand.
bool isGpu(const HostValue& value) {
  return value.kind == Kind::Text &&
         (value.text == "device" || value.text == "cuda-device" || value.text == "device-type:CUDA");
}

} // namespace

/// A value as an argument of such a function.
HostValue HostReader::operand(const clang::Expr* expr) {
  HostValue given = value(expr);
  if (given.kind == Kind::Sizes)
    return sizesList(given, expr);
  if (given.kind == Kind::Pointer)
    given.kind = Kind::Tensor;
  if (given.kind == Kind::Condition)
    if (const std::optional<bool> holds = chosen(given, expr))
      given = integerValue(ir::sizeConstant(*holds ? 1 : 0), ir::ScalarType::Bool);
  if (given.kind == Kind::Property)
    given.kind = Kind::Text;
  if (given.kind == Kind::Ignored) {
    given.kind = Kind::Text;
    given.text = text(expr);
  }
  if (isOperand(given))
    return given;
  for (const HostValue& part : given.parts)
    if (part.kind == Kind::Unknown)
      return part;
  return given.kind == Kind::Unknown ? given : unknown(expr);
}

/// False with the reason when an argument is not understood.
bool HostReader::operands(const std::vector<const clang::Expr*>& given, HostOperator& made, HostValue& why) {
  for (const clang::Expr* each : given) {
    if (llvm::isa<clang::CXXDefaultArgExpr>(each))
      continue;
    HostValue argument = operand(each);
    if (argument.kind == Kind::Unknown) {
      why = std::move(argument);
      return false;
    }
    m_state.required.insert(argument.checks.begin(), argument.checks.end());
    for (const HostValue& part : argument.parts)
      m_state.required.insert(part.checks.begin(), part.checks.end());
    made.arguments.push_back(std::move(argument));
  }
  return true;
}

/// A function of torch: `torch` gives new tensors, `torch-view` one that may share memory with its first
/// argument, `torch-inplace` changes its first argument.
HostValue HostReader::torchCall(const clang::CallExpr* expr, const std::string& kind) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  const std::string hint = takeHint();
  HostOperator made;
  made.name = operatorName(callee);
  made.view = kind == "torch-view";
  made.where = where(expr);
  std::vector<const clang::Expr*> given;
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr))
    given.push_back(method->getImplicitObjectArgument());
  given.insert(given.end(), expr->arg_begin(), expr->arg_end());
  HostValue why;
  if (!operands(given, made, why))
    return why;
  if (made.arguments.empty() && resultCount(expr->getType()) == 0)
    return unknown(expr);
  if (kind == "torch-inplace") {
    if (made.arguments[0].kind != Kind::Tensor)
      return unknown(expr);
    made.modifies.push_back(made.arguments[0].tensor);
    HostValue changed = made.arguments[0];
    m_state.steps.push_back({false, m_state.operators.size()});
    m_state.operators.push_back(std::move(made));
    return changed;
  }
  m_hint = hint;
  return operatorResult(expr, std::move(made));
}

HostValue HostReader::operatorResult(const clang::CallExpr* expr, HostOperator made) {
  const size_t count = resultCount(expr->getType());
  const std::string hint = takeHint();
  if (count == 0)
    return unknown(expr);
  HostValue all;
  all.kind = Kind::List;
  for (size_t i = 0; i < count; ++i) {
    HostTensor tensor;
    tensor.origin = Origin::Operator;
    tensor.dtype = "?";
    tensor.rowMajor = false;
    tensor.where = made.where;
    resultTensor(expr, made, tensor);
    tensor.name = freshName(hint.empty() ? made.name : hint);
    m_state.path.declare(tensor.name + ".dim", {0, 64});
    all.parts.push_back(addTensor(std::move(tensor)));
    made.results.push_back(all.parts.back().tensor);
  }
  m_state.steps.push_back({false, m_state.operators.size()});
  m_state.operators.push_back(std::move(made));
  return count == 1 ? all.parts[0] : all;
}

/// What is certain about the result without knowing the function: memory, device; for the few that copy or
/// fill, the sizes.
void HostReader::resultTensor(const clang::CallExpr* expr, const HostOperator& made,
                              HostTensor& tensor) const {
  const HostValue* first = nullptr;
  bool onDevice = false;
  for (const HostValue& argument : made.arguments) {
    std::vector<HostValue> parts = argument.parts;
    parts.push_back(argument);
    for (const HostValue& part : parts) {
      const bool isTensor = part.kind == Kind::Tensor;
      if (isTensor && !m_state.tensors[static_cast<size_t>(part.tensor)].elsewhere.id.empty())
        tensor.elsewhere = {"tensor-device", text(expr), made.where};
      onDevice =
          onDevice || isTensor || (part.kind == Kind::Options && part.device == HostValue::Setting::Expected);
      if (part.kind == Kind::Options && !part.dtype.empty())
        tensor.dtype = part.dtype;
    }
  }
  if (!made.arguments.empty() && made.arguments[0].kind == Kind::Tensor)
    first = &made.arguments[0];
  if (!onDevice || made.name == "cpu")
    tensor.elsewhere = {"tensor-device", text(expr), made.where};
  const bool toDevice = made.name == "to" && std::any_of(made.arguments.begin(), made.arguments.end(), isGpu);
  if (made.name == "cuda" || toDevice)
    tensor.elsewhere = {};
  if (made.view && first)
    tensor.shares = first->tensor;
  const bool copies = made.name == "clone" || made.name == "contiguous" || made.name == "detach";
  if (first && (copies || made.name == "full_like" || made.name == "ones_like")) {
    const HostTensor& model = m_state.tensors[static_cast<size_t>(first->tensor)];
    tensor.like = first->tensor;
    tensor.dtype = tensor.dtype == "?" ? model.dtype : tensor.dtype;
    tensor.rowMajor = model.rowMajor || made.name == "contiguous";
  }
  const bool fills = made.name == "full" || made.name == "ones";
  if (fills && !made.arguments.empty() && made.arguments[0].kind == Kind::List &&
      made.arguments[0].text.empty()) {
    tensor.dims = made.arguments[0].parts;
    tensor.sized = std::all_of(tensor.dims.begin(), tensor.dims.end(),
                               [](const HostValue& dim) { return dim.kind == Kind::Integer; });
    tensor.rowMajor = true;
    tensor.dtype = tensor.dtype == "?" && made.name == "ones" ? "Float" : tensor.dtype;
  }
}

/// A function of cuBLAS: it writes what it takes as a pointer to something not const.
void HostReader::libraryCall(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  HostOperator made;
  made.name = callee->getNameAsString();
  made.where = where(expr);
  for (unsigned i = 0; i < expr->getNumArgs(); ++i) {
    const clang::Expr* given = expr->getArg(i);
    const clang::QualType type = callee->getParamDecl(i)->getType();
    HostValue argument;
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(given->IgnoreParenImpCasts());
    if (type->isPointerType() && type->getPointeeType()->isRecordType()) { // the handle
      argument.kind = Kind::Text;
      argument.text = "handle";
    } else if (address && address->getOpcode() == clang::UO_AddrOf && type->isPointerType() &&
               type->getPointeeType().isConstQualified()) {
      argument = operand(address->getSubExpr());
    } else {
      argument = operand(given);
    }
    if (argument.kind == Kind::Unknown) {
      m_state.problems.push_back(argument.refusal);
      return;
    }
    const bool written = type->isPointerType() && !type->getPointeeType().isConstQualified() &&
                         !type->getPointeeType()->isRecordType();
    if (written && argument.kind == Kind::Tensor)
      made.modifies.push_back(argument.tensor);
    m_state.required.insert(argument.checks.begin(), argument.checks.end());
    made.arguments.push_back(std::move(argument));
  }
  m_state.steps.push_back({false, m_state.operators.size()});
  m_state.operators.push_back(std::move(made));
}

} // namespace plumbline::cuda

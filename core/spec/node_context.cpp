#include "core/spec/node_context.h"

#include "core/f32/rational.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace plumbline::spec {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;
using torch::DType;

constexpr uint32_t canonicalNan = 0x7FC00000;

/// A constant of the program rounded to binary32. The text is kept where it says more than the bits: not for
/// infinities written as such.
TermId rounded(logic::TermStore& terms, float value, const std::string& text) {
  const auto bits = std::bit_cast<uint32_t>(value);
  auto exact = f32::toRational<f32::Binary32>(bits);
  auto written = f32::parseExact(text);
  return terms.f32Bits(bits, written && (!exact || *exact != *written) ? text : "");
}

/// A constant that cannot take part in a tie of zeros: any number but zero.
bool isNonZeroConstant(const logic::Term& term) {
  return term.op == Op::FloatConst && (term.payload & 0x7FFFFFFF) != 0;
}

bool cannotBeNan(const logic::Term& term) {
  return term.op == Op::FloatConst && (term.payload & 0x7FFFFFFF) <= 0x7F800000;
}

} // namespace

std::string NodeContext::op() const {
  const size_t begin = m_node.target.find('.') + 1;
  return m_node.target.substr(begin, m_node.target.find('.', begin) - begin);
}

std::string NodeContext::where() const {
  return "node '" + m_node.name + "' (" + m_node.target + ")";
}

void NodeContext::stop(ErrorKind kind, const std::string& id, const std::string& what,
                       const std::string& next) {
  if (!m_error)
    m_error = Error{kind, id, where() + ": " + what, next};
}

void NodeContext::unsupported(const std::string& what) {
  stop(ErrorKind::Rejected, "argument-unsupported", what, "write the module without this argument");
}

bool NodeContext::onCuda() {
  m_usesCudaFormula = m_usesCudaFormula || m_elements.target() == Target::TorchCuda;
  return m_elements.target() == Target::TorchCuda;
}

void NodeContext::checkArguments() {
  for (const auto& input : m_node.inputs)
    if (std::ranges::none_of(m_schema.parameters, [&](const auto& each) { return each.name == input.name; }))
      unsupported("the operator has no argument '" + input.name + "'");
  for (const OpParameter& parameter : m_schema.parameters)
    if (!parameter.defaultValue && !torch::findArgument(m_node, parameter.name))
      unsupported("the argument '" + parameter.name + "' is missing");
}

const torch::Argument& NodeContext::argument(const std::string& name) {
  static const torch::Argument none = torch::NoneArg{};
  if (const torch::Argument* given = torch::findArgument(m_node, name))
    return *given;
  for (const OpParameter& parameter : m_schema.parameters)
    if (parameter.name == name && parameter.defaultValue)
      return *parameter.defaultValue;
  unsupported("the argument '" + name + "' is missing");
  return none;
}

bool NodeContext::isNone(const std::string& name) {
  return std::holds_alternative<torch::NoneArg>(argument(name));
}

std::vector<std::string> NodeContext::tensors() const {
  std::vector<std::string> names;
  for (const auto& input : m_node.inputs)
    if (const auto* tensor = std::get_if<torch::TensorRef>(&input.value))
      names.push_back(tensor->name);
  return names;
}

TermId NodeContext::tensorElement(const std::string& tensor) {
  const Shape& from = m_elements.info(tensor).sizes;
  return m_elements.at(tensor, broadcastIndex(terms(), from, m_shape, m_elements.index()));
}

TermId NodeContext::numberTerm(const torch::Argument& value, const std::string& name) {
  if (const auto* real = std::get_if<torch::FloatScalar>(&value))
    return constant(*real);
  if (const auto* integer = std::get_if<int64_t>(&value))
    return rounded(terms(), static_cast<float>(*integer), std::to_string(*integer));
  if (const auto* truth = std::get_if<bool>(&value))
    return constant(*truth ? 1 : 0);
  if (const auto* size = std::get_if<torch::SizeArg>(&value)) {
    const TermId term = sizeTerm(terms(), *size->size);
    if (terms()[term].sort == Sort::Int)
      return terms().intToFloat(Sort::F32, term);
  }
  unsupported("the argument '" + name + "' is not a number");
  return constant(0);
}

TermId NodeContext::f32(const std::string& name) {
  const torch::Argument& value = argument(name);
  const auto* tensor = std::get_if<torch::TensorRef>(&value);
  if (!tensor)
    return numberTerm(value, name);
  const TermId element = tensorElement(tensor->name);
  switch (terms()[element].sort) {
  case Sort::Bool: return ite(element, constant(1), constant(0));
  case Sort::Int: return promoted(element, name);
  default: return element;
  }
}

TermId NodeContext::real(const std::string& name) {
  const auto* tensor = std::get_if<torch::TensorRef>(&argument(name));
  if (!tensor)
    return numberTerm(argument(name), name);
  const TermId element = tensorElement(tensor->name);
  return terms()[element].sort == Sort::Int ? terms().intToFloat(Sort::F32, element) : f32(name);
}

TermId NodeContext::integral(const std::string& name) {
  const torch::Argument& value = argument(name);
  if (const auto* tensor = std::get_if<torch::TensorRef>(&value)) {
    const TermId element = tensorElement(tensor->name);
    if (terms()[element].sort == Sort::Int)
      return element;
    if (terms()[element].sort == Sort::Bool)
      return ite(element, terms().integer(1), terms().integer(0));
  } else if (const auto* integer = std::get_if<int64_t>(&value)) {
    return terms().integer(*integer);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    return terms().integer(*flag ? 1 : 0);
  } else if (const auto* size = std::get_if<torch::SizeArg>(&value); size && !ir::isCondition(*size->size)) {
    return sizeTerm(terms(), *size->size);
  }
  unsupported("the argument '" + name + "' is not an integer");
  return terms().integer(0);
}

TermId NodeContext::isNotZero(TermId value) {
  switch (terms()[value].sort) {
  case Sort::Bool: return value;
  case Sort::Int: return terms().lnot(terms().ieq(value, terms().integer(0)));
  default: return terms().lnot(equal(value, constant(0)));
  }
}

TermId NodeContext::truth(const std::string& name) {
  return isNotZero(as(sortOf(argument(name)), name));
}

TermId NodeContext::as(Sort sort, const std::string& name) {
  if (sort == Sort::Bool && std::holds_alternative<bool>(argument(name)))
    return terms().boolean(std::get<bool>(argument(name)));
  return sort == Sort::Bool ? boolean(name) : sort == Sort::Int ? integral(name) : real(name);
}

Sort NodeContext::sortOf(const torch::Argument& value) const {
  if (const auto* tensor = std::get_if<torch::TensorRef>(&value)) {
    const DType dtype = m_elements.info(tensor->name).dtype;
    return dtype == DType::Bool ? Sort::Bool : dtype == DType::I64 ? Sort::Int : Sort::F32;
  }
  if (std::holds_alternative<bool>(value))
    return Sort::Bool;
  const bool isInteger =
      std::holds_alternative<int64_t>(value) || std::holds_alternative<torch::SizeArg>(value);
  return isInteger ? Sort::Int : Sort::F32;
}

Sort NodeContext::commonSort(std::initializer_list<const char*> names) {
  Sort result = Sort::Bool;
  for (const char* name : names)
    if (!isNone(name)) {
      const Sort sort = sortOf(argument(name));
      if (sort == Sort::F32 || result == Sort::Bool)
        result = sort;
    }
  return result;
}

TermId NodeContext::bounded(TermId integer) {
  if (!m_error && !m_elements.ranges().of(integer, numelTerm(terms(), m_shape)))
    stop(ErrorKind::Rejected, "int64-range", "its integers may leave int64, where PyTorch's wrap around",
         "limit the integers first (clamp, remainder), or compute with float32");
  return integer;
}

/// An integer beside a float32 tensor is rounded to one; among integers ATen computes in int64.
TermId NodeContext::promoted(TermId integer, const std::string& name) {
  if (std::ranges::none_of(tensors(),
                           [&](const auto& each) { return m_elements.info(each).dtype == DType::F32; }))
    stop(ErrorKind::Rejected, "dtype-unsupported", "the argument '" + name + "' makes this int64 arithmetic",
         "use float32 tensors");
  return terms().intToFloat(Sort::F32, integer);
}

TermId NodeContext::boolean(const std::string& name) {
  if (const auto* tensor = std::get_if<torch::TensorRef>(&argument(name))) {
    const TermId element = tensorElement(tensor->name);
    if (terms()[element].sort == Sort::Bool)
      return element;
  }
  unsupported("the argument '" + name + "' is not a tensor of truth values");
  return terms().boolean(false);
}

TermId NodeContext::flat(const std::string& name) {
  if (const auto* tensor = std::get_if<torch::TensorRef>(&argument(name)))
    return m_elements.own(tensor->name);
  unsupported("the argument '" + name + "' is not a tensor");
  return constant(0);
}

std::optional<torch::FloatScalar> NodeContext::number(const std::string& name) {
  const torch::Argument& value = argument(name);
  if (const auto* real = std::get_if<torch::FloatScalar>(&value))
    return *real;
  if (const auto* integer = std::get_if<int64_t>(&value))
    return torch::floatScalar(static_cast<double>(*integer));
  unsupported("the argument '" + name + "' is not a number");
  return std::nullopt;
}

DType NodeContext::dtype(const std::string& name, DType otherwise) {
  const torch::Argument& value = argument(name);
  const auto* given = std::get_if<DType>(&value);
  return given ? *given : otherwise;
}

DType NodeContext::tensorDtype(const std::string& name) {
  if (const auto* tensor = std::get_if<torch::TensorRef>(&argument(name)))
    return m_elements.info(tensor->name).dtype;
  unsupported("the argument '" + name + "' is not a tensor");
  return DType::F32;
}

TermId NodeContext::constant(const torch::FloatScalar& value) {
  if (std::isnan(value.value))
    return terms().f32Bits(canonicalNan);
  return rounded(terms(), static_cast<float>(value.value), value.text);
}

TermId NodeContext::opaque(std::string_view spelling, std::initializer_list<TermId> args) {
  return terms().opaque(Sort::F32, spelling, std::span(args.begin(), args.size()));
}

/// `a`, or `b` where `second` says so or b is NaN; on a tie of zeros either. A NaN in a is kept: it compares
/// false.
TermId NodeContext::pick(TermId a, TermId b, TermId second, const std::string& suffix) {
  TermId result = a;
  if (!isNonZeroConstant(terms()[a]) && !isNonZeroConstant(terms()[b]) && a != b)
    result = ite(equal(a, b), ite(m_elements.choice(m_node, op(), suffix), a, b), a);
  result = ite(second, b, result);
  return cannotBeNan(terms()[b]) ? result : ite(terms().unary(Op::FIsNan, b), b, result);
}

TermId NodeContext::maximum(TermId a, TermId b, const std::string& suffix) {
  return pick(a, b, less(a, b), suffix);
}

TermId NodeContext::minimum(TermId a, TermId b, const std::string& suffix) {
  return pick(a, b, less(b, a), suffix);
}

} // namespace plumbline::spec

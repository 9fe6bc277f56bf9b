#include "core/spec/evaluate.h"

#include "core/spec/environment.h"
#include "core/spec/stage_values.h"

#include <numeric>

namespace plumbline::spec {
namespace {

using logic::Sort;
using logic::Value;

constexpr uint64_t canonicalNan = 0x7FC00000;
constexpr size_t stopInterval = 4096; // elements between two looks at the stop token

tl::unexpected<Error> mismatch(const std::string& message) {
  return fail(ErrorKind::Usage, "shape-mismatch", message, "give inputs of the shapes that the graph takes");
}

tl::unexpected<Error> stopped() {
  return fail(ErrorKind::Tool, "stopped", "the evaluation was stopped", "");
}

Expected<std::vector<int64_t>> shapeValues(const logic::TermStore& terms, const SpecTensor& tensor,
                                           const Sizes& sizes) {
  std::vector<int64_t> shape;
  for (logic::TermId term : tensor.shape) {
    auto size = sizeValue(terms, term, sizes);
    if (!size)
      return fail(size.error());
    shape.push_back(*size);
  }
  return shape;
}

/// The type in which values are given; nothing for a dtype that has no terms.
std::optional<ir::ScalarType> scalarType(torch::DType dtype) {
  switch (dtype) {
  case torch::DType::F32: return ir::ScalarType::F32;
  case torch::DType::I64: return ir::ScalarType::I64;
  case torch::DType::Bool: return ir::ScalarType::Bool;
  default: return std::nullopt;
  }
}

Expected<void> checkInput(const logic::TermStore& terms, const SpecInput& input, const ir::Tensor& given,
                          const Sizes& sizes) {
  auto shape = shapeValues(terms, input.tensor, sizes);
  if (!shape)
    return fail(shape.error());
  if (*shape != given.shape)
    return mismatch("input '" + input.tensor.name + "' does not have the shape that the graph gives it");
  if (const auto wanted = scalarType(input.tensor.dtype); wanted && given.type != *wanted)
    return fail(ErrorKind::Usage, "dtype-unsupported",
                "input '" + input.tensor.name + "' is not " + std::string(torch::name(input.tensor.dtype)),
                "give " + std::string(torch::name(input.tensor.dtype)) + " values");
  if (ir::elementCount(given.shape) != static_cast<int64_t>(given.bits.size()))
    return mismatch("input '" + input.tensor.name + "' does not have as many elements as its shape says");
  return {};
}

Expected<void> checkConditions(const logic::TermStore& terms, const Spec& spec, const Sizes& sizes) {
  for (const auto& [symbol, range] : spec.symbols) {
    auto it = sizes.find(symbol);
    if (it != sizes.end() && (it->second < range.low || (range.high && it->second > *range.high)))
      return mismatch("the size " + symbol + " = " + std::to_string(it->second) +
                      " is outside the range for which the module was captured");
  }
  for (logic::TermId fact : spec.facts) {
    auto value = sizeValue(terms, fact, sizes);
    if (!value)
      return fail(value.error());
    if (*value == 0)
      return mismatch("the module was captured for sizes with " + terms.print(fact));
  }
  return {};
}

} // namespace

Expected<int64_t> sizeValue(const logic::TermStore& terms, logic::TermId term, const Sizes& sizes) {
  if (auto constant = terms.intValue(term))
    return *constant;
  std::map<std::string, Value> environment;
  for (const auto& [symbol, size] : sizes)
    environment.emplace(symbol, Value::integer(size));
  auto value = logic::CompiledTerm(terms, term).evaluate(environment);
  return value ? Expected<int64_t>(value->asInteger()) : fail(value.error());
}

Expected<Sizes> bindSizes(const logic::TermStore& terms, const Spec& spec, const ir::Tensors& inputs) {
  Sizes sizes;
  for (const SpecInput& input : spec.inputs) {
    auto given = inputs.find(input.tensor.name);
    if (given == inputs.end())
      continue;
    if (given->second.shape.size() != input.tensor.shape.size())
      return mismatch("input '" + input.tensor.name + "' has " + std::to_string(given->second.shape.size()) +
                      " dimensions, the graph takes " + std::to_string(input.tensor.shape.size()));
    for (size_t i = 0; i < input.tensor.shape.size(); ++i)
      if (terms[input.tensor.shape[i]].op == logic::Op::Var)
        sizes.emplace(terms.symbolText(input.tensor.shape[i]), given->second.shape[i]);
  }
  for (const SpecInput& input : spec.inputs)
    if (auto given = inputs.find(input.tensor.name); given != inputs.end())
      if (auto ok = checkInput(terms, input, given->second, sizes); !ok)
        return fail(ok.error());
  if (auto ok = checkConditions(terms, spec, sizes); !ok)
    return fail(ok.error());
  return sizes;
}

Expected<std::vector<int64_t>> outputShape(const logic::TermStore& terms, const Spec& spec, size_t output,
                                           const Sizes& sizes) {
  const SpecTensor& tensor = spec.outputs.at(output).tensor;
  auto shape = shapeValues(terms, tensor, sizes);
  if (shape && !ir::elementCount(*shape))
    return mismatch("the output '" + tensor.name + "' would have a negative or too large number of elements");
  return shape;
}

Expected<std::vector<Value>> evaluateAt(const logic::TermStore& terms, const Spec& spec, size_t output,
                                        std::span<const int64_t> indices, const Sizes& sizes,
                                        const ir::Tensors& inputs, const EvaluateOptions& options) {
  logic::CompiledTerm program(terms, spec.outputs.at(output).element);
  auto environment = Environment<uint64_t, logic::CompiledTerm>::make(program, sizes, options);
  if (!environment)
    return fail(environment.error());
  StageValues stages(terms, spec, sizes, inputs, options);
  logic::Callbacks callbacks;
  callbacks.load = [&](std::string_view buffer, int64_t index) { return stages.load(buffer, index); };
  std::vector<Value> values;
  values.reserve(indices.size());
  for (size_t k = 0; k < indices.size(); ++k) {
    if (k % stopInterval == 0 && options.stop.stopRequested())
      return stopped();
    environment->setIndex(indices[k]);
    program.evaluate(environment->values, callbacks);
    auto value = program.result();
    if (!value)
      return fail(value.error());
    if (value->sort == Sort::F32 && (value->bits & 0x7FFFFFFF) > 0x7F800000)
      value->bits = canonicalNan;
    values.push_back(*value);
  }
  return values;
}

Expected<ir::Tensors> evaluateSpec(const logic::TermStore& terms, const Spec& spec, const ir::Tensors& inputs,
                                   const EvaluateOptions& options) {
  auto sizes = bindSizes(terms, spec, inputs);
  if (!sizes)
    return fail(sizes.error());
  ir::Tensors results;
  for (size_t k = 0; k < spec.outputs.size(); ++k) {
    auto shape = outputShape(terms, spec, k, *sizes);
    if (!shape)
      return fail(shape.error());
    std::vector<int64_t> indices(static_cast<size_t>(ir::elementCount(*shape).value_or(0)));
    std::iota(indices.begin(), indices.end(), 0);
    auto values = evaluateAt(terms, spec, k, indices, *sizes, inputs, options);
    if (!values)
      return fail(values.error());
    const auto type = scalarType(spec.outputs[k].tensor.dtype);
    ir::Tensor tensor{type.value_or(ir::ScalarType::F32), *std::move(shape), {}};
    for (const Value& value : *values)
      tensor.bits.push_back(value.bits);
    results[spec.outputs[k].tensor.name] = std::move(tensor);
  }
  return results;
}

} // namespace plumbline::spec

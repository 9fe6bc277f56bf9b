// plumbline eval: a module's values by the op table, under either reading.
#include "app/cli/commands.h"
#include "app/cli/element_choice.h"
#include "app/cli/input_names.h"

#include "core/f32/interval.h"
#include "core/session/sources.h"
#include "core/spec/evaluate_real.h"

#include <cstdio>

namespace plumbline::cli {
namespace {

using logic::EnclosedValue;

constexpr int mostDigits = 40; // of a value in decimal

struct Module {
  torch::Graph graph;
  logic::TermStore terms;
  spec::Spec spec;
};

/// Arrays of equal length, one entry an element.
class RealValuesJson {
public:
  void add(const EnclosedValue& value) {
    using Kind = EnclosedValue::Kind;
    Json decimal;
    Json bounds;
    Json reason;
    Json rational = value.kind() == Kind::Undefined ? "undefined" : "undecided";
    if (value.isExact()) {
      rational = f32::toString(value.rational());
    } else if (value.kind() == Kind::Enclosed) {
      rational = "inexact";
      const f32::DecimalText text = f32::decimalText(value.interval(0), mostDigits);
      bounds = {text.low, text.high};
      if (!text.digits.empty())
        decimal = text.digits;
    } else if (value.kind() == Kind::Undecided) {
      reason = logic::name(value.doubt());
    }
    m_rationals.push_back(std::move(rational));
    m_decimals.push_back(std::move(decimal));
    m_bounds.push_back(std::move(bounds));
    m_reasons.push_back(std::move(reason));
  }

  Json finish(const std::vector<int64_t>& shape) {
    return {{"shape", shape},
            {"rationals", std::move(m_rationals)},
            {"decimals", std::move(m_decimals)},
            {"bounds", std::move(m_bounds)},
            {"reasons", std::move(m_reasons)}};
  }

private:
  Json m_rationals = Json::array();
  Json m_decimals = Json::array();
  Json m_bounds = Json::array();
  Json m_reasons = Json::array();
};

Expected<void> readModule(const Arguments& arguments, Module& module) {
  session::CheckOptions options;
  options.model = arguments.positional[0];
  options.mode = arguments.value("--mode", "train");
  if (const auto found = arguments.values.find("--input"); found != arguments.values.end())
    options.inputs = found->second;
  session::ImportChildren children;
  std::fprintf(stderr, "eval: reading %s\n", options.model.c_str());
  Expected<torch::Graph> graph = children.readModel(options, {});
  if (!graph)
    return fail(graph.error());
  module.graph = *std::move(graph);
  if (module.graph.symbols.empty())
    if (std::optional<torch::Graph> general = spec::generalise(module.graph))
      module.graph = *std::move(general);
  const bool isCuda = arguments.value("--reading", "ieee") == name(session::Reading::TorchCuda);
  Expected<spec::Spec> denoted = spec::denote(
      module.terms, module.graph, {.target = isCuda ? spec::Target::TorchCuda : spec::Target::Defined});
  if (!denoted)
    return fail(denoted.error());
  module.spec = *std::move(denoted);
  for (const std::string& assumption : isCuda ? module.spec.assumptions : std::vector<std::string>{})
    std::fprintf(stderr, "eval: assumes %s\n", assumption.c_str());
  std::fprintf(stderr, "eval: %zu nodes, %zu folds\n", module.graph.nodes.size(), module.spec.stages.size());
  return {};
}

/// The elements of one output that were asked for, under one reading.
class OutputValues {
public:
  OutputValues(const Module& module, const spec::Sizes& sizes, const ir::Tensors& inputs)
      : m_module(module), m_sizes(sizes), m_inputs(inputs) {}

  Expected<Json> real(size_t output, const std::vector<int64_t>& shape, std::span<const int64_t> indices) {
    if (!m_evaluator) {
      auto made = spec::RealEvaluator::make(m_module.terms, m_module.spec, m_sizes, m_inputs);
      if (!made)
        return fail(made.error());
      m_evaluator = *std::move(made);
    }
    RealValuesJson values;
    for (const int64_t index : indices) {
      Expected<EnclosedValue> value = m_evaluator->at(output, index);
      if (!value)
        return fail(value.error());
      values.add(*value);
    }
    return values.finish(shape);
  }

  Expected<Json> ieee(size_t output, const std::vector<int64_t>& shape,
                      std::span<const int64_t> indices) const {
    auto values = spec::evaluateAt(m_module.terms, m_module.spec, output, indices, m_sizes, m_inputs);
    if (!values)
      return fail(values.error());
    Json bits = Json::array();
    for (const logic::Value& value : *values)
      bits.push_back(value.bits);
    return Json{
        {"shape", shape}, {"dtype", torch::name(m_module.spec.outputs[output].tensor.dtype)}, {"bits", bits}};
  }

private:
  const Module& m_module;
  const spec::Sizes& m_sizes;
  const ir::Tensors& m_inputs;
  std::unique_ptr<spec::RealEvaluator> m_evaluator;
};

Expected<Json> chosenValues(const Module& module, const ir::Tensors& inputs, const ElementChoice& choice,
                            bool isReal) {
  auto sizes = spec::bindSizes(module.terms, module.spec, inputs);
  if (!sizes)
    return fail(sizes.error());
  OutputValues values(module, *sizes, inputs);
  Json result = Json::object();
  std::vector<std::string> names;
  names.reserve(module.spec.outputs.size());
  for (const spec::SpecOutput& output : module.spec.outputs)
    names.push_back(output.tensor.name);
  if (Expected<void> known = choice.checkOutputs(names); !known)
    return fail(known.error());
  for (size_t output = 0; output < names.size(); ++output) {
    auto shape = spec::outputShape(module.terms, module.spec, output, *sizes);
    if (!shape)
      return fail(shape.error());
    Expected<std::vector<int64_t>> indices = choice.indices(names[output], *shape);
    if (!indices)
      return fail(indices.error());
    if (indices->empty() && !choice.isEverything())
      continue;
    Expected<Json> json =
        isReal ? values.real(output, *shape, *indices) : values.ieee(output, *shape, *indices);
    if (!json)
      return json;
    if (!choice.isEverything())
      (*json)["indices"] = *indices;
    result[names[output]] = *std::move(json);
  }
  return result;
}

Expected<Json> evaluateOnce(const Arguments& arguments) {
  const auto at = arguments.values.find("--at");
  Expected<ElementChoice> choice =
      ElementChoice::parse(at == arguments.values.end() ? std::vector<std::string>() : at->second);
  if (!choice)
    return fail(choice.error());
  Module module;
  if (Expected<void> read = readModule(arguments, module); !read)
    return fail(read.error());
  Expected<ir::TensorFile> inputs = ir::readTensors(arguments.value("--inputs"));
  if (!inputs)
    return fail(inputs.error());
  std::vector<std::string> known;
  known.reserve(module.spec.inputs.size());
  for (const spec::SpecInput& input : module.spec.inputs)
    known.push_back(input.tensor.name);
  const InputNames names("the module", known, namesIn(*inputs));
  Expected<Json> values =
      chosenValues(module, inputs->tensors, *choice, arguments.value("--reading", "ieee") == "real");
  if (!values)
    return fail(names.explain(values.error()));
  names.noteUnused("eval");
  return values;
}

} // namespace

int evalCommand(const std::vector<std::string>& words) {
  const bool json = asksJson(words);
  Expected<Arguments> arguments =
      parseArguments(words, {{"--json"}, {"--inputs", "--reading", "--mode"}, {"--input", "--at"}, 1});
  if (arguments && !arguments->values.contains("--inputs"))
    arguments = missingOption("--inputs");
  if (arguments)
    if (const auto reading = session::readingFromName(arguments->value("--reading", "ieee")); !reading)
      arguments = fail(reading.error());
  Expected<Json> values = arguments ? evaluateOnce(*arguments) : tl::unexpected(arguments.error());
  if (!values)
    return report(values.error(), json);
  return printOut(prettyJson(*values)) ? 0 : 4;
}

} // namespace plumbline::cli

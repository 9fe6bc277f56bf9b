#include "tests/unit/spec/integer_cases.h"

#include "core/base/json.h"
#include "core/spec/evaluate.h"
#include "tests/unit/spec/graphs.h"

#include <bit>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

namespace plumbline::spec {
namespace {

using ir::ScalarType;

float specialOf(int value) {
  switch (value) {
  case -5: return NAN;
  case 5: return HUGE_VALF;
  case 4:
  case 3: return -HUGE_VALF;
  default: return static_cast<float>(value);
  }
}

/// The values that `make` in the Python script gives to the tensor argument number `which`.
std::vector<uint64_t> valuesOf(const std::string& kind, size_t count, size_t which) {
  std::vector<uint64_t> bits;
  for (size_t i = 0; i < count; ++i) {
    const auto mixed = static_cast<uint32_t>((i * 37 + which * 101 + 11) * 2654435761U);
    const int value = static_cast<int>((mixed >> 16) % 11) - 5;
    const float number = kind == "zeros"      ? 0.0F
                         : kind == "specials" ? specialOf(value)
                                              : static_cast<float>(value);
    bits.push_back(std::bit_cast<uint32_t>(number));
  }
  return bits;
}

std::vector<std::string> texts(const Json& shape) {
  std::vector<std::string> result;
  for (const Json& size : shape)
    result.push_back(std::to_string(size.get<int64_t>()));
  return result;
}

/// Collects the inputs of one call.
class CallReader {
public:
  explicit CallReader(IntegerCase& result) : m_result(result) {}

  torch::Argument argument(const Json& json) {
    if (json.is_null())
      return torch::NoneArg{};
    if (json.is_boolean())
      return json.get<bool>();
    if (json.is_number_integer())
      return json.get<int64_t>();
    if (json.is_number())
      return torch::floatScalar(json.get<double>());
    if (json.is_string())
      return json.get<std::string>();
    if (json.is_object())
      return torch::TensorRef{tensor(json)};
    return list(json);
  }

  GraphBuilder builder;

private:
  torch::Argument list(const Json& json) {
    if (!json.empty() && json[0].is_object()) {
      torch::TensorRefs tensors;
      for (const Json& item : json)
        tensors.items.push_back({tensor(item)});
      return tensors;
    }
    std::vector<torch::SizeArg> numbers;
    for (const Json& item : json)
      numbers.push_back({ir::sizeConstant(item.get<int64_t>())});
    return numbers;
  }

  std::string tensor(const Json& json) {
    const std::string kind = json.begin().key();
    const Json& shape = json.begin().value();
    const size_t which = m_result.inputs.size();
    std::string name = "x" + std::to_string(which);
    ir::Tensor value{ScalarType::F32, shape.get<std::vector<int64_t>>(), {}};
    value.bits = valuesOf(kind, static_cast<size_t>(ir::elementCount(value.shape).value_or(0)), which);
    m_result.inputs[name] = std::move(value);
    builder.input(name, texts(shape));
    if (kind != "truths")
      return name;
    builder.node(name + "_true", "aten.gt.Scalar", {spec::tensor("self", name), {"other", int64_t{0}}},
                 texts(shape), torch::DType::Bool);
    return name + "_true";
  }

  IntegerCase& m_result;
};

IntegerCase caseOf(const Json& json) {
  IntegerCase result;
  CallReader reader(result);
  std::vector<torch::NamedArgument> arguments;
  for (const auto& [name, value] : json["arguments"].items())
    arguments.push_back({name, reader.argument(value)});
  result.name = json["target"].get<std::string>() + " " + json["arguments"].dump();
  torch::Graph& graph = reader.builder.node("out", json["target"], std::move(arguments), {}).graph;
  graph.nodes.back().outputs.clear();
  graph.outputs.clear();
  for (const Json& each : json["results"]) {
    const bool isIndex = !graph.outputs.empty();
    const std::string name = "out" + std::to_string(graph.outputs.size());
    graph.nodes.back().outputs.push_back(name);
    graph.outputs.push_back(name);
    graph.tensors[name] = {isIndex ? torch::DType::I64 : torch::DType::F32, sizes(texts(each["shape"])),
                           true};
    result.results.push_back({isIndex ? ScalarType::I64 : ScalarType::F32,
                              each["shape"].get<std::vector<int64_t>>(),
                              each["bits"].get<std::vector<uint64_t>>()});
  }
  result.graph = graph;
  return result;
}

} // namespace

std::vector<IntegerCase> integerCases(std::initializer_list<std::string_view> words) {
  std::vector<IntegerCase> result;
  std::ifstream file(PLUMBLINE_SOURCE_DIR "/tests/unit/spec/integer_cases.jsonl");
  for (std::string line; std::getline(file, line);) {
    const Json json = Json::parse(line);
    const std::string overload = json["target"].get<std::string>().substr(std::string("aten.").size());
    if (std::ranges::any_of(words, [&](std::string_view word) { return overload.starts_with(word); }))
      result.push_back(caseOf(json));
  }
  return result;
}

void expectAgreement(const IntegerCase& each) {
  SCOPED_TRACE(each.name);
  logic::TermStore terms;
  auto spec = denote(terms, each.graph);
  ASSERT_TRUE(spec) << toString(spec.error());
  auto values = evaluateSpec(terms, *spec, each.inputs);
  ASSERT_TRUE(values) << toString(values.error());
  for (size_t k = 0; k < each.results.size(); ++k) {
    const ir::Tensor& ours = values->at(each.graph.outputs[k]);
    EXPECT_EQ(ours.shape, each.results[k].shape);
    EXPECT_EQ(ours.bits, each.results[k].bits) << "result " << k;
  }
}

} // namespace plumbline::spec

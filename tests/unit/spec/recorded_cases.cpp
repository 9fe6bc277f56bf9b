#include "tests/unit/spec/recorded_cases.h"

#include "core/base/json.h"
#include "core/spec/evaluate.h"
#include "tests/unit/spec/graphs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

namespace plumbline::spec {
namespace {

using ir::ScalarType;

ScalarType scalarType(const std::string& dtype) {
  return dtype == "bool" ? ScalarType::Bool : dtype == "int64" ? ScalarType::I64 : ScalarType::F32;
}

std::vector<std::string> texts(const std::vector<int64_t>& shape) {
  std::vector<std::string> result;
  result.reserve(shape.size());
  for (int64_t size : shape)
    result.push_back(std::to_string(size));
  return result;
}

torch::DType dtypeOf(const Json& json) {
  return torch::dtypeFromName(json["dtype"].get<std::string>()).value_or(torch::DType::Other);
}

ir::Tensor tensorOf(const Json& json) {
  ir::Tensor result{scalarType(json["dtype"]), json["shape"].get<std::vector<int64_t>>(), {}};
  for (const Json& bits : json["bits"])
    result.bits.push_back(static_cast<uint64_t>(bits.get<int64_t>()));
  return result;
}

torch::Argument numbers(const Json& json) {
  std::vector<torch::SizeArg> result;
  result.reserve(json.size());
  for (const Json& item : json)
    result.push_back({ir::sizeConstant(item.get<int64_t>())});
  return result;
}

/// An argument that is no tensor.
torch::Argument plain(const Json& json) {
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
  if (json.is_array())
    return numbers(json);
  if (json.contains("number"))
    return torch::floatScalar(json["number"] == "inf" ? HUGE_VAL : -HUGE_VAL);
  return dtypeOf(json);
}

bool isTensor(const Json& json) {
  return json.is_object() && json.contains("bits");
}

/// Makes the tensor an input of the graph.
torch::TensorRef inputOf(const Json& json, const std::string& name, GraphBuilder& builder,
                         RecordedCase& result) {
  const ir::Tensor given = tensorOf(json);
  builder.input(name, texts(given.shape), torch::InputKind::User, dtypeOf(json));
  result.inputs[name] = given;
  return {name};
}

torch::Argument argumentOf(const Json& json, const std::string& name, GraphBuilder& builder,
                           RecordedCase& result) {
  if (isTensor(json))
    return inputOf(json, name, builder, result);
  if (!json.is_array() || json.empty() || !isTensor(json[0]))
    return plain(json);
  torch::TensorRefs tensors;
  for (const Json& item : json)
    tensors.items.push_back(inputOf(item, name + std::to_string(tensors.items.size()), builder, result));
  return tensors;
}

RecordedCase caseOf(const Json& json) {
  RecordedCase result;
  GraphBuilder builder;
  std::vector<torch::NamedArgument> arguments;
  for (const auto& [name, value] : json["arguments"].items())
    arguments.push_back({name, argumentOf(value, "in_" + name, builder, result)});
  result.name = json["target"].get<std::string>() + " " + json["arguments"].dump();
  torch::Graph& graph = builder.node("out", json["target"], std::move(arguments), {}).graph;
  graph.nodes.back().outputs.clear();
  graph.outputs.clear();
  for (const Json& each : json["results"]) {
    const std::string name = "out" + std::to_string(graph.outputs.size());
    result.results.push_back(tensorOf(each));
    graph.nodes.back().outputs.push_back(name);
    graph.outputs.push_back(name);
    graph.tensors[name] = {dtypeOf(each), sizes(texts(result.results.back().shape)), true};
  }
  result.graph = graph;
  result.tolerance = json["tolerance"];
  result.absolute = json["absolute"];
  return result;
}

bool agrees(const RecordedCase& each, uint64_t ours, uint64_t wanted) {
  const auto x = std::bit_cast<float>(static_cast<uint32_t>(ours));
  const auto y = std::bit_cast<float>(static_cast<uint32_t>(wanted));
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  if (ours == wanted)
    return true;
  if (each.tolerance == 0 || std::isinf(x) || std::isinf(y))
    return false;
  return std::abs(static_cast<double>(x) - y) <= each.tolerance * std::abs(y) + each.absolute;
}

void expectResult(const RecordedCase& each, const ir::Tensor& wanted, const ir::Tensor& some,
                  const ir::Tensor& other) {
  EXPECT_EQ(some.type, wanted.type);
  EXPECT_EQ(some.shape, wanted.shape);
  ASSERT_EQ(some.bits.size(), wanted.bits.size());
  for (size_t i = 0; i < wanted.bits.size(); ++i) {
    if (wanted.type != ScalarType::F32)
      EXPECT_EQ(some.bits[i], wanted.bits[i]) << "element " << i;
    else
      EXPECT_TRUE(agrees(each, some.bits[i], wanted.bits[i]) || agrees(each, other.bits[i], wanted.bits[i]))
          << std::hex << "element " << i << ": 0x" << some.bits[i] << ", PyTorch 0x" << wanted.bits[i];
  }
}

void expectAgreement(const RecordedCase& each) {
  SCOPED_TRACE(each.name);
  logic::TermStore terms;
  auto spec = denote(terms, each.graph);
  ASSERT_TRUE(spec) << toString(spec.error());
  EvaluateOptions otherwise;
  otherwise.otherChoices = false;
  auto some = evaluateSpec(terms, *spec, each.inputs);
  auto other = evaluateSpec(terms, *spec, each.inputs, otherwise);
  ASSERT_TRUE(some) << toString(some.error());
  ASSERT_TRUE(other) << toString(other.error());
  for (size_t k = 0; k < each.results.size(); ++k)
    expectResult(each, each.results[k], some->at(each.graph.outputs[k]), other->at(each.graph.outputs[k]));
}

} // namespace

std::vector<RecordedCase> recordedCases(std::initializer_list<std::string_view> words) {
  std::vector<RecordedCase> result;
  std::ifstream file(PLUMBLINE_SOURCE_DIR "/tests/unit/spec/recorded_cases.jsonl");
  for (std::string line; std::getline(file, line);) {
    const Json json = Json::parse(line);
    const std::string overload = json["target"].get<std::string>().substr(std::string("aten.").size());
    if (std::ranges::any_of(words, [&](std::string_view word) { return overload.starts_with(word); }))
      result.push_back(caseOf(json));
  }
  return result;
}

void expectAgreement(std::initializer_list<std::string_view> words, size_t least) {
  const std::vector<RecordedCase> cases = recordedCases(words);
  EXPECT_GE(cases.size(), least);
  for (const RecordedCase& each : cases)
    expectAgreement(each);
}

} // namespace plumbline::spec
